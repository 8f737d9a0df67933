"""Waiting ranks: the calls that the ranks of a run are in, from its trace files while it runs."""

import time
from pathlib import Path

from sverdrup.analysis.words import numbers, seconds

_DOING = {
    "wait": "wait for other ranks",
    "wait_memory": "wait for memory of the servers",
    "wait_answer": "wait for answers of the servers",
    "idle": "serve, and have nothing to write",
    "write_file": "write to the file",
    "sync": "synchronise the file",
}
COMPUTING = "compute"


def _innermost(process, now_ns: int) -> tuple[str, float]:
    """The activity of the process, and its duration in seconds."""
    calls = sorted(process.open_calls, key=lambda call: (call.depth, call.start_ns))
    if not calls:
        return COMPUTING, max(now_ns - process.start_realtime_ns - process.latest_ns, 0) / 1e9
    layer, name = process.functions[process.path_function[calls[-1].path]]
    text = _DOING.get(name) if layer == "step" else None
    return text or f"are in {name}", max(now_ns - process.start_realtime_ns - calls[-1].start_ns, 0) / 1e9


def waiting(folder: Path) -> list[str]:
    """A line for each thing that ranks do, those of most ranks first. Raises TraceError if there is nothing to read."""
    from sverdrup.trace import Run

    run, now_ns = Run(folder), time.time_ns()
    doing: dict[str, list[tuple[int, float]]] = {}
    for process, index in zip(run.processes, run.rank_index, strict=True):
        if index >= 0 and not process.ended:
            text, since = _innermost(process, now_ns)
            doing.setdefault(text, []).append((int(run.ranks[index]), since))
    lines = []
    for text, ranks in sorted(doing.items(), key=lambda item: -len(item[1])):
        longest = max(since for _, since in ranks)
        who = sorted({rank for rank, _ in ranks})
        lines.append(f"{'rank' if len(who) == 1 else 'ranks'} {numbers(who)}: {text}, for up to {seconds(longest)}")
    return lines or ["no rank is running"]
