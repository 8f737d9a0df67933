"""Prepares the rows of the tables of files, variables and counts: with bars, sparklines and keys to sort by."""

from markupsafe import Markup

from . import units
from .flow import NAMES
from .svg import join, number, tag, tip

PHASES = ("open", "meta", "read", "write", "close")
ROWS = 300  # of a table; the report has all
SPARK_BAR, SPARK_HEIGHT = 7, 22  # pixels


def sizes(entry: dict) -> Markup:
    """A sparkline of how many calls wrote or read how many bytes: a bar for each power of two."""
    pairs = sorted((low, calls) for low, calls in entry.get("sizes") or [] if calls > 0)
    if not pairs:
        return Markup(units.NOTHING)
    classes = [max(int(low), 1).bit_length() - 1 for low, _ in pairs]
    first, last = min(classes), max(classes)
    most = max(calls for _, calls in pairs)
    bars = []
    for at, (low, calls) in zip(classes, pairs):
        tall = max(2.0, (SPARK_HEIGHT - 2) * calls / most)
        bars.append(
            tag(
                "g",
                tip(f"{units.binary(low)} and more: {units.plural(calls, 'call')}"),
                tag(
                    "rect",
                    x=(at - first) * SPARK_BAR,
                    y=SPARK_HEIGHT - tall,
                    width=SPARK_BAR - 1,
                    height=tall,
                    class_="bar",
                ),
            )
        )
    wide = (last - first + 1) * SPARK_BAR
    most_at = pairs[[calls for _, calls in pairs].index(most)][0]
    tooltip = f"from {units.binary(pairs[0][0])} to {units.binary(pairs[-1][0])}; most often {units.binary(most_at)}"
    chart = tag(
        "svg",
        tag("title", tooltip),
        join(bars),
        tag("path", d=f"M0 {SPARK_HEIGHT - 0.5}H{number(wide)}", class_="frame"),
        viewBox=f"0 0 {wide} {SPARK_HEIGHT}",
        width=wide,
        height=SPARK_HEIGHT,
        role="img",
        aria_label=f"Sizes {tooltip}",
        class_="spark",
    )
    return join([chart, tag("span", units.binary(most_at), class_="spark-label")])


def phases(entry: dict, longest: float) -> Markup:
    """A bar of the seconds in open, metadata, read, write and close, to the scale of the slowest file."""
    parts = []
    for phase in PHASES:
        seconds = entry.get(phase) or 0
        if seconds > 0:
            parts.append(
                tag(
                    "i",
                    class_=f"phase-{phase}",
                    style=f"width:{number(100 * seconds / longest)}%",
                    title=f"{phase} {units.seconds(seconds)}",
                )
            )
    return tag("div", *parts, class_="stack")


def files(run: dict) -> list[dict]:
    """The files of a run, slowest first, with their drawings."""
    entries = run.get("files") or []
    total = {id(entry): sum(entry.get(phase) or 0 for phase in PHASES) for entry in entries}
    longest = max(total.values(), default=0) or 1
    return [
        {**entry, "seconds": total[id(entry)], "bar": phases(entry, longest), "spark": sizes(entry)}
        for entry in sorted(entries, key=lambda entry: -total[id(entry)])
    ][:ROWS]


def counts(run: dict) -> list[dict]:
    """The counters by layer and function, in the order of the layers, most time first."""
    order = {layer: index for index, layer in enumerate(NAMES)}
    entries = sorted(run.get("counts") or [], key=lambda e: (order.get(e["layer"], 99), -(e.get("seconds_sum") or 0)))
    return [{**entry, "layer_name": NAMES.get(entry["layer"], entry["layer"])} for entry in entries[:ROWS]]
