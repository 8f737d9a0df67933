"""Draws the section "Who writes which bytes" of the report: the ranges of a file by writer, under its variables and
stripes. Stripes that two writers share are marked."""

from markupsafe import Markup

from . import units
from .plot import Plot
from .svg import STRETCHED, grid, join, number, stretched, tag, ticks, tip

LANE, BAR = 18.0, 12.0  # pixels: from writer to writer, of the bar in it
LANES = 24  # more writers are drawn in groups of neighbours
STRIPES = 300  # more are too fine to be seen
MARKS = 400
NAME_SHARE = 0.035  # of the width that a variable needs for its name to be written


def _shared(entry: dict) -> list[tuple[int, int]]:
    """(index of the writer, byte) of each end of a range that lies in a stripe with a part of another writer in it."""
    stripe = entry.get("stripe_bytes")
    if not stripe:
        return []
    owners: dict[int, set] = {}
    for index, writer in enumerate(entry["writers"]):
        for offset, length in writer["ranges"]:
            if length > 0:
                owners.setdefault(offset // stripe, set()).add(index)
                owners.setdefault((offset + length - 1) // stripe, set()).add(index)
    ends = []
    for index, writer in enumerate(entry["writers"]):
        for offset, length in writer["ranges"]:
            if length <= 0:
                continue
            if offset % stripe and len(owners[offset // stripe]) > 1:
                ends.append((index, offset))
            if (offset + length) % stripe and len(owners[(offset + length - 1) // stripe]) > 1:
                ends.append((index, offset + length))
    return ends


def _variables(entry: dict, end: float) -> list:
    """The strip above the writers: (left, width, name if there is room for it, tooltip)."""
    strip = []
    for variable in entry.get("variables") or []:
        left, wide = variable["offset"] / end, variable["bytes"] / end
        if wide > 0 and left < 1:
            label = f"{variable['name']}: {units.size(variable['bytes'])} at byte {variable['offset']:,}"
            strip.append((left, min(wide, 1 - left), variable["name"] if wide > NAME_SHARE else "", label))
    return strip


def _bars(entry: dict, lane_of: list, end: float) -> Markup:
    parts = []
    for index, writer in enumerate(entry["writers"]):
        y = lane_of[index] * LANE + LANE / 2
        pieces = [
            f"M{number(offset * STRETCHED / end)} {number(y)}h{number(max(length * STRETCHED / end, 0.8))}"
            for offset, length in writer["ranges"]
        ]
        label = (
            f"rank {writer['rank']}: {units.size(writer['bytes'])} in {units.plural(len(writer['ranges']), 'range')}"
            + (f", {writer['misaligned']:,} misaligned" if writer.get("misaligned") else "")
        )
        path = tag("path", d="".join(pieces), class_=f"range range-{index % 2}")
        parts.append(tag("g", tip(label), path, data_r=writer["rank"]))
    return join(parts)


def _stripes(stripe: int | None, end: float, height: float) -> Markup:
    if not stripe or end / stripe > STRIPES:
        return Markup("")
    wide = stripe * STRETCHED / end
    path = "".join(
        f"M{number(at * wide)} 0h{number(wide)}v{number(height)}h{number(-wide)}z"
        for at in range(0, int(end // stripe) + 1, 2)
    )
    return tag("path", d=path, class_="stripe")


def _labels(entry: dict, lane_of: list) -> list:
    first: dict[int, list] = {}
    for index, writer in enumerate(entry["writers"]):
        first.setdefault(lane_of[index], []).append(writer["rank"])
    return [(lane * LANE + LANE / 2, units.ranks_of([ranks[0], ranks[-1]])) for lane, ranks in first.items()]


def draw(entry: dict, key: str) -> Plot | None:
    """The chart of one of run["ranges"], as wide as the page; None without writers."""
    writers = entry.get("writers") or []
    end = max(
        [entry.get("bytes") or 0, *(offset + length for writer in writers for offset, length in writer["ranges"])],
        default=0,
    )
    if not writers or end <= 0:
        return None
    lanes = min(len(writers), LANES)
    lane_of = [index * lanes // len(writers) for index in range(len(writers))]
    height, marks, shared = lanes * LANE, ticks(end), _shared(entry)
    label = (
        f"{units.plural(len(writers), 'writer')} of {units.size(end)}"
        + (f" in stripes of {units.binary(entry['stripe_bytes'])}" if entry.get("stripe_bytes") else "")
        + f". {units.plural(len(shared), 'end')} of ranges lie in stripes that another writer writes too."
    )
    cuts = "".join(
        f"M{number(byte * STRETCHED / end)} {number(lane_of[index] * LANE + 1)}v{number(LANE - 2)}"
        for index, byte in shared[:MARKS]
    )
    chart = stretched(
        key,
        (f"Who writes which bytes of {entry['file']}", label),
        (STRETCHED, height),
        _stripes(entry.get("stripe_bytes"), end, height),
        grid(marks, end, height),
        _bars(entry, lane_of, end),
        tag("path", d=cuts, class_="cut") if cuts else "",
    )
    return Plot(chart, height, _labels(entry, lane_of), end, "B", _variables(entry, end))


def facts(entry: dict) -> str:
    """One line: bytes, writers, stripes."""
    parts = [units.size(entry.get("bytes")), units.plural(len(entry.get("writers") or []), "writer")]
    if entry.get("stripe_bytes"):
        parts.append(f"stripes of {units.binary(entry['stripe_bytes'])}")
    return ", ".join(parts)
