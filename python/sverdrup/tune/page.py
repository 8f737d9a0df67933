"""The page of a tuning: complete without a network, and without JavaScript."""

import statistics
from pathlib import Path

import jinja2
from markupsafe import Markup

from ..page import HERE as PAGE
from ..page import units
from . import charts

HERE = Path(__file__).parent


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


def page(document: dict) -> str:
    """HTML of what outcome.document() gives."""
    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(HERE),
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
        undefined=jinja2.StrictUndefined,
    )
    for name in ("seconds", "share"):
        environment.filters[name] = getattr(units, name)
    style = "".join((PAGE / name).read_text(encoding="utf-8") for name in ("colours.css", "page.css", "charts.css"))
    shown = {
        "race": charts.gains(document["race"], "race"),
        "confirmation": charts.gains(document["confirmation"], "confirmation"),
        "importance": charts.importance(document),
        "pareto": charts.pareto(document),
        "prediction": charts.prediction(document),
        "runs": charts.runs(document),
    }
    return environment.get_template("page.html").render(
        document=document,
        style=Markup(style),
        extremes=_extremes(document),
        front=charts.pareto_front(document),
        **shown,
    )
