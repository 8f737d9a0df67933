"""Draws the section "Waiting" of the report: a heat map of rank by time, which shows I/O calls and how much of them was
waiting."""

from markupsafe import Markup

from . import units
from .png import data_uri
from .plot import Plot
from .svg import STRETCHED, every, grid, join, stretched, tag, ticks, tip

WORKING, WAITING = (52, 120, 190), (214, 84, 22)  # seen as well on white as on black


def _pixel(io: float, waiting: float) -> bytes:
    """More opaque the more of the bin was inside I/O calls, in the colour of the largest part; both are parts of
    it, 0..1.
    """
    io, waiting = min(max(io, 0.0), 1.0), min(max(waiting, 0.0), 1.0)
    return bytes((*(WAITING if 2 * waiting >= io else WORKING), round(255 * io**0.8)))


def _row_height(rows: int) -> float:
    return min(18.0, max(2.5, 300 / rows))


def _reach(heat: dict, index: int, tall: float) -> Markup:
    """The part of the chart for row `index`, which is highlighted with its rank."""
    first, last = heat["rank_groups"][index]
    bin_seconds = (heat["end"] - heat["begin"]) / max(len(heat["io"][index]), 1)
    who = f"rank {first}" if first == last else f"ranks {first} to {last}, each"
    tooltip = (
        f"{who}: {units.seconds(sum(heat['io'][index]) * bin_seconds)} in I/O calls, "
        f"{units.seconds(sum(heat['waiting'][index]) * bin_seconds)} of it waiting"
    )
    return tag(
        "rect",
        tip(tooltip),
        x=0,
        y=index * tall,
        width=STRETCHED,
        height=tall,
        class_="reach",
        data_r=first if first == last else None,
    )


def draw(run: dict, key: str) -> Plot | None:
    """The chart of run["heat"], as wide as the page; None when there is none."""
    heat = run.get("heat") or {}
    if not heat.get("io") or not heat["io"][0] or not heat.get("waiting"):
        return None
    rows, bins = len(heat["io"]), len(heat["io"][0])
    tall = _row_height(rows)
    pixels = [b"".join(map(_pixel, io, waiting)) for io, waiting in zip(heat["io"], heat["waiting"])]
    image = tag(
        "image", href=data_uri(pixels, bins), x=0, y=0, width=STRETCHED, height=rows * tall, preserveAspectRatio="none"
    )
    length = heat["end"] - heat["begin"]
    marks = ticks(length)
    sums = [sum(map(sum, heat[kind])) / (rows * bins) for kind in ("io", "waiting")]
    tooltip = (
        f"{units.plural(rows, 'row')} of ranks over {units.seconds(length)}. On average "
        f"{units.share(sums[0])} of the time was "
        f"inside I/O calls, {units.share(sums[1])} waiting in them."
    )
    chart = stretched(
        key,
        ("Waiting by rank and time", tooltip),
        (STRETCHED, rows * tall),
        grid(marks, length, rows * tall),
        image,
        join(_reach(heat, index, tall) for index in range(rows)),
    )
    step = every(rows, tall, 13)
    labels = [
        ((index + 0.5) * tall, units.ranks_of(group))
        for index, group in enumerate(heat["rank_groups"])
        if index % step == 0
    ]
    return Plot(chart, rows * tall, labels, length, "s")
