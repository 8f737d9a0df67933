"""The page of a probe: complete without a network, and without JavaScript."""

from pathlib import Path

import jinja2
from markupsafe import Markup

from sverdrup.page import HERE as PAGE

from . import curves, tables


def page(measured: dict) -> str:
    """HTML of what sv-probe --json wrote."""
    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(Path(__file__).parent), autoescape=True, undefined=jinja2.StrictUndefined
    )
    style = "".join((PAGE / name).read_text(encoding="utf-8") for name in ("colours.css", "page.css", "charts.css"))
    return environment.get_template("page.html").render(
        measured=measured,
        style=Markup(style),
        curves=[Markup(svg) for svg in curves.drawn(measured).values()],
        rows=tables.rows(measured),
        burst=tables.burst(measured),
    )
