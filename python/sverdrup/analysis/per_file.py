"""Computes the parts `files`, `variables` and `counts` of the report, from the exact totals of all processes."""

import numpy as np

from sverdrup.analysis.formats import File, metadata_writes
from sverdrup.analysis.table import Table
from sverdrup.analysis.traced_run import TracedRun
from sverdrup.analysis.words import LAYER_ORDER, POSIX_READS, POSIX_WRITES, kind_of, short

KINDS = ("open", "read", "write", "close", "meta")
# Names under which the system knows what the C library calls otherwise (as strace shows them).
SYSTEM_CALLS = {
    "open": "openat", "open64": "openat", "openat64": "openat", "creat": "openat",
    "creat64": "openat", "__open_2": "openat",
    "__open64_2": "openat", "__openat_2": "openat", "__openat64_2": "openat", "__read_chk": "read", "pread": "pread64",
    "__pread_chk": "pread64", "__pread64_chk": "pread64", "preadv64": "preadv",
    "preadv64v2": "preadv2", "pwrite": "pwrite64",
    "pwritev64": "pwritev", "pwritev64v2": "pwritev2", "ftruncate64": "ftruncate", "aio_read": "pread64",
    "aio_read64": "pread64", "aio_write": "pwrite64", "aio_write64": "pwrite64",
    "copy_file_range_from": "copy_file_range", "sendfile64": "sendfile", "sendfile_from": "sendfile",
    "sendfile64_from": "sendfile",
}  # fmt: skip


def files(traced: TracedRun, known: dict[str, File]) -> list[dict]:
    rows = [_file(traced, file) for file in known.values()]
    rows = [row for row in rows if row["ranks"]]
    return sorted(rows, key=lambda row: -sum(row[kind] for kind in KINDS))


def _file(traced: TracedRun, file: File) -> dict:
    table = traced.table
    mask = table.file == table.files.index(file.path) if file.path in table.files else table.file < 0
    outer = mask & table.knows_file & traced.counted
    row = {"file": short(file.path), "path": file.path, "format": file.format}
    for kind in KINDS:
        of_kind = table.is_function(lambda layer, name, kind=kind: kind_of(layer, name) == kind)
        row[kind] = float(table.seconds_by_rank(outer & of_kind).max(initial=0))
    posix = mask & table.is_layer("posix")
    reads = posix & table.is_function(lambda _, name: name in POSIX_READS)
    writes = posix & table.is_function(lambda _, name: name in POSIX_WRITES)
    if not posix.any():
        writes = mask & table.is_layer("step") & table.is_function(lambda _, name: name in ("output", "write_file"))
    count, metadata, rule = metadata_writes(traced, file) if file.path in table.files else (0, 0, "")
    written, took = int(table.bytes[writes].sum()), row["write"]
    if not written and not posix.any():
        written = sum(bytes for (path, _, _), bytes in traced.sent.items() if path == file.path)
    sizes = table.sizes[writes | reads].sum(axis=0, dtype=np.int64)
    return row | {
        "read_bytes": _read_bytes(table, mask, reads), "written_bytes": written, "reads": int(table.calls[reads].sum()),
        "writes": int(table.calls[writes].sum()), "metadata_writes": metadata if count else 0, "metadata_rule": rule,
        "rate": written / took if took > 0 and written else None,
        "sizes": [[1 << i >> 1, int(calls)] for i, calls in enumerate(sizes.tolist()) if calls],
        "ranks": int(np.count_nonzero(table.by_rank(mask, "calls"))),
    }  # fmt: skip


def _read_bytes(table: Table, mask: np.ndarray, reads: np.ndarray) -> int | None:
    """Bytes that the system read; None if a file was read and the trace lacks its system calls."""
    seen = (mask & table.is_layer("posix")).any()
    reading = mask & table.is_function(lambda layer, name: kind_of(layer, name) == "read")
    return None if reading.any() and not seen else int(table.bytes[reads].sum())


def variables(traced: TracedRun) -> list[dict]:
    table, rows = traced.table, []
    for number in np.unique(table.variable).tolist():
        if not number:
            continue
        mask = (table.variable == number) & table.knows_variable & traced.counted
        moving = mask & table.is_function(lambda layer, name: kind_of(layer, name) in ("read", "write"))
        if not moving.any():
            continue
        seconds = table.seconds_by_rank(moving)
        taking = table.by_rank(moving, "calls") > 0
        sizes = np.flatnonzero(table.sizes[moving].sum(axis=0))
        bytes, most = int(table.bytes[moving].sum()), float(seconds.max(initial=0))
        file, name = table.variables[number]
        rows.append({
            "file": short(table.files[file]), "variable": name, "calls": int(table.calls[moving].sum()),
            "bytes": bytes or None,
            "seconds_max": most, "seconds_mean": float(seconds[taking].mean()) if taking.any() else 0.0,
            "rate": bytes / most if most > 0 and bytes else None, "ranks": int(taking.sum()),
            "smallest": 1 << int(sizes[0]) >> 1 if bytes else None,
            "largest": (1 << int(sizes[-1])) - 1 if bytes else None,
        })  # fmt: skip
    return sorted(rows, key=lambda row: -row["seconds_max"])


def counts(traced: TracedRun) -> list[dict]:
    """Every function and file, with all calls of all processes, of ranks or not."""
    table, rows = traced.table, []
    if not len(table.function):
        return rows
    pairs = np.column_stack([table.function, table.recorded_file])
    unique, group = np.unique(pairs, axis=0, return_inverse=True)
    group = group.ravel()
    sums = {name: _sums(group, getattr(table, name), len(unique)) for name in ("calls", "errors", "bytes", "ns")}
    for index, (function, file) in enumerate(unique.tolist()):
        layer, name = table.functions[function]
        seconds = table.seconds_by_rank(group == index) if len(traced.ranks) else np.zeros(1)
        rows.append({
            "layer": layer, "function": name, "file": table.files[file] or None, "calls": sums["calls"][index],
            "errors": sums["errors"][index], "bytes": sums["bytes"][index],
            "seconds_max": float(seconds.max(initial=0)), "seconds_sum": sums["ns"][index] / 1e9,
            "system_call": SYSTEM_CALLS.get(name, name) if layer == "posix" else None,
        })  # fmt: skip
    return sorted(rows, key=lambda row: (LAYER_ORDER.index(row["layer"]), row["function"], row["file"] or ""))


def _sums(group: np.ndarray, values: np.ndarray, length: int) -> list[int]:
    sums = np.zeros(length, np.int64)
    np.add.at(sums, group, values)
    return sums.tolist()
