"""Computes the part `ribbon` of the report: the activity of each rank at each time, and how much of the servers' work
went on while clients computed."""

import numpy as np

from sverdrup.analysis.intervals import by_kind, coarse, overlap, paint
from sverdrup.analysis.traced_run import TracedRun, Times
from sverdrup.analysis.words import HAND_OVER, WAITS

KINDS = ("compute", "hand_over", "blocked", "receive", "assemble", "write", "idle")
COMPUTE, HANDED, BLOCKED, RECEIVE, ASSEMBLE, WRITE, IDLE = range(len(KINDS))
MOST_LANES, MOST_SPANS = 24, 2000


def ribbon(traced: TracedRun) -> dict | None:
    if not len(traced.ranks):
        return None
    lanes, painted = [], {}
    for index in _representatives(traced):
        spans = _spans(traced, index, traced.times(index))
        painted[index] = spans
        lanes.append({
            "rank": int(traced.ranks[index]), "role": traced.roles[index],
            "label": f"{'server' if index in traced.servers else 'rank'} {traced.ranks[index]}",
            "spans": [[int(kind), float(s), float(e)] for kind, s, e in coarse(spans, MOST_SPANS, len(KINDS))],
        })  # fmt: skip
    return {
        "kinds": list(KINDS), "lanes": lanes, "steps": steps(traced), "overlap": _overlap(traced, painted),
        "totals": [_totals(traced, index) for index in range(len(traced.ranks))],
    }  # fmt: skip


def _representatives(traced: TracedRun) -> list[int]:
    """At most MOST_LANES: clients first, then servers; of each, the first, the last, the one that was blocked
    longest, and others between at even distances."""
    servers = _some(traced.servers, 8, np.zeros(len(traced.ranks)))
    return _some(traced.clients, MOST_LANES - len(servers), traced.blocked_seconds) + servers


def _some(indices: list[int], most: int, weight: np.ndarray) -> list[int]:
    if len(indices) <= most:
        return indices
    chosen = {indices[round(i * (len(indices) - 1) / (most - 2))] for i in range(most - 1)}
    return sorted(chosen | {max(indices, key=lambda index: weight[index])})


def _spans(traced: TracedRun, index: int, times: Times) -> np.ndarray:
    """A program's calls block it, except for the time in which it hands data over to servers."""
    begin, end = float(traced.run.begin_s[index]), float(traced.run.end_s[index])
    if index in traced.servers:
        coats = [(RECEIVE, *times.phase("receive")), (ASSEMBLE, *times.phase("assemble")),
                 (WRITE, *times.phase("write_file", "sync"))]  # fmt: skip
        if not times.phases:
            coats = [(WRITE, *times.posix_write)]
        return paint(coats, IDLE, begin, end)
    coats = [(BLOCKED, *times.io)]
    if traced.has_servers:
        coats += [(HANDED, *times.phase(*HAND_OVER)), (BLOCKED, *times.phase(*WAITS))]
    return paint(coats, COMPUTE, begin, end)


def _totals(traced: TracedRun, index: int) -> dict:
    """From the totals, which are exact."""
    row = {"rank": int(traced.ranks[index]), "role": traced.roles[index]} | dict.fromkeys(KINDS, 0.0)
    life = float(traced.life[index])
    if index in traced.servers:
        row["receive"], row["assemble"] = float(traced.phase("receive")[index]), float(traced.phase("assemble")[index])
        row["write"] = float(traced.phase("write_file", "sync")[index]) or _posix_write(traced, index)
        row["idle"] = max(life - row["receive"] - row["assemble"] - row["write"], 0.0)
        return row
    row["hand_over"] = min(float(traced.hand_over_seconds[index]), life)
    row["blocked"] = float(traced.blocked_seconds[index])
    row["compute"] = max(life - row["hand_over"] - row["blocked"], 0.0)
    return row


def _posix_write(traced: TracedRun, index: int) -> float:
    table = traced.table
    writes = table.is_layer("posix") & table.is_function(lambda _, name: "write" in name)
    return float(table.seconds_by_rank(writes)[index])


def steps(traced: TracedRun) -> list[dict]:
    """From the end of one step to that of the next, by the calls that end them; ends are of the last rank."""
    ends: dict[int, float] = {}
    for at, (index, process) in enumerate(zip(traced.run.rank_index, traced.run.processes)):
        if index < 0 or index in traced.servers:
            continue
        names = [name for _, name in process.functions]
        ending = [i for i, f in enumerate(process.path_function) if names[f] in ("end_step", "sv_end_step")]
        if not ending or (traced.seen_by_tracer[index] and process.is_library and _has_ended(traced, index)):
            continue
        events = process.events()
        for count, event in enumerate(np.flatnonzero(np.isin(events.path, ending))[:2000]):
            number = events.arguments(event).get("step", [count])
            end = float(traced.run.absolute(at, events.start_ns[event] + events.duration_ns[event]))
            number = int(number[0]) if number else count
            ends[number] = max(ends.get(number, 0.0), end)
    found, start = [], 0.0
    for number in sorted(ends):
        found.append({"number": number, "start": start, "end": max(ends[number], start)})
        start = max(ends[number], start)
    return found


def _has_ended(traced: TracedRun, index: int) -> bool:
    """Whether the tracer saw sv_end_step of this rank."""
    table = traced.table
    return bool(table.is_function(lambda _, name: name == "sv_end_step")[table.rank == index].any())


def _overlap(traced: TracedRun, painted: dict[int, np.ndarray]) -> float | None:
    """Share of the servers' busy time during which a client computed, the mean over the clients that are shown."""
    clients = [spans[spans[:, 0] == COMPUTE][:, 1:] for index, spans in painted.items() if index in traced.clients]
    shares, weights = [], []
    for index, spans in painted.items():
        busy = (
            spans[np.isin(spans[:, 0], (RECEIVE, ASSEMBLE, WRITE))][:, 1:]
            if index in traced.servers
            else np.empty((0, 2))
        )
        seconds = float((busy[:, 1] - busy[:, 0]).sum())
        if seconds > 0 and clients:
            shares.append(np.mean([overlap(busy, client) for client in clients]) / seconds)
            weights.append(seconds)
    return float(np.average(shares, weights=weights)) if shares else None


def seconds_by_kind(spans: np.ndarray) -> np.ndarray:
    return by_kind(spans, len(KINDS))
