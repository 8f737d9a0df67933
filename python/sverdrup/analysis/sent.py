"""Adds up how many bytes of each file each rank sent to each writer, as the library reported in its notes and events.
TracedRun.sent keeps the sums."""

import numpy as np

from sverdrup.analysis.table import Table
from sverdrup.analysis.words import listed
from sverdrup.trace import Run

MOST_EVENTS = 20_000


def sent_bytes(
    run: Run, table: Table, index_of: dict[int, int], notes: list[tuple[int, dict]]
) -> dict[tuple[str, int, int], int]:
    """`index_of`: of the numbers of ranks; `notes`: those of the kind "sends", with the index of the rank. By file,
    sender and writer (indices of ranks): exact, as each rank reported at close; of files that a killed rank
    did not close, as far as its events are left."""
    sent: dict[tuple[str, int, int], int] = {}
    for index, note in notes:
        path = table.final_name(str(note.get("file")))
        for entry in listed(note.get("to")):
            target, count = (listed(entry) + [None, None])[:2]
            if isinstance(target, int) and target in index_of and isinstance(count, int) and 0 < count < 1 << 60:
                key = path, index, index_of[target]
                sent[key] = sent.get(key, 0) + count
    closed = {(path, index) for path, index, _ in sent}
    for at, (index, process) in enumerate(zip(run.rank_index, run.processes)):
        if process.is_library and not process.ended and index >= 0:
            for (path, to), count in _of_events(run, table, index_of, at).items():
                if (path, index) not in closed:
                    sent[path, index, to] = sent.get((path, index, to), 0) + count
    return sent


def _of_events(run: Run, table: Table, index_of: dict[int, int], at: int) -> dict[tuple[str, int], int]:
    """By file and writer, of the latest events of a process."""
    process, sent = run.processes[at], {}
    events = process.events()
    sends = [path for path, f in enumerate(process.path_function) if process.functions[f] == ("step", "send")]
    for event in np.flatnonzero(np.isin(events.path, sends) & (events.bytes > 0))[-MOST_EVENTS:].tolist():
        to = index_of.get((events.arguments(event).get("peer") or [-1])[0])
        if to is not None:
            key = table.files[table.file_numbers[at][events.file[event]]], to
            sent[key] = sent.get(key, 0) + int(events.bytes[event])
    return sent
