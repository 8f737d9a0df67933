"""Keeps all runs of a tuning in a file of JSON lines: the first line describes the workload, and each further line is a
run, written when it ends.

Tuning depends only on measurements. So an interrupted tuning continues by being done again: each result that it needs
is taken from the journal, as long as the journal has it."""

import json
import os
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, field
from datetime import datetime, timezone
from pathlib import Path

from . import TuneError, shown
from .space import Configuration


@dataclass
class Run:
    """One run: its stage (start, screen, search, race, confirm) and configuration, its seconds (None: it failed,
    and why), the seconds of each repetition within it and of its phases, and how long it took with all around it;
    in a race `among` whom."""

    stage: str
    configuration: Configuration
    seconds: float | None
    samples: list[float] = field(default_factory=list)
    phases: dict[str, float] = field(default_factory=dict)
    failed: str | None = None
    took: float = 0.0
    at: str = ""
    among: str = ""


_BEGINNING = b'{"task": '


def _short(value: object) -> str:
    """The beginning of a file identifies it."""
    text = " ".join(shown(value).split())
    return text if len(text) <= 80 else text[:79] + "…"


class Journal:
    """The runs of a folder, old and new. `path` None: kept in memory only."""

    def __init__(self, path: Path | None, task: Mapping[str, object]):
        self.path = path
        self.runs: list[Run] = []
        self._old: list[Run] = []
        self.recalled = 0
        if path is not None:
            path.parent.mkdir(parents=True, exist_ok=True)
            self._open(path, json.loads(json.dumps(task)))

    def _open(self, path: Path, task: dict) -> None:
        content = path.read_bytes() if path.exists() else b""
        whole = content[: content.rfind(b"\n") + 1]  # without an incomplete last line of a killed process
        try:
            if not content.startswith(_BEGINNING[: len(content)]):
                raise ValueError("it begins otherwise")
            lines = whole.decode("utf-8").splitlines()
            if len(lines) < 2:  # it has no runs
                self._write({"task": task}, "w")
                return
            entries = [json.loads(line) for line in lines]
            before, self._old = dict(entries[0]["task"]), [Run(**entry) for entry in entries[1:]]
        except (ValueError, KeyError, TypeError) as error:
            raise TuneError(f"{path}: not a journal of runs ({error}). Name another folder with --state") from error
        other = sorted(name for name in {*before, *task} if before.get(name) != task.get(name))
        if other:
            diff = "; ".join(f"{name} was {_short(before.get(name))} and is {_short(task.get(name))}" for name in other)
            raise TuneError(f"{path} is of another task: {diff}. Name another folder with --state, or remove it")
        if whole != content:
            os.truncate(path, len(whole))

    def _write(self, entry: dict, mode: str = "a") -> None:
        if self.path is None:
            return
        with self.path.open(mode, encoding="utf-8") as file:
            file.write(json.dumps(entry, allow_nan=False) + "\n")
            file.flush()
            os.fsync(file.fileno())

    def _recalled(self, stage: str, configuration: Configuration, among: str) -> Run | None:
        for index, run in enumerate(self._old):
            if (run.stage, run.configuration, run.among) == (stage, configuration, among):
                self.recalled += 1
                return self._old.pop(index)
        return None

    def run(
        self, stage: str, configuration: Configuration, measure: Callable[[Configuration], Run], among: str = ""
    ) -> Run:
        """The run that the journal has of it, or a new one. In a race only runs of the same race count: others were
        not made in turns with its own."""
        run = self._recalled(stage, configuration, among)
        if run is None:
            run = measure(configuration)
            run.stage, run.configuration, run.among = stage, configuration, among
            run.at = datetime.now(timezone.utc).isoformat(timespec="seconds")
            self._write(asdict(run))
        self.runs.append(run)
        return run
