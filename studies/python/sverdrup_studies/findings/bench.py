"""Runs sv-bench and sv-plan for the findings, and keeps their JSON: a run whose result is there is not done again."""

import argparse
import hashlib
import json
import os
import re
import shutil
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from sverdrup import programs
from sverdrup_studies.kept import read_json, write_json

from . import mpi_io

SECONDS = 300.0  # time limit of a run
SERIES = dict[str, list[float]]  # seconds of each round, by method


class RunError(Exception):
    """A run of sv-bench that failed; the text says which, and why."""


@dataclass(frozen=True)
class Run:
    """A run: words after sv-bench, ranks, and the emulated device, if any."""

    words: tuple[str, ...]
    ranks: int
    device: str = ""
    only: tuple[str, ...] = ()
    settings: tuple[str, ...] = ()
    environment: Mapping[str, str] = field(default_factory=dict)

    def arguments(self) -> list[str]:
        said = list(self.words)
        said += ["--device", self.device] if self.device else []
        said += ["--only", ",".join(self.only)] if self.only else []
        return said + [word for one in self.settings for word in ("--set", one)]

    def variables(self) -> dict[str, str]:
        return {**mpi_io.variables(), **self.environment}

    def shown(self) -> str:
        """As a command, which a user can repeat."""
        before = [f"{name}={value}" for name, value in self.variables().items()]
        return " ".join([*before, f"mpiexec -n {self.ranks} sv-bench", *(_quoted(word) for word in self.arguments())])


def _quoted(word: str) -> str:
    return f"'{word}'" if re.search(r"[*?\s]", word) else word


@dataclass
class Bench:
    """Where and how runs are done. directory: of the files that are written; raw: of the JSON that is kept; most: ranks
    that there may be; rounds: of each method; own: on the storage there is, without an emulated device; size: fields
    are so many times larger. `commands` gathers the requests, in order."""

    directory: Path
    raw: Path
    launcher: str | None = None
    bin: str | None = None
    most: int = 64
    rounds: int = 5
    own: bool = False
    size: float = 1.0
    commands: list[str] = field(default_factory=list)
    tell: Callable[[str], None] = lambda text: print(text, file=sys.stderr, flush=True)

    def ranks(self, wanted: Sequence[int]) -> list[int]:
        """Those of the numbers of ranks that the user allows. Raises RunError where fewer than two are left."""
        left = [ranks for ranks in wanted if ranks <= self.most]
        if len(left) < 2:
            raise RunError(f"needs at least {sorted(wanted)[1]} ranks, and --ranks allows {self.most}")
        return left

    def device(self, emulated: str) -> str:
        return "" if self.own else emulated

    def scale(self, divides: float) -> str:
        """Of a workload's --scale, which divides the cells of a level."""
        return f"{max(1.0, divides / self.size):g}"

    def run(self, what: Run) -> dict:
        """The JSON of sv-bench. Raises RunError, programs.ProgramError."""
        if what.ranks > self.most:
            raise RunError(f"needs {what.ranks} ranks, and --ranks allows {self.most}")
        self.commands.append(what.shown())
        kept = self.raw / _file_name(what.shown())
        asked = {"command": what.shown(), "rounds": self.rounds, "dir": str(self.directory), "launcher": self.launcher}
        found = read_json(kept)
        if found.get("asked") == asked and "result" in found:
            return found["result"]
        result = self._measured(what)
        self.raw.mkdir(parents=True, exist_ok=True)
        write_json(kept, {"asked": asked, "result": result})
        return result

    def plan(self, words: Sequence[str]) -> dict:
        """The JSON of sv-plan: exact counts, for any number of ranks. Raises RunError, programs.ProgramError."""
        self.commands.append("sv-plan " + " ".join(map(_quoted, words)))
        self.raw.mkdir(parents=True, exist_ok=True)
        output = self.raw / _file_name(self.commands[-1])
        ended = programs.run([programs.program("sv-plan", self.bin), *words, "--json", str(output)], SECONDS)
        if not ended.ok:
            raise RunError(f"{self.commands[-1]}: {ended.reason}")
        return json.loads(output.read_text(encoding="utf-8"))

    def _measured(self, what: Run) -> dict:
        self.raw.mkdir(parents=True, exist_ok=True)
        command = [programs.program("sv-bench", self.bin), *what.arguments(), "--repeat", str(self.rounds)]
        output = self.raw / f".sv-bench-{os.getpid()}.json"
        output.unlink(missing_ok=True)
        directory = self.directory / f"sverdrup-findings-{os.getpid()}"
        directory.mkdir(parents=True)
        command += ["--dir", str(directory), "--json", str(output)]
        self.tell(f"  {time.strftime('%H:%M:%S')} {what.shown()}")
        try:
            ended = programs.launch(self.launcher, what.ranks, command, SECONDS, what.variables())
            if not ended.ok:
                raise RunError(f"{what.shown()}: {mpi_io.with_remedy(ended.reason)}")
            return json.loads(output.read_text(encoding="utf-8"))
        except (OSError, ValueError) as error:
            raise RunError(f"{what.shown()}: its results cannot be read: {error}") from error
        finally:
            output.unlink(missing_ok=True)
            shutil.rmtree(directory, ignore_errors=True)


def _file_name(command: str) -> str:
    """Of a command's results: its words, cut, and a sum of all of it."""
    words = re.sub(r"[^\w.,=+-]+", "_", command.partition("sv-bench ")[2] or command)
    return f"{words[:120]}.{hashlib.sha256(command.encode()).hexdigest()[:8]}.json"


def methods(result: dict) -> dict[str, dict]:
    """The results by method. Raises RunError where values were wrong."""
    wrong = [one["name"] for one in result["results"] if one.get("verified") is False]
    if wrong:
        raise RunError(f"{result['benchmark']}: wrong values in the file of {', '.join(wrong)}")
    return {one["name"]: one for one in result["results"]}


def phases(result: dict, names: Sequence[str]) -> SERIES:
    """Of each method the seconds of each round in these phases together, each of the slowest rank."""
    found = {}
    for name, one in methods(result).items():
        rounds = [one["phase_rounds"][phase] for phase in names]
        found[name] = [sum(parts) for parts in zip(*rounds, strict=True)]
    return found


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of commands that measure."""
    programs.add_arguments(parser)
    parser.add_argument("--ranks", type=int, default=64, metavar="N", help="ranks of a run, at most (64)")
    parser.add_argument("--rounds", type=int, default=5, metavar="N", help="rounds of each method (5)")
    parser.add_argument(
        "--own-storage", action="store_true", help="use the storage of --dir itself, not an emulated device"
    )
    parser.add_argument("--size", type=float, default=1.0, metavar="X", help="make fields X times larger (1)")
    parser.add_argument(
        "--dir", default="/dev/shm", metavar="DIR", help="folder for the files that the runs write (/dev/shm)"
    )
