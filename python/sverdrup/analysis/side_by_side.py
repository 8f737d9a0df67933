"""Compares the runs of one report. Where one run has the change that is advised to another, the measured seconds take
the place of the estimate. analyse() calls settle() after it has found the advice to each run."""

from sverdrup.analysis.advice import servers
from sverdrup.analysis.advice.advice import Advice, Measured
from sverdrup.analysis.facts import Facts, in_bytes
from sverdrup.analysis.words import program_of, seconds
from sverdrup.keys import whole_name

SAME_WORK = 0.02  # share by which the bytes of two runs of the same work may differ
WORTH = 0.005  # of the run: a smaller saving counts as none
_MODE = "async.mode"
# Groups and keys that change nothing of how the output is written.
_ASIDE = frozenset("trace summary watchdog async.component".split())
# Other properties that may differ if the advice is about servers.
_OF_SERVERS = frozenset("async points.primaries testing.turns".split())
_PORTED = ("port", "gather")  # advise Sverdrup to a program that does not use it


def settle(runs: list[Facts], found: list[list[tuple[str, Advice]]]) -> None:
    """Compares the advice to each run with the other runs. Advice that a run refutes comes last. Where a run without
    output took longer than one with output, the differences are noise, and nothing is compared."""
    if _are_noise(runs):
        return
    for facts, advised in zip(runs, found):
        for kind, advice in advised:
            tried = [other for other in runs if other is not facts and _tries(facts, other, kind, advice)]
            if tried:
                _settle(facts, sorted(tried, key=lambda other: other.seconds), advice)
        advised.sort(key=lambda pair: pair[1].refuted)


def _are_noise(runs: list[Facts]) -> bool:
    without = [run.seconds for run in runs if not run.written.sum()]
    writing = [run.seconds for run in runs if run.written.sum()]
    return bool(without and writing) and min(writing) < min(without)


def _settle(facts: Facts, tried: list[Facts], advice: Advice) -> None:
    """`tried`: the fastest first; it counts."""
    other = tried[0]
    saved = facts.seconds - other.seconds
    runs = [f"the run {_named(each)} next to it{_how(each)} took {seconds(each.seconds)}" for each in tried]
    text = (
        f"Measured: \u201c{facts.traced.run.name}\u201d took {seconds(facts.seconds)}, "
        f"{', '.join(runs[:-1])}{', ' if runs[1:] else ''}and {runs[-1]}."
    )
    text += _longer_start(facts, other) if saved < WORTH * facts.seconds else ""
    text += _judged(advice, tried) if other.seconds < facts.seconds else ""
    advice.measured = Measured(other.traced.run.name, other.seconds, text)
    low, high = advice.limited(facts.output)
    estimate = f"From this run alone, the estimate was that it saves {seconds(low)} to {seconds(high)}."
    advice.text = f"{text} {estimate} {advice.text}"
    advice.refuted = saved < WORTH * facts.seconds
    advice.saves = (max(saved, 0.0), max(saved, 0.0))
    if advice.configuration and advice.configuration.startswith("async:"):
        advice.configuration = f"async: {servers.mode_of(other.way)}\n"
        if advice.ways:
            advice.title = servers.title_of(other.way)
    if advice.refuted:
        advice.saves = (0.0, 0.0)
        advice.title = f"Measured and not faster: {advice.title[0].lower()}{advice.title[1:]}"
        advice.configuration = advice.language = None


def _named(facts: Facts) -> str:
    return f"\u201c{facts.traced.run.name}\u201d"


def _how(facts: Facts) -> str:
    return f", with {servers.words_of(facts.way)}," if facts.way else ""


def _judged(advice: Advice, tried: list[Facts]) -> str:
    """Whether the models show which of several measured configurations is the best."""
    measured = [each.way for each in tried if each.way]
    estimated = {("servers" if way.isdigit() else way): sum(saves) for way, saves in advice.ways.items()}
    kinds = list(dict.fromkeys("servers" if way.isdigit() else way for way in measured))
    kinds = [kind for kind in kinds if kind in estimated]
    if len(kinds) < 2:
        return ""
    best = max(kinds, key=lambda kind: estimated[kind])
    words = "as" if best == kinds[0] else "other than"
    return f" Of these ways, {kinds[0]} was the fastest, {words} the models said."


def _longer_start(facts: Facts, other: Facts) -> str:
    """Where `other` is slower only up to its first output, that a longer run may be faster; or nothing."""
    mine, its = facts.after_first_step, other.after_first_step
    if mine is None or its is None or mine - its < WORTH * facts.seconds:
        return ""
    return (
        f" From the end of the first step on, they took {seconds(mine)} and {seconds(its)}: only the start took longer,"
        " so a longer run may gain."
    )


def _tries(facts: Facts, other: Facts, kind: str, advice: Advice) -> bool:
    """Whether `other` does the same work, with the change that `advice` proposes and no other."""
    if not _same_work(facts, other):
        return False
    if kind in _PORTED:
        return other.traced.uses_sverdrup
    if program_of(facts.traced.run) != program_of(other.traced.run):
        return False
    if advice.language != "yaml" or not advice.configuration or not other.traced.uses_sverdrup:
        return False
    lines = [line.partition(":") for line in advice.configuration.splitlines() if not line.startswith("#")]
    wanted = {whole_name(key.strip()): value.strip() for key, _, value in lines}
    if _MODE in wanted and not _writes_behind_more(facts, other):
        return False
    mine, its = facts.settings, other.settings
    free = _ASIDE | (_OF_SERVERS if _MODE in wanted else frozenset())
    for key in (mine.keys() | its.keys()) - wanted.keys():
        if mine.get(key) != its.get(key) and not {key, key.partition(".")[0]} & free:
            return False
    changed = [key for key, value in wanted.items() if key != _MODE and mine.get(key) != in_bytes(value)]
    return all(its.get(key) == in_bytes(wanted[key]) for key in changed) and bool(changed or _MODE in wanted)


def _writes_behind_more(facts: Facts, other: Facts) -> bool:
    """With more servers, or with threads where `facts` has neither."""
    more = len(other.traced.servers) > len(facts.traced.servers)
    return more or (not facts.way and bool(other.way))


def _same_work(facts: Facts, other: Facts) -> bool:
    """The same bytes in as many steps, on as many hosts; with as many ranks, or with servers in addition to them."""
    mine, its = float(facts.written.sum()), float(other.written.sum())
    if abs(mine - its) > SAME_WORK * max(mine, its) or not mine:
        return False
    if len(facts.traced.run.hosts) != len(other.traced.run.hosts):
        return False
    if facts.steps and other.steps and facts.steps != other.steps:
        return False
    return len(other.traced.ranks) == len(facts.traced.ranks) or len(other.traced.clients) == len(facts.traced.clients)
