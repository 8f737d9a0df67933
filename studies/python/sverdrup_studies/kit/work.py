"""Says what each step of the kit does: commands, run one after the other, whose output goes to a log that can be
watched."""

import os
import shlex
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import sverdrup
from sverdrup import cli, programs
from sverdrup_studies.findings import mpi_io
from sverdrup_studies.kept import write_json

from .environment import environment
from .plan import CONFIRMED_TIMES, TUNED_SCALE, WORKLOADS, Asked, Step, scaled

GROWTH = 4  # times the cells of the run before
HEADER = Path(__file__).with_name("history.cdl")  # that is replayed


class StepError(Exception):
    """A step that failed; the text says why. missing: this build cannot do it."""

    def __init__(self, text: str, missing: bool = False) -> None:
        super().__init__(text)
        self.missing = missing


@dataclass
class Work:
    """A step under way. scratch: the folder whose files are removed when it ends; began, until: of time.monotonic(),
    until: when it is ended; commands: those that were run."""

    asked: Asked
    step: Step
    folder: Path
    scratch: Path
    began: float
    until: float
    commands: list[str] = field(default_factory=list)

    def run(self, command: Sequence[str | Path], variables: Mapping[str, str] | None = None) -> float:
        """Runs a command with these variables, no longer than the step may take; gives the seconds that it took. Raises
        StepError."""
        seconds = self.until - time.monotonic()
        if seconds <= 0:
            raise StepError("its time was used up")
        variables = variables or {}
        shown = " ".join([*(f"{name}={value}" for name, value in variables.items()), shlex.join(map(str, command))])
        self.commands.append(shown)
        log = self.folder / "log.txt"
        with log.open("a", encoding="utf-8") as text:
            text.write(f"$ {shown}\n")
        # The shell only sends the output to the log, and becomes the command.
        words = ["/bin/sh", "-c", 'log=$1; shift; exec "$@" >>"$log" 2>&1', "sh", log, *command]
        try:
            ended = programs.run(words, seconds, {"PYTHONPATH": _python_path(), **variables})
        except programs.ProgramError as error:
            raise StepError(str(error)) from error
        if not ended.ok:
            raise StepError(f"{ended.reason}{_last_words(log)} ({self.folder.name}/log.txt)")
        return ended.seconds

    def subcommand(self, *words: str | Path) -> float:
        """Runs a subcommand of sverdrup or of the studies. Raises StepError."""
        package = "sverdrup" if words[0] in cli.SVERDRUP.commands else "sverdrup_studies"
        return self.run([sys.executable, "-m", package, *words])

    def options(self, ranks: int | None = None) -> list[str]:
        """Of the subcommands that measure; ranks: None is all."""
        said = ["--ranks", str(ranks or self.asked.ranks), "--dir", str(self.scratch)]
        said += ["--launcher", self.asked.launcher] if self.asked.launcher else []
        return said + (["--bin", self.asked.bin] if self.asked.bin else [])

    def program(self, name: str) -> Path:
        try:
            return programs.program(name, self.asked.bin)
        except programs.ProgramError as error:
            raise StepError(str(error), missing=True) from error


def _python_path() -> str:
    """With the places of both packages, which their children do not find otherwise."""
    places = [str(Path(file).resolve().parents[up]) for file, up in ((__file__, 2), (sverdrup.__file__, 1))]
    return os.pathsep.join([*places, *filter(None, [os.environ.get("PYTHONPATH")])])


def _last_words(log: Path) -> str:
    lines = [
        line.strip() for line in log.read_text(encoding="utf-8", errors="replace").splitlines() if line.strip(" -=*\t")
    ]
    reported = [line for line in lines if "sverdrup" in line.lower() or "sv-" in line or "error" in line.lower()]
    said = [line for line in reported or lines if not line.startswith("$ ")]
    return f": {said[-1][:300]}" if said else ""


def _environment(work: Work) -> None:
    write_json(work.folder / "environment.json", environment(work.asked))


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
    """An even number of ranks computes, which has more divisions than most odd ones; servers are additional."""
    work.program("sv-bench")
    asked, profile = work.asked, work.asked.output / "probe" / "machine.yaml"
    ranks = max(1, (asked.ranks - asked.servers) // 2 * 2)
    tuned = scaled(TUNED_SCALE, asked.ranks)
    confirmed = max(1.0, tuned / CONFIRMED_TIMES)
    words = ["--workload", f"mom5 --scale {tuned:g} --steps 8", "--confirm", f"mom5 --scale {confirmed:g} --steps 8"]
    words += ["--servers", str(asked.servers), "--nodes", str(min(asked.nodes, ranks)), "--state", work.folder]
    words += ["--budget", f"{max(1, 40 * work.step.minutes):.0f}s"]  # the rest is for confirming
    work.subcommand("tune", *words, *work.options(ranks), *(["--profile", profile] if profile.exists() else []))


def _consistency(work: Work) -> None:
    words = ["consistency", "--output", work.folder / "consistency.md", "--picture", work.folder / "consistency.svg"]
    work.subcommand(*words)


def _workload(work: Work) -> None:
    """The small run; then, where it has a scale, larger ones as long as they should end in time: four times the cells
    have taken 1 to 2.3 times as long here."""
    name = work.step.name.removeprefix("workload-")
    asked, workload, program = work.asked, WORKLOADS[name], work.program("sv-bench")
    if programs.run([program, name, "--help"], 60).status != 0:
        raise StepError(f"the sv-bench of this build has no workload {name}", missing=True)
    values = {"clients": max(1, asked.ranks - asked.servers), "servers": asked.servers, "header": HEADER}
    words = [word.format(**values) for word in workload.options.split()]

    def bench(label: str, scale: float) -> float:
        of_scale = ["--scale", f"{scale:g}"] if scale else []
        output = work.folder / f"{label}.json"
        command = [program, name, *words, *of_scale, "--repeat", "3", "--dir", work.scratch, "--json", output]
        try:
            return work.run(programs.launched(asked.launcher, asked.ranks, command), mpi_io.variables())
        except StepError as error:
            why = mpi_io.with_remedy(str(error))
            raise StepError(why, missing="not compiled" in why) from error

    scale = scaled(workload.scale, asked.ranks) if workload.scale else 0
    end = work.began + 60 * work.step.minutes
    took = bench("small", scale)
    while scale > 1 and time.monotonic() + 2 * took < end:
        scale = max(1.0, scale / GROWTH)
        took = bench("large", scale)


DOES = {
    "environment": _environment,
    "probe": _probe,
    "workloads": _workload,
    "findings": _findings,
    "tune": _tune,
    "consistency": _consistency,
}
