"""The command `study consistency`: it holds the papers' equations against the papers' tables."""

import argparse
import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:  # a command's dependencies are imported when it is run: --help works without
    from sverdrup_studies.consistency.score import Scored

NAME = "consistency"
HELP = "compares the papers' equations with the papers' tables, failures included"
DESCRIPTION = "Fits the papers' equations to a part of the papers' tables and scores them on the rest."


def _json(sets: "list[Scored]") -> str:
    """The outcomes and the contradictions; seconds, parts, bytes per second."""
    from sverdrup_studies.consistency.consistency_page import contradictions
    from sverdrup_studies.consistency.score import plan

    def outcome(one) -> dict:
        return {**vars(one), "error": one.error, "error_of_total": one.error_of_total}

    def scored(one: "Scored") -> dict:
        outcomes = [outcome(each) for each in one.outcomes]
        return {**vars(one), "fitted": dict(one.fitted), "hits": one.hits, "outcomes": outcomes}

    written = [scored(one) for one in sets]
    return (
        json.dumps({"threshold": plan()["threshold"], "sets": written, "contradictions": contradictions()}, indent=1)
        + "\n"
    )


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--output", metavar="FILE", help="write the page to FILE, as Markdown (standard output)")
    parser.add_argument("--picture", metavar="FILE", help="draw predicted against published seconds, as SVG")
    parser.add_argument("--json", action="store_true", help="print JSON instead of the page")


def run(given: argparse.Namespace) -> int:
    from sverdrup_studies.consistency.consistency_page import consistency_page
    from sverdrup_studies.consistency.picture import picture
    from sverdrup_studies.consistency.score import plan, score

    sets = score()
    if given.picture:
        Path(given.picture).write_text(picture(sets, plan()["threshold"]), encoding="utf-8")
    if given.output:
        Path(given.output).write_text(consistency_page(sets, plan()), encoding="utf-8")
    if given.json:
        sys.stdout.write(_json(sets))
    elif not given.output:
        sys.stdout.write(consistency_page(sets, plan()))
    return 0
