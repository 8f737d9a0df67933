"""Advises that all ranks write, where one rank gathers the data of all others and writes them with a serial library."""

from sverdrup.analysis.advice.advice import Advice
from sverdrup.analysis.facts import Facts
from sverdrup.analysis.language import lines_for
from sverdrup.analysis.words import percent, seconds, size


def detect(facts: Facts) -> Advice | None:
    traced = facts.traced
    if facts.gathers_to is None:
        return None
    writer = facts.gathers_to
    rank, took, whole = int(traced.ranks[writer]), float(traced.io_seconds[writer]), facts.gathered_output
    total = float(facts.written.sum())
    copying = total / len(traced.ranks) / 1e9
    text = (
        f"Rank {rank} wrote {percent(facts.written.max() / total)} of all bytes through a serial library and spent "
        f"{seconds(took)} in its I/O calls. From the first to the last put of each output, gathering included, it took "
        f"{seconds(whole)} ({percent(whole / facts.seconds)} of the run). The other {len(traced.ranks) - 1} ranks send "
        "their parts meanwhile and wait, outside of I/O calls, where the tracer does not see them. If each rank puts "
        "its own part, nothing is gathered, and servers can write while all ranks compute."
    )
    lines, language = lines_for("gather", traced)
    evidence = [
        (f"rank {rank} wrote {size(facts.written.max())} of {size(total)}", "files"),
        (f"no other rank was in I/O calls for more than {seconds(_second(facts))}", "balance"),
    ]
    bounds = (took / 2, whole - copying)
    return Advice("Write from all ranks instead of gathering to one", text, whole, bounds, lines, language, evidence)


def _second(facts: Facts) -> float:
    ordered = sorted(facts.traced.io_seconds.tolist())
    return ordered[-2]
