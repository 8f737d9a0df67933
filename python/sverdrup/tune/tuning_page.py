"""Writes the page of a tuning, which needs no network and no JavaScript. session.py calls tuning_page()."""

import statistics
from pathlib import Path

from ..page.template import rendered
from . import charts
from .predict import quality_text

TEMPLATE = Path(__file__).with_name("tuning_page.html")


def _extremes(document: dict) -> list[dict]:
    """Best, default and worst of the runs: name, key, seconds, and times those of the default."""
    there = [run for run in document["runs"] if run["seconds"] is not None]
    default = statistics.median(run["seconds"] for run in there if run["key"] == "default")
    best = min(there, key=lambda run: run["seconds"])
    worst = max(there, key=lambda run: run["seconds"])
    rows = [
        ("Best run", best["key"], best["seconds"]),
        ("Default", "default", default),
        ("Worst run", worst["key"], worst["seconds"]),
    ]
    return [
        {
            "name": name,
            "key": key,
            "seconds": seconds,
            "times": seconds / default,
            "width": 100 * seconds / worst["seconds"],
        }
        for name, key, seconds in rows
    ]


def tuning_page(document: dict) -> str:
    """HTML of the result of outcome.document()."""
    shown = {
        "race": charts.gains(document["race"], "race"),
        "confirmation": charts.gains(document["confirmation"], "confirmation"),
        "importance": charts.importance(document),
        "pareto": charts.pareto(document),
        "prediction": charts.prediction(document),
        "prediction_text": quality_text(document["prediction"]) if document["prediction"] else None,
        "runs": charts.runs(document),
    }
    return rendered(
        TEMPLATE,
        document=document,
        extremes=_extremes(document),
        front=charts.pareto_front(document),
        **shown,
    )
