"""What each step does: commands, run one after the other, whose output goes to a log that can be watched."""

import json
import os
import shlex
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

import sverdrup
from sverdrup import programs

from .environment import environment
from .plan import WORKLOADS, Asked, Step


class StepError(Exception):
    """A step that failed; the text says why. missing: this build cannot do it."""

    def __init__(self, text: str, missing: bool = False) -> None:
        super().__init__(text)
        self.missing = missing


@dataclass
class Work:
    """A step under way. scratch: the folder whose files are removed when it ends; began, until: of time.monotonic(),
    until: when it is ended; commands: what was run."""

    asked: Asked
    step: Step
    folder: Path
    scratch: Path
    began: float
    until: float
    commands: list[str] = field(default_factory=list)

    def run(self, command: Sequence[str | Path], limit: float | None = None) -> float:
        """Runs a command, at most so many seconds and no longer than the step may take; gives the seconds that it took.
        Raises StepError."""
        left = self.until - time.monotonic()
        seconds = min(left, limit or left)
        if seconds <= 0:
            raise StepError("its time was over")
        shown = shlex.join(map(str, command))
        self.commands.append(shown)
        log = self.folder / "log.txt"
        with log.open("a", encoding="utf-8") as text:
            text.write(f"$ {shown}\n")
        # The shell only sends the output to the log, and becomes the command.
        words = ["/bin/sh", "-c", 'log=$1; shift; exec "$@" >>"$log" 2>&1', "sh", log, *command]
        try:
            ended = programs.run(words, seconds, {"PYTHONPATH": _python_path()})
        except programs.ProgramError as error:
            raise StepError(str(error)) from error
        if not ended.ok:
            raise StepError(f"{ended.reason}{_last_words(log)} ({self.folder.name}/log.txt)")
        return ended.seconds

    def subcommand(self, *words: str | Path) -> float:
        """Runs a subcommand of sverdrup. Raises StepError; of a subcommand that this copy lacks as missing."""
        from sverdrup.cli import commands

        if words[0] not in commands():
            raise StepError(f"this copy of Sverdrup has no 'sverdrup {words[0]}'", missing=True)
        return self.run([sys.executable, "-m", "sverdrup", *words])

    def options(self) -> list[str]:
        """Of the subcommands that measure."""
        said = ["--ranks", str(self.asked.ranks), "--dir", str(self.scratch)]
        said += ["--launcher", self.asked.launcher] if self.asked.launcher else []
        return said + (["--bin", self.asked.bin] if self.asked.bin else [])

    def program(self, name: str) -> Path:
        try:
            return programs.program(name, self.asked.bin)
        except programs.ProgramError as error:
            raise StepError(str(error), missing=True) from error


def _python_path() -> str:
    """With the place of this package, which an installed copy does not tell its children otherwise."""
    here, old = str(Path(sverdrup.__file__).resolve().parents[1]), os.environ.get("PYTHONPATH")
    return os.pathsep.join([here, old] if old else [here])


def _last_words(log: Path) -> str:
    lines = [
        line.strip() for line in log.read_text(encoding="utf-8", errors="replace").splitlines() if line.strip(" -=*\t")
    ]
    told = [line for line in lines if "sverdrup" in line.lower() or "sv-" in line or "error" in line.lower()]
    said = [line for line in told or lines if not line.startswith("$ ")]
    return f": {said[-1][:300]}" if said else ""


def _environment(work: Work) -> None:
    text = json.dumps(environment(work.asked), indent=1) + "\n"
    (work.folder / "environment.json").write_text(text, encoding="utf-8")


def _probe(work: Work) -> None:
    work.program("sv-probe")
    words = ["--output", work.folder / "machine.yaml", "--pictures", work.folder]
    words += ["--json", work.folder / "samples.json", "--budget", f"{max(10, 48 * work.step.minutes):.0f}"]
    work.subcommand("probe", *work.options(), *words)


def _findings(work: Work) -> None:
    own = ["--own-storage", "--size", "4"] if work.step.name == "findings-own" else []
    work.program("sv-bench")
    work.subcommand("findings", *work.options(), *own, "--output", work.folder)


def _tune(work: Work) -> None:
    work.program("sv-bench")
    profile = work.asked.output / "probe" / "machine.yaml"
    words = ["tune", "--workload", "mom5 --scale 400 --steps 8", *work.options(), "--state", work.folder]
    words += ["--budget", f"{max(1, int(0.8 * work.step.minutes))}min"]
    work.subcommand(*words, *(["--profile", profile] if profile.exists() else []))


def _consistency(work: Work) -> None:
    words = ["consistency", "--output", work.folder / "consistency.md", "--picture", work.folder / "consistency.svg"]
    work.subcommand(*words)


def _workload(work: Work) -> None:
    """At the scale of a laptop; then, where its scale can be chosen and time is left, at one that fits what is left."""
    name = work.step.name.removeprefix("workload-")
    options, scale = WORKLOADS[name]
    servers = max(1, work.asked.ranks // 8)
    words = options.format(clients=max(1, work.asked.ranks - servers), servers=servers).split()
    program = work.program("sv-bench")
    if programs.run([program, name, "--help"], 60).status != 0:
        raise StepError(f"sv-bench of this build has no workload {name}", missing=True)

    def bench(label: str, *more: str) -> float:
        output = work.folder / f"{label}.json"
        command = [program, name, *words, *more, "--repeat", "3", "--dir", work.scratch, "--json", output]
        return work.run(programs.launched(work.asked.launcher, work.asked.ranks, command))

    took = bench("small")
    left = work.began + 60 * work.step.minutes - time.monotonic()
    factor = left / (2 * took)  # how many times the volume half of the time is enough for
    if scale and factor >= 4:
        bench("large", "--scale", f"{max(1.0, scale / factor):g}")


DOES = {
    "environment": _environment,
    "probe": _probe,
    "workloads": _workload,
    "findings": _findings,
    "tune": _tune,
    "consistency": _consistency,
}
