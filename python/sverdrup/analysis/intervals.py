"""Arithmetic on intervals of time: how much of each bin they cover, which kind of work fills a span, and how much two
sets have in common. heat.py and ribbon.py use it."""

import numpy as np


def covered(starts: np.ndarray, ends: np.ndarray, edges: np.ndarray) -> np.ndarray:
    """Time of the intervals in each bin, shape (len(edges) - 1,); where intervals overlap it counts twice."""

    def until(times: np.ndarray) -> np.ndarray:
        """Integral over time of how many of `times` have passed, up to each edge."""
        times = np.sort(times)
        passed = np.searchsorted(times, edges)
        return passed * edges - np.concatenate([[0.0], np.cumsum(times)])[passed]

    return np.maximum(np.diff(until(starts) - until(ends)), 0) if len(starts) else np.zeros(len(edges) - 1)


def paint(coats: list[tuple[int, np.ndarray, np.ndarray]], base: int, begin: float, end: float) -> np.ndarray:
    """Spans that fill [begin, end] without a gap, shape (n, 3): kind, start, end. `coats`: (kind, starts, ends), each
    over those before it; `base`: the kind of the uncovered rest."""
    clipped = [(kind, np.clip(starts, begin, end), np.clip(ends, begin, end)) for kind, starts, ends in coats]
    times = np.unique(np.concatenate([[begin, end], *(np.concatenate([s, e]) for _, s, e in clipped)]))
    if len(times) < 2:
        return np.empty((0, 3))
    kinds = np.full(len(times) - 1, base)
    for kind, starts, ends in clipped:
        change = np.zeros(len(times), np.int64)
        np.add.at(change, np.searchsorted(times, starts), 1)
        np.subtract.at(change, np.searchsorted(times, ends), 1)
        kinds[np.cumsum(change)[:-1] > 0] = kind
    return joined(np.column_stack([kinds, times[:-1], times[1:]]))


def joined(spans: np.ndarray) -> np.ndarray:
    """Neighbours of one kind as one span."""
    if not len(spans):
        return spans
    first = np.concatenate([[True], spans[1:, 0] != spans[:-1, 0]])
    starts = np.flatnonzero(first)
    last = np.concatenate([starts[1:] - 1, [len(spans) - 1]])
    return np.column_stack([spans[starts, 0], spans[starts, 1], spans[last, 2]])


def coarse(spans: np.ndarray, most: int, kinds: int) -> np.ndarray:
    """The same with at most `most` spans: where there are more, each part of the time has the kind that takes most
    of it."""
    if len(spans) <= most:
        return spans
    edges = np.linspace(spans[0, 1], spans[-1, 2], most + 1)
    shares = [covered(spans[spans[:, 0] == kind, 1], spans[spans[:, 0] == kind, 2], edges) for kind in range(kinds)]
    return joined(np.column_stack([np.argmax(shares, axis=0), edges[:-1], edges[1:]]))


def by_kind(spans: np.ndarray, kinds: int) -> np.ndarray:
    """Seconds of each kind, shape (kinds,)."""
    return np.bincount(spans[:, 0].astype(int), spans[:, 2] - spans[:, 1], kinds) if len(spans) else np.zeros(kinds)


def overlap(first: np.ndarray, second: np.ndarray) -> float:
    """Seconds that two sets of disjoint spans (n, 2), sorted, have in common."""
    if not len(first) or not len(second):
        return 0.0
    edges = np.unique(np.concatenate([first.ravel(), second.ravel()]))
    both = covered(first[:, 0], first[:, 1], edges) * covered(second[:, 0], second[:, 1], edges)
    return float(np.sum(both / np.maximum(np.diff(edges), 1e-12)))
