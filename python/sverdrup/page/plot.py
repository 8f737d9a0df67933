"""A chart with its labels and its axis around it, in two forms: as HTML, as wide as the page; and as an SVG of its own,
for a paper. Heat map, ribbon and ranges are Plots."""

from dataclasses import dataclass, field

from markupsafe import Markup

from . import units
from .svg import join, nested, number, tag, ticks

SIDE, AXIS, STRIP = 70.0, 20.0, 22.0  # pixels: width of the labels at the left, heights of the axis and of the strip


@dataclass
class Plot:
    """The chart (see stretched()), its height in pixels, the labels at its left, its axis from 0 to end, the strip."""

    chart: Markup
    height: float
    labels: list[tuple[float, str]]  # (middle, in pixels from the chart's top; text)
    end: float
    unit: str  # of the axis: "s" or "B"
    strip: list[tuple[float, float, str, str]] = field(default_factory=list)  # left, width (0..1), text, tooltip

    def _ticks(self) -> list[tuple[float, str]]:
        """(part 0..1 of the width, label)."""
        marks = ticks(self.end)
        step = marks[1] if len(marks) > 1 else self.end
        return [(mark / self.end if self.end else 0, units.tick(mark, step, self.unit)) for mark in marks]

    def __html__(self) -> str:
        side = tag(
            "div",
            *(tag("span", text, style=f"top:{number(top)}px") for top, text in self.labels),
            class_="side",
            style=f"height:{number(self.height)}px",
            aria_hidden="true",
        )
        spans = []
        for part, text in self._ticks():
            end = "start" if part < 0.02 else "end" if part > 0.92 else None
            spans.append(tag("span", text, style=f"left:{number(100 * part)}%", class_=end))
        strip = [
            tag("span", text, title=tooltip, style=f"left:{number(100 * left)}%;width:{number(100 * wide)}%")
            for left, wide, text, tooltip in self.strip
        ]
        chart = tag("div", tag("div", *strip, class_="strip"), self.chart) if strip else self.chart
        axis = tag("div", *spans, class_="axis", aria_hidden="true")
        return str(tag("div", side, chart, tag("span"), axis, class_="plot named" if strip else "plot"))

    def svg(self, width: float = 1000.0) -> tuple[Markup, float, float]:
        """The same as SVG, with its width and height in pixels."""
        wide, top = width - SIDE, STRIP if self.strip else 0.0
        parts = []
        for left, part, text, tooltip in self.strip:
            x, room = SIDE + left * wide, part * wide
            box = tag("rect", x=x, y=0, width=room, height=STRIP - 3, class_="variable")
            name = units.shorten(text, max(1, int(room / 8))) if text else ""
            parts.append(
                tag("g", tag("title", tooltip), box, tag("text", name, x=x + room / 2, y=14, class_="column-label"))
            )
        for middle, text in self.labels:
            parts.append(tag("text", text, x=SIDE - 9, y=top + middle + 4, class_="row-label"))
        for part, text in self._ticks():
            anchor = "start" if part < 0.02 else "end" if part > 0.92 else "middle"
            place = {"x": SIDE + part * wide, "y": top + self.height + 15}
            parts.append(tag("text", text, **place, class_="value", text_anchor=anchor))
        parts.append(nested(self.chart, SIDE, top, wide))
        return join(parts), width, top + self.height + AXIS
