"""Makes each chart of the report an SVG file of its own, with its colours in it, for papers and documents. figures()
calls of_run()."""

import re

from markupsafe import Markup

from . import units
from .plot import Plot
from .svg import document, nested, number, tag

MARGIN = 14.0  # pixels around a figure
ROW = 86.0  # height of a row of a balance chart
BY_RANK, SORTED = (200.0, 460.0), (690.0, 310.0)  # left and width of its charts


def _size(chart: Markup) -> tuple[float, float]:
    """The width and height that picture() gave a chart."""
    found = re.search(r' width="([\d.]+)" height="([\d.]+)"', chart)
    return float(found[1]), float(found[2])


def _alone(inside: Markup, width: float, height: float, style: str) -> str:
    """An SVG file of a chart, with a margin around it."""
    return document(
        (width + 2 * MARGIN, height + 2 * MARGIN),
        tag("style", Markup(f"<![CDATA[{style}]]>")),
        tag("rect", width="100%", height="100%", class_="paper"),
        tag("g", inside, transform=f"translate({number(MARGIN)} {number(MARGIN)})"),
    )


def _balance(groups: list[dict]) -> tuple[Markup, float, float]:
    """The load balance of all layers, with its width and height."""
    parts, y = [], 0.0
    for group in groups:
        parts.append(tag("g", tag("text", group["name"], x=0, y=y + 14, class_="column-name"), class_=group["class"]))
        y += 26
        for row in group["rows"]:
            entry = row.entry
            facts = (
                f"{units.seconds(entry['max'])} on rank {entry['max_rank']}",
                f"mean {units.seconds(entry['mean'])}",
            )
            name = tag("text", units.shorten(entry["function"], 26), x=0, y=y + 12, class_="node-name")
            facts = [
                tag("text", text, x=0, y=y + 28 + 15 * line, class_="node-facts") for line, text in enumerate(facts)
            ]
            scale = tag("text", units.seconds(row.scale), x=BY_RANK[0], y=y + 10, class_="value")
            right = tag("text", "sorted", x=SORTED[0], y=y + 10, class_="value")
            charts = (
                nested(row.by_rank, BY_RANK[0], y + 14, BY_RANK[1]),
                nested(row.ordered, SORTED[0], y + 14, SORTED[1]),
            )
            parts.append(tag("g", name, *facts, scale, right, *charts, class_=f"balance {group['class']}"))
            y += ROW
    return Markup("").join(parts), SORTED[0] + SORTED[1], y


def _drawn(content: object) -> tuple[Markup, float, float]:
    """The contents of the figure, and its size in pixels."""
    if isinstance(content, Plot):
        return content.svg()
    if isinstance(content, list):
        return _balance(content)
    return (content, *_size(content))


def of_run(shown: dict, style: str) -> dict[str, str]:
    """The figures of a run by chart: flow, balance, heat, ribbon, senders, and ranges-N and layout-N for its files;
    shown: the contents of its sections by name."""
    made = {}
    for name in ("flow", "balance", "heat", "ribbon", "senders"):
        if shown.get(name):
            made[name] = _alone(*_drawn(shown[name]), style)
    for name in ("ranges", "layout"):
        for index, item in enumerate(shown.get(name) or [], 1):
            made[f"{name}-{index}"] = _alone(*_drawn(item["chart"]), style)
    return made
