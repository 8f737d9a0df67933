"""Races a few configurations against each other and the default, in turns, and computes the gain of each, with
a confidence interval.

Each round runs all of them once, in an order drawn anew, so that what drifts hits all alike. The logarithm of the
seconds is a part of the configuration plus a part of the round plus noise (a randomised block design); its residuals
measure the noise."""

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from scipy.special import stdtrit

from .journal import Run
from .space import Configuration

CONFIDENCE = 0.95  # of all the comparisons of a race together (Bonferroni)


@dataclass
class Gain:
    """How many times the seconds of the default a configuration takes: estimate, low and high end of the confidence
    interval (None: too few runs)."""

    configuration: Configuration
    ratio: float
    low: float | None
    high: float | None
    seconds: float  # median of its runs in the race

    @property
    def proven(self) -> bool:
        return self.high is not None and self.high < 1


@dataclass
class Race:
    """The entrants (first the default), the runs of those without a failure (seconds, [round][entrant]), the reason of
    each failure, and the gain of each of the others."""

    began: list[Configuration]
    rounds: list[list[float]]
    failed: dict[int, str]
    default_seconds: float
    gains: list[Gain]

    @property
    def entrants(self) -> list[Configuration]:
        """Without those that failed."""
        return [one for number, one in enumerate(self.began) if number not in self.failed]

    def failure(self, one: Configuration) -> str | None:
        """Why it failed, if it did."""
        return next((why for number, why in self.failed.items() if self.began[number] == one), None)

    @property
    def noise(self) -> float:
        """Standard deviation of a run, as a part of its seconds."""
        return _noise(np.log(np.array(self.rounds)))[0] if len(self.rounds) > 1 else float("nan")


def _noise(logs: np.ndarray) -> tuple[float, int]:
    """Of the logarithms of a run, with its degrees of freedom; logs: [round, entrant]."""
    rest = logs - logs.mean(axis=0) - logs.mean(axis=1)[:, None] + logs.mean()
    freedom = (logs.shape[0] - 1) * (logs.shape[1] - 1)
    return math.sqrt(float(np.sum(rest**2)) / freedom) if freedom else float("nan"), freedom


def compare(entrants: list[Configuration], rounds: list[list[float]]) -> list[Gain]:
    """Each entrant after the first against it. rounds: whole ones, seconds."""
    logs = np.log(np.array(rounds))
    count, width = logs.shape
    differences = (logs[:, 1:] - logs[:, :1]).mean(axis=0)
    noise, freedom = _noise(logs)
    reach = float("nan")
    if freedom > 0:
        reach = float(stdtrit(freedom, 1 - (1 - CONFIDENCE) / (2 * (width - 1)))) * noise * math.sqrt(2 / count)
    gains = []
    for index, difference in enumerate(differences, 1):
        known = freedom > 0
        bounds = (math.exp(difference - reach), math.exp(difference + reach)) if known else (None, None)
        gains.append(Gain(entrants[index], math.exp(difference), *bounds, float(np.median(np.exp(logs[:, index])))))
    return gains


def race(
    entrants: list[Configuration],
    count: int,
    measure: Callable[[Configuration], Run],
    random: np.random.Generator,
) -> Race:
    """Runs `count` rounds, and returns the result. The first entrant is the default. Failed entrants leave. Raises what
    `measure` raises, after which `race` of it has the race so far."""
    left, failed, seconds = list(range(len(entrants))), {}, []
    try:
        for _ in range(count):
            row: dict[int, float] = {}
            for number in [left[place] for place in random.permutation(len(left))]:
                run = measure(entrants[number])
                if run.seconds is None:
                    failed[number] = run.failed or "failed"
                else:
                    row[number] = run.seconds
            left = [number for number in left if number not in failed]
            seconds.append(row)
            if 0 in failed or len(left) < 2:
                break
    except BaseException as error:
        error.race = _race_of(entrants, failed, seconds)  # type: ignore[attr-defined]
        raise
    return _race_of(entrants, failed, seconds)


def _race_of(entrants: list[Configuration], failed: dict[int, str], seconds: list[dict[int, float]]) -> Race:
    left = [number for number in range(len(entrants)) if number not in failed]
    rounds = [[row[number] for number in left] for row in seconds if all(number in row for number in left)]
    here = [entrants[number] for number in left]
    usable = rounds and left and left[0] == 0
    default = float(np.median([row[0] for row in rounds])) if usable else float("nan")
    gains = compare(here, rounds) if usable and len(left) > 1 else []
    return Race(entrants, rounds, failed, default, gains)
