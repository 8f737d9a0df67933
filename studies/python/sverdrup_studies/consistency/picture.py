"""Draws the picture of studies/docs/consistency.md: predicted against published seconds. `studies/study consistency
--picture` calls picture()."""

import math

from markupsafe import Markup

from sverdrup.page.svg import document, number, tag, tip
from .score import Scored

_SIZE, _LEFT, _TOP, _LOW, _HIGH = 460, 60, 16, 2.0, 40000.0  # pixels; seconds at the ends of both axes
_BOTTOM = _TOP + _SIZE
_COLOURS = {"mom5": "#1f77b4", "cfio": "#d95f02", "macom": "#1b9e77"}
_NAMES = {"mom5": "MOM5", "cfio": "CFIO's models", "macom": "MaCOM"}


def _at(seconds: float) -> float:
    """Pixels from the lower end of an axis."""
    return _SIZE * math.log(seconds / _LOW) / math.log(_HIGH / _LOW)


def _line(factor: float, dashes: str | None = None) -> Markup:
    """Where predicted = factor × published."""
    low, high = max(_LOW, _LOW / factor), min(_HIGH, _HIGH / factor)
    x1, y1, x2, y2 = _LEFT + _at(low), _BOTTOM - _at(low * factor), _LEFT + _at(high), _BOTTOM - _at(high * factor)
    return tag("line", x1=x1, y1=y1, x2=x2, y2=y2, stroke="#444", stroke_dasharray=dashes)


def _axes() -> list[Markup]:
    parts = [tag("rect", x=_LEFT, y=_TOP, width=_SIZE, height=_SIZE, fill="none", stroke="#888")]
    for mark in (10, 100, 1000, 10000):
        x, y = _LEFT + _at(mark), _BOTTOM - _at(mark)
        parts.append(tag("path", d=f"M{number(x)} {_TOP}v{_SIZE}M{_LEFT} {number(y)}h{_SIZE}", stroke="#ddd"))
        parts.append(tag("text", f"{mark:,}", x=x, y=_BOTTOM + 16, text_anchor="middle"))
        parts.append(tag("text", f"{mark:,}", x=_LEFT - 6, y=y + 4, text_anchor="end"))
    across, down = _LEFT + _SIZE / 2, _TOP + _SIZE / 2
    parts.append(tag("text", "published seconds of I/O", x=across, y=_BOTTOM + 34, text_anchor="middle"))
    turned = f"rotate(-90 14 {number(down)})"
    parts.append(tag("text", "predicted", x=14, y=down, text_anchor="middle", transform=turned))
    return parts


def _dots(one: Scored) -> list[Markup]:
    """An outcome each; hits are filled."""
    colour = _COLOURS[one.id.split(".")[0]]
    return [
        tag(
            "circle",
            tip(f"{one.title}: {outcome.name}"),
            cx=_LEFT + _at(outcome.published),
            cy=_BOTTOM - _at(outcome.predicted),
            r=4,
            fill=colour if outcome.hit else "#fff",
            stroke=colour,
            stroke_width=1.5,
        )
        for outcome in one.outcomes
    ]


def _legend() -> list[Markup]:
    left, parts = _LEFT + _SIZE, []
    for row, (key, name) in enumerate(_NAMES.items()):
        y = _TOP + 14 + 20 * row
        parts.append(tag("circle", cx=left + 18, cy=y, r=4, fill=_COLOURS[key]))
        parts.append(tag("text", name, x=left + 28, y=y + 4))
    return [*parts, tag("text", "open: missed", x=left + 12, y=_TOP + 82)]


def picture(sets: list[Scored], threshold: float) -> str:
    """All outcomes of all sets; the lines are equality and the bounds of a hit (threshold: a part)."""
    box = (_LEFT + _SIZE + 130, _BOTTOM + 44)
    return document(
        box,
        tag("title", "Predicted against published seconds of I/O"),
        tag("rect", width=box[0], height=box[1], fill="#fff"),
        *_axes(),
        _line(1),
        *(_line(factor, "4 3") for factor in (1 - threshold, 1 + threshold)),
        *(dot for one in sets for dot in _dots(one)),
        *_legend(),
        font_family="sans-serif",
        font_size="12",
        fill="#333",
    )
