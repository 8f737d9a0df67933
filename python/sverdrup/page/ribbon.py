"""Draws the section "Steps" of the report: the activity of each rank over time, with clients above and servers below.
All runs share one time axis."""

from markupsafe import Markup

from . import units
from .plot import Plot
from .svg import STRETCHED, grid, join, number, stretched, tag, ticks, tip

LANE, BAR, BETWEEN = 17.0, 13.0, 9.0  # pixels: from lane to lane, of the bar in it, between clients and servers
KINDS = ("compute", "hand_over", "blocked", "receive", "assemble", "write", "idle")
CLIENT_KINDS, SERVER_KINDS = KINDS[:3], KINDS[3:]
STEP_LINES = 60  # more steps than that are not marked


def kind_name(kind: str) -> str:
    """As it stands in the legend."""
    return kind.replace("_", "-")


def _columns(spans: list, kinds: int, end: float) -> dict[int, list]:
    """Per kind the runs [first, length] of columns, of STRETCHED, in which it takes the most time."""
    scale = STRETCHED / end
    best: dict[int, tuple[float, int]] = {}
    for kind, begin, finish in spans:
        if not 0 <= kind < kinds:
            continue
        low, high = begin * scale, min(finish * scale, STRETCHED)
        for column in range(max(0, int(low)), min(STRETCHED, int(high) + 1)):
            part = min(high, column + 1) - max(low, column)
            if part > best.get(column, (0.0, -1))[0]:
                best[column] = (part, kind)
    runs: dict[int, list] = {}
    last_kind, last_column = -1, -2
    for column in sorted(best):
        kind = best[column][1]
        if kind == last_kind and column == last_column + 1:
            runs[kind][-1][1] += 1
        else:
            runs.setdefault(kind, []).append([column, 1])
        last_kind, last_column = kind, column
    return runs


def _path(pieces: list, y: float) -> str:
    parts, at = [f"M0 {number(y)}"], 0
    for first, length in pieces:
        parts.append(f"m{first - at} 0h{length}")
        at = first + length
    return "".join(parts)


def _lane(lane: dict, y: float, kinds: list, end: float, totals: dict) -> Markup:
    runs = _columns(lane["spans"], len(kinds), end)
    paths = [
        tag(
            "path",
            d=_path(runs[kind], y + LANE / 2),
            class_=f"span kind-{kind_name(kinds[kind])}",
            data_kind=kind_name(kinds[kind]),
        )
        for kind in sorted(runs)
    ]
    label = lane["label"]
    total = totals.get(lane["rank"])
    if total:
        parts = [f"{kind_name(kind)} {units.seconds(total[kind])}" for kind in kinds if total.get(kind)]
        label += ": " + ", ".join(parts)
    reach = tag("rect", x=0, y=y, width=STRETCHED, height=LANE, class_="reach")
    return tag("g", tip(label), *paths, reach, data_r=lane["rank"])


def _places(lanes: list) -> tuple[list, float]:
    """The lanes, clients first, each with its y; and the height of all."""
    placed, y, before = [], 0.0, None
    for lane in sorted(lanes, key=lambda entry: entry["role"] == "server"):
        if before is not None and (before == "server") != (lane["role"] == "server"):
            y += BETWEEN
        placed.append((lane, y))
        before = lane["role"]
        y += LANE
    return placed, y


def draw(run: dict, key: str, end: float) -> Plot | None:
    """The chart of run["ribbon"], on an axis from 0 to end (seconds), as wide as the page; None when there is none."""
    ribbon = run.get("ribbon") or {}
    if not ribbon.get("lanes") or not end > 0:
        return None
    placed, height = _places(ribbon["lanes"])
    totals = {total["rank"]: total for total in ribbon.get("totals") or []}
    lanes = join(_lane(lane, y, ribbon["kinds"], end, totals) for lane, y in placed)
    steps = ribbon.get("steps") or []
    lines = Markup("")
    if len(steps) <= STEP_LINES:
        path = "".join(f"M{number(STRETCHED * step['end'] / end)} 0v{number(height)}" for step in steps)
        lines = tag("path", d=path, class_="step") if path else lines
    marks = ticks(end)
    servers = sum(lane["role"] == "server" for lane, _ in placed)
    label = (
        f"{units.plural(len(placed) - servers, 'lane')} of computing ranks and "
        f"{units.plural(servers, 'lane')} of servers over "
        f"{units.seconds(run.get('seconds'))}; the table below holds the totals."
    )
    chart = stretched(
        key,
        (f"Activity of each rank over time: {run['name']}", label),
        (STRETCHED, height),
        grid(marks, end, height),
        lanes,
        lines,
    )
    labels = [(y + LANE / 2, units.shorten(lane["label"], 10)) for lane, y in placed]
    return Plot(chart, height, labels, end, "s")


def legend(runs: list[dict]) -> list[str]:
    """The kinds that occur in any of the runs, in their order."""
    seen = {
        ribbon["kinds"][span[0]]
        for run in runs
        if (ribbon := run.get("ribbon"))
        for lane in ribbon.get("lanes") or []
        for span in lane["spans"]
        if 0 <= span[0] < len(ribbon["kinds"])
    }
    return [kind for kind in KINDS if kind in seen]
