"""Advises servers to a program that uses Sverdrup without them and waits for its output."""

import math
from dataclasses import dataclass

from sverdrup.analysis.advice.advice import Advice
from sverdrup.analysis.facts import Facts
from sverdrup.analysis.words import plural, seconds, size


@dataclass
class _Estimate:
    """Seconds: `blocked` in calls that write, on the rank with most; `computing` besides; `work` of all writers;
    `copying` that remains with servers. `low`, `high`: what `count` servers save of the run."""

    blocked: float
    computing: float
    work: float
    copying: float
    count: int
    low: float = 0.0
    high: float = 0.0


def detect(facts: Facts) -> Advice | None:
    traced = facts.traced
    ranks = len(traced.ranks)
    if not traced.uses_sverdrup or traced.has_servers or ranks < 2:
        return None
    once = facts.table.is_function(lambda _, name: name in ("sv_init", "sv_finalize", "sv_def_decomp"))
    in_calls = facts.table.seconds_by_rank(facts.outermost("write", "close", "meta") & ~once)
    blocked, rank = float(in_calls.max(initial=0)), int(traced.ranks[in_calls.argmax()])
    if not facts.worth(blocked) or not facts.written.any():
        return None
    estimate = _estimate(facts, blocked)
    if estimate.high <= 0:
        return None
    count, work = estimate.count, seconds(estimate.work)
    text = (
        f"All ranks wait until the output is written: rank {rank} waited {seconds(blocked)} of "
        f"{seconds(facts.seconds)}. With servers, ranks hand over their data and go on computing. All writers together "
        f"wrote for {work}, and the ranks computed for {seconds(estimate.computing)}, so {plural(count, 'server')} "
        f"{'is' if count == 1 else 'are'} enough. "
        f"{_what_bounds_mean(facts, count)}"
    )
    evidence = [
        (f"rank {rank} was in calls that write for {seconds(blocked)}", "ribbon"),
        (f"the writers wrote {size(facts.written.sum())} in {work}", "files"),
        (f"packing, which remains with servers, took {seconds(estimate.copying)}", "balance"),
    ]
    title = f"Use {plural(count, 'server')} for the output"
    bounds = (estimate.low, estimate.high)
    return Advice(title, text, blocked, bounds, f"servers: {count}\n", "yaml", evidence)


def _estimate(facts: Facts, blocked: float) -> _Estimate:
    """A server takes a core from the ranks that compute, unless a core is spare."""
    traced, cores, ranks = facts.traced, facts.cores, len(facts.traced.ranks)
    computing = max(facts.seconds - blocked, 1e-9)
    work = float(facts.write_seconds.sum())
    count = min(max(1, math.ceil(work / computing)), max(ranks // 4, 1))
    copying = float(traced.phase("pack").max(initial=0)) or float(facts.written.sum()) / ranks / 1e9
    made = _Estimate(blocked, computing, work, copying, count)
    hidden = blocked - copying - max(work / count - computing, 0.0)
    fewer = cores.longer(computing, ranks, count)
    beside = work / cores.total if cores.total else 0.0  # a server's work on cores that all ranks share
    made.high = hidden - (min(fewer, beside) if cores.spare(count) is False else 0.0)
    made.low = min(hidden - fewer - work / count / max(facts.steps, 1), made.high)
    if cores.shared:
        made.high, made.low = hidden - beside, min(made.low - beside, 0.0)
    return made


def _what_bounds_mean(facts: Facts, count: int) -> str:
    cores, ranks = facts.cores, len(facts.traced.ranks)
    server = plural(count, "server")
    if cores.shared:
        return (
            f"{cores.sentence()} A server works on the cores on which the other ranks compute, so the upper bound "
            "counts its work against them. The lower bound is nothing, because a trace cannot tell how ranks take "
            "turns on a core: measure it."
        )
    taken = f"{server} {'is' if count == 1 else 'are'} taken from the {ranks} ranks"
    fewer = f"The lower bound is for a run in which {taken}"
    if cores.spare(count) is False:
        return f"{cores.sentence()} {fewer}; the upper bound is for {plural(count, 'rank')} more on the same cores."
    return f"{cores.sentence()} {fewer}; the upper bound is for a run with {plural(count, 'rank')} more on other cores."
