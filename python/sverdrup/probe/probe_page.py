"""Writes the page of a probe, which needs no network and no JavaScript. `sverdrup probe --page` calls probe_page()."""

from pathlib import Path

from markupsafe import Markup

from ..page.template import rendered
from . import curves, tables

TEMPLATE = Path(__file__).with_name("probe_page.html")


def probe_page(measured: dict) -> str:
    """HTML of a document that sv-probe --json wrote."""
    return rendered(
        TEMPLATE,
        measured=measured,
        curves=[Markup(svg) for svg in curves.drawn(measured).values()],
        rows=tables.rows(measured),
        burst=tables.burst(measured),
    )
