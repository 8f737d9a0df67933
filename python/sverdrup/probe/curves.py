"""Draws the curves of a probe, as SVG files: rates by the number of writers, the time to open a file and to agree, and
how long the rate lasts."""

import math

from sverdrup.page import units
from sverdrup.page.median_chart import Chart, Line, svg

_PLACES = 12  # of the axis of bytes written


def _counted(points: list[dict], count: str, what: str, factor: float, name: str) -> tuple[tuple[str, ...], Line]:
    """The places and the line of a curve over a number of ranks; values times `factor`."""
    rounds = tuple([factor * value for value in point[what]] for point in points)
    return tuple(str(point[count]) for point in points), Line(name, rounds)


def writers(measured: dict) -> Chart:
    places, line = _counted(measured["writers"], "writers", "bytes_per_second", 1e-9, "measured")
    return Chart("Writing into one file", "writers", places, (line,), "GB/s", log=False)


def ranks(measured: dict) -> Chart:
    """Opening and agreeing, which share an axis: both are what ranks wait for at the beginning and end of a file."""
    places, opening = _counted(measured["open"], "ranks", "seconds", 1e6, "open")
    _, agreeing = _counted(measured["agreement"], "ranks", "seconds", 1e6, "agreement")
    return Chart("Opening a file, and agreements of ranks", "ranks", places, (opening, agreeing), "µs", log=False)


def burst(measured: dict) -> Chart | None:
    """The rates of all blocks; several of them are a place where there are many."""
    rates, size = measured["burst"]["bytes_per_second"], measured["burst"]["block_bytes"]
    if not rates:
        return None
    step = math.ceil(len(rates) / _PLACES)
    starts = range(0, len(rates), step)
    places = tuple(units.binary(min(start + step, len(rates)) * size).replace(units.SPACE, " ") for start in starts)
    line = Line("blocks", tuple([rate / 1e9 for rate in rates[start : start + step]] for start in starts))
    return Chart("How long the rate lasts", "written so far", places, (line,), "GB/s", log=False)


def drawn(measured: dict) -> dict[str, str]:
    """SVG files by name: writers, ranks, and burst where it was looked for."""
    charts = {"writers": writers(measured), "ranks": ranks(measured), "burst": burst(measured)}
    return {name: svg(chart) for name, chart in charts.items() if chart}
