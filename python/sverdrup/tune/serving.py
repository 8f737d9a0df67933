"""The requirements of a value of the key `async`: additional ranks next to those that compute, and notes for the user.
The space, the tasks and the configuration file use it."""

import re

from . import TuneError

NONE, THREADS, AUTO = "none", "threads", "auto"  # no ranks are given up


def extra_ranks(value: str, nodes: int) -> int:
    """How many ranks serve, or are kept ready to, on so many nodes. Raises TuneError."""
    if value in (NONE, THREADS, AUTO):
        return 0
    match = re.fullmatch(rf"(?:servers|{AUTO}):(\d+)( per node)?", value)
    if not match:
        some = "none, threads, auto, servers:2, 'servers:1 per node', or 'auto:1 per node'"
        raise TuneError(f"async: {value} is not tried. Give {some}")
    return int(match[1]) * (nodes if match[2] else 1)


def is_count(value: str) -> bool:
    """Whether so many ranks always serve, or none."""
    return value == NONE or value.startswith("servers:")


def remark(value: str, extra: int) -> str:
    """The requirements and the effect of this value, for a user."""
    if value == THREADS:
        return (
            "A thread of one rank on each node writes, and no rank is given up; the model has to ask MPI for "
            "MPI_THREAD_FUNNELED at least"
        )
    if value == AUTO:
        return "Each run writes by threads or within its calls, by the cost of its own steps"
    start = f"Start {extra} ranks more than the model has"
    if is_count(value):
        return start
    return f"{start}: they are kept ready, and write files that begin where that costs less"
