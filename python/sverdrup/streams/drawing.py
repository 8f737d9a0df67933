"""Draws the plan that sv-streams made: a row for each stream, with its files and records over the time of the run."""

from typing import Any

from markupsafe import Markup

from sverdrup.page.svg import document, join, tag, tip
from sverdrup.palette import OTHERS

LEFT, WIDTH, ROW, BAR = 110, 600, 42, 18
FONT = 'system-ui,"DejaVu Sans",Helvetica,Arial,sans-serif'
TITLE, DESCRIPTION = "The outputs of a run", "A row is a stream. Its bars are files, its ticks records, over the run."


def _text(x: float, y: float, text: str, anchor: str = "start", size: int = 13) -> Markup:
    return tag("text", text, x=float(x), y=float(y), text_anchor=anchor, font_size=size)


def _files(stream: dict[str, Any], top: int, colour: str) -> Markup:
    """Each bar lasts from the beginning of the file's first period to the end of the last one."""
    step = WIDTH / len(stream["calendar"])
    bars = []
    for file in stream["files"]:
        begin, end = file["first_part"], file["end_part"]
        text = f"{file['name']}: {file['records']} records, {file['begin']} to {file['end']}"
        width = max((end - begin) * step - 1, 1.0)
        bars.append(
            tag("rect", tip(text), x=LEFT + begin * step, y=top, width=width, height=BAR, rx=2, fill=colour,
                opacity=0.25)
        )  # fmt: skip
    return join(bars)


def _row(stream: dict[str, Any], top: int, colour: str) -> Markup:
    step = WIDTH / len(stream["calendar"])
    path = "".join(
        f"M{LEFT + (part + 1) * step:.1f},{top}v{BAR}" for part, count in enumerate(stream["calendar"]) if count
    )
    records = sum(file["records"] for file in stream["files"])
    note = f"every {stream['frequency']}: {records} records, {len(stream['files'])} files"
    return join([
        _text(LEFT - 8, top + 14, stream["name"], "end"),
        _files(stream, top, colour),
        tag("path", d=path, stroke=colour, stroke_width=min(max(step - 0.6, 0.5), 1.4)),
        _text(LEFT, top + BAR + 12, note, size=11),
    ])  # fmt: skip


def svg_of(plan: dict[str, Any]) -> str:
    bottom = 10 + len(plan["streams"]) * ROW
    rows = [
        _row(stream, 10 + number * ROW, OTHERS[number % len(OTHERS)]) for number, stream in enumerate(plan["streams"])
    ]
    return document(
        (LEFT + WIDTH + 20, bottom + 30),
        tag("title", TITLE, id="t"),
        tag("desc", DESCRIPTION, id="d"),
        *rows,
        tag("path", d=f"M{LEFT},{bottom}h{WIDTH}", stroke="#46566a"),
        _text(LEFT, bottom + 18, plan["begin"], size=11),
        _text(LEFT + WIDTH, bottom + 18, plan["end"], "end", 11),
        role="img",
        aria_labelledby="t d",
        font_family=FONT,
        fill="#1c2733",
    )
