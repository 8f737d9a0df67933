"""Advises more memory for the servers, or more servers, where clients wait until servers have room."""

from sverdrup.analysis.advice.advice import Advice
from sverdrup.analysis.facts import Facts
from sverdrup.analysis.words import percent, plural, seconds

DEFAULT_MEMORY = 256 << 20
SATURATED = 0.85  # share of their time that servers work in: more memory only delays the wait then


def detect(facts: Facts) -> Advice | None:
    traced = facts.traced
    if not traced.has_servers:
        return None
    waits = traced.phase("wait_memory")[traced.clients]
    waited = float(waits.max(initial=0))
    if not facts.worth(waited, 0.01):
        return None
    rank = int(traced.ranks[traced.clients[int(waits.argmax())]])
    busy = traced.phase("receive", "assemble", "write_file", "sync")[traced.servers]
    if not busy.any():
        busy = facts.write_seconds[traced.servers]
    load = float((busy / traced.life[traced.servers].clip(1e-9)).max())
    evidence = [
        (f"rank {rank} waited {seconds(waited)} for servers' memory", "ribbon"),
        (f"the busiest of {plural(len(traced.servers), 'server')} worked {percent(load)} of the time", "ribbon"),
    ]
    if load >= SATURATED:
        return _more_servers(facts, waited, rank, evidence)
    memory = max(2 * _memory(facts), _two_steps(facts))
    text = (
        f"Rank {rank} waited {seconds(waited)} because the servers' memory was full, although the servers were idle "
        f"for {percent(1 - load)} of the time: a burst did not fit. Memory for two whole steps avoids this wait."
    )
    configuration = f"async.memory: {memory >> 20}MiB\n"
    return Advice(
        "Give the servers more memory", text, waited, ((1 - load) * waited, waited), configuration, "yaml", evidence
    )


def _more_servers(facts: Facts, waited: float, rank: int, evidence: list[tuple[str, str]]) -> Advice | None:
    """Twice as many, which take cores from the ranks that compute where none is spare."""
    traced, cores, more = facts.traced, facts.cores, len(facts.traced.servers)
    taken = 0.0
    if cores.spare(more) is False:
        taken = cores.longer(facts.seconds - waited, len(traced.clients), more)
    if taken >= waited:
        return None
    text = (
        "Servers write more slowly than the model puts, so their memory fills up and the model waits: "
        f"{seconds(waited)} on rank {rank}. Twice as many servers write twice as fast if the storage is not at its "
        "limit; if it is, nothing is saved."
    )
    if taken > 0:
        text += (
            f" {cores.sentence()} No core is spare, so the upper bound counts that computing takes {seconds(taken)} "
            f"longer on {plural(len(traced.clients) - more, 'rank')}."
        )
    configuration = f"async: servers:{2 * more}\n"
    return Advice("Start more servers", text, waited, (0.0, waited - taken), configuration, "yaml", evidence)


def _two_steps(facts: Facts) -> int:
    """Bytes of a node's share of two steps, in whole MiB."""
    bytes = 2 * sum(facts.traced.sent.values()) / max(facts.steps, 1) / len(facts.traced.run.hosts)
    return -(-int(bytes) >> 20) << 20


def _memory(facts: Facts) -> int:
    """The key as it was in force."""
    for _, note in facts.traced.notes("run"):
        value = (note.get("settings") or {}).get("async.memory") if isinstance(note.get("settings"), dict) else None
        value = value.get("value") if isinstance(value, dict) else value
        if isinstance(value, int) and 1 << 20 <= value < 1 << 40:
            return value
    return DEFAULT_MEMORY
