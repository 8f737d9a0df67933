"""The space of a tuning: parameters with their values, and which of them go together."""

import itertools
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np
import yaml

from . import TuneError, shown
from .serving import extra_ranks

Configuration = dict[str, str]  # the values of the parameters that count in it, in the order of the space
ABSENT = "-"  # as a value: the parameter does not count
LIMIT = 4000  # configurations that are looked at, at most; of a larger space a random part


@dataclass(frozen=True)
class Parameter:
    """A key of docs/configuration.md, or `stripes` of an emulated device. The first value is the default, for which
    nothing is set. It counts only where each parameter in `only`, which comes before it, has one of the values
    there."""

    name: str
    values: tuple[str, ...]
    layer: str = "own"
    only: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    ordered: bool = False  # neighbouring values are alike

    @property
    def default(self) -> str:
        return self.values[0]

    def counts(self, configuration: Mapping[str, str]) -> bool:
        return all(configuration.get(name, ABSENT) in values for name, values in self.only.items())


@dataclass(frozen=True)
class Space:
    """Parameters, those that others depend on first; `never`: values that do not go together; `nodes`: on which ranks
    start."""

    parameters: tuple[Parameter, ...]
    never: tuple[Mapping[str, tuple[str, ...]], ...] = ()
    nodes: int = 1

    def parameter(self, name: str) -> Parameter:
        return next(each for each in self.parameters if each.name == name)

    @property
    def default(self) -> Configuration:
        return self.completed({})

    def completed(self, some: Mapping[str, str]) -> Configuration:
        """With defaults for missing parameters, and without parameters that have no effect."""
        made: Configuration = {}
        for each in self.parameters:
            if each.counts(made):
                made[each.name] = some.get(each.name, each.default)
        return made

    def allowed(self, configuration: Mapping[str, str]) -> bool:
        return not any(all(configuration.get(name) in values for name, values in bar.items()) for bar in self.never)

    def settings(self, configuration: Mapping[str, str]) -> Configuration:
        """The values that are not the default."""
        return {name: value for name, value in configuration.items() if value != self.parameter(name).default}

    def extra_ranks(self, configuration: Mapping[str, str]) -> int:
        """Ranks in addition to those that compute."""
        return extra_ranks(configuration.get("async", "none"), self.nodes)

    def key(self, configuration: Mapping[str, str]) -> str:
        """A name: the same for two configurations that set the same."""
        return " ".join(f"{name}={value}" for name, value in self.settings(configuration).items()) or "default"

    def _all(self, index: int, made: Configuration) -> Iterator[Configuration]:
        if index == len(self.parameters):
            if self.allowed(made):
                yield dict(made)
            return
        parameter = self.parameters[index]
        if not parameter.counts(made):
            yield from self._all(index + 1, made)
            return
        for value in parameter.values:
            yield from self._all(index + 1, {**made, parameter.name: value})

    def _draw(self, random: np.random.Generator) -> Configuration:
        numbers = random.integers(0, [len(each.values) for each in self.parameters])
        return self.completed({each.name: each.values[number] for each, number in zip(self.parameters, numbers)})

    def configurations(self, random: np.random.Generator, limit: int = LIMIT) -> list[Configuration]:
        """All of them, the default first; of more than `limit` so many at random, and the default."""
        some = list(itertools.islice(self._all(0, {}), limit + 1))
        if len(some) > limit:
            drawn = (self._draw(random) for _ in range(2 * limit))
            some = [each for each in drawn if self.allowed(each)][: limit - 1]
        unique = {self.key(each): each for each in [self.default, *some]}
        return list(unique.values())

    def levels(self, configurations: list[Configuration]) -> np.ndarray:
        """The number of each value among those of its parameter, -1 where it does not count: [configuration,
        parameter]."""
        numbers = [{value: index for index, value in enumerate(each.values)} for each in self.parameters]
        return np.array(
            [
                [numbers[column].get(one.get(each.name, ABSENT), -1) for column, each in enumerate(self.parameters)]
                for one in configurations
            ],
            dtype=int,
        ).reshape(len(configurations), len(self.parameters))

    def pinned(self, values: Mapping[str, str]) -> "Space":
        """With these values of these parameters for good: they are settled elsewhere, and nothing is set for them."""
        kept = tuple(
            replace(each, values=(values[each.name],)) if each.name in values else each for each in self.parameters
        )
        return replace(self, parameters=kept)

    def text(self) -> str:
        """As YAML, as read() takes it."""
        parameters = {}
        for each in self.parameters:
            entry: dict = {"values": list(each.values), "layer": each.layer}
            if each.only:
                entry["only"] = {name: list(values) for name, values in each.only.items()}
            if each.ordered:
                entry["ordered"] = True
            parameters[each.name] = entry
        bars = [{name: list(values) for name, values in bar.items()} for bar in self.never]
        return yaml.safe_dump(
            {"parameters": parameters, "never": bars}, sort_keys=False, width=110, default_flow_style=None
        )


def _texts(value: object, where: str) -> tuple[str, ...]:
    """A value or a list of them, as Sverdrup writes them: true and false in small letters, [4, 2] as 4,2."""

    def text(one: object) -> str:
        if isinstance(one, bool):
            return str(one).lower()
        if isinstance(one, list) and all(isinstance(part, int) for part in one):
            return ",".join(map(str, one))
        if isinstance(one, (str, int, float)):
            return str(one)
        raise TuneError(f"{where}: {shown(one)} is no value. Give words or numbers")

    values = value if isinstance(value, list) else [value]
    if not values:
        raise TuneError(f"{where}: no values are given")
    return tuple(dict.fromkeys(text(one) for one in values))


def _bar(values: object, where: str) -> dict[str, tuple[str, ...]]:
    """Of each parameter that is named some values. Raises TuneError."""
    if not isinstance(values, dict):
        raise TuneError(f"{where}: {shown(values)} is no parameter with its values. Write NAME: VALUES")
    return {name: _texts(some, where) for name, some in values.items()}


def from_entries(entries: object, where: str) -> Space:
    """The space of a mapping as text() writes it. Raises TuneError."""
    if not isinstance(entries, dict) or not isinstance(entries.get("parameters"), dict) or not entries["parameters"]:
        raise TuneError(
            f"{where}: give 'parameters:', and below it a name with its values each, as --print-space prints them"
        )
    parameters: list[Parameter] = []
    for name, entry in entries["parameters"].items():
        entry = entry if isinstance(entry, dict) else {"values": entry}
        unknown = set(entry) - {"values", "layer", "only", "ordered"}
        if unknown or "values" not in entry:
            wrong = f", not {', '.join(repr(str(word)) for word in sorted(unknown, key=str))}" if unknown else ""
            raise TuneError(f"{where}: {name}: give 'values', and if need be 'only', 'ordered' and 'layer'{wrong}")
        only = _bar(entry.get("only") or {}, f"{where}: {name}: only")
        for other in only:
            if other not in {each.name for each in parameters}:
                raise TuneError(f"{where}: {name} depends on {other}, which has to stand before it")
        values = _texts(entry["values"], f"{where}: {name}")
        parameters.append(
            Parameter(str(name), values, str(entry.get("layer", "own")), only, bool(entry.get("ordered")))
        )
    for value in (value for each in parameters if each.name == "async" for value in each.values):
        try:
            extra_ranks(value, 1)
        except TuneError as error:
            raise TuneError(f"{where}: {error}") from None
    bars = entries.get("never") or []
    never = tuple(_bar(bar, f"{where}: never") for bar in (bars if isinstance(bars, list) else [bars]))
    space = Space(tuple(parameters), never)
    if not space.allowed(space.default):
        raise TuneError(f"{where}: 'never' bars the first values of all parameters, which are the default")
    return space


def read(path: Path) -> Space:
    """The space of a YAML file. Raises TuneError."""
    try:
        return from_entries(yaml.safe_load(path.read_text(encoding="utf-8")), str(path))
    except OSError as error:
        raise TuneError(f"{path}: {error.strerror}. Name a file as --print-space prints it") from error
    except (yaml.YAMLError, UnicodeDecodeError, RecursionError) as error:
        raise TuneError(f"{path}: not YAML: {' '.join(str(error).split())}") from error
