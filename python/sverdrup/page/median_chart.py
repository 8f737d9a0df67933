"""Draws a line chart of medians with minimum and maximum, as an SVG file. The findings and the probe use it."""

import math
import statistics
from collections.abc import Sequence
from dataclasses import dataclass

from markupsafe import Markup

from sverdrup.palette import DASHES, OTHERS, colour_of

from .svg import document, join, number, tag, ticks

_LEFT, _TOP, _WIDE, _HIGH, _LEGEND = 62.0, 34.0, 430.0, 250.0, 190.0  # pixels
_BOTTOM = _TOP + _HIGH


@dataclass(frozen=True)
class Line:
    """A series: the rounds' values at each place of the x axis; None: not measured there. A method has its colour
    (palette.py). Other series of one group share a colour. Of lines of one colour, all but the first are dashed."""

    name: str
    rounds: tuple[Sequence[float] | None, ...]
    group: str = ""


@dataclass(frozen=True)
class Chart:
    """places: labels of the x axis, evenly spaced; log: of the y axis, whose values are seconds."""

    title: str
    x: str
    places: tuple[str, ...]
    lines: tuple[Line, ...]
    y: str = "seconds"
    log: bool = True


def _scale(chart: Chart) -> tuple[float, float, list[float]]:
    """Both ends of the y axis, and its marks."""
    values = [value for line in chart.lines for rounds in line.rounds if rounds for value in rounds]
    if not values:
        raise ValueError(f"{chart.title}: there is nothing to draw")
    if not chart.log:
        end = max(values) * 1.05
        return 0.0, end, ticks(end, 6)
    low, high = min(values) / 1.15, max(values) * 1.15
    for bases in ((1,), (1, 2, 5), (1, 1.5, 2, 3, 4, 5, 7)):
        marks = [base * 10.0**power for power in range(-7, 9) for base in bases if low <= base * 10.0**power <= high]
        if len(marks) >= 4:
            break
    return low, high, marks


def _styles(lines: Sequence[Line]) -> list[tuple[str, str | None]]:
    """(colour, dashes) of each line."""
    groups: dict[str, str] = {}
    drawn: dict[str, int] = {}
    styles = []
    for line in lines:
        colour = colour_of(line.name) or groups.setdefault(line.group or line.name, OTHERS[len(groups) % len(OTHERS)])
        styles.append((colour, DASHES[min(drawn.get(colour, 0), len(DASHES) - 1)]))
        drawn[colour] = drawn.get(colour, 0) + 1
    return styles


def _mark(value: float) -> str:
    return f"{value:g}" if value >= 1e-4 or value == 0 else f"{value:.0e}"


def svg(chart: Chart) -> str:
    """The chart as a file. Raises ValueError where nothing is in it."""
    low, high, marks = _scale(chart)

    def up(value: float) -> float:
        part = math.log(value / low) / math.log(high / low) if chart.log else (value - low) / (high - low)
        return _BOTTOM - _HIGH * part

    def along(place: int) -> float:
        return _LEFT + _WIDE * (place + 0.5) / len(chart.places)

    parts = [tag("text", chart.title, x=_LEFT, y=18, font_weight="600", font_size="13")]
    for mark in marks:
        parts.append(tag("path", d=f"M{number(_LEFT)} {number(up(mark))}h{number(_WIDE)}", stroke="#e3e0d8"))
        parts.append(tag("text", _mark(mark), x=_LEFT - 7, y=up(mark) + 4, text_anchor="end"))
    longest = max(map(len, chart.places))
    each = math.ceil(len(chart.places) * (longest * 7 + 8) / _WIDE)  # labels have room
    for place, text in list(enumerate(chart.places))[::each]:
        parts.append(tag("text", text, x=along(place), y=_BOTTOM + 17, text_anchor="middle"))
    for row, (line, (colour, dashes)) in enumerate(zip(chart.lines, _styles(chart.lines), strict=True)):
        shift = (row - (len(chart.lines) - 1) / 2) * 3  # so that whiskers do not hide one another
        parts.append(_drawn(line, [along(place) + shift for place in range(len(chart.places))], up, (colour, dashes)))
        parts.append(_legend(line.name, row, (colour, dashes)))
    parts.append(tag("text", chart.x, x=_LEFT + _WIDE / 2, y=_BOTTOM + 36, text_anchor="middle", fill="#5c626b"))
    middle = _TOP + _HIGH / 2
    turned = f"rotate(-90 14 {number(middle)})"
    parts.append(tag("text", chart.y, x=14, y=middle, text_anchor="middle", transform=turned, fill="#5c626b"))
    frame = tag("rect", x=_LEFT, y=_TOP, width=_WIDE, height=_HIGH, fill="none", stroke="#b9bcc0")
    width, height = _LEFT + _WIDE + _LEGEND, _BOTTOM + 46
    return document(
        (width, height),
        tag("title", chart.title),
        tag("rect", width=width, height=height, fill="#fff"),
        frame,
        *parts,
        role="img",
        font_family="DejaVu Sans, Liberation Sans, Arial, sans-serif",
        font_size="11.5",
        fill="#1d2024",
    )


def _drawn(line: Line, xs: list[float], up, style: tuple[str, str | None]) -> Markup:
    colour, dashes = style
    known = [(x, rounds) for x, rounds in zip(xs, line.rounds, strict=True) if rounds]
    points = [(x, up(statistics.median(rounds))) for x, rounds in known]
    path = "M" + "L".join(f"{number(x)} {number(y)}" for x, y in points) if points else ""
    whiskers = "".join(f"M{number(x)} {number(up(min(r)))}V{number(up(max(r)))}" for x, r in known)
    return join(
        [
            tag("path", d=path, fill="none", stroke=colour, stroke_width=2, stroke_dasharray=dashes),
            tag("path", d=whiskers, fill="none", stroke=colour, stroke_width=1.5, opacity=0.55),
            *(tag("circle", cx=x, cy=y, r=3.5, fill=colour) for x, y in points),
        ]
    )


def _legend(name: str, row: int, style: tuple[str, str | None]) -> Markup:
    x, y = _LEFT + _WIDE + 14, _TOP + 10 + 19 * row
    path = tag("path", d=f"M{number(x)} {number(y)}h20", stroke=style[0], stroke_width=2, stroke_dasharray=style[1])
    return join([path, tag("circle", cx=x + 10, cy=y, r=3.5, fill=style[0]), tag("text", name, x=x + 27, y=y + 4)])
