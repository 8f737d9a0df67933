"""Computes the part `problems` of the report: which ranks left no trace, which processes were killed, and which events
or names were lost."""

import numpy as np

from sverdrup.analysis.traced_run import TracedRun
from sverdrup.analysis.words import POSIX_WRITES, kind_of, numbers, plural, seconds, short, size
from sverdrup.trace import Problem

MOST_KILLED = 20


def problems(traced: TracedRun) -> list[dict]:
    run = traced.run
    found = list(run.problems) + _missing(traced) + _killed(traced) + _lost(traced) + _unseen(traced)
    found.sort(key=lambda p: (p.severity != "error", -1 if p.rank is None else p.rank))
    return [{"severity": p.severity, "rank": p.rank, "text": p.text} for p in found]


def _missing(traced: TracedRun) -> list[Problem]:
    expected, present = traced.run.expected_ranks, {int(rank) for rank in traced.ranks}
    absent = expected - len(present)
    if not traced.run.mpi or absent <= 0:
        return []
    names = numbers(rank for rank in range(expected) if rank not in present) if expected <= 100_000 else ""
    text = (
        f"{plural(absent, 'rank')} of {expected} left no "
        f"trace{f' ({names})' if names and len(names) < 200 else ''}: their calls are missing in all tables "
        "and charts. Their host may not see the folder, or the tracer was not loaded there"
    )
    return [Problem("error", None, text)]


def _killed(traced: TracedRun) -> list[Problem]:
    found, more = [], 0
    programs = {(p.host, p.pid) for p in traced.run.processes if not p.is_library}
    for at, process in enumerate(traced.run.processes):
        if process.ended or (process.is_library and (process.host, process.pid) in programs):
            continue
        if len(found) == MOST_KILLED:
            more += 1
            continue
        index = traced.run.rank_index[at]
        rank = int(traced.ranks[index]) if index >= 0 else None
        found.append(Problem("error", rank, _last_words(traced, at, rank)))
    if more:
        found.append(
            Problem(
                "error", None, f"{plural(more, 'more process')} ended in the same way".replace("processs", "processes")
            )
        )
    return found


def _last_words(traced: TracedRun, at: int, rank: int | None) -> str:
    process = traced.run.processes[at]
    latest = max([process.latest_ns, *(call.start_ns for call in process.open_calls)])
    latest = max(float(traced.run.absolute(at, latest)), 0.0)
    name = f"rank {rank}" if traced.run.mpi and rank is not None else short(process.program)
    who = f"{name} (pid {process.pid} on {process.host})"
    threads: dict[int, list] = {}
    for call in process.open_calls:
        threads.setdefault(call.tid, []).append(call)
    if not threads:
        ended = f"was killed or ended without finishing its trace after {seconds(latest)}"
        return f"{who} {ended}; it was in no recorded call"
    places = []
    for calls in threads.values():
        text = " > ".join(process.functions[process.path_function[call.path]][1] for call in calls)
        last = next((call for call in reversed(calls) if call.file), None)
        if last:
            text += f" of {short(process.files[last.file])}"
        variable = next((call.variable for call in reversed(calls) if call.variable), 0)
        if variable:
            text += f", variable {process.variables[variable][1]}"
        places.append(text)
    if any(text.endswith("MPI_Abort") for text in places):
        return f"{who} ended the run with MPI_Abort after {seconds(latest)}"
    inside = " and ".join(places)
    return f"{who} was killed or crashed after {seconds(latest)}, inside {inside}; the trace ends there"


def _lost(traced: TracedRun) -> list[Problem]:
    found, wrapped, unread = [], [], 0
    lost: dict[str, int] = {}
    for at, process in enumerate(traced.run.processes):
        unread += process.unread_notes
        for name, count in process.lost.items():
            lost[name] = lost.get(name, 0) + count
        if process.events_recorded > process.ring_capacity and traced.run.rank_index[at] >= 0:
            wrapped.append(int(traced.ranks[traced.run.rank_index[at]]))
    if wrapped:
        text = (
            f"the oldest events of rank {numbers(set(wrapped))} were overwritten: charts over time show only the "
            "latest part; times, counts and bytes are complete. Use more memory for events (sv-trace --memory) to keep "
            "all"
        )
        found.append(Problem("warning", None, text))
    if lost.pop("ring", 0):
        text = "events were lost because the disk of the traces was full; times, counts and bytes are complete"
        found.append(Problem("warning", None, text))
    if lost:
        what = ", ".join(f"{count} of {name.replace('_', ' ')}" for name, count in sorted(lost.items()))
        text = f"there was no room for more names or totals ({what}): some calls are shown without their file"
        found.append(Problem("warning", None, text))
    if unread:
        found.append(Problem("warning", None, f"{plural(unread, 'note')} could not be read"))
    return found


def _unseen(traced: TracedRun) -> list[Problem]:
    """Files for which MPI-IO was given much more than the system was seen to write."""
    table, found = traced.table, []
    given = (
        table.is_layer("mpi_io") & table.top & table.is_function(lambda layer, name: kind_of(layer, name) == "write")
    )
    written = table.is_layer("posix") & table.is_function(lambda _, name: name in POSIX_WRITES)
    for file in np.unique(table.file[given]).tolist():
        asked = int(table.bytes[given & (table.file == file)].sum())
        seen = int(table.bytes[written & (table.file == file)].sum())
        if asked > 1 << 20 and seen < asked / 2:
            text = (
                f"MPI-IO was given {size(asked)} for {short(table.files[file])}, but the tracer saw only {size(seen)} "
                "being written: Open MPI's own MPI-IO writes in ways that the tracer does not record. With ROMIO "
                "(export OMPI_MCA_io=^ompio) it sees all"
            )
            found.append(Problem("warning", None, text))
    return found
