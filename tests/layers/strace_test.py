"""Programs not written for the tracer: calls and bytes of its POSIX layer are those that strace sees, exactly, by
process, system call and file.

strace_test.py WHAT LIBRARY COMMAND...: runs the command under strace and the tracer; it works in this folder.
"""

import os
import pathlib
import re
import subprocess
import sys
from collections import Counter

from traces import Process, Run, names

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "trace"))
from strace_run import CALLS, LINE, paths_of, system_call  # noqa: E402

HERE = os.path.realpath(os.getcwd())
STREAMS = ("fopen", "fread", "fwrite", "fclose")
MOVES = ("read", "write", "pread", "pwrite")


def is_ours(file: str | None) -> bool:
    """In this folder, and no trace or shared library (which are not traced), nor the configuration of a library, which reads
    it while it is loaded, perhaps before the tracer."""
    return bool(file) and file.startswith(HERE + "/") and not re.search(r"\.svtrace$|\.so(\.|$)|/\.\w+rc$|/ucx\.conf$", file)


def is_stream(function: str) -> bool:
    return function.removesuffix("64").removesuffix("_unlocked") in STREAMS


def seen_by_tracer(process: Process, found: Counter, openings: dict[str, list[bool]]) -> None:
    """Adds calls and bytes by (system call, file), without streams; and of each file, in order, whether a stream opened
    it."""
    events = process.events()
    assert events.complete
    for i in range(len(events)):
        path, file = int(events.path[i]), process.files[int(events.file[i])]
        function = names(process, path)[-1]
        if process.functions[process.path_function[path]][0] != "posix" or not is_ours(file):
            continue
        if function.startswith("fopen") or system_call(function) in ("openat", "creat"):
            openings.setdefault(file, []).append(is_stream(function))
        if not is_stream(function):
            found[system_call(function), file, "calls"] += 1
            found[system_call(function), file, "bytes"] += max(int(events.bytes[i]), 0)


def seen_by_strace(log: str, openings: dict[str, list[bool]]) -> Counter:
    """The same of one process, from the lines of its main thread. A descriptor that a stream opened is the stream's."""
    found: Counter = Counter()
    streams: set[str] = set()
    opened: Counter = Counter()
    for match in filter(None, map(LINE.match, log.splitlines())):
        call, arguments, result, target = match.groups()
        file = next(iter(paths_of(call, arguments, target, HERE)), None)
        descriptor = arguments.split("<")[0]
        if not is_ours(file):
            continue
        if system_call(call) in ("openat", "creat"):
            opened[file] += 1
            by_stream = openings.get(file, [])[opened[file] - 1 : opened[file]] == [True]
            if by_stream:
                streams |= {result} - {"-1"}
                continue
        elif descriptor in streams:
            streams -= {descriptor} if call == "close" else set()
            continue
        found[system_call(call), file, "calls"] += 1
        moves = call.removesuffix("64").rstrip("v2") in MOVES
        found[system_call(call), file, "bytes"] += max(int(result), 0) if moves else 0
    return found


def run(what: str, library: str, command: list[str]) -> None:
    """Leaves traces in traces/ and the log of each thread in strace.TID."""
    for old in pathlib.Path().glob("strace.*"):
        old.unlink()
    subprocess.run(["rm", "-rf", "traces"], check=True)
    strace = ["strace", "-ff", "-qq", "-y", "-s", "0", "-o", "strace", "-e", f"trace={CALLS}", "-e", "signal=none"]
    preload = [f"-ELD_PRELOAD={library}", f"-ESV_TRACE_DIRECTORY={HERE}/traces"]
    done = subprocess.run([*strace, *preload, *command], capture_output=True, text=True, timeout=60)
    if done.returncode == 77:
        sys.exit(77)  # skipped
    if done.returncode != 0:
        raise SystemExit(f"{what}: status {done.returncode}\n{done.stdout}{done.stderr}")


def main() -> None:
    what, library, *command = sys.argv[1:]
    if subprocess.run(["strace", "-o", "strace.out", "true"], capture_output=True).returncode != 0:
        print("strace may not trace here (a container without ptrace)")
        sys.exit(77)  # skipped
    run(what, library, command)
    compared, calls, moved = 0, 0, 0
    processes = Run("traces").processes
    for pid in sorted({process.pid for process in processes}):
        ours, openings = Counter(), {}
        programs = [process for process in processes if process.pid == pid]  # one after the other, by exec
        for process in programs:
            seen_by_tracer(process, ours, openings)
        theirs = seen_by_strace(pathlib.Path(f"strace.{pid}").read_text(), openings)
        wrong = [f"{key}: tracer {ours[key]}, strace {theirs[key]}" for key in sorted({*ours, *theirs})
                 if ours[key] != theirs[key]]
        if wrong:
            raise SystemExit("\n".join([f"{what}, process {pid} ({programs[-1].program}):", *wrong]))
        compared += bool(ours)
        calls += sum(number for key, number in ours.items() if key[2] == "calls")
        moved += sum(number for key, number in ours.items() if key[2] == "bytes")
    if compared == 0 or moved == 0:
        raise SystemExit(f"{what}: no process has moved anything")
    print(f"{what}: {calls} calls and {moved} bytes of {compared} processes are those that strace saw")


if __name__ == "__main__":
    main()
