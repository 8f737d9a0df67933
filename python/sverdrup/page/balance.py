"""Draws the section "Load balance" of the report: the time of each function over the ranks, by rank and sorted, with
the mean."""

from dataclasses import dataclass

from markupsafe import Markup

from . import units
from .flow import NAMES, layer_class
from .svg import STRETCHED, join, number, stretched, tag, tip

HEIGHT = 52  # pixels of a chart
CHARTS = 4  # functions per layer that are drawn; the table has all
SINGLE = 64  # ranks up to which each has a bar that can be pointed at
COLUMNS = 250  # bars at most: above that, each stands for the slowest of a group of ranks


@dataclass
class Row:
    """A function with its two charts and the end of their common scale, in seconds."""

    entry: dict
    scale: float
    by_rank: Markup
    ordered: Markup


def scales(runs: list[dict]) -> dict:
    """The longest time of each (layer, function) over the runs: the same function has the same scale in all of them."""
    longest = {}
    for run in runs:
        for entry in run.get("balance") or []:
            name = (entry["layer"], entry["function"])
            longest[name] = max(longest.get(name, 0), entry["max"] or 0)
    return longest


def _columns(entry: dict, ranks: int) -> list[float]:
    """Seconds of each column: of each rank, or the largest of a group of neighbouring ranks."""
    ranks = max(ranks, 1 + max(entry["ranks"], default=0))
    columns = min(ranks, COLUMNS)
    values = [0.0] * columns
    for rank, seconds in zip(entry["ranks"], entry["seconds"]):
        at = rank * columns // ranks
        values[at] = max(values[at], seconds or 0)
    return values


def _outline(values: list[float], scale: float) -> str:
    """The path around bars that touch one another."""
    wide = STRETCHED / len(values)
    parts, before = [f"M0 {HEIGHT}"], None
    for index, value in enumerate(values):
        top = number(HEIGHT * (1 - value / scale))
        if top != before:
            parts.append(f"H{number(index * wide)}V{top}" if index else f"V{top}")
        before = top
    return "".join(parts) + f"H{STRETCHED}V{HEIGHT}z"


def _bars(values: list[float], scale: float) -> Markup:
    if len(values) > SINGLE:
        return tag("path", d=_outline(values, scale), class_="bar")
    wide = STRETCHED / len(values)
    bars = []
    for rank, value in enumerate(values):
        tall = max(HEIGHT * value / scale, 0.8) if value else 0
        bars.append(
            tag(
                "g",
                tip(f"rank {rank}: {units.seconds(value)}"),
                tag("rect", x=rank * wide, y=0, width=wide, height=HEIGHT, class_="reach"),
                tag(
                    "rect", x=(rank + 0.08) * wide, y=HEIGHT - tall, width=0.84 * wide, height=float(tall), class_="bar"
                ),
                data_r=rank,
            )
        )
    return join(bars)


def _mean(entry: dict, scale: float) -> Markup:
    y = HEIGHT * (1 - (entry["mean"] or 0) / scale)
    return tag("path", d=f"M0 {number(y)}H{STRETCHED}", class_="mean")


def _row(entry: dict, ranks: int, scale: float, key: str) -> Row:
    values = _columns(entry, ranks)
    ordered = sorted((seconds or 0 for seconds in entry["seconds"]), reverse=True)
    if len(ordered) > COLUMNS:
        ordered = [ordered[index * len(ordered) // COLUMNS] for index in range(COLUMNS)]
    tooltip = (
        f"{entry['function']}: at most {units.seconds(entry['max'])}, on rank {entry['max_rank']}; on average "
        f"{units.seconds(entry['mean'])} over {units.plural(len(entry['ranks']), 'rank')}."
    )
    by_rank = stretched(
        f"{key}-r",
        (f"{entry['function']} by rank", tooltip),
        (STRETCHED, HEIGHT),
        _bars(values, scale),
        _mean(entry, scale),
    )
    curve = tag("path", d=_outline(ordered or [0.0], scale), class_="bar sorted")
    falling = stretched(
        f"{key}-s", (f"{entry['function']}, sorted", tooltip), (STRETCHED, HEIGHT), curve, _mean(entry, scale)
    )
    return Row(entry, scale, by_rank, falling)


def draw(run: dict, key: str, longest: dict) -> list[dict]:
    """One group per layer: its name, CSS class, and the rows of its longest functions; longest: see scales()."""
    groups: dict = {}
    for entry in run.get("balance") or []:
        groups.setdefault(entry["layer"], []).append(entry)
    drawn = []
    for layer in sorted(groups, key=lambda name: list(NAMES).index(name) if name in NAMES else 99):
        rows = []
        for index, entry in enumerate(groups[layer][:CHARTS]):
            scale = longest.get((layer, entry["function"])) or 1
            rows.append(_row(entry, run.get("ranks") or 1, scale, f"{key}-{layer.replace('_', '-')}-{index}"))
        drawn.append(
            {
                "name": NAMES.get(layer, layer),
                "class": layer_class(layer),
                "rows": rows,
                "more": max(0, len(groups[layer]) - CHARTS),
            }
        )
    return drawn
