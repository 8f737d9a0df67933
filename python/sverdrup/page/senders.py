"""Draws the section "Who sends to whom" of the report: a matrix of clients by writers, with the sums of both at its
sides."""

from markupsafe import Markup

from . import units
from .svg import every, join, number, picture, tag, tip

LEFT, TOP, MARGIN = 54, 64, 130  # pixels: of the rows' labels, of the sums above, of the sums at the right
COLUMNS = 64  # writers at most: more are joined


def _joined(senders: dict) -> tuple[list, list]:
    """The writers' groups [first, last], and the bytes by row and group."""
    to = senders["to"]
    width = -(-len(to) // COLUMNS) if to else 1
    groups = [[to[at], to[min(at + width, len(to)) - 1]] for at in range(0, len(to), width)]
    sums = [[sum(row[at : at + width]) for at in range(0, len(to), width)] for row in senders["bytes"]]
    return groups, sums


def _cells(rows: list, columns: list, sums: list, cell: tuple[float, float]) -> Markup:
    wide, tall = cell
    most = max((value for row in sums for value in row), default=0) or 1
    parts = []
    for index, row in enumerate(sums):
        cells = [
            tag(
                "rect",
                tip(f"{units.ranks_of(rows[index])} \u2192 {units.ranks_of(columns[at])}: {units.size(value)}"),
                x=LEFT + at * wide + 0.5,
                y=TOP + index * tall + 0.5,
                width=wide - 1,
                height=tall - 1,
                class_="cell",
                fill_opacity=round(0.12 + 0.88 * value / most, 2),
            )
            for at, value in enumerate(row)
            if value
        ]
        single = rows[index][0] == rows[index][1]
        parts.append(tag("g", *cells, data_r=rows[index][0] if single else None))
    return join(parts)


def _margins(rows: list, columns: list, sums: list, cell: tuple[float, float]) -> Markup:
    wide, tall = cell
    sent = [sum(row) for row in sums]
    received = [sum(row[at] for row in sums) for at in range(len(columns))]
    right, parts = LEFT + wide * len(columns) + 8, []
    step = every(len(rows), tall, 13)
    for index, value in enumerate(sent):
        y, long = TOP + index * tall, 60 * value / (max(sent) or 1)
        middle = y + tall / 2 + 4
        inside = [
            tip(f"rank {units.ranks_of(rows[index])} sends {units.size(value)}"),
            tag("rect", x=float(right), y=y + 1.0, width=long, height=tall - 2, class_="margin"),
        ]
        if index % step == 0:
            inside.append(tag("text", units.ranks_of(rows[index]), x=LEFT - 6.0, y=middle, class_="row-label"))
            inside.append(tag("text", units.size(value), x=right + long + 4, y=middle, class_="value"))
        parts.append(tag("g", *inside, data_r=rows[index][0] if rows[index][0] == rows[index][1] else None))
    step = every(len(columns), wide, 34 if any(first != last for first, last in columns) else 22)
    for at, value in enumerate(received):
        x, long = LEFT + at * wide, (TOP - 24) * value / (max(received) or 1)
        inside = [
            tip(f"{units.ranks_of(columns[at])} receives {units.size(value)}"),
            tag("rect", x=x + 1.0, y=TOP - 6 - long, width=wide - 2, height=long, class_="margin"),
        ]
        if at % step == 0:
            inside.append(
                tag(
                    "text",
                    units.ranks_of(columns[at]),
                    x=x + wide / 2,
                    y=TOP + tall * len(rows) + 15.0,
                    class_="column-label",
                )
            )
        if wide >= 54:
            inside.append(tag("text", units.size(value), x=x + wide / 2, y=TOP - 10 - long, class_="column-label"))
        parts.append(tag("g", *inside))
    return join(parts)


def draw(run: dict, key: str) -> Markup | None:
    """The matrix of run["senders"], in an SVG of its own size; None when it is not known."""
    senders = run.get("senders") or {}
    if not senders.get("bytes") or not senders.get("to"):
        return None
    rows = senders.get("from_groups") or [[rank, rank] for rank in senders["from"]]
    columns, sums = _joined(senders)
    cell = (min(60.0, max(7.0, 320 / len(columns))), min(22.0, max(6.0, 420 / len(rows))))
    width, height = LEFT + cell[0] * len(columns) + MARGIN, TOP + cell[1] * len(rows) + 40
    tooltip = (
        f"{units.plural(len(rows), 'row')} of senders, {units.plural(len(columns), 'column')} of writers, "
        f"{units.size(sum(map(sum, sums)))} in all. "
        f"The busiest writer gets {units.count(senders.get('imbalance_to'))} times the mean."
    )
    names = [
        tag("text", "from rank", x=0, y=TOP - 12.0, class_="axis-name"),
        tag("text", "to rank", x=LEFT + cell[0] * len(columns) / 2, y=height - 6, class_="axis-name middle"),
    ]
    frame = tag(
        "path",
        d=f"M{LEFT} {TOP}h{number(cell[0] * len(columns))}v{number(cell[1] * len(rows))}H{LEFT}z",
        class_="frame",
    )
    return picture(
        key,
        ("Who sends to whom", tooltip),
        (max(width, 200.0), height),
        frame,
        _cells(rows, columns, sums, cell),
        _margins(rows, columns, sums, cell),
        *names,
        class_="senders",
    )
