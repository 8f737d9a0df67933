"""Advises to combine requests, where data are written in many small pieces."""

import numpy as np

from sverdrup.analysis.advice.advice import Advice
from sverdrup.analysis.facts import Facts
from sverdrup.analysis.words import plural, seconds, short, size

SMALL, LARGE, MANY = 64 << 10, 1 << 20, 200

_NONBLOCKING = """\
ncmpi_iput_vara_float(file, variable, start, count, values, &requests[n++]);  /* instead of each put */
ncmpi_wait_all(file, n, requests, statuses);  /* at the end of the step */
"""


def detect(facts: Facts) -> Advice | None:
    table, traced = facts.table, facts.traced
    if traced.has_servers:
        return None
    data = facts.writes & table.is_called_by(
        lambda _, name: "put" in name or "write" in name or name in ("sv_end_step", "sv_wait", "output")
    )
    best = None
    for file in np.unique(table.file[data]).tolist():
        rows = data & (table.file == file)
        calls, bytes = int(table.calls[rows].sum()), int(table.bytes[rows].sum())
        took = facts.seconds_of(rows)
        if calls >= MANY and bytes / calls < SMALL and facts.worth(took, 0.01) and (best is None or took > best[0]):
            best = took, calls, bytes, file
    if best is None:
        return None
    took, calls, bytes, file = best
    puts = facts.outermost("write") & (table.file == file)
    seconds_put = max(facts.seconds_of(puts), took)
    least = took * min(
        1.0, -(-bytes // LARGE) / calls
    )  # as many calls as there are large pieces, each as long as one now
    name = short(table.files[file])
    text = (
        f"{name} was written in {plural(calls, 'piece')} of {size(bytes / calls)} on average. Each "
        "piece costs a system call, and on most file systems a lock. If the requests of several variables are carried "
        "out together, they become a few long writes. The lower bound counts the writes alone, the upper bound the "
        "calls that made them."
    )
    lines, language = _remedy(facts, puts)
    evidence = [
        (f"{plural(calls, 'system write')} to {name}, {size(bytes)} together, took {seconds(took)}", "files"),
        (f"{int(table.calls[puts].sum()):,} puts took {seconds(seconds_put)} on the slowest rank", "variables"),
    ]
    return Advice(
        "Combine small writes",
        text,
        seconds_put,
        (max(took - least, 0) / 2, max(seconds_put - least, 0)),
        lines,
        language,
        evidence,
    )


def _remedy(facts: Facts, puts: np.ndarray) -> tuple[str, str]:
    if facts.traced.uses_sverdrup:
        return "combine: step\n", "yaml"
    names = {facts.table.functions[function][1] for function in np.unique(facts.table.function[puts])}
    if any(name.startswith("ncmpi_") for name in names):
        return _NONBLOCKING, "c"
    return "nc_var_par_access(file, variable, NC_COLLECTIVE);  /* parallel files: all ranks put together */\n", "c"
