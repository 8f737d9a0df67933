"""The subject of a tuning: a workload of sv-bench (Bench), or a command of the user's (Command). Each measures a
configuration by running it once."""

import json
import math
import shlex
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Protocol

import yaml

from ..keys import short_name
from ..programs import Finished, ProgramError, launch, launched, program, run
from . import TuneError
from .journal import Run
from .serving import NONE, is_count
from .space import Configuration, Space

# Of each workload of sv-bench the method that takes everything from --set: without servers, and with if it has them.
METHODS: dict[str, tuple[str, ...]] = {
    "field": ("sverdrup.auto",),
    "patterns": ("sverdrup.auto",),
    "records": ("sverdrup.per_variable",),
    "coll_perf": ("sverdrup.per_variable",),
    "flash": ("sverdrup.per_variable",),
    "points": ("sverdrup.direct",),
    "overlap": ("sverdrup.no_servers", "sverdrup.servers"),
    "cfio_loop": ("sverdrup.no_servers", "sverdrup.servers"),
    "cfio_throughput": ("sverdrup.no_servers", "sverdrup.servers.{servers}"),
    "macom": ("sverdrup.no_servers", "sverdrup.servers"),
    "mom5": ("sverdrup.auto", "sverdrup.servers"),
    "cmaq": ("sverdrup.auto", "sverdrup.servers"),
    "pop": ("sverdrup.no_servers", "sverdrup.servers"),
    "cice": ("sverdrup.no_servers", "sverdrup.servers"),
    "licom": ("sverdrup.no_servers", "sverdrup.servers"),
    "replay": ("sverdrup", "sverdrup.servers"),
    "segments": ("sverdrup",),
    "small": ("sverdrup.per_variable",),
}
# The settings of these methods, with their defaults in Sverdrup. They are always given, so that the measured default
# is the result of a configuration file without that line.
SAID = {
    "mom5": {"reading": "auto"},
    "macom": {"route": "auto", "writers": "auto", "async.forwarding": "synchronous"},
}
_OWN = ("stripes", "async")  # parameters that are no line of a configuration file: of the device, and of the launcher


class Task(Protocol):
    """Measures configurations."""

    def measure(self, configuration: Configuration) -> Run: ...


def settings(space: Space, configuration: Configuration) -> Configuration:
    """The lines of a configuration file for it."""
    return {name: value for name, value in space.settings(configuration).items() if name not in _OWN}


def chosen_way(configuration: Configuration) -> Configuration:
    """The key `async`, where it is more than the number of ranks that always serve."""
    serving = configuration.get("async", NONE)
    return {} if is_count(serving) else {"async": serving}


def has_servers(workload: str) -> bool:
    """Whether it has methods with servers: it computes between its outputs."""
    return len(METHODS.get(workload, ())) > 1


def has_option(words: Sequence[str], name: str) -> bool:
    return any(word == name or word.startswith(name + "=") for word in words)


def pinned_by(words: Sequence[str]) -> dict[str, str]:
    """The settings after --set in a workload's own words."""
    found: dict[str, str] = {}
    after = False  # --set, which takes several words
    for word in words:
        if word.startswith("-"):
            option, _, word = word.partition("=")
            after = option == "--set"
        key, assigned, value = word.partition("=")
        if after and assigned:
            found[short_name(key)] = value
    return found


def _set(values: Configuration) -> list[str]:
    return [word for key, value in values.items() for word in ("--set", f"{key}={value}")]


def method_of(workload: str, servers: int) -> str:
    """The method that is tuned. Raises TuneError."""
    methods = METHODS.get(workload)
    if methods is None:
        raise TuneError(
            f"which method of the workload {workload} is tuned is not known. "
            f"Name it: --workload '{workload} --only METHOD'"
        )
    return methods[-1 if servers else 0].format(servers=servers)


def _failure(finished: Finished) -> Run:
    return Run("", {}, None, failed=finished.reason, took=finished.seconds)


@contextmanager
def _own_folder(folder: Path) -> Iterator[Path]:
    """A new folder in `folder`, writable for others, which is removed with its contents."""
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="sv-tune-", dir=folder, ignore_cleanup_errors=True) as own:
        yield Path(own)


@dataclass
class Bench:
    """A workload of sv-bench; `words`: its name and options; `ranks` compute, servers come in addition."""

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
    layout: tuple[int, int] | None = None  # of the ranks that compute; None: the workload's own

    def __post_init__(self) -> None:
        """Parameters in the words are not tried. Raises TuneError."""
        self.space = self.space.pinned(pinned_by(self.words))
        tried = [value for each in self.space.parameters if each.name == "async" for value in each.values]
        if not self.serves and any(self.space.extra_ranks({"async": value}) > 0 for value in tried):
            raise TuneError(f"the workload {self.words[0]} has no servers: leave them out of --space")

    def _device(self, configuration: Configuration) -> list[str]:
        if not self.device:
            return []
        stripes = configuration.get("stripes")
        wanted = stripes is not None and stripes != self.space.parameter("stripes").default
        return ["--device", self.device + (f",stripes={stripes}" if wanted else "")]

    def command(self, configuration: Configuration, results: Path) -> list[str]:
        """The words after the launcher's."""
        servers = self.space.extra_ranks(configuration)
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
        if not has_option(self.words, "--only"):
            made += ["--only", method_of(self.words[0], servers)]
        if self.serves:
            made += ["--servers", str(servers)]
        if self.layout and not servers and not has_option(self.words, "--layout"):
            made += ["--layout", f"{self.layout[0]}x{self.layout[1]}"]
        if self.words[0] == "overlap":
            made += ["--clients", str(self.ranks)]
        pinned = pinned_by(self.words)
        said = {key: value for key, value in SAID.get(self.words[0], {}).items() if key not in pinned}
        return made + _set(said | chosen_way(configuration) | settings(self.space, configuration))

    def measure(self, configuration: Configuration) -> Run:
        with _own_folder(self.folder) as own:  # with all files of a run, also of one that is killed
            return self._measure(configuration, own / "results.json")

    def _measure(self, configuration: Configuration, results: Path) -> Run:
        began = time.monotonic()
        ranks = self.ranks + self.space.extra_ranks(configuration)
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
        servers = self.space.extra_ranks(configuration)
        values = chosen_way(configuration) | settings(self.space, configuration)
        given = [f"{key}={value}" for key, value in values.items()]
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
        with _own_folder(self.folder) as own:
            return self._measure(configuration, own / "settings.yaml")

    def _measure(self, configuration: Configuration, config: Path) -> Run:
        serving = configuration.get("async", NONE)
        values = settings(self.space, configuration) | ({"async": serving} if serving != NONE else {})
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
            raise TuneError(f"{file} has no '{name}' of '{path}'; there is: {_there(value)}") from None
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not math.isfinite(value) or value <= 0:
        raise TuneError(f"{file}: '{path}' is {_there(value)}, not seconds")
    return float(value)


def _there(value: object) -> str:
    """The contents of a JSON file, in words."""
    if isinstance(value, dict):
        return f"an object with {', '.join(map(str, value))[:200]}" if value else "an empty object"
    return f"a list of {len(value)}" if isinstance(value, list) else json.dumps(value)


def options_of(bench: Path, workload: str) -> str:
    """The output of `sv-bench WORKLOAD --help`. Raises TuneError if there is no such workload."""
    try:
        shown = run([bench, workload, "--help"], 60)
    except ProgramError as error:
        raise TuneError(str(error)) from error
    if not shown.ok:
        raise TuneError(f"sv-bench has no workload '{workload}': {shown.reason}")
    return shown.output


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
    """The same at another scale, for confirming: settings in the words hold there, too; on other ranks the layout is
    the workload's own."""
    if words is None:
        made = replace(task, ranks=ranks or task.ranks)
    else:
        settled = {key: value for key, value in pinned_by(task.words).items() if key not in pinned_by(words)}
        made = replace(task, words=[*words, *_set(settled)], ranks=ranks or task.ranks)
    if isinstance(made, Bench) and made.ranks != task.ranks:
        made.layout = None
    return made


def bench_program(folder: str | None) -> Path:
    try:
        return program("sv-bench", folder)
    except ProgramError as error:
        raise TuneError(str(error)) from error
