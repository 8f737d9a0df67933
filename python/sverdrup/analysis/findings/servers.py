"""A run of Sverdrup without servers that waits for its output."""

import math

from sverdrup.analysis.facts import Facts
from sverdrup.analysis.findings.finding import Finding
from sverdrup.analysis.words import plural, seconds, size


def detect(facts: Facts) -> Finding | None:
    model = facts.model
    ranks = len(model.ranks)
    if not model.uses_sverdrup or model.has_servers or ranks < 2:
        return None
    once = facts.table.is_function(lambda _, name: name in ("sv_init", "sv_finalize", "sv_def_decomp"))
    blocked = facts.seconds_of(facts.outermost("write", "close", "meta") & ~once)
    if not facts.worth(blocked) or not facts.written.any():
        return None
    computing = max(facts.seconds - blocked, 1e-9)
    work = float(facts.write_seconds.sum())
    count = min(max(1, math.ceil(work / computing)), max(ranks // 4, 1))
    copying = float(model.phase("pack").max(initial=0)) or facts.written.sum() / ranks / 1e9
    beyond = max(work / count - computing, 0.0)
    high = blocked - copying - beyond
    if high <= 0:
        return None
    fewer = computing * count / (ranks - count)  # computing takes longer where servers are taken from the ranks
    low = high - fewer - work / count / max(facts.steps, 1)
    text = (
        f"All ranks wait until the output is written: {seconds(blocked)} of {seconds(facts.seconds)} on rank "
        f"{facts.worst}. With servers they hand their data over and compute on. Writing took {seconds(work)} in "
        f"all, computing {seconds(computing)}: {plural(count, 'server')} {'is' if count == 1 else 'are'} enough. "
        f"The lower bound is of a run in which servers are taken from the {ranks} ranks; the upper one of a run "
        f"with {plural(count, 'rank')} more."
    )
    evidence = [
        (f"rank {facts.worst} was in calls that write for {seconds(blocked)}", "ribbon"),
        (f"{size(facts.written.sum())} were written in {seconds(work)} of writers' time", "files"),
        (f"packing, all that remains with servers, took {seconds(copying)}", "balance"),
    ]
    title = f"Let {'one rank' if count == 1 else f'{count} ranks'} serve the output"
    return Finding(title, text, blocked, (low, high), f"servers: {count}\n", "yaml", evidence)
