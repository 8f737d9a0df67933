"""Decides whether a finding holds: it compares the seconds of rounds, and joins several statements to a verdict. The
functions that measure a finding call it."""

import statistics
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

RULE = (
    "A method is faster than another that ran in turns with it if it is faster in every round. It is faster than a"
    " method of another run if each median is outside the other's rounds. Otherwise the difference is within noise. A"
    " statement about several cases is true if it is true in more than half of them and its opposite in none. A"
    " finding holds if all its statements are true. It holds in part if some are true and some are false. It does not"
    " hold if some are false and none is true. It is undecided if noise hides some and none is false."
)


def faster(one: Sequence[float], other: Sequence[float], paired: bool) -> bool | None:
    """Whether `one` took less time than `other`; None: within noise. paired: rounds are neighbours in time."""
    if paired:
        signs = {left < right for left, right in zip(one, other, strict=True) if left != right}
        return signs.pop() if len(signs) == 1 else None
    middle, of_other = statistics.median(one), statistics.median(other)
    if middle < min(other) and of_other > max(one):
        return True
    return False if of_other < min(one) and middle > max(other) else None


def ratio(one: Sequence[float], other: Sequence[float]) -> float:
    """The median of the rounds' ratios, one to other."""
    return statistics.median(left / right for left, right in zip(one, other, strict=True))


def milliseconds(seconds: Mapping[object, Sequence[float]]) -> str:
    """The medians of cases, each with its key: 12 (1), 9 (2)."""
    return ", ".join(f"{1000 * statistics.median(rounds):.0f} ({key})" for key, rounds in seconds.items())


def within(one: Sequence[float], other: Sequence[float], times: float) -> bool | None:
    """Whether `one`, of another run, took at most so many times the median of `other`; None: more, but within noise."""
    if statistics.median(one) <= times * statistics.median(other):
        return True
    return False if faster(other, one, False) else None


def between(cases: Sequence[Sequence[float]]) -> bool | None:
    """Whether the fastest of several cases, each of another run, lies between the first and the last: faster than both,
    or, if it is one of them, faster than all between."""
    best = min(range(len(cases)), key=lambda index: statistics.median(cases[index]))
    at_an_end = best in (0, len(cases) - 1)
    others = cases[1:-1] if at_an_end else (cases[0], cases[-1])
    return not at_an_end if all(faster(cases[best], other, False) for other in others) else None


def most(outcomes: Sequence[bool | None]) -> bool | None:
    """True if none is False and more than half are True; False the other way round; else None."""
    for wanted in (True, False):
        if outcomes.count(not wanted) == 0 and 2 * outcomes.count(wanted) > len(outcomes):
            return wanted
    return None


@dataclass(frozen=True)
class Statement:
    """A sentence with its numbers, and whether it is so; None: within noise."""

    text: str
    true: bool | None


@dataclass(frozen=True)
class Verdict:
    """statements: the results; why: the counts behind them, above all if a statement is not true."""

    statements: tuple[Statement, ...]
    why: str = ""

    @property
    def word(self) -> str:
        found = {statement.true for statement in self.statements}
        if found == {True}:
            return "holds"
        if False in found:
            return "holds in part" if True in found else "does not hold"
        return "undecided"
