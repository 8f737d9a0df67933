"""Runs programs under the tracer, and returns their traces as plain tables."""

import os
import pathlib
import shutil
import subprocess
import sys
from collections import Counter

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "python"))
from sverdrup.trace import Process, Run  # noqa: E402


def traced(command: list[str], library: str, directory: str, limit: float = 60, **environment: str) -> str:
    """The output of the command; its traces are in `directory`, made anew."""
    shutil.rmtree(directory, ignore_errors=True)
    env = dict(os.environ, LD_PRELOAD=library, SV_TRACE_DIRECTORY=os.path.abspath(directory), **environment)
    done = subprocess.run(command, env=env, capture_output=True, text=True, timeout=limit)
    if done.returncode != 0:
        raise SystemExit(f"{' '.join(command)}: status {done.returncode}\n{done.stdout}{done.stderr}")
    return done.stdout


def processes(directory: str, program: str) -> dict[int, Process]:
    """By rank, of one program; whole, and with nothing lost."""
    run = Run(directory)
    assert not run.problems, [problem.text for problem in run.problems]
    found = {process.rank: process for process in run.processes if os.path.basename(process.program) == program}
    for process in found.values():
        assert process.ended and not process.lost and not process.open_calls, (process.path, process.lost)
    return found


def names(process: Process, path: int) -> list[str]:
    """Functions of a call path, outermost first."""
    found = []
    while path:
        found.insert(0, process.functions[process.path_function[path]][1])
        path = int(process.path_caller[path])
    return found


def layer(process: Process, path: int) -> str:
    return process.functions[process.path_function[path]][0]


def rows(process: Process, chosen: str, outermost: bool = False) -> dict[tuple[str, str, str], tuple[int, int, int]]:
    """Calls, errors and bytes of a layer by function, file and variable; `outermost`: only calls of the program."""
    found: dict[tuple[str, str, str], tuple[int, int, int]] = {}
    for total, path, file, variable in zip(process.totals, *(place.tolist() for place in process.total_places())):
        if layer(process, path) == chosen and not (outermost and process.path_caller[path]):
            key = (names(process, path)[-1], os.path.basename(process.files[file]), process.variables[variable][1])
            before = found.get(key, (0, 0, 0))
            found[key] = tuple(a + int(total[name]) for a, name in zip(before, ("calls", "errors", "bytes")))
    return found


def paths(process: Process) -> Counter:
    """How many calls each path has had, as "outer > inner"."""
    found: Counter = Counter()
    for total, path in zip(process.totals, process.total_places()[0].tolist()):
        found[" > ".join(names(process, path))] += int(total["calls"])
    return found


def calls(process: Process, function: str) -> list[dict]:
    """The events of a function, in order: bytes, offset, failed, and their arguments."""
    events = process.events()
    return [{"bytes": int(events.bytes[i]), "offset": int(events.offset[i]), "failed": bool(events.failed[i]),
             **events.arguments(i)} for i in range(len(events)) if names(process, int(events.path[i]))[-1] == function]


def table(text: str, **values: object) -> dict[tuple[str, str, str], tuple[int, int, int]]:
    """Lines "function file variable calls bytes [errors]", - for no variable; {rank} and others are put in."""
    found = {}
    for line in filter(str.strip, text.format(**values).splitlines()):
        function, file, variable, number, size, *errors = line.split()
        key = (function, file, "" if variable == "-" else variable)
        found[key] = (int(number), int(errors[0]) if errors else 0, eval(size))  # noqa: S307: sums, in this file
    return found


def compare(what: str, found: dict, expected: dict) -> None:
    """Ends the test where they differ."""
    wrong = [f"{what}: {key}: (calls, errors, bytes) {found.get(key)}, expected {expected.get(key)}"
             for key in sorted({*found, *expected}) if found.get(key) != expected.get(key)]
    if wrong:
        raise SystemExit("\n".join(wrong))
