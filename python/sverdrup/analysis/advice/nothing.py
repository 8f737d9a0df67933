"""Reports that there is nothing to gain if the output takes hardly any time."""

from sverdrup.analysis.advice.advice import Advice
from sverdrup.analysis.facts import Facts
from sverdrup.analysis.headline import NOTHING_BELOW
from sverdrup.analysis.words import percent, seconds


def detect(facts: Facts) -> Advice | None:
    """Not where one rank writes for all: the time that the others wait for it is outside of I/O calls."""
    share = facts.io / facts.seconds
    if share >= NOTHING_BELOW or not len(facts.traced.ranks) or facts.gathers_to is not None:
        return None
    if facts.io <= 0:
        text = "No rank was in an I/O call at any time."
    else:
        text = (
            f"Rank {facts.worst} spent the longest in I/O calls: {seconds(facts.io)} of {seconds(facts.seconds)} "
            f"({percent(share)}). No change of the output can save more than that."
        )
    evidence = [("the time of each rank in I/O calls", "balance")] if facts.io > 0 else []
    return Advice("Nothing to gain", text, facts.io, (0.0, facts.io), evidence=evidence)
