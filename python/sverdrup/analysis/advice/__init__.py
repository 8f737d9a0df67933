"""The advice of an expert who looked at a run. Each module of DETECTORS has detect(facts), which returns an
Advice or None. In JSON, on the page and in docs/report.md a piece of advice is called a finding; the name of its module
is its kind."""

from sverdrup.analysis.facts import Facts
from sverdrup.analysis.advice import (
    alignment, arrival, chunks, compression, gather, imbalance, metadata, mpi_io, nothing, port, prefill, reading,
    reopening, server_memory, servers, small_writes, syncing, writers,
)  # fmt: skip
from sverdrup.analysis.advice.advice import Advice

DETECTORS = (
    servers, server_memory, writers, gather, imbalance, arrival, alignment, chunks, small_writes, metadata, syncing,
    prefill, reopening, mpi_io, compression, reading, port,
)  # fmt: skip

LEAST = 0.005  # of the run: advice that saves less is not reported


def advise(facts: Facts) -> list[tuple[str, Advice]]:
    """All advice to a run, each with its kind, what may save most first. Where I/O hardly counts, `nothing` comes
    first: that there is nothing to gain."""
    found = (
        [(module.__name__.rsplit(".", 1)[-1], module.detect(facts)) for module in DETECTORS]
        if len(facts.traced.ranks)
        else []
    )
    kept = [
        (kind, advice)
        for kind, advice in found
        if advice and advice.limited(facts.output)[1] >= LEAST * facts.seconds
    ]
    if any(kind == "gather" for kind, _ in kept):
        kept = [pair for pair in kept if pair[0] != "port"]  # which says the same of the whole program
    kept.sort(key=lambda pair: -sum(pair[1].limited(facts.output)))
    if none := nothing.detect(facts):
        kept.insert(0, ("nothing", none))
    return kept


def as_json(found: list[tuple[str, Advice]], most: float) -> list[dict]:
    """For the page (docs/report-json.md). `most`: seconds that a change can save."""
    return [
        {
            "id": f"F{number}", "kind": kind, "title": f.title, "text": f.text, "seconds": f.seconds,
            "saves_seconds": list(f.limited(most)), "configuration": f.configuration, "language": f.language,
            "evidence": [{"text": text, "chart": chart} for text, chart in f.evidence],
            "measured": vars(f.measured) if f.measured else None, "refuted": f.refuted,
        }
        for number, (kind, f) in enumerate(found, 1)
    ]  # fmt: skip
