"""Advises to divide the writing more evenly, where one writer takes much longer than the others."""

import numpy as np

from sverdrup.analysis.advice.advice import Advice
from sverdrup.analysis.facts import Facts
from sverdrup.analysis.words import seconds, size


def detect(facts: Facts) -> Advice | None:
    traced = facts.traced
    writing = np.flatnonzero(facts.write_seconds)
    if len(writing) < 2:
        return None
    took = facts.write_seconds[writing]
    most, mean = float(took.max()), float(took.mean())
    if most < 1.5 * mean or not facts.worth(most - mean):
        return None
    slow = int(writing[took.argmax()])
    rank, ratio = int(traced.ranks[slow]), float(facts.written[slow] / max(facts.written[writing].mean(), 1))
    lines = language = None
    if ratio >= 1.25:
        cause = f"It wrote {size(facts.written[slow])}, {ratio:.1f} times the mean: the shares are not equal."
        if traced.uses_sverdrup:
            cause += " The route 'ranges' gives all writers the same number of stripes."
            lines, language = "route: ranges\nwriters: auto\n", "yaml"
    else:
        cause = f"It wrote no more than the others ({size(facts.written[slow])}): its host or its disk is slower."
    text = (
        f"Rank {rank} needed {seconds(most)} to write, and the others waited for it: the mean of {len(writing)} "
        f"writers is {seconds(mean)}. {cause}"
    )
    evidence = [(f"rank {rank} wrote for {most / mean:.1f} times the mean", "balance")]
    return Advice("Divide the writing more evenly", text, most - mean, (0.0, most - mean), lines, language, evidence)
