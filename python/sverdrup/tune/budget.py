"""The budget of a tuning: how much may be run, as a number of runs or as a time, and how that is divided among its
stages."""

import math
import re
from dataclasses import dataclass

from . import TuneError
from .journal import Run

LEAST = 8  # runs: fewer are not conclusive
_MOST = 400  # runs that are planned for, however long the time is
_LEAST_ROUNDS, _MOST_ROUNDS = 3, 9  # of a race
_UNITS = {"s": 1.0, "min": 60.0, "h": 3600.0}


class Spent(Exception):
    """The budget is used up."""


@dataclass(frozen=True)
class Plan:
    """The use of a number of runs: `explore` of them, the first among these, and then a race of so many entrants and
    the default in so many rounds. Of the exploring runs, so many screen, of which so many trust the prediction, if
    there is one; the others search."""

    explore: int
    screen: int
    trust: int
    entrants: int
    rounds: int

    @staticmethod
    def of(runs: int, size: int) -> "Plan":
        """For so many runs in a space of so many configurations."""
        entrants = min(1 if runs < 25 else 2 if runs < 50 else 3, max(size - 1, 1))
        rounds = max(_LEAST_ROUNDS, min(7, round(0.4 * runs / (entrants + 1))))
        explore = min(runs - rounds * (entrants + 1), size)
        return Plan(explore, min(1 + max(2, round(0.45 * explore)), explore), explore // 3, entrants, rounds)

    @property
    def race(self) -> int:
        """Its runs."""
        return self.rounds * (self.entrants + 1)


@dataclass
class Budget:
    """`runs` or `seconds`; the used part; and of a time, the part for the race, and the limit of one of its runs."""

    runs: int | None = None
    seconds: float | None = None
    used_runs: int = 0
    used_seconds: float = 0.0
    kept: float = 0.0
    each: float = 0.0

    @staticmethod
    def of(text: str) -> "Budget":
        """ "60 runs", "60", "20min", "90 s", "1h". Raises TuneError."""
        match = re.fullmatch(r"\s*(\d+(?:\.\d+)?)\s*(runs?|s|min|h)?\s*", text)
        if not match:
            raise TuneError(f"--budget '{text}': give a number of runs or a time: '60 runs', '20min'")
        number, unit = float(match[1]), match[2] or "runs"
        if unit in _UNITS:
            return Budget(seconds=number * _UNITS[unit])
        if number < LEAST or number != int(number):
            raise TuneError(f"--budget '{text}' is too small: at least {LEAST} runs are needed for a result")
        return Budget(runs=int(number))

    def check(self, stage: str) -> None:
        """Before a run of this stage. Raises Spent."""
        if self.runs is not None and self.used_runs >= self.runs:
            raise Spent(f"the budget of {self.runs} runs is used up")
        kept = 0.0 if stage == "race" else self.kept
        if self.seconds is not None and self.used_seconds >= self.seconds - kept:
            raise Spent(f"the budget of {self.seconds:.0f} s is used up")

    def add(self, run: Run) -> None:
        self.used_runs += 1
        self.used_seconds += run.took

    def plan(self, first: Run, size: int) -> Plan:
        """After the first run, that of the default. Raises TuneError where too few runs fit."""
        if self.seconds is None:
            return Plan.of(self.runs or LEAST, size)
        self.each = max(first.took, 1e-3)
        fit = math.floor(self.seconds / self.each)
        if fit < LEAST:
            raise TuneError(
                f"the budget of {self.seconds:.0f} s is too small: a run takes {first.took:.1f} s, and at least "
                f"{LEAST} are needed. "
                f"Give --budget {math.ceil(LEAST * first.took * 1.5)}s or more, or a smaller workload"
            )
        plan = Plan.of(min(fit, _MOST), size)
        self.kept = plan.race * self.each
        return plan

    def rounds(self, entrants: int) -> int:
        """Of a race of so many, the default among them: as many as are left, within reason."""
        if self.seconds is None:
            left = (self.runs or 0) - self.used_runs
        else:
            left = math.floor((self.seconds - self.used_seconds) / self.each)
        return max(_LEAST_ROUNDS, min(_MOST_ROUNDS, left // entrants))
