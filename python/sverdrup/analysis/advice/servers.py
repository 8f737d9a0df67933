"""Advises a program that uses Sverdrup and waits for its output to have it written behind its calls, by threads or by
servers: the one that costs less by the models. A run takes

    with servers   max(compute + send, receive + write)    (Huang et al. 2013, equation 2)
    with threads   max(compute + pack + taken, write)

where servers are ranks that do not compute any more, and `taken` is the processor's time that the writing threads take
from computing where no core is idle."""

import math
from dataclasses import dataclass

from sverdrup.analysis.advice.advice import Advice
from sverdrup.analysis.facts import Facts
from sverdrup.analysis.words import plural, seconds, size


@dataclass
class _Times:
    """Seconds: `blocked` in calls that write, on the rank with most; `computing` besides; `work` of all writers;
    `copying` that remains in the calls."""

    blocked: float
    computing: float
    work: float
    copying: float


@dataclass
class _Way:
    """`configured`: the value of the key `async`; `low`, `high`: the share of the run that it saves."""

    configured: str
    title: str
    low: float
    high: float


def detect(facts: Facts) -> Advice | None:
    traced = facts.traced
    if not traced.uses_sverdrup or facts.way:
        return None
    once = facts.table.is_function(lambda _, name: name in ("sv_init", "sv_finalize", "sv_def_decomp"))
    in_calls = facts.table.seconds_by_rank(facts.outermost("write", "close", "meta") & ~once)
    blocked, rank = float(in_calls.max(initial=0)), int(traced.ranks[in_calls.argmax()])
    if len(traced.ranks) < 2 or not facts.worth(blocked) or not facts.written.any():
        return None
    times = _times(facts, blocked)
    count = min(max(1, math.ceil(times.work / times.computing)), max(len(traced.ranks) // 4, 1))
    ways = [_with_threads(facts, times), _with_servers(facts, times, count)]
    best = max(ways, key=lambda way: way.low + way.high)
    if best.high <= 0:
        return None
    work = seconds(times.work)
    text = (
        f"All ranks wait until the output is written: rank {rank} waited {seconds(blocked)} of "
        f"{seconds(facts.seconds)}. Threads or servers write while the ranks compute. All writers together wrote for "
        f"{work}, and the ranks computed for {seconds(times.computing)}. {_compared(ways)} "
        f"{_what_bounds_mean(facts, count)}"
    )
    evidence = [
        (f"rank {rank} was in calls that write for {seconds(blocked)}", "ribbon"),
        (f"the writers wrote {size(facts.written.sum())} in {work}", "files"),
        (f"packing, which remains in the calls, took {seconds(times.copying)}", "balance"),
    ]
    bounds = (best.low, best.high)
    advice = Advice(best.title, text, blocked, bounds, f"async: {mode_of(best.configured)}\n", "yaml", evidence)
    advice.ways = {way.configured: (way.low, way.high) for way in ways}
    return advice


def title_of(configured: str) -> str:
    if configured in ("threads", "auto"):
        return "Let threads write the output while the ranks compute"
    return f"Use {plural(int(configured), 'server')} for the output"


def mode_of(configured: str) -> str:
    """As the key `async` has it."""
    return f"servers:{configured}" if configured.isdigit() else configured


def words_of(configured: str) -> str:
    """In a sentence."""
    return plural(int(configured), "server") if configured.isdigit() else configured


def _times(facts: Facts, blocked: float) -> _Times:
    copying = float(facts.traced.phase("pack").max(initial=0))
    copying = copying or float(facts.written.sum()) / len(facts.traced.ranks) / 1e9
    return _Times(blocked, max(facts.seconds - blocked, 1e-9), float(facts.write_seconds.sum()), copying)


def _with_threads(facts: Facts, times: _Times) -> _Way:
    """A thread of each host writes what its writers wrote. It takes a core from a rank that computes, unless a core is
    spare: at most for as long as it writes, and less where it waits for the device."""
    hosts = max(len(facts.traced.run.hosts), 1)
    write = times.work / hosts
    hidden = times.blocked - times.copying - max(write - times.computing, 0.0)
    last = write / max(facts.steps, 1)
    if facts.cores.spare(hosts) is not False:
        return _Way("threads", title_of("threads"), hidden - last, hidden)
    beside = times.work / facts.cores.total
    low = min(hidden - beside, 0.0) if facts.cores.shared else hidden - write
    return _Way("threads", title_of("threads"), min(low, hidden - last), hidden - beside)


def _with_servers(facts: Facts, times: _Times, count: int) -> _Way:
    """A server takes a core from the ranks that compute, unless a core is spare."""
    cores, work = facts.cores, times.work
    hidden = times.blocked - times.copying - max(work / count - times.computing, 0.0)
    fewer = cores.longer(times.computing, len(facts.traced.ranks), count)
    beside = work / cores.total if cores.total else 0.0  # a server's work on cores that all ranks share
    high = hidden - (min(fewer, beside) if cores.spare(count) is False else 0.0)
    low = min(hidden - fewer - work / count / max(facts.steps, 1), high)
    if cores.shared:
        high, low = hidden - beside, min(low - beside, 0.0)
    return _Way(str(count), title_of(str(count)), low, high)


def _compared(ways: list[_Way]) -> str:
    def saved(way: _Way) -> str:
        low, high = max(way.low, 0.0), max(way.high, 0.0)
        return f"{words_of(way.configured)}, {seconds(low)} to {seconds(high)}" if high > 0 else (
            f"{words_of(way.configured)}, nothing")  # fmt: skip

    return f"What the models say is saved: {'; '.join(saved(way) for way in ways)}."


def _what_bounds_mean(facts: Facts, count: int) -> str:
    cores, ranks = facts.cores, len(facts.traced.ranks)
    server = plural(count, "server")
    if cores.shared:
        return (
            f"{cores.sentence()} A thread or a server works on the cores on which the other ranks compute, so the "
            "upper bounds count its work against them. The lower bounds are nothing, because a trace does not show how "
            "ranks take turns on a core: measure it."
        )
    taken = f"{server} {'is' if count == 1 else 'are'} taken from the {ranks} ranks"
    fewer = f"The lower bound of servers is for a run in which {taken}"
    if cores.spare(count) is False:
        return (
            f"{cores.sentence()} A thread takes a core from a rank: all the time that it writes (lower bound), or a "
            f"part that all cores share. {fewer}; the upper bound is for {plural(count, 'rank')} more on the same "
            "cores."
        )
    return f"{cores.sentence()} {fewer}; the upper bound is for a run with {plural(count, 'rank')} more on other cores."
