"""What is tuned: a workload of sv-bench, or a command of the user's; each measures a configuration by one run of it."""

import json
import math
import os
import shlex
import shutil
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Protocol

import yaml

from ..programs import Finished, ProgramError, launch, launched, program, run
from . import TuneError
from .journal import Run
from .space import Configuration, Space

# The method of a workload that takes everything from --set; without servers, and with.
_METHODS = {
    "cfio_loop": ("sverdrup.no_servers", "sverdrup.servers"),
    "overlap": ("sverdrup.no_servers", "sverdrup.servers"),
    "macom": ("sverdrup.no_servers", "sverdrup.servers"),
    "pop": ("sverdrup.no_servers", "sverdrup.servers"),
    "cice": ("sverdrup.no_servers", "sverdrup.servers"),
    "licom": ("sverdrup.no_servers", "sverdrup.servers"),
    "mom5": ("sverdrup.auto", "sverdrup.servers"),
    "cmaq": ("sverdrup.auto", "sverdrup.servers"),
    "replay": ("sverdrup", "sverdrup.servers"),
    "records": ("sverdrup.per_variable", "sverdrup.per_variable"),
    "points": ("sverdrup.direct", "sverdrup.direct"),
}
_OWN = ("stripes", "servers")  # parameters that are no line of a configuration file: of the device, and of the launcher


class Task(Protocol):
    """Measures configurations."""

    def measure(self, configuration: Configuration) -> Run: ...


@dataclass(frozen=True)
class Limits:
    """Seconds that a run may take; `first` while nothing is known."""

    first: float = 600.0


def settings(space: Space, configuration: Configuration) -> Configuration:
    """The lines of a configuration file for it."""
    return {name: value for name, value in space.settings(configuration).items() if name not in _OWN}


def lines(space: Space, configuration: Configuration) -> str:
    """The same as YAML."""
    return yaml.safe_dump(settings(space, configuration), sort_keys=False) if settings(space, configuration) else "{}\n"


def _servers(configuration: Configuration) -> int:
    return int(configuration.get("servers", "0"))


def _failure(finished: Finished) -> Run:
    return Run("", {}, None, failed=finished.reason, took=finished.seconds)


@dataclass
class Bench:
    """A workload of sv-bench; `words`: its name and options; `ranks` compute, servers come beside them."""

    space: Space
    words: Sequence[str]
    ranks: int
    folder: Path
    bench: Path
    launcher: str | None = None
    device: str | None = None
    repeat: int = 3
    limit: float = 600.0  # seconds of a run
    serves: bool = False  # the workload has the option --servers

    def _device(self, configuration: Configuration) -> list[str]:
        if not self.device:
            return []
        stripes = configuration.get("stripes")
        wanted = stripes is not None and stripes != self.space.parameter("stripes").default
        return ["--device", self.device + (f",stripes={stripes}" if wanted else "")]

    def command(self, configuration: Configuration, results: Path) -> list[str]:
        """The words after the launcher's."""
        name, servers = self.words[0], _servers(configuration)
        made = [
            str(self.bench),
            *self.words,
            "--dir",
            str(results.parent),
            "--repeat",
            str(self.repeat),
            "--json",
            str(results),
        ]
        made += self._device(configuration)
        if "--only" not in self.words:
            without, served = _METHODS.get(name, ("sverdrup.auto", "sverdrup.auto"))
            made += ["--only", served if servers else without]
        if self.serves:
            made += ["--servers", str(servers)]
        if name == "overlap":
            made += ["--clients", str(self.ranks)]
        for key, value in settings(self.space, configuration).items():
            made += ["--set", f"{key}={value}"]
        return made

    def measure(self, configuration: Configuration) -> Run:
        own = self.folder / f"sv-tune-{os.getpid()}"  # with all files of a run, also of one that is killed
        own.mkdir(parents=True, exist_ok=True)
        try:
            return self._measure(configuration, own / "results.json")
        finally:
            shutil.rmtree(own, ignore_errors=True)

    def _measure(self, configuration: Configuration, results: Path) -> Run:
        began = time.monotonic()
        ranks = self.ranks + _servers(configuration)
        finished = launch(self.launcher, ranks, self.command(configuration, results), self.limit)
        if not finished.ok:
            return _failure(finished)
        try:
            result = json.loads(results.read_text(encoding="utf-8"))["results"][0]
            phases = {name: value for name, value in (result.get("phases") or {}).items() if isinstance(value, float)}
            seconds = float(result["seconds"]["median"])
            samples = [float(value) for value in result.get("rounds", [])]
        except (OSError, ValueError, LookupError, TypeError) as error:
            return Run(
                "",
                {},
                None,
                failed=f"sv-bench wrote no result ({error}): is '--only' of it right?",
                took=finished.seconds,
            )
        return Run("", {}, seconds, samples, phases, took=time.monotonic() - began)


@dataclass
class Command:
    """A command of the user's. {ranks}, {servers}, {config} (a file for SV_CONFIG) and {settings} (key=value, a
    word each) are replaced; one that has {ranks} starts its ranks itself. `metric`: FILE:path.in.json, or None: the
    time from its start to its end."""

    space: Space
    words: Sequence[str]
    ranks: int
    folder: Path
    launcher: str | None = None
    metric: str | None = None
    limit: float = 600.0

    def command(self, configuration: Configuration, config: Path) -> list[str]:
        servers = _servers(configuration)
        given = [f"{key}={value}" for key, value in settings(self.space, configuration).items()]
        made: list[str] = []
        for word in self.words:
            word = word.replace("{servers}", str(servers)).replace("{config}", str(config))
            if word == "{settings}":
                made += given
            else:
                made.append(word.replace("{settings}", " ".join(given)).replace("{ranks}", str(self.ranks + servers)))
        if any("{ranks}" in word for word in self.words):
            return made
        return launched(self.launcher, self.ranks + servers, made)

    def measure(self, configuration: Configuration) -> Run:
        config = self.folder / f"sv-tune-{os.getpid()}.yaml"
        servers = {"servers": str(_servers(configuration))} if _servers(configuration) else {}
        values = settings(self.space, configuration) | servers
        config.write_text(yaml.safe_dump(values) if values else "{}\n", encoding="utf-8")
        file = Path(self.metric.rpartition(":")[0]) if self.metric else None
        if file:
            file.unlink(missing_ok=True)  # that of the run before is not this one's
        finished = run(self.command(configuration, config), self.limit, {"SV_CONFIG": str(config)})
        if not finished.ok:
            return _failure(finished)
        seconds = finished.seconds
        if self.metric and file:
            try:
                seconds = metric(file, self.metric.rpartition(":")[2])
            except TuneError as error:
                return Run("", {}, None, failed=str(error), took=finished.seconds)
        return Run("", {}, seconds, [seconds], took=finished.seconds)


def metric(file: Path, path: str) -> float:
    """The number at a path of names and indices in a JSON file: results.0.seconds.median. Raises TuneError."""
    try:
        value = json.loads(file.read_text(encoding="utf-8"))
    except OSError as error:
        raise TuneError(f"the metric's file {file} is not there after the run: {error.strerror}") from error
    except ValueError as error:
        raise TuneError(f"the metric's file {file} is not JSON: {error}") from error
    for name in path.split("."):
        try:
            value = value[int(name)] if isinstance(value, list) else value[name]
        except (KeyError, IndexError, ValueError, TypeError):
            there = ", ".join(map(str, value))[:200] if isinstance(value, dict) else f"{type(value).__name__}"
            raise TuneError(f"{file} has no '{name}' of '{path}'; there is: {there}") from None
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not math.isfinite(value) or value <= 0:
        raise TuneError(f"{file}: '{path}' is {value}, not seconds")
    return float(value)


def options_of(bench: Path, workload: str) -> str:
    """What `sv-bench WORKLOAD --help` prints. Raises TuneError where there is no such workload."""
    try:
        told = run([bench, workload, "--help"], 60)
    except ProgramError as error:
        raise TuneError(str(error)) from error
    if not told.ok:
        raise TuneError(f"sv-bench has no workload '{workload}': {told.reason}")
    return told.output


def words_of(text: str) -> list[str]:
    try:
        words = shlex.split(text)
    except ValueError as error:
        raise TuneError(f"--workload '{text}': {error}") from error
    if not words:
        raise TuneError(
            "--workload is empty. Give a workload of sv-bench and its options: --workload 'mom5 --scale 400'"
        )
    return words


def larger(task: Bench | Command, words: Sequence[str] | None, ranks: int | None) -> Bench | Command:
    """The same at another scale, for confirming."""
    return replace(task, words=list(words) if words else task.words, ranks=ranks or task.ranks)


def bench_program(folder: str | None) -> Path:
    try:
        return program("sv-bench", folder)
    except ProgramError as error:
        raise TuneError(str(error)) from error
