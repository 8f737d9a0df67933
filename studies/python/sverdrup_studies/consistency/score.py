"""Fits the equation of each set in fits.toml to some of its figures, predicts the others, and says which predictions
hit. The command and the page start from score()."""

import statistics
import tomllib
from collections.abc import Callable
from dataclasses import dataclass

from . import equations
from .figures import HERE, Arithmetic
from .fitting import fit

Parameters = dict[str, float]


@dataclass(frozen=True)
class Outcome:
    """A prediction next to the published value: seconds of I/O. rounding: how far the published ones may be off by the
    paper's rounding; compute: seconds of the same run without I/O, if the paper states them."""

    name: str
    published: float
    rounding: float
    predicted: float
    compute: float | None
    hit: bool

    @property
    def error(self) -> float:
        """Of the I/O seconds, as a part of the published ones."""
        return self.predicted / self.published - 1

    @property
    def error_of_total(self) -> float | None:
        """The error if the whole run were scored."""
        return None if self.compute is None else (self.predicted - self.published) / (self.compute + self.published)


@dataclass(frozen=True)
class Scored:
    """A set: parameters in bytes per second, or seconds; fitted: the name of each figure that they were fitted to,
    with the error left."""

    id: str
    title: str
    equation: str
    parameters: Parameters
    fitted: list[tuple[str, float]]
    outcomes: list[Outcome]

    @property
    def hits(self) -> int:
        return sum(outcome.hit for outcome in self.outcomes)

    @property
    def median(self) -> float:
        """The median of the errors' sizes."""
        return statistics.median(abs(outcome.error) for outcome in self.outcomes)


def _serial_write(case: dict, parameters: Parameters) -> float:
    return equations.serial_write(case["bytes"], parameters["writer_rate"], case.get("message_rate", float("inf")))


def _parallel_write(case: dict, parameters: Parameters) -> float:
    return equations.parallel_write(case["bytes"], case["writers"], **parameters)


def _open_files(case: dict, parameters: Parameters) -> float:
    return equations.open_files(case["ranks"], **parameters)


def _forwarding(case: dict, parameters: Parameters) -> float:
    run = equations.Forwarded(*(case[key] for key in ("bytes", "servers", "outputs", "compute", "server_write_rate")))
    return equations.forwarding(run, **parameters)


def _bounded_overlap(case: dict, parameters: Parameters) -> float:
    write = equations.parallel_write(case["bytes"], case["writers"], **parameters)
    if case["phase"] == "write":
        return write
    write /= case["outputs"]
    if case["phase"] == "break_even":  # as seconds of computing between outputs
        return case["step"] * equations.fewest_steps(case["step"], write, case["outputs"], case["allowed"])
    return equations.waiting(case["compute"] / case["outputs"], write, case["outputs"]) + write


EQUATIONS: dict[str, Callable[[dict, Parameters], float]] = {
    "serial_write": _serial_write,
    "parallel_write": _parallel_write,
    "open_files": _open_files,
    "forwarding": _forwarding,
    "bounded_overlap": _bounded_overlap,
}


def plan() -> dict:
    """fits.toml."""
    return tomllib.loads((HERE / "fits.toml").read_text(encoding="utf-8"))


def arithmetic() -> Arithmetic:
    """On the figures, and the definitions of fits.toml."""
    return Arithmetic({group: plan()[group] for group in ("volume", "assumed")})


def _evaluated(case: dict, numbers: Arithmetic) -> dict:
    return {
        key: numbers.value(value) if isinstance(value, str) and key not in ("name", "phase") else value
        for key, value in case.items()
    }


def score_set(wanted: dict, threshold: float, numbers: Arithmetic) -> Scored:
    """One entry [[set]] of fits.toml, fitted and scored; threshold: the largest error of a hit, as a part."""

    def seconds(case: dict, parameters: Parameters) -> float:
        return EQUATIONS[wanted["equation"]](case, parameters) + case.get("known", 0.0)

    fitted = [_evaluated(case, numbers) for case in wanted["fit"]]

    def residuals(parameters: Parameters) -> list[float]:
        return [seconds(case, parameters) / case["seconds"] - 1 for case in fitted]

    parameters = fit(wanted["parameters"], residuals)
    outcomes = []
    for raw in wanted["predict"]:
        case = _evaluated(raw, numbers)
        predicted = seconds(case, parameters)
        hit = abs(predicted / case["seconds"] - 1) <= threshold
        outcomes.append(
            Outcome(
                case["name"], case["seconds"], numbers.rounding(raw["seconds"]), predicted, case.get("compute"), hit
            )
        )
    left = list(zip((case["name"] for case in fitted), residuals(parameters), strict=True))
    return Scored(wanted["id"], wanted["title"], wanted["equation"], parameters, left, outcomes)


def score() -> list[Scored]:
    """All sets, in the order of fits.toml."""
    wanted, numbers = plan(), arithmetic()
    return [score_set(one, wanted["threshold"], numbers) for one in wanted["set"]]
