"""The only writer of SVG: elements, charts and whole files, built as text in which everything from outside is escaped.
tag() writes HTML elements, too."""

import math
import re

from markupsafe import Markup, escape

# A file of its own is dark where the reader's screen is; within a page, the page decides.
DARK = "@media (prefers-color-scheme:dark){svg:root{filter:invert(.93) hue-rotate(180deg)}}"
STRETCHED = 2000  # units of the width of a stretched chart: it fills the page's width, and its labels are HTML


def number(value: float) -> str:
    """A coordinate, with two figures after the point and no more than it needs."""
    text = f"{value:.2f}".rstrip("0").rstrip(".")
    return "0" if text in ("-0", "") else text


def tag(name: str, *children, **attributes) -> Markup:
    """An element. Attributes: class_ is class, data_r is data-r; None leaves one out. Children that are not Markup are
    escaped.
    """
    parts = []
    for key, value in attributes.items():
        if value is None:
            continue
        key = key.rstrip("_").replace("_", "-")
        text = number(value) if isinstance(value, float) else escape(str(value))
        parts.append(f' {key}="{text}"')
    inner = "".join(str(escape(child)) for child in children)
    return Markup(f"<{name}{''.join(parts)}>{inner}</{name}>")


def join(parts) -> Markup:
    """Markup after Markup."""
    return Markup("").join(parts)


def tip(text: str) -> Markup:
    """The tooltip of an element."""
    return tag("title", text)


def _view(box: tuple[float, float]) -> str:
    """The attribute viewBox of (width, height)."""
    return f"0 0 {number(box[0])} {number(box[1])}"


def _spoken(key: str, heading: tuple[str, str]) -> tuple[list[Markup], dict[str, str]]:
    """A heading (title, description) for those who hear the page: its elements, and the attributes that name them."""
    elements = [tag(name, text, id=f"{key}-{name[0]}") for name, text in zip(("title", "desc"), heading, strict=True)]
    return elements, {"role": "img", "aria_labelledby": f"{key}-t {key}-d", "id": key}


def picture(key: str, heading: tuple[str, str], box: tuple[float, float], *children, **attributes) -> Markup:
    """An SVG of its own size, in pixels: box is (width, height); heading: see _spoken()."""
    size = {"viewBox": _view(box), "width": float(box[0]), "height": float(box[1])}
    elements, names = _spoken(key, heading)
    return tag("svg", *elements, *children, **size, **names, **attributes)


def stretched(key: str, heading: tuple[str, str], box: tuple[float, float], *children, **attributes) -> Markup:
    """An SVG as wide as its place, without text: box is (units of the width, height in pixels); heading as above."""
    size = {"viewBox": _view(box), "preserveAspectRatio": "none", "height": float(box[1])}
    elements, names = _spoken(key, heading)
    return tag("svg", *elements, *children, **size, **names, class_="stretched", **attributes)


def document(box: tuple[float, float], *children, **attributes) -> str:
    """The text of an SVG file; box is (width, height), in pixels. Characters that XML cannot hold, which names of files
    may have, are replaced.
    """
    size = {"viewBox": _view(box), "width": float(box[0]), "height": float(box[1])}
    text = tag("svg", tag("style", Markup(DARK)), *children, xmlns="http://www.w3.org/2000/svg", **size, **attributes)
    return re.sub("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]", "\ufffd", text) + "\n"


def nested(chart: Markup, x: float, y: float, width: float | None = None) -> Markup:
    """A chart at a place in another SVG; a stretched one is given its width."""
    place = f'<svg x="{number(x)}" y="{number(y)}" ' + ("" if width is None else f'width="{number(width)}" ')
    return Markup(str(chart).replace("<svg ", place, 1))


def ticks(end: float, wanted: int = 7) -> list[float]:
    """Round values from 0 to at most end: 1, 2 or 5 times a power of ten apart, at most `wanted` + 1 of them."""
    if not end > 0:
        return [0.0]
    raw = end / wanted
    power = 10.0 ** math.floor(math.log10(raw))
    step = next(power * factor for factor in (1, 2, 5, 10) if power * factor >= raw * 0.999)
    return [index * step for index in range(int(end / step * 1.0001) + 1)]


def grid(values: list[float], end: float, height: float) -> Markup:
    """Vertical lines at the values of a stretched chart whose width is 0 to end."""
    path = "".join(f"M{number(STRETCHED * value / end)} 0v{number(height)}" for value in values if 0 < value < end)
    return tag("path", d=path, class_="grid") if path else Markup("")


def every(rows: int, height: float, least: float) -> int:
    """Each how-many-th of `rows` rows of a height in pixels is labelled, where labels stand at least `least` pixels
    apart.
    """
    for step in (1, 2, 5, 10, 20, 50, 100, 200, 500):
        if height * step >= least:
            return step
    return max(rows, 1)
