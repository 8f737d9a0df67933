"""Recognises a program in which one rank gathers all data and writes them with a serial library, and how long its
output takes, with the gathering between the puts. Facts asks it; the advice `gather` is built on it."""

import numpy as np

from sverdrup.analysis.traced_run import TracedRun
from sverdrup.analysis.words import kind_of

LEAST_BYTES = 1 << 20
APART = 10  # times the median pause between two puts: where a pause is longer, the model computed meanwhile


def writer_for_all(traced: TracedRun, writes: np.ndarray, written: np.ndarray) -> int | None:
    """The index of the rank that wrote at least 95 % of all bytes through a serial netCDF library, what it gathered
    from the others; None: there is none."""
    table, total = traced.table, float(written.sum())
    if len(traced.ranks) < 2 or traced.uses_sverdrup or total < LEAST_BYTES or written.max() < 0.95 * total:
        return None
    parallel = np.unique(table.file[table.is_layer("mpi_io", "pnetcdf")])
    serial = writes & ~np.isin(table.file, parallel)
    if int(table.bytes[serial].sum()) < 0.5 * total or not table.is_layer("netcdf").any():
        return None
    return int(written.argmax())


def output_seconds(traced: TracedRun, writer: int) -> float:
    """Seconds from the first to the last put of each output of this rank, never less than its I/O time. Between the
    puts of an output it gathers the next variable, outside of I/O calls, and the other ranks wait. An output ends where
    a variable comes again, or after a pause that is much longer than the others. Before its first put a gathering is
    added that is as long as the median of the others."""
    io = float(traced.io_seconds[writer])
    begins, ends, variables, share = _puts(traced, writer)
    if len(begins) < 2 or share <= 0:
        return io
    pauses = np.maximum(begins[1:] - ends[:-1], 0)
    limit = APART * float(np.quantile(pauses, 0.5, method="lower"))
    outputs, gathered, seen = 1, [], {variables[0]}
    for at, pause in enumerate(pauses, 1):
        if variables[at] in seen or pause > limit:
            outputs, seen = outputs + 1, {variables[at]}
        else:
            gathered.append(float(pause))
            seen.add(variables[at])
    if not gathered:
        return io
    return min(io + (sum(gathered) + outputs * float(np.median(gathered))) / share, traced.seconds)


def _puts(traced: TracedRun, writer: int) -> tuple[np.ndarray, np.ndarray, list, float]:
    """Beginnings, ends and variables of the puts that are left of this rank, in order; and the share that is left."""
    begins, ends, variables, calls = [], [], [], 0
    for at, (index, process) in enumerate(zip(traced.run.rank_index, traced.run.processes)):
        if index != writer or process.is_library:
            continue
        names = [process.functions[function] for function in process.path_function]
        is_put = np.array([layer == "netcdf" and kind_of(layer, name) == "write" for layer, name in names])
        is_put &= traced.table.paths[at].root
        paths, _, _ = process.total_places()
        calls += int(process.totals["calls"][is_put[paths]].sum())
        events = process.events()
        mask = is_put[events.path]
        start = traced.run.absolute(at, events.start_ns[mask])
        begins += start.tolist()
        ends += (start + events.duration_ns[mask] / 1e9).tolist()
        variables += list(zip(events.file[mask].tolist(), events.variable[mask].tolist()))
    order = np.argsort(begins)
    in_order = [variables[int(at)] for at in order]
    return np.array(begins)[order], np.array(ends)[order], in_order, len(begins) / max(calls, 1)
