"""Computes the report of traced runs, as docs/report-json.md describes it. `sverdrup report` calls analyse(), and
writes the result as JSON or as a page."""

from datetime import datetime, timezone

from sverdrup import __version__
from sverdrup.analysis import side_by_side
from sverdrup.analysis.advice import advise, as_json
from sverdrup.analysis.advice.advice import Advice
from sverdrup.analysis.facts import Facts
from sverdrup.analysis.flow import balance, flow
from sverdrup.analysis.headline import headline
from sverdrup.analysis.heat import heat
from sverdrup.analysis.per_file import counts, variables
from sverdrup.analysis.places import senders
from sverdrup.analysis.problems import problems
from sverdrup.analysis.ribbon import ribbon
from sverdrup.analysis.traced_run import TracedRun
from sverdrup.analysis.words import program_of
from sverdrup.trace import Run

__all__ = ["analyse", "analyse_run"]


def analyse(runs: list[Run]) -> dict:
    """The report of runs, which are compared side by side, in values that JSON can hold."""
    made = datetime.now(timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")
    known = [Facts(TracedRun(run)) for run in runs]
    found = [advise(facts) for facts in known]
    side_by_side.settle(known, found)
    shown = [_run(facts, advised) for facts, advised in zip(known, found)]
    return {"sverdrup_report": 1, "version": __version__, "made": made, "runs": shown}


def analyse_run(run: Run) -> dict:
    return analyse([run])["runs"][0]


def _run(facts: Facts, found: list[tuple[str, Advice]]) -> dict:
    traced, run = facts.traced, facts.traced.run
    advised = as_json(found, facts.output)
    recorded = int(traced.table.calls.sum())
    left = sum(len(process.events()) for process in run.processes)
    return {
        "name": run.name, "directory": str(run.directory), "program": program_of(run), "ranks": run.expected_ranks,
        "processes": len({(p.host, p.pid) for p in run.processes}), "hosts": run.hosts, "mpi": run.mpi,
        "seconds": run.seconds,
        "events": recorded, "events_lost": max(recorded - left, 0), "producers": _producers(run),
        "problems": problems(traced), "headline": headline(traced, advised), "findings": advised,
        "flow": flow(traced), "balance": balance(traced), "heat": heat(traced), "ribbon": ribbon(traced),
        "senders": senders(traced), "ranges": facts.ranges, "layout": facts.layout, "files": facts.file_rows,
        "variables": variables(traced), "counts": counts(traced),
    }  # fmt: skip


def _producers(run: Run) -> list[str]:
    library = {process.is_library for process in run.processes}
    return [name for name, is_library in (("tracer", False), ("library", True)) if is_library in library]
