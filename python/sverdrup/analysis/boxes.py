"""Computes the part `layout` of the report: which rank owns which box of a variable, which I/O domains lie over the
boxes, and which chunks they cut."""

import numpy as np

from sverdrup.analysis.formats import File
from sverdrup.analysis.traced_run import TracedRun
from sverdrup.analysis.words import listed, plural, short


def layout(traced: TracedRun, known: dict[str, File]) -> list[dict]:
    """Boxes of ranks in the largest variables, at most 8; from the library's decompositions, else from the
    arguments of puts."""
    rows = _told_layout(traced, known) or _seen_layout(traced, known)
    return rows[:8]


def _ints(values) -> list[int]:
    return [v for v in listed(values) if isinstance(v, int) and abs(v) < 1 << 60]


def _told_layout(traced: TracedRun, known: dict[str, File]) -> list[dict]:
    groups_of: dict[tuple, dict] = {}
    for index, note in traced.notes("domain"):
        path = traced.table.final_name(str(note.get("file")))
        shape, start, count = _ints(note.get("shape")), _ints(note.get("start")), _ints(note.get("count"))
        if not shape or len(shape) != len(start) or len(shape) != len(count):
            continue
        names = tuple(str(name) for name in listed(note.get("variables")))
        row = groups_of.setdefault((path, names, tuple(shape)), {"boxes": [], "domains": {}, "seen": set()})
        box = {"rank": int(traced.ranks[index]), "start": start, "count": count}
        if (index, *start, *count) not in row["seen"]:  # a file that was created again reports it again
            row["seen"].add((index, *start, *count))
            row["boxes"].append(box)
        io_start, io_count = _ints(note.get("io_start")), _ints(note.get("io_count"))
        if len(io_start) == len(shape) and len(io_count) == len(shape) and isinstance(note.get("io_rank"), int):
            row["domains"][note["io_rank"]] = {"rank": note["io_rank"], "start": io_start, "count": io_count}
    rows = []
    for (path, names, shape), row in groups_of.items():
        variable = next((known[path].variables[n] for n in names if path in known and n in known[path].variables), None)
        dims, chunks = (variable.dims, variable.chunks) if variable else (None, None)
        lead = len(variable.shape) - len(shape) if variable else 0
        if dims and lead > 0:
            dims = dims[lead:]
        if chunks:
            chunks = chunks[-len(shape) :] if len(chunks) >= len(shape) else None
        in_order = sorted(row["boxes"], key=lambda box: box["rank"])
        found = {"variable": ", ".join(names), "shape": list(shape), "dims": dims, "boxes": in_order}
        rows.append(_finished(path, found | {"io_domains": list(row["domains"].values()), "chunks": chunks}))
    return rows


def _seen_layout(traced: TracedRun, known: dict[str, File]) -> list[dict]:
    """The largest put of each rank into each variable."""
    boxes: dict[int, dict[int, tuple[list[int], list[int]]]] = {}
    chunks: dict[int, list[int]] = {}
    for at, (index, process) in enumerate(zip(traced.run.rank_index, traced.run.processes)):
        if index < 0 or process.is_library:
            continue
        events = process.events()
        names = [process.functions[f][1] for f in process.path_function]
        puts = np.array(["put_var" in name for name in names])[events.path] & (events.variable > 0)
        for variable in np.unique(events.variable[puts]).tolist():
            mine = np.flatnonzero(puts & (events.variable == variable))
            arguments = events.arguments(int(mine[np.argmax(events.bytes[mine])]))
            start, count = arguments.get("start"), arguments.get("count")
            if start and count and len(start) == len(count):
                boxes.setdefault(int(traced.table.variable_numbers[at][variable]), {}).setdefault(index, (start, count))
        chunking = np.array(["chunking" in name for name in names])[events.path]
        for event in np.flatnonzero(chunking)[:1000]:
            if given := events.arguments(int(event)).get("chunks"):
                chunks[int(traced.table.variable_numbers[at][events.variable[event]])] = given
    rows = []
    for number, by_rank in boxes.items():
        file, name = traced.table.variables[number]
        path = traced.table.files[file]
        lengths = {len(start) for start, _ in by_rank.values()}
        if len(lengths) != 1:
            continue
        shape = [max(s[axis] + c[axis] for s, c in by_rank.values()) for axis in range(lengths.pop())]
        known_variable = known[path].variables.get(name) if path in known else None
        if known_variable and known_variable.record and len(known_variable.shape) == len(shape) - 1:
            by_rank = {i: (s[1:], c[1:]) for i, (s, c) in by_rank.items()}
            shape = known_variable.shape
        given = chunks.get(number)
        chunk = given[-len(shape) :] if given and len(given) >= len(shape) else None
        parts = [{"rank": int(traced.ranks[i]), "start": s, "count": c} for i, (s, c) in sorted(by_rank.items())]
        dims = known_variable.dims if known_variable and len(known_variable.dims or []) == len(shape) else None
        found = {"variable": name, "shape": shape, "dims": dims, "boxes": parts, "io_domains": [], "chunks": chunk}
        rows.append(_finished(path, found))
    return sorted(rows, key=lambda row: -int(np.prod(row["shape"], dtype=object)))


def _finished(path: str, row: dict) -> dict:
    """A row with `variable`, `shape`, `dims`, `boxes`, `io_domains`, `chunks`, and figures computed from them."""
    domains = row["io_domains"]
    cut = cut_chunks(row["shape"], domains or row["boxes"], row["chunks"]) if row["chunks"] else 0
    text = None
    if cut:
        of = "I/O domains" if domains else "boxes of ranks"
        verb = "holds" if cut == 1 else "hold"
        text = f"{plural(cut, 'chunk')} of {short(path)} {verb} data of more than one of the {of}"
    limits = {"boxes": row["boxes"][:4096], "io_domains": domains[:4096]}
    return {"file": short(path), "path": path} | row | limits | {"cut_chunks": cut, "text": text}


def cut_chunks(shape: list[int], boxes: list[dict], chunks: list[int]) -> int:
    """How many chunks lie in more than one box. Of grids of more than a million chunks, or that are impossible: 0."""
    if len(shape) > 32 or any(c <= 0 for c in chunks) or any(n <= 0 for n in shape):
        return 0
    grid = [-(-n // c) for n, c in zip(shape, chunks)]
    if np.prod(grid, dtype=object) > 1 << 20:
        return 0
    touched = np.zeros(grid, np.int32)
    for box in boxes:
        if all(n > 0 for n in box["count"]) and all(s >= 0 for s in box["start"]):
            touched[
                tuple(slice(s // c, (s + n - 1) // c + 1) for s, n, c in zip(box["start"], box["count"], chunks))
            ] += 1
    return int((touched > 1).sum())
