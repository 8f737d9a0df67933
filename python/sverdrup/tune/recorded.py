"""Plays a tuning against a table of measured times, without running anything, to see how good the search is. The tests
and studies/scripts/tune-check call play()."""

import math
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from .budget import Budget
from .journal import Run
from .outcome import decide
from .procedure import Found, Tuning
from .space import Configuration, Space


@dataclass
class Recorded:
    """Seconds by the key of a configuration (NaN: it failed), and the noise of a run (standard deviation of the
    logarithm), which is drawn anew for each."""

    space: Space
    seconds: Mapping[str, float]
    noise: float
    random: np.random.Generator
    made: int = 0

    def measure(self, stage: str, one: Configuration, among: str = "") -> Run:
        """A run; one that the table does not have fails."""
        self.made += 1
        known = self.seconds.get(self.space.key(one), math.nan)
        if not math.isfinite(known):
            return Run(stage, one, None, failed="it failed when it was recorded")
        return Run(stage, one, known * math.exp(self.noise * self.random.standard_normal()), took=known)


@dataclass
class Game:
    """One play: its runs, its recommendation, and how much longer that takes than the best of the table."""

    runs: int
    choice: Configuration
    regret: float
    found: Found


def play(recorded: Recorded, budget: int, predicted: Mapping[str, float] | None, seed: int) -> Game:
    """Tunes with so many runs; predicted: seconds by key, if there is a prediction."""
    space = recorded.space

    def predict(configurations: list[Configuration]) -> np.ndarray:
        return np.array([(predicted or {}).get(space.key(each), math.nan) for each in configurations])

    tuning = Tuning(space, recorded.measure, predict if predicted else None, seed)
    found = tuning.carry_out(Budget(runs=budget))
    choice = decide(found, None, False).configuration
    fastest = min(value for value in recorded.seconds.values() if math.isfinite(value))
    return Game(recorded.made, choice, recorded.seconds[space.key(choice)] / fastest - 1, found)
