"""Estimates what Sverdrup itself costs beside the bytes, so that the advice `port` promises no more than is left.

Seconds, medians of

    mpiexec -n N own_costs /dev/shm/own_costs.nc      (benchmarks/own_costs; N: 2, 4, 8, 16)

on 2 cores, so with 1, 2, 4 and 8 ranks for each core: a context 0.10, 0.11, 0.14, 0.19 s; a file 0.35, 0.63, 0.74,
1.8 ms; a put 0.19, 0.11, 0.20, 0.97 ms; a segment of a request 5.3, 8.9, 15, 27 us. All but the context grow with the
ranks that share a core."""

import numpy as np

from sverdrup.analysis.facts import Facts

CONTEXT_S, FILE_S, PUT_S, SEGMENT_S = 0.1, 0.3e-3, 0.1e-3, 4e-6


def own_seconds(facts: Facts) -> tuple[float, str]:
    """Of a program like this one, if it wrote through Sverdrup; and what they are made of, in words."""
    table = facts.table
    opens = facts.outermost("open") & table.is_layer("netcdf", "pnetcdf", "mpi_io")
    puts = facts.outermost("write") & table.is_function(lambda _, name: not name.startswith(("ncmpi_i", "ncmpi_b")))
    files = int(table.by_rank(opens, "calls").max(initial=0))
    calls = int(table.by_rank(puts, "calls").max(initial=0))
    segments = _segments(facts)
    crowd = max(facts.cores.crowd or 1.0, 1.0)
    seconds = CONTEXT_S + crowd * (files * FILE_S + calls * PUT_S + segments * SEGMENT_S)
    return seconds, f"a context, {files:,} files, {calls:,} puts and {segments:,} segments of requests"


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
        told = sum((events.arguments(event).get("requests") or [1])[0] for event in left)
        most = max(most, told * calls / max(len(left), 1))
    return int(most)
