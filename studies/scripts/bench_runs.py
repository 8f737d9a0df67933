"""Common code of the scripts that run sv-bench."""
import contextlib
import json
import os
import pathlib
import re
import signal
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.append(str(ROOT / "python"))  # sverdrup.palette


def romio_component():
    """The name of Open MPI's ROMIO; None for another MPI."""
    try:
        out = subprocess.run(["ompi_info"], capture_output=True, text=True, timeout=60).stdout
    except OSError:
        return None
    names = [line.split(":")[1].split()[0] for line in out.splitlines() if "MCA io:" in line and "romio" in line]
    return names[0] if names else None


def busy_fraction(seconds=2):
    """How much of all cores others use."""
    def ticks():
        numbers = [int(n) for n in pathlib.Path("/proc/stat").read_text().split("\n", 1)[0].split()[1:]]
        return sum(numbers[:8]), numbers[3] + numbers[4]
    all_before, idle_before = ticks()
    time.sleep(seconds)
    all_after, idle_after = ticks()
    return 1 - (idle_after - idle_before) / max(1, all_after - all_before)


def program_in(build, name):
    """sv-bench of that build; ends the script `name` where there is none."""
    program = build / "bin/sv-bench"
    if not program.exists():
        sys.exit(f"{name}: there is no {program}: it is built where CLI11 and nlohmann-json are found (scripts/setup bench)")
    return program


def say_how_busy(name):
    """How much of the machine others use, 0 to 1, also on the screen."""
    busy = busy_fraction()
    print(f"{name}: before the start others used {100 * busy:.0f} % of {os.cpu_count()} cores: "
          + ("the machine is quiet" if busy < 0.05 else "NOT QUIET, so ratios may be off by tens of per cent"))
    return busy


def end(process):
    """Ends what still runs of it: first gently, so that the launcher removes its files in /dev/shm."""
    for how in (signal.SIGTERM, signal.SIGKILL):
        if process.poll() is not None:
            break
        os.killpg(process.pid, how)
        try:
            process.communicate(timeout=10)
        except subprocess.TimeoutExpired:
            continue
    # A killed OMPIO leaves these, and the next one to open a file of that name would hang.
    for left in pathlib.Path("/dev/shm").glob("sem.OMPIO_sv-bench*"):
        with contextlib.suppress(OSError):  # of other users
            left.unlink()


def run(command, json_path, limit_seconds, flags=(), variables=None):
    """Runs [RANKS, PROGRAM, ARGUMENTS...] with these flags of the launcher and environment variables. Returns what its JSON
    holds, or None after saying why there is none."""
    launched = [ROOT / "scripts/mpirun", *map(str, command), "--json", json_path]
    environment = {**os.environ, **(variables or {}), "MPIRUN_FLAGS": " ".join([os.environ.get("MPIRUN_FLAGS", ""), *flags])}
    json_path.unlink(missing_ok=True)
    process = subprocess.Popen(launched, env=environment, start_new_session=True, stdout=subprocess.DEVNULL,
                               stderr=subprocess.PIPE, text=True)
    try:
        _, errors = process.communicate(timeout=limit_seconds)
    except subprocess.TimeoutExpired:
        print(f"{json_path.stem}: not done within {limit_seconds} s, no figures")
        return None
    finally:
        end(process)
    if process.returncode != 0:
        print(f"{json_path.stem}: failed\n{errors}")
        return None
    return json.loads(json_path.read_text())


def provenance():
    """Day, commit and machine of a measurement, which are kept with its results."""
    commit = subprocess.run(["git", "-C", ROOT, "describe", "--always", "--dirty"], capture_output=True, text=True).stdout.strip()
    model = [line.split(":")[1].strip() for line in pathlib.Path("/proc/cpuinfo").read_text().splitlines() if line.startswith("model name")]
    machine = f"{os.cpu_count()} cores, {model[0] if model else os.uname().machine}"
    return {"date": time.strftime("%Y-%m-%d"), "commit": commit or "unknown", "machine": machine}


def measured(results):
    """A line for a page, of results that keep their provenance."""
    made = [each["made"] for each in results if "made" in each]
    if not made:
        return "The results do not contain their date, commit and machine.\n"
    parts = [", ".join(sorted({each[key] for each in made})) for key in ("date", "commit", "machine")]
    return f"Measured {parts[0]}, commit {parts[1]}, on {parts[2]}.\n"


def with_section(page, name, text):
    """The page with this text between its two markers of that name."""
    begin, end = f"<!-- {name}: begin -->\n", f"<!-- {name}: end -->"
    head, rest = page.split(begin)
    return head + begin + text + end + rest.split(end, 1)[1]


def by_name(results):
    return {entry["name"]: entry for entry in results["results"]} if results else {}


def value_at(entry, path):
    """The value under these nested keys; None if one is missing."""
    for key in path:
        entry = entry.get(key) if entry else None
    return entry


def markdown_table(heads, rows):
    lines = ["| " + " | ".join(heads) + " |", "|" + " --- |" * len(heads)]
    return "\n".join(lines + ["| " + " | ".join(row) + " |" for row in rows]) + "\n"


def number(value, pattern="{:.3f}"):
    return "-" if value is None else pattern.format(value)


def pyplot_or_none(script):
    """matplotlib.pyplot, which draws into files; None after saying that there is none."""
    try:
        import matplotlib
        matplotlib.use("Agg")
        from matplotlib import pyplot
    except ImportError:
        print(f"{script}: no picture: matplotlib was not found")
        return None
    return pyplot


def save_figure(figure, stem):
    """As PNG and SVG; the latter is dark where the reader's screen is."""
    for suffix in (".svg", ".png"):
        figure.savefig(stem.with_suffix(suffix), dpi=150)
    path = stem.with_suffix(".svg")
    dark = "<style>@media (prefers-color-scheme:dark){svg:root{filter:invert(.93) hue-rotate(180deg)}}</style>"
    path.write_text(re.sub(r"(<svg\b[^>]*>)", rf"\1\n{dark}", path.read_text(), count=1))
