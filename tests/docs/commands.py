"""The commands of the documents that a new user meets, run: commands.py BUILD WORK MPIFORT PAGE...

Every line of every block of commands is run, block after block, in a folder that has the inputs of the pages: a
model, files, traces. Commands that a test cannot run are in LEFT_OUT, with the reason; all others must succeed.
Launchers start four ranks at most; mpifort is the build's, MPIFORT. Prints how many were run, and the errors."""

import collections
import functools
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
BUILD, WORK, MPIFORT = Path(sys.argv[1]).resolve(), Path(sys.argv[2]).resolve(), sys.argv[3]
BLOCK = re.compile(r"^```(\w*)\n(.*?)^```", re.M | re.S)
OURS = r"(sv-|sverdrup |scripts/|build/|mpiexec |mpifort |cmake |make |ctest |pip |python3? |export |ncdump )"
LEFT_OUT = {
    r"make (demo|test|bench|install|packages|cluster|campaign)": "builds all, or takes minutes",
    r"cmake --(preset|build)|ctest|pip install \.": "is what has built what is tested here",
    r"mpiexec -n (720|1096) ": "needs as many ranks",
    r"mpiexec .* sv-bench ": "measures",
    r"sv-run --compare ": "copies the folder, which contains a link to the build",
    r"scripts/mpirun [468] build/bin/ocean --steps=(100|360)": "takes a minute",
}
# A launcher that starts four ranks at most.
MPIEXEC = """#!/bin/bash
words=() last=
for word in "$@"; do
  if [ "$last" = -n ] && [ "$word" -gt 4 ]; then word=4; fi
  words+=("$word")
  last=$word
done
exec "$REAL_MPIEXEC" "${words[@]}"
"""


def executable(path, text):
    path.write_text(text, encoding="utf-8")
    path.chmod(0o755)


@functools.cache
def environment():
    """That of a user who has installed it: with the programs on the path, and one machine's settings for the launcher."""
    programs = WORK / "bin"
    programs.mkdir(parents=True)
    executable(programs / "mpiexec", MPIEXEC)
    executable(programs / "mpifort", f'#!/bin/sh\nexec "{MPIFORT}" "$@"\n')
    executable(programs / "sverdrup", f'#!/bin/sh\nPYTHONPATH="{ROOT}/python" exec {sys.executable} -m sverdrup "$@"\n')
    executable(programs / "python", f'#!/bin/sh\nPYTHONPATH="{BUILD}/python:{ROOT}/python" exec {sys.executable} "$@"\n')
    found = dict(os.environ, HOME=str(WORK / "home"), PATH=f"{programs}:{BUILD}/bin:{os.environ['PATH']}")
    found["REAL_MPIEXEC"] = shutil.which("mpiexec.openmpi") or shutil.which("mpiexec")
    for line in (ROOT / "python/sverdrup/one_machine.env").read_text(encoding="utf-8").splitlines():
        if line and line[0] != "#":
            found.setdefault(*line.split("=", 1))
    return found


def run(command, folder, env):
    done = subprocess.run(
        ["timeout", "-k", "5", "240", "bash", "-e", "-o", "pipefail", "-c", command], cwd=folder, env=env, capture_output=True, text=True
    )
    return done.returncode, done.stdout + done.stderr


def prepare(folder, env):
    """The inputs of the pages."""
    folder.mkdir(parents=True)
    for name in ("build", "scripts", "tools", "python"):
        (folder / name).symlink_to(BUILD if name == "build" else ROOT / name)
    (folder / "docs/images").mkdir(parents=True)
    for name in ("ocean20.f90", "ocean20.py"):
        shutil.copy(ROOT / "examples" / name, folder)
    executable(folder / "model", "#!/bin/sh\nexec build/bin/dropin-shapes s3d history.nc\n")
    for name in ("ocean", "ice"):
        executable(folder / name, f"#!/bin/sh\nexec build/bin/ocean --preset=small --spin-up=40 --steps=4 --every=2 --output={name}_out.nc\n")
    status, said = run(
        """mpiexec -n 2 build/bin/ocean20 && mv ocean20.nc in.nc && cp in.nc stopped.nc.part
        SV_ROUTE=per_pe mpiexec -n 2 build/bin/ocean20
        for piece in ocean20.nc.*; do mv "$piece" "ocean.nc.${piece##*.}"; done
        sv-trace --output a.svtrace -- mpiexec -n 2 ./ocean && cp -r a.svtrace b.svtrace
        echo 'streams: {}' > none.yaml
        echo 'streams: {copied: {file: copied.nc, frequency: 1 step, fields: [sst]}}' > streams.yaml""",
        folder,
        env,
    )
    if status:
        sys.exit(f"the files that the pages take for granted cannot be made:\n{said}")


def commands_of(block):
    """Its commands, without prompts and their output; none if it contains something else."""
    lines = block.replace("\\\n", " ").splitlines()
    if any(line.startswith("$ ") for line in lines):
        lines = [line.removeprefix("$ ") for line in lines if line.startswith("$ ")]
    lines = [line for line in lines if line.strip() and not line.startswith("#")]
    return lines if lines and all(re.match(r"([A-Z_]+=\S* )*" + OURS, line) for line in lines) else []


@functools.cache
def starts_two():
    """Debian 13's launcher of Open MPI crashes with two programs."""
    return run("mpiexec -n 1 true : -n 1 true", WORK, environment())[0] == 0


def left_out(command):
    if re.search("mpiexec .* : ", command) and not starts_two():
        return "this launcher cannot start two programs: it fails with -n 1 true : -n 1 true"
    return next((reason for pattern, reason in LEFT_OUT.items() if re.match(pattern, command)), None)


def page(path, folder, env, counts):
    """Runs those of one page, and yields the errors."""
    text = path.read_text(encoding="utf-8")
    for block in BLOCK.finditer(text):
        place = f"{path.relative_to(ROOT)}:{text[: block.start()].count(chr(10)) + 1}"
        begun = []  # exports of the block, which hold for its later commands
        for command in commands_of(block[2]) if block[1] in ("", "sh") else []:
            if reason := left_out(command):
                counts[f"left out: {reason}"] += 1
                continue
            if command.startswith("export "):
                begun.append(command)
                continue
            status, said = run("\n".join([*begun, command]), folder, env)
            counts["run"] += 1
            if status:
                yield f"{place}: '{command}' ends with {status}:\n{said[-2000:]}"


def main():
    shutil.rmtree(WORK, ignore_errors=True)
    env, counts, wrong = environment(), collections.Counter(), []
    first = WORK / "first"
    prepare(first, env)
    for name in sys.argv[4:]:
        folder = WORK / str(Path(name).relative_to(ROOT).with_suffix("")).replace("/", "-")
        shutil.copytree(first, folder, symlinks=True)
        wrong += page(Path(name), folder, env, counts)
        print(name, flush=True)
    for kind, number in sorted(counts.items()):
        print(f"{number:4d}  {kind}")
    print("\n".join(wrong) or "commands: all that were run succeed")
    return bool(wrong)


if __name__ == "__main__":
    sys.exit(main())
