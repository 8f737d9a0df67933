"""Computes the parts `senders` and `ranges` of the report: how many bytes each rank sends to each writer, and which
bytes of a file each writer writes."""

import numpy as np

from sverdrup.analysis import words
from sverdrup.analysis.formats import File
from sverdrup.analysis.heat import groups
from sverdrup.analysis.traced_run import TracedRun
from sverdrup.analysis.words import POSIX_WRITES, listed, short

PAGE = 4096
MOST_RANGES, MOST_GROUPS = 256, 64


def senders(traced: TracedRun) -> dict | None:
    """Exact totals that the library reported at close; programs without the library have none."""
    sent: dict[tuple[int, int], int] = {}
    for (_, source, target), bytes in traced.sent.items():
        sent[source, target] = sent.get((source, target), 0) + bytes
    if not sent:
        return None
    sources, targets = sorted({s for s, _ in sent}), sorted({t for _, t in sent})
    matrix = np.zeros((len(sources), len(targets)))
    for (source, target), bytes in sent.items():
        matrix[sources.index(source), targets.index(target)] = bytes
    by_target, by_source = matrix.sum(axis=0), matrix.sum(axis=1)
    rows, columns = groups(len(sources), MOST_GROUPS), groups(len(targets), MOST_GROUPS)
    grouped = np.add.reduceat(np.add.reduceat(matrix, [f for f, _ in rows]), [f for f, _ in columns], axis=1)

    def named(numbers: list[int], parts: list[tuple[int, int]]) -> list[list[int]]:
        return [[int(traced.ranks[numbers[first]]), int(traced.ranks[numbers[last]])] for first, last in parts]

    from_groups, to_groups = named(sources, rows), named(targets, columns)
    return {
        "from": [first for first, _ in from_groups], "to": [first for first, _ in to_groups],
        "from_groups": from_groups, "to_groups": to_groups, "bytes": grouped.astype(np.int64).tolist(),
        "imbalance_to": float(by_target.max() / by_target.mean()),
        "imbalance_from": float(by_source.max() / by_source.mean()),
    }  # fmt: skip


def merged(offset: np.ndarray, bytes: np.ndarray) -> np.ndarray:
    """Ranges that touch or overlap as one, sorted, shape (n, 2): offset, bytes."""
    if not len(offset):
        return np.empty((0, 2), np.int64)
    order = np.argsort(offset, kind="stable")
    begin, end = offset[order], np.maximum.accumulate(offset[order] + bytes[order])
    first = np.concatenate([[True], begin[1:] > end[:-1]])
    starts = np.flatnonzero(first)
    lasts = np.concatenate([starts[1:] - 1, [len(begin) - 1]])
    return np.column_stack([begin[starts], end[lasts] - begin[starts]])


def ranges(traced: TracedRun, known: dict[str, File]) -> list[dict]:
    """By file, largest first: of each writer, where it wrote; from the library, or from the writes that the tracer
    saw."""
    reported: dict[str, dict[int, np.ndarray]] = {}
    for index, note in traced.notes("range"):
        pairs = [
            p
            for p in listed(note.get("ranges"))
            if isinstance(p, list) and len(p) == 2 and all(isinstance(n, int) for n in p)
        ]
        pairs = [p for p in pairs if 0 <= p[0] < 1 << 60 and 0 < p[1] < 1 << 60]
        if pairs:
            array = np.array(pairs, np.int64)
            path = traced.table.final_name(str(note.get("file")))
            reported.setdefault(path, {})[index] = merged(array[:, 0], array[:, 1])
    seen = {traced.table.files[number]: of for number, of in covered(traced, POSIX_WRITES).items()}
    rows = []
    for path, file in known.items():
        writers = reported.get(path) or seen.get(path)
        if writers:
            rows.append(_ranges_of(traced, file, writers))
    return sorted(rows, key=lambda row: -row["bytes"])


def covered(traced: TracedRun, functions: frozenset[str]) -> dict[int, dict[int, np.ndarray]]:
    """By file (a number in the table) and rank, what POSIX calls of these functions with a known offset covered, of the
    events that are left: rows of (offset, bytes), merged.
    """
    found: dict[int, dict[int, np.ndarray]] = {}
    for at, (index, process) in enumerate(zip(traced.run.rank_index, traced.run.processes)):
        if index < 0 or process.is_library:
            continue
        events = process.events()
        moves = np.array([process.functions[f][1] in functions for f in process.path_function])[events.path]
        moves &= (events.offset >= 0) & (events.bytes > 0) & (events.file > 0)
        files = traced.table.file_numbers[at][events.file]
        for number in np.unique(files[moves]).tolist():
            mask = moves & (files == number)
            by_rank = found.setdefault(number, {})
            parts = merged(events.offset[mask], events.bytes[mask])
            if index in by_rank:
                both = np.concatenate([by_rank[index], parts])
                parts = merged(both[:, 0], both[:, 1])
            by_rank[index] = parts
    return found


def _ranges_of(traced: TracedRun, file: File, writers: dict[int, np.ndarray]) -> dict:
    unit = file.stripe_bytes or PAGE
    data_end = max(int((parts[:, 0] + parts[:, 1]).max()) for parts in writers.values())
    shared = _shared_units(writers, unit)
    rows = []
    for index, parts in sorted(writers.items()):
        edges = np.unique(np.concatenate([parts[:, 0], parts[:, 0] + parts[:, 1]]))
        inside = edges[(edges % unit != 0) & (edges < data_end) & np.isin(edges // unit, shared)]
        rows.append({
            "rank": int(traced.ranks[index]), "ranges": parts[:MOST_RANGES].tolist(), "bytes": int(parts[:, 1].sum()),
            "misaligned": int(len(inside)), "truncated": len(parts) > MOST_RANGES,
        })  # fmt: skip
    named = [v for v in file.variables.values() if v.begin is not None and v.bytes]
    units = words.plural(len(shared), "stripe" if file.stripe_bytes else "page")
    verb = "is" if len(shared) == 1 else "are"
    text = f"{units} of {words.unit(unit)} of {short(file.path)} {verb} written by more than one rank"
    return {
        "file": short(file.path), "path": file.path, "bytes": data_end, "stripe_bytes": file.stripe_bytes,
        "writers": rows,
        "variables": [{"name": v.name, "offset": v.begin, "bytes": v.bytes} for v in named][:256],
        "shared_units": len(shared), "misaligned_text": text if len(shared) else None,
    }  # fmt: skip


def _shared_units(writers: dict[int, np.ndarray], unit: int) -> np.ndarray:
    """Numbers of the stripes (pages) at the ends of ranges in which more than one rank writes."""
    touched = []
    for parts in writers.values():
        first, last = parts[:, 0] // unit, (parts[:, 0] + parts[:, 1] - 1) // unit
        touched.append(np.unique(np.concatenate([first, last])))
    units, count = np.unique(np.concatenate(touched), return_counts=True)
    return units[count > 1]
