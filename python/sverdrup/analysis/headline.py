"""Computes the part `headline` of the report: which share of the run was I/O, and why the slowest rank waited."""

import numpy as np

from sverdrup.analysis.traced_run import TracedRun
from sverdrup.analysis.words import HAND_OVER, POSIX_WRITES, kind_of, numbers, percent, seconds, short

NOTHING_BELOW = 0.02  # of the run: less I/O than that is not worth a change

_POSIX = {"write": "writing", "read": "reading", "open": "opening", "close": "closing", "meta": "changing"}
_WAITS = {
    "wait": "other ranks (wait)",
    "wait_memory": "free memory in the servers (wait_memory)",
    "wait_answer": "answers from servers (wait_answer)",
}


_PUTTING = ("write", "close", "open", "end_step")
_FINALIZE = "sv_finalize"
_OWN_WORK = "the work inside sv_"


def waited_for(traced: TracedRun) -> list[dict]:
    """Of the rank that was longest in I/O: the time in each function itself, without what it called; at most 5, of
    1 % of its I/O and more."""
    if not len(traced.ranks) or traced.io_seconds.max() <= 0:
        return []
    index = int(traced.io_seconds.argmax())
    sums: dict[str, float] = {}
    for at, process in enumerate(traced.run.processes):
        if traced.run.rank_index[at] != index or process.is_library == bool(traced.seen_by_tracer[index]):
            continue
        known, own = traced.table.paths[at], traced.table.self_ns(at) / 1e9
        for path in np.flatnonzero(own > 0):
            layer, name = process.functions[process.path_function[path]]
            if (layer == "mpi" and not known.in_io[path]) or known.hidden[path]:
                continue
            text = _text(traced, layer, name, _file_of(traced, at, path), int(known.outermost[path]))
            sums[text] = sums.get(text, 0.0) + float(own[path])
    if traced.seen_by_tracer[index]:
        sums = _with_phases(traced, index, sums)
    ordered = sorted(sums.items(), key=lambda item: -item[1])[:5]
    ordered = [item for item in ordered if item[1] >= 0.01 * traced.io_seconds[index]]
    return [{"text": text, "seconds": value, "share": value / traced.seconds} for text, value in ordered]


def _with_phases(traced: TracedRun, index: int, sums: dict[str, float]) -> dict[str, float]:
    """Replaces time of the library's calls by the phases inside them, which only the library reports."""
    phases = {"packing (pack)": float(traced.phase(*HAND_OVER, within=_PUTTING)[index])}
    for name, text in _WAITS.items():
        phases[text] = float(traced.phase(name, within=_PUTTING)[index])
    text, waited = _WAITS["wait"], phases[_WAITS["wait"]]
    phases[_for_whom(traced, index, waited) or text] = phases.pop(text)
    own = {text: value for text, value in sums.items() if text.startswith(_OWN_WORK) and _FINALIZE not in text}
    enough = min(sum(own.values()) / max(sum(phases.values()), 1e-12), 1.0)
    left = max(sum(own.values()) - sum(phases.values()), 0.0) / max(sum(own.values()), 1e-12)
    rest = {text: value * left if text in own else value for text, value in sums.items()}
    return {text: value for text, value in (rest | {t: v * enough for t, v in phases.items()}).items() if value > 0}


def _for_whom(traced: TracedRun, index: int, waited: float) -> str | None:
    """Ranks that wrote for at least half of the time that this one waited."""
    table = traced.table
    writes = table.is_layer("posix") & table.is_function(lambda _, name: name in POSIX_WRITES) & (table.file > 0)
    took = table.seconds_by_rank(writes)
    took[index] = 0
    busy = np.flatnonzero(took >= max(waited / 2, 1e-9))
    if not len(busy) or traced.has_servers:
        return None
    rows = writes & np.isin(table.rank, busy)
    file = table.files[int(np.bincount(table.file[rows], table.ns[rows]).argmax())]
    ranks = f"rank{'s'[: len(busy) != 1]} {numbers(traced.ranks[busy].tolist())}"
    return f"{ranks} to write {short(file)} (wait)"


def _file_of(traced: TracedRun, at: int, path: int) -> str:
    """The file that most of the time of a path went to; where it knows none, that of its callers."""
    table, process = traced.table, traced.run.processes[at]
    while path:
        rows = (table.process == at) & (table.path == path) & (table.file > 0)
        if rows.any():
            return short(table.files[table.file[rows][table.ns[rows].argmax()]])
        path = int(process.path_caller[path])
    return ""


def _text(traced: TracedRun, layer: str, name: str, file: str, outermost: int) -> str:
    if layer == "posix":
        return f"{_POSIX[kind_of(layer, name)]} {file or 'files'} ({name})"
    if layer == "mpi":
        return f"other ranks, in {traced.table.functions[outermost][1]} ({name})"
    if layer == "step":
        return _WAITS.get(name) or (
            f"writing {file} (output)" if name == "output" else f"the work inside Sverdrup ({name})"
        )
    if layer == "mpi_io" and kind_of(layer, name) in ("read", "write"):
        return f"the exchange inside {name}{f' of {file}' if file else ''}"
    if name == _FINALIZE:
        return f"the wait until all is written ({name})"
    return f"the work inside {name}{f' on {file}' if file else ''}"


def headline(traced: TracedRun, advised: list[dict]) -> dict:
    if not len(traced.ranks):
        return {"io_share": 0.0, "io_seconds": 0.0, "io_rank": None, "waited_for": [],
                "sentence": "The trace contains no rank.",
                "change": None, "nothing_to_gain": None}  # fmt: skip
    io, rank = float(traced.io_seconds.max()), int(traced.ranks[traced.io_seconds.argmax()])
    share = min(io / traced.seconds, 1.0)
    waits = waited_for(traced)
    nothing = next((f["text"] for f in advised if f["kind"] == "nothing"), None)
    change = next((f["id"] for f in advised if f["kind"] != "nothing" and not f["refuted"]), None)
    if io <= 0:
        sentence = "The trace contains no I/O."
    else:
        of = f" of rank {rank}" if len(traced.ranks) > 1 else ""
        sentence = f"{percent(share)} of the run was I/O: {seconds(io)} of {seconds(traced.seconds)}{of}."
        if waits and not nothing:
            sentence += f" Most of it, {seconds(waits[0]['seconds'])}, was {_gerund(waits[0]['text'])}."
    return {"io_share": share, "io_seconds": io, "io_rank": rank, "waited_for": waits, "sentence": sentence,
            "change": None if nothing else change, "nothing_to_gain": nothing}  # fmt: skip


def _gerund(text: str) -> str:
    return text if text.startswith((*_POSIX.values(), "the ", "packing")) else f"waiting for {text}"
