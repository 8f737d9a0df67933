"""How much may be run: a number of runs, or a time."""

import math
import re
from dataclasses import dataclass

from . import TuneError
from .journal import Run
from .procedure import LEAST, Plan, Spent

_UNITS = {"s": 1.0, "min": 60.0, "h": 3600.0}


@dataclass
class Budget:
    """`runs` or `seconds`, whichever is given; what has been used of it."""

    runs: int | None = None
    seconds: float | None = None
    used_runs: int = 0
    used_seconds: float = 0.0

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
            raise TuneError(f"--budget '{text}' is too small: at least {LEAST} runs are needed to tell anything")
        return Budget(runs=int(number))

    def check(self) -> None:
        """Before a run. Raises Spent."""
        if self.runs is not None and self.used_runs >= self.runs:
            raise Spent(f"the budget of {self.runs} runs is used up")
        if self.seconds is not None and self.used_seconds >= self.seconds:
            raise Spent(f"the budget of {self.seconds:.0f} s is used up")

    def add(self, run: Run) -> None:
        self.used_runs += 1
        self.used_seconds += run.took

    def plan(self, first: Run, size: int) -> Plan:
        """After the first run. Raises TuneError where too few runs fit."""
        if self.runs is not None:
            return Plan.of(self.runs, size)
        fit = math.floor((self.seconds or 0) / max(first.took, 1e-3))
        if fit < LEAST:
            raise TuneError(
                f"the budget of {self.seconds:.0f} s is too small: a run takes {first.took:.1f} s, and at least "
                f"{LEAST} are needed. "
                f"Give --budget {math.ceil(LEAST * first.took * 1.5)}s or more, or a smaller workload"
            )
        return Plan.of(min(fit, 400), size)
