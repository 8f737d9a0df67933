"""Advises more writers, where all ranks wait for one; or fewer, where so many write that they disturb each other."""

import numpy as np

from sverdrup.analysis.advice.advice import Advice
from sverdrup.analysis.facts import Facts
from sverdrup.analysis.words import percent, plural, seconds, size

SMALL = 256 << 10
MANY_PER_HOST = 8


def detect(facts: Facts) -> Advice | None:
    traced = facts.traced
    writing = np.flatnonzero(facts.written)
    ranks = len(traced.ranks)
    if ranks < 4 or not len(writing) or facts.written.sum() < 1 << 20:
        return None
    took = float(facts.write_seconds.max())
    if not facts.worth(took, 0.05) or traced.has_servers:
        return None
    shared = facts.table.is_layer("pnetcdf", "mpi_io") | (facts.table.is_layer("sverdrup", "step"))
    if not shared.any():
        return None
    if facts.written.max() >= 0.95 * facts.written.sum():
        if traced.uses_sverdrup and len(traced.run.hosts) == 1:
            return None  # one node's writers share the lock of the file: `auto` takes one on purpose
        return _one(facts, int(facts.written.argmax()), took)
    calls = int(facts.table.calls[facts.writes].sum())
    per_host = len(writing) / max(len(traced.run.hosts), 1)
    if per_host > MANY_PER_HOST and facts.written.sum() / calls < SMALL:
        return _many(facts, len(writing), calls, took)
    return None


def _one(facts: Facts, writer: int, took: float) -> Advice:
    traced = facts.traced
    rank, share = int(traced.ranks[writer]), facts.written.max() / facts.written.sum()
    text = (
        f"Rank {rank} wrote {percent(share)} of all bytes in {seconds(took)}, and the other ranks waited. Two writers "
        "on each node need half of that or more, if the file system is faster than one process can write."
    )
    evidence = [
        (
            f"rank {rank}: {size(facts.written[writer])} of {size(facts.written.sum())}",
            "ranges",
        )
    ]
    if traced.uses_sverdrup:
        lines, language = "route: ranges\nwriters: 2 per node\n", "yaml"
    else:
        lines, language = f'export PNETCDF_HINTS="cb_nodes={2 * len(traced.run.hosts)}"\n', "sh"
    return Advice("Let more ranks write", text, took, (0.0, took / 2), lines, language, evidence)


def _many(facts: Facts, count: int, calls: int, took: float) -> Advice:
    bytes = float(facts.written.sum())
    least = bytes / facts.best_rate if facts.best_rate else took / 2
    text = (
        f"{count} ranks wrote {size(bytes)} in {plural(calls, 'piece')} of {size(bytes / calls)} on average. Fewer "
        "writers write longer pieces and do not wait for each other's locks on the file."
    )
    evidence = [
        (f"{plural(calls, 'write')} by {count} ranks on {plural(len(facts.traced.run.hosts), 'host')}", "ranges")
    ]
    if facts.traced.uses_sverdrup:
        lines, language = "route: ranges\nwriters: 1 per node\n", "yaml"
    else:
        lines, language = f'export PNETCDF_HINTS="cb_nodes={len(facts.traced.run.hosts)}"\n', "sh"
    return Advice("Let fewer ranks write", text, took, (0.0, max(took - least, took / 4)), lines, language, evidence)
