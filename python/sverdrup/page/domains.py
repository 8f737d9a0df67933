"""Draws the section "Layout" of the report: boxes of ranks, I/O domains and chunks over one another, in the last two
dimensions of a variable."""

from markupsafe import Markup

from . import units
from .svg import join, number, picture, tag, tip

WIDTH = 640.0  # units; the picture shrinks with the page
CHUNKS = 6000  # more are too fine to be seen
LABEL_WIDTH, LABEL_HEIGHT = 12.0, 20.0  # units that a rank's number needs per digit, and in height


class Plane:
    """The last two dimensions of a shape in the picture: y upwards, as on a map."""

    def __init__(self, shape: list):
        self.ny, self.nx = ([1, 1] + [max(int(length), 1) for length in shape])[-2:]
        self.height = WIDTH * min(1.2, max(0.12, self.ny / self.nx))

    def rectangle(self, start: list, count: list) -> tuple[float, float, float, float]:
        """x, y, width, height of a box of indices, in units of the picture."""
        (y0, x0), (ny, nx) = ([0, 0] + list(start))[-2:], ([1, 1] + list(count))[-2:]
        sx, sy = WIDTH / self.nx, self.height / self.ny
        return x0 * sx, self.height - (y0 + ny) * sy, nx * sx, ny * sy


def _rect(place: tuple, class_: str, inset: float = 0.0) -> Markup:
    x, y, wide, tall = place
    return tag(
        "rect",
        x=x + inset,
        y=y + inset,
        width=max(wide - 2 * inset, 0.5),
        height=max(tall - 2 * inset, 0.5),
        class_=class_,
    )


def _text(start: list, count: list) -> str:
    return ", ".join(f"{first}\u2026{first + length - 1}" for first, length in zip(start, count))


def _boxes(entry: dict, plane: Plane) -> Markup:
    parts, taken = [], set()
    for box in entry["boxes"]:
        place = plane.rectangle(box["start"], box["count"])
        x, y, wide, tall = place
        inside = [tip(f"rank {box['rank']}: {_text(box['start'], box['count'])}"), _rect(place, "box", 0.75)]
        name, spot = str(box["rank"]), (round(x), round(y))
        if wide >= LABEL_WIDTH * len(name) + 4 and tall >= LABEL_HEIGHT and spot not in taken:
            taken.add(spot)
            inside.append(tag("text", name, x=x + wide / 2, y=y + tall / 2 + 6, class_="box-label"))
        parts.append(tag("g", *inside, data_r=box["rank"]))
    return join(parts)


def _touched(first: int, length: int, chunk: int, end: int) -> list[tuple[int, bool]]:
    """The chunks along one dimension, which ends at `end`, that [first, first + length) touches, and whether it holds
    each of them whole."""
    last = first + length
    return [
        (at, first <= at * chunk and min((at + 1) * chunk, end) <= last)
        for at in range(max(first, 0) // chunk, -(-min(last, end) // chunk))
    ]


def _cut(entry: dict, plane: Plane, chunk: tuple[int, int]) -> set:
    """The (y, x) of chunks that no single I/O domain (without them: no single rank) holds whole, as seen in the
    picture.
    """
    cut = set()
    for owner in entry.get("io_domains") or entry["boxes"]:
        (y0, x0), (ny, nx) = ([0, 0] + list(owner["start"]))[-2:], ([1, 1] + list(owner["count"]))[-2:]
        across = _touched(x0, nx, chunk[1], plane.nx)
        for y, whole_y in _touched(y0, ny, chunk[0], plane.ny):
            cut.update((y, x) for x, whole_x in across if not (whole_y and whole_x))
    return cut


def _chunks(entry: dict, plane: Plane) -> Markup:
    shape = entry.get("chunks")
    if not shape:
        return Markup("")
    chunk = tuple(max(int(length), 1) for length in ([1, 1] + list(shape))[-2:])
    rows, columns = -(-plane.ny // chunk[0]), -(-plane.nx // chunk[1])
    if rows * columns > CHUNKS:
        return Markup("")
    parts = []
    for y, x in sorted(_cut(entry, plane, chunk)):
        start = [y * chunk[0], x * chunk[1]]
        count = [min(chunk[0], plane.ny - start[0]), min(chunk[1], plane.nx - start[1])]
        parts.append(_rect(plane.rectangle(start, count), "cut-chunk"))
    sx, sy = WIDTH * chunk[1] / plane.nx, plane.height * chunk[0] / plane.ny
    lines = "".join(f"M{number(at * sx)} 0V{number(plane.height)}" for at in range(1, columns))
    lines += "".join(f"M0 {number(plane.height - at * sy)}H{number(WIDTH)}" for at in range(1, rows))
    return join([*parts, tag("path", d=lines, class_="chunk-lines")])


def draw(entry: dict, key: str) -> Markup | None:
    """The picture of one of run["layout"]; None without dimensions or boxes."""
    if not entry.get("shape") or not entry.get("boxes"):
        return None
    plane = Plane(entry["shape"])
    domains = entry.get("io_domains") or []
    outlines = [
        tag(
            "g",
            tip(f"I/O domain of rank {domain['rank']}: {_text(domain['start'], domain['count'])}"),
            _rect(plane.rectangle(domain["start"], domain["count"]), "io-domain", 1.5),
            data_r=domain["rank"],
        )
        for domain in domains
    ]
    tooltip = (
        f"{units.plural(len(entry['boxes']), 'box')} of ranks, "
        f"{units.plural(len(domains), 'I/O domain')}"
        + (f", {entry.get('cut_chunks') or 0:,} chunks with several owners" if entry.get("chunks") else "")
        + "."
    )
    inside = tag(
        "g",
        tag("rect", x=0, y=0, width=WIDTH, height=plane.height, class_="nobody"),
        _boxes(entry, plane),
        _chunks(entry, plane),
        *outlines,
        transform="translate(2 2)",
    )
    return picture(
        key, (f"Layout of {entry['variable']}", tooltip), (WIDTH + 4, plane.height + 4), inside, class_="domains"
    )


def facts(entry: dict) -> str:
    """One line: the shape, and the chunks."""
    dims = entry.get("dims") or [""] * len(entry["shape"])
    text = " \u00d7 ".join(f"{name} {length:,}".strip() for name, length in zip(dims, entry["shape"]))
    if entry.get("chunks"):
        text += "; chunks of " + " \u00d7 ".join(f"{length:,}" for length in entry["chunks"])
    return text
