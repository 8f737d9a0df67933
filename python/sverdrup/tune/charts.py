"""Draws the charts of a tuning, from its document (outcome.document), for tuning_page.py. They are SVG of their own
size, in pixels."""

import math
from collections.abc import Callable

from markupsafe import Markup

from ..page import units
from ..page.svg import join, picture, tag, tip

WIDTH, LEFT, BOTTOM, TOP, RIGHT = 760.0, 190.0, 40.0, 14.0, 20.0
_ROW = 26.0
_STAGES = {"start": "--ink", "screen": "--work", "search": "--sverdrup", "race": "--accent", "confirm": "--mpi-io"}


def _dot(x: float, y: float, colour: str, tooltip: str, radius: float = 4.5) -> Markup:
    return tag("circle", tip(tooltip), cx=x, cy=y, r=radius, style=f"fill:var({colour});fill-opacity:.8")


def _line(x1: float, y1: float, x2: float, y2: float, colour: str = "--line", **more) -> Markup:
    return tag("path", d=f"M{x1:.2f} {y1:.2f}L{x2:.2f} {y2:.2f}", style=f"stroke:var({colour});fill:none", **more)


def _logarithmic(values: list[float], low: float, high: float) -> tuple[Callable[[float], float], list[float]]:
    """From values to pixels between low and high, and round values for the axis: 1, 2, 5 times powers of ten."""
    least, most = min(values) / 1.08, max(values) * 1.08
    scale = (high - low) / math.log(most / least)
    powers = range(math.floor(math.log10(least)), math.ceil(math.log10(most)) + 1)
    fine = [step * 10.0**power for power in powers for step in (1, 1.5, 2, 3, 5, 7)]
    coarse = [mark for mark in fine if least <= mark <= most]
    while len(coarse) > 7:
        coarse = coarse[::2]
    return lambda value: low + scale * math.log(value / least), coarse


def _axis_x(place: Callable[[float], float], marks: list[float], bottom: float, text: str, unit: Callable) -> Markup:
    parts = []
    for mark in marks:
        parts.append(_line(place(mark), TOP, place(mark), bottom))
        parts.append(tag("text", unit(mark), x=place(mark), y=bottom + 16, class_="value", text_anchor="middle"))
    parts.append(tag("text", text, x=WIDTH - RIGHT, y=bottom + 33, class_="row-label"))
    return join(parts)


def _axis_y(place: Callable[[float], float], marks: list[float], left: float, text: str) -> Markup:
    parts = []
    for mark in marks:
        parts.append(_line(left, place(mark), WIDTH - RIGHT, place(mark)))
        parts.append(tag("text", units.seconds(mark), x=left - 8, y=place(mark) + 4, class_="row-label"))
    parts.append(tag("text", text, x=left, y=TOP - 2, class_="value"))
    return join(parts)


def importance(document: dict) -> Markup | None:
    """Each parameter's share of the variance between configurations, with its uncertainty (5 to 95 %)."""
    effects = document["effects"]
    if not effects:
        return None
    height = TOP + _ROW * len(effects) + BOTTOM
    wide = WIDTH - LEFT - RIGHT - 130
    parts = []
    for row, effect in enumerate(effects):
        y = TOP + _ROW * row
        middle, low, high = effect["share"]
        ratio = effect["ratio"]
        tooltip = f"{effect['name']}: {units.share(middle)} of the variance ({units.share(low)} to {units.share(high)})"
        colour = "--rest" if effect["dropped"] else "--work"
        parts.append(tag("text", effect["name"], x=LEFT - 8, y=y + 15, class_="row-label"))
        parts.append(
            tag(
                "rect",
                tip(tooltip),
                x=LEFT,
                y=y + 4,
                width=max(wide * middle, 1.0),
                height=14.0,
                style=f"fill:var({colour})",
            )
        )
        parts.append(_line(LEFT + wide * low, y + 11, LEFT + wide * min(high, 1), y + 11, "--ink"))
        note = f"worst / best {ratio[0]:.2f}" + (", dropped" if effect["dropped"] else "")
        parts.append(tag("text", note, x=WIDTH - RIGHT, y=y + 15, class_="row-label"))
    for mark in (0, 0.25, 0.5, 0.75, 1):
        x = LEFT + wide * mark
        parts.insert(0, _line(x, TOP, x, height - BOTTOM))
        parts.append(tag("text", units.share(mark), x=x, y=height - BOTTOM + 16, class_="value", text_anchor="middle"))
    heading = (
        "Importance of the parameters",
        "; ".join(f"{each['name']} {units.share(each['share'][0])}" for each in effects),
    )
    return picture("importance", heading, (WIDTH, height), *parts)


def gains(race: dict | None, key: str) -> Markup | None:
    """How many times the seconds of the default each entrant of a race took, with the confidence interval."""
    rows = [each for each in (race or {}).get("gains", []) if each["low"] is not None]
    if not rows:
        return None
    names = [" ".join(f"{name}={value}" for name, value in each["settings"].items()) or "default" for each in rows]
    height, wide = TOP + 2 * _ROW * len(rows) + BOTTOM, WIDTH - 2 * RIGHT
    least = min(0.95, *(each["low"] for each in rows)) - 0.02
    most = max(1.05, *(each["high"] for each in rows)) + 0.02

    def place(value: float) -> float:
        return RIGHT + wide * (value - least) / (most - least)

    steps = 10 if most - least > 0.5 else 5 if most - least > 0.2 else 2
    marks = [mark / 100 for mark in range(0, 1000, steps) if least <= mark / 100 <= most]
    marks = marks[:: max(1, math.ceil(len(marks) / 10))]
    parts = [_axis_x(place, marks, height - BOTTOM, "seconds, relative to the default", lambda mark: f"{mark:.2f}")]
    parts.append(_line(place(1), TOP, place(1), height - BOTTOM, "--ink"))
    for row, (each, name) in enumerate(zip(rows, names)):
        y = TOP + 2 * _ROW * row + 36
        colour = "--sverdrup" if each["proven"] else "--posix"
        tooltip = f"{name}: {each['ratio']:.3f} ({each['low']:.3f} to {each['high']:.3f})"
        parts.append(tag("text", units.shorten(name, 100), x=RIGHT, y=y - 14, class_="value"))
        parts.append(_line(place(each["low"]), y, place(each["high"]), y, colour, stroke_width="3"))
        parts.append(_dot(place(each["ratio"]), y, colour, tooltip, 6))
    return picture(key, ("Gains over the default", "; ".join(names)), (WIDTH, height), *parts)


def _succeeded(document: dict) -> list[dict]:
    return [run for run in document["runs"] if run["seconds"] is not None]


def runs(document: dict) -> Markup | None:
    """The seconds of each run, in the order in which they were made."""
    there = _succeeded(document)
    if len(there) < 2:
        return None
    height, left = 300.0, 90.0
    place, marks = _logarithmic([run["seconds"] for run in there], height - BOTTOM, TOP + 8)
    wide = (WIDTH - left - RIGHT) / len(document["runs"])
    parts = [_axis_y(place, marks, left, "seconds of a run")]
    for number, run in enumerate(document["runs"]):
        x = left + (number + 0.5) * wide
        if run["seconds"] is None:
            parts.append(
                tag(
                    "text", tip(f"{run['key']}: {run['failed']}"), "×", x=x, y=height - BOTTOM - 2, text_anchor="middle"
                )
            )
        else:
            tooltip = f"run {number + 1}, {run['stage']}: {run['key']}, {units.seconds(run['seconds'])}"
            parts.append(_dot(x, place(run["seconds"]), _STAGES[run["stage"]], tooltip))
    for index, (stage, colour) in enumerate(list(_STAGES.items())[:3]):
        parts.append(_dot(left + 90 * index + 6, height - 14, colour, stage))
        parts.append(tag("text", stage, x=left + 90 * index + 16, y=height - 10, class_="value"))
    return picture("runs", ("All runs", "seconds of each run of screening and searching"), (WIDTH, height), *parts)


def pareto_front(document: dict) -> list[dict]:
    """Runs than which none is faster with as few extra cores: {key, seconds, cores}; fewest cores first."""
    front: list[dict] = []
    points = [
        {"key": run["key"], "seconds": run["seconds"], "cores": run["extra_cores"]}
        for run in _succeeded(document)
    ]
    for point in sorted(points, key=lambda point: (point["cores"], point["seconds"])):
        if not front or point["seconds"] < front[-1]["seconds"]:
            front.append(point)
    return front


def pareto(document: dict) -> Markup | None:
    """Seconds against extra cores; the front is a line. Nothing where no run has extra cores."""
    there = _succeeded(document)
    cores = [run["extra_cores"] for run in there]
    if len(set(cores)) < 2:
        return None
    height, left = 300.0, 90.0
    place, marks = _logarithmic([run["seconds"] for run in there], height - BOTTOM, TOP + 8)
    wide = WIDTH - left - RIGHT - 60

    def across(count: int) -> float:
        return left + 30 + wide * count / max(cores)

    parts = [_axis_y(place, marks, left, "seconds of a run")]
    for count in sorted(set(cores)):
        parts.append(tag("text", count, x=across(count), y=height - BOTTOM + 16, class_="value", text_anchor="middle"))
    front = pareto_front(document)
    path = "L".join(f"{across(point['cores']):.1f} {place(point['seconds']):.1f}" for point in front)
    parts.append(tag("path", d="M" + path, style="stroke:var(--accent);fill:none;stroke-width:1.5"))
    best = {point["key"] for point in front}
    for run, count in zip(there, cores):
        colour = "--accent" if run["key"] in best else "--posix"
        parts.append(
            _dot(across(count), place(run["seconds"]), colour, f"{run['key']}: {units.seconds(run['seconds'])}")
        )
    parts.append(tag("text", "extra cores", x=WIDTH - RIGHT, y=height - 6, class_="row-label"))
    return picture("pareto", ("Run time against extra cores", "the front, and all runs"), (WIDTH, height), *parts)


def prediction(document: dict) -> Markup | None:
    """Predicted against measured seconds; on the line they are equal."""
    there = [run for run in _succeeded(document) if run["predicted"] is not None]
    if len(there) < 3:
        return None
    height, left = 420.0, 90.0
    values = [run[name] for run in there for name in ("seconds", "predicted")]
    down, marks = _logarithmic(values, height - BOTTOM, TOP + 8)
    across, _ = _logarithmic(values, left, WIDTH - RIGHT)
    parts = [
        _axis_y(down, marks, left, "predicted"),
        _axis_x(across, marks, height - BOTTOM, "measured", units.seconds),
    ]
    low, high = min(values), max(values)
    parts.append(_line(across(low), down(low), across(high), down(high), "--soft"))
    for run in there:
        tooltip = f"{run['key']}: predicted {units.seconds(run['predicted'])}, measured {units.seconds(run['seconds'])}"
        parts.append(_dot(across(run["seconds"]), down(run["predicted"]), "--work", tooltip))
    return picture("prediction", ("Predicted against measured", "a point for each run"), (WIDTH, height), *parts)
