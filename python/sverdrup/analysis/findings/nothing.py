"""That there is nothing to gain."""

from sverdrup.analysis.facts import Facts
from sverdrup.analysis.findings.finding import Finding
from sverdrup.analysis.headline import NOTHING_BELOW
from sverdrup.analysis.words import percent, seconds


def detect(facts: Facts) -> Finding | None:
    share = facts.io / facts.seconds
    if share >= NOTHING_BELOW or not len(facts.model.ranks):
        return None
    if facts.io <= 0:
        text = "No rank was in an I/O call at any time."
    else:
        text = (
            f"The rank that was longest in I/O calls, rank {facts.worst}, spent {seconds(facts.io)} of "
            f"{seconds(facts.seconds)} in them ({percent(share)}): no change of the output can save more than that."
        )
    return Finding("Nothing to gain", text, facts.io, (0.0, facts.io), evidence=[(text, "balance")])
