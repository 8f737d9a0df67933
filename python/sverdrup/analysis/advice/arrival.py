"""Advises to balance the computing, where ranks come to collective calls at different times and wait there: it looks
like slow output."""

import numpy as np

from sverdrup.analysis.advice.advice import Advice
from sverdrup.analysis.facts import Facts
from sverdrup.analysis.words import percent, seconds

MOST_RANKS, MOST_CALLS = 1024, 20_000


def detect(facts: Facts) -> Advice | None:
    traced = facts.traced
    if len(traced.clients) < 2 or len(traced.clients) > MOST_RANKS or facts.io <= 0:
        return None
    if not (traced.waiting_seconds[traced.clients] > 0.1 * facts.io).any():
        return None
    starts, durations = [], []
    for index in traced.clients:
        begin, end = traced.times(index).io
        order = np.argsort(begin)
        starts.append(begin[order])
        durations.append((end - begin)[order])
    counts = {len(each) for each in starts}
    if len(counts) != 1 or not 0 < (count := counts.pop()) <= MOST_CALLS:
        return None
    begun, took = np.array(starts), np.array(durations)
    late = np.minimum(begun.max(axis=0) - begun, took).sum(axis=1)
    worst = int(late.argmax())
    waited, rank = float(late[worst]), int(traced.ranks[traced.clients[worst]])
    if not facts.worth(waited) or waited < 0.3 * float(took[worst].sum()):
        return None
    last = int(np.bincount(begun.argmax(axis=0), minlength=len(starts)).argmax())
    text = (
        f"Rank {rank} spent {seconds(waited)} of its I/O time ({percent(waited / float(took[worst].sum()))}) "
        "waiting for ranks that reached the same call later, most often for rank "
        f"{traced.ranks[traced.clients[last]]}. The model loses this time, not its output: check how the model divides "
        "its work. Servers hide some of it, because their calls do not wait for all ranks."
    )
    slowest = traced.ranks[traced.clients[last]]
    evidence = [(f"of {count} calls, rank {slowest} was the last to arrive most often", "heat")]
    return Advice("Balance the computing of the ranks", text, waited, (0.0, waited), evidence=evidence)
