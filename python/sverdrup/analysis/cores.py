"""Computes how many cores the ranks of each host share, and how much longer the computing takes if servers get some of
these cores. The advice about servers needs it."""

import math
import re
from functools import cached_property

import numpy as np

from sverdrup.analysis.traced_run import TracedRun
from sverdrup.analysis.words import plural


class Cores:
    """`by_host`: cores that the ranks of each host may use together; None if a process of a host did not report them.
    `ranks`: of each host."""

    def __init__(self, traced: TracedRun):
        self.ranks: dict[str, int] = {}
        allowed: dict[str, set[int]] = {}
        seen: set[tuple[str, int]] = set()
        for process, index in zip(traced.run.processes, traced.run.rank_index):
            if index < 0:
                continue
            if (process.host, index) not in seen:
                seen.add((process.host, index))
                self.ranks[process.host] = self.ranks.get(process.host, 0) + 1
            for note in process.notes:
                if note.content.get("kind") == "cores":
                    allowed.setdefault(process.host, set()).update(_numbers(str(note.content.get("may_use"))))
        reported = {host: len(cores) for host, cores in allowed.items() if cores}
        self.by_host = reported if reported and reported.keys() == self.ranks.keys() else None

    @cached_property
    def crowd(self) -> float | None:
        """Ranks for each core, on the host with most; None: unknown."""
        if self.by_host is None:
            return None
        return max(self.ranks[host] / cores for host, cores in self.by_host.items())

    @property
    def shared(self) -> bool:
        """Several ranks share a core, as far as is known."""
        return self.crowd is not None and self.crowd > 1

    def spare(self, count: int) -> bool | None:
        """Whether `count` more ranks would find cores of their own; None: unknown."""
        if self.by_host is None:
            return None
        return sum(max(cores - self.ranks[host], 0) for host, cores in self.by_host.items()) >= count

    @property
    def total(self) -> int:
        """Cores of all hosts; 0: unknown."""
        return sum(self.by_host.values()) if self.by_host else 0

    def longer(self, computing_s: float, ranks: int, taken: int) -> float:
        """Seconds that `computing_s` of `ranks` ranks takes longer when `taken` of them do not compute any more. Ranks
        that share a core take turns, so the core with most of them counts."""
        left = ranks - taken
        if left < 1:
            return math.inf

        def of(count: int) -> float:
            return (math.ceil(count / self.total) if self.total else 1) / count

        return max(computing_s * (of(left) / of(ranks) - 1), 0.0)

    def sentence(self) -> str:
        """How many ranks share how many cores."""
        if not self.total:
            return "The trace does not contain the number of cores."
        return f"{plural(sum(self.ranks.values()), 'rank')} ran on {plural(self.total, 'core')}."


def _numbers(text: str) -> set[int]:
    """The cores of a list such as 0-3,8; empty if the text is no such list, or is longer than that of any host."""
    found = np.zeros(100_000, bool)
    for part in text.split(",")[:4096]:
        if match := re.fullmatch(r"\s*([0-9]{1,5})(?:-([0-9]{1,5}))?\s*", part):
            found[int(match[1]) : int(match[2] or match[1]) + 1] = True
    return set(np.flatnonzero(found).tolist())
