"""Computes the part `heat` of the report: for each rank and each part of the run's time, the shares that went into I/O
and into waiting."""

import numpy as np

from sverdrup.analysis.intervals import covered
from sverdrup.analysis.traced_run import TracedRun
from sverdrup.analysis.words import WAITS

BINS = 200
MOST_ROWS = 128


def groups(count: int, most: int = MOST_ROWS) -> list[tuple[int, int]]:
    """`count` indices in at most `most` groups of neighbours: first and last of each."""
    parts = min(count, most)
    edges = [count * part // parts for part in range(parts + 1)] if parts else [0]
    return [(first, last - 1) for first, last in zip(edges, edges[1:])]


def heat(traced: TracedRun) -> dict | None:
    if not len(traced.ranks):
        return None
    edges = np.linspace(0.0, traced.seconds, BINS + 1)
    width = edges[1] - edges[0]
    rows = groups(len(traced.ranks))
    io, waiting, complete = [], [], True
    for first, last in rows:
        shares = np.zeros((2, BINS))
        for index in range(first, last + 1):
            times = traced.times(index)
            complete = complete and times.complete
            busy, waits = times.io, times.waiting
            if index in traced.servers:
                busy = times.phase("receive", "assemble", "write_file", "sync") if times.phases else times.posix_write
                waits = times.phase()
            waited = np.maximum(
                covered(*waits, edges), covered(*times.phase(*WAITS), edges) if index not in traced.servers else 0
            )
            shares += np.minimum([covered(*busy, edges) / width, waited / width], 1)
        shares /= last + 1 - first
        io.append(np.round(shares[0], 3).tolist())
        waiting.append(np.round(shares[1], 3).tolist())
    named = [[int(traced.ranks[first]), int(traced.ranks[last])] for first, last in rows]
    return {
        "begin": 0.0, "end": traced.seconds, "bins": BINS, "rank_groups": named, "io": io, "waiting": waiting,
        "complete": complete,
    }  # fmt: skip
