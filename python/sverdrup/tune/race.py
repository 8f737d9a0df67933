"""Few configurations against each other and the default, run in turns: what one gains, with a confidence interval.

Each round runs all of them once, in an order drawn anew, so that what drifts hits all alike. The logarithm of the
seconds is a part of the configuration plus a part of the round plus noise (a randomised block design); its
residuals tell the noise."""

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from scipy.special import stdtrit

from .journal import Run
from .space import Configuration

_BEFORE = 4
CONFIDENCE = 0.95  # of all the comparisons of a race together (Bonferroni)


@dataclass
class Gain:
    """How many times the seconds of the default a configuration takes: estimate, low and high end of the confidence
    interval (None: too few runs to tell)."""

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
    """The runs of a race (seconds, [round][entrant]; entrant 0 is the default), who failed, and what each gains."""

    entrants: list[Configuration]
    rounds: list[list[float]]
    failed: dict[int, str]
    default_seconds: float
    gains: list[Gain]

    @property
    def noise(self) -> float:
        """Standard deviation of a run, as a part of its seconds."""
        return _noise(np.log(np.array(self.rounds)))[0] if len(self.rounds) > 1 else float("nan")


def _noise(logs: np.ndarray) -> tuple[float, int]:
    """Of the logarithms of a run, with its degrees of freedom; logs: [round, entrant]."""
    rest = logs - logs.mean(axis=0) - logs.mean(axis=1)[:, None] + logs.mean()
    freedom = (logs.shape[0] - 1) * (logs.shape[1] - 1)
    return math.sqrt(float(np.sum(rest**2)) / freedom) if freedom else float("nan"), freedom


def compare(entrants: list[Configuration], rounds: list[list[float]], before: float | None = None) -> list[Gain]:
    """Each entrant after the first against it. rounds: whole ones, seconds. `before`: the noise of a run, as other runs
    have it; it counts like _BEFORE degrees of freedom (a moderated t)."""
    logs = np.log(np.array(rounds))
    count, width = logs.shape
    differences = (logs[:, 1:] - logs[:, :1]).mean(axis=0)
    noise, freedom = _noise(logs)
    if before is not None and freedom > 0:
        noise = math.sqrt((freedom * noise**2 + _BEFORE * before**2) / (freedom + _BEFORE))
        freedom += _BEFORE
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
    before: float | None = None,
) -> Race:
    """Runs `count` rounds, and tells what is known. The first entrant is the default. Who fails leaves. `before`: as of
    compare(). Raises what `measure` raises, after which `race` of it has the race so far."""
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
        error.race = _told(entrants, left, failed, seconds, before)  # type: ignore[attr-defined]
        raise
    return _told(entrants, left, failed, seconds, before)


def _told(
    entrants: list[Configuration], left: list[int], failed: dict[int, str], seconds: list[dict], before: float | None
) -> Race:
    rounds = [[row[number] for number in left] for row in seconds if all(number in row for number in left)]
    here = [entrants[number] for number in left]
    usable = rounds and left and left[0] == 0
    default = float(np.median([row[0] for row in rounds])) if usable else float("nan")
    return Race(here, rounds, failed, default, compare(here, rounds, before) if usable and len(left) > 1 else [])
