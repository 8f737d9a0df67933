"""Estimates the costs of Sverdrup itself, besides the writing, so that the advice `port` promises no more than is left.

Seconds, medians of

    scripts/mpirun N build/bin/own_costs /dev/shm/own_costs.nc      (benchmarks/own_costs; N: 2, 4, 8, 16)

on 2 cores, so with 1, 2, 4 and 8 ranks for each core: a context 0.27, 0.62, 1.2, 3.2 ms; a file 0.41, 0.65, 0.92,
1.7 ms; a put 0.15, 0.24, 0.37, 0.89 ms; a segment of a request 0.13, 0.19, 0.50, 0.83 us; a byte, which is copied into
the memory that ranks share and put in order there, 0.10, 0.12, 0.19, 0.15 ns. All but the bytes grow with the ranks
that share a core; the bytes are divided among the cores. Lists of short runs that ranks have in turn cost more under
sv-run, 0.25 to 0.8 us a segment for each rank that shares a core (benchmarks/dropin/compare.py: cells_f, cells_g,
cells_i): the bounds are for those."""

import numpy as np

from sverdrup.analysis.facts import Facts
from sverdrup.analysis.words import plural, size

CONTEXT_S, FILE_S, PUT_S, SEGMENT_S = 0.4e-3, 0.3e-3, 0.15e-3, 0.5e-6  # for each rank that shares a core
BYTE_S = 0.3e-9  # of one core


def own_seconds(facts: Facts) -> tuple[float, str]:
    """The costs of a program like this one if it wrote through Sverdrup, and their parts, in words."""
    table = facts.table
    opens = facts.outermost("open") & table.is_layer("netcdf", "pnetcdf", "mpi_io")
    puts = facts.outermost("write") & table.is_function(lambda _, name: not name.startswith(("ncmpi_i", "ncmpi_b")))
    files = int(table.by_rank(opens, "calls").max(initial=0))
    calls = int(table.by_rank(puts, "calls").max(initial=0))
    segments = _segments(facts)
    crowd = max(facts.cores.crowd or 1.0, 1.0)
    total = float(facts.written.sum())
    at_once = min(facts.cores.total or len(facts.traced.ranks), len(facts.traced.ranks))
    seconds = crowd * (CONTEXT_S + files * FILE_S + calls * PUT_S + segments * SEGMENT_S) + total * BYTE_S / at_once
    counts = f"{plural(files, 'file')}, {plural(calls, 'put')}, {plural(segments, 'segment')} of requests"
    parts = f"a context, {counts}, and copying {size(total)}"
    return seconds, parts


def _segments(facts: Facts) -> int:
    """Sub-arrays in lists (varn), of the rank with most. Where events were overwritten, those that are left stand for
    all."""
    traced, most = facts.traced, 0.0
    for process in traced.run.processes:
        lists = [path for path, f in enumerate(process.path_function) if "_varn" in process.functions[f][1]]
        if not lists:
            continue
        paths, _, _ = process.total_places()
        calls = int(process.totals["calls"][np.isin(paths, lists)].sum())
        events = process.events()
        left = np.flatnonzero(np.isin(events.path, lists)).tolist()
        reported = sum((events.arguments(event).get("requests") or [1])[0] for event in left)
        most = max(most, reported * calls / max(len(left), 1))
    return int(most)
