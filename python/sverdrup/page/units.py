"""Writes numbers on pages as people read them: with units, three significant figures, and a space that does not
break."""

import math

SPACE = "\u202f"  # narrow, does not break
NOTHING = "\u2013"


def _figures(value: float) -> str:
    """Three significant figures, without an exponent; thousands apart from 10,000."""
    if value == 0:
        return "0"
    rounded = float(f"{value:.3g}")
    digits = min(max(2 - math.floor(math.log10(abs(rounded))), 0), 6)
    return f"{rounded:,.{digits}f}" if abs(rounded) >= 10000 else f"{rounded:.{digits}f}"


def seconds(value: float | None) -> str:
    """A duration given in seconds."""
    if value is None:
        return NOTHING
    size = abs(value)
    if size == 0:
        return f"0{SPACE}s"
    if size >= 120:
        minutes, rest = divmod(round(value), 60)
        hours, minutes = divmod(minutes, 60)
        return (
            f"{hours}{SPACE}h{SPACE}{minutes:02}{SPACE}min" if hours else f"{minutes}{SPACE}min{SPACE}{rest:02}{SPACE}s"
        )
    if size >= 0.9995:
        return f"{_figures(value)}{SPACE}s"
    if size >= 0.9995e-3:
        return f"{_figures(value * 1e3)}{SPACE}ms"
    return f"{_figures(value * 1e6)}{SPACE}µs"


def tick(value: float, step: float, unit: str) -> str:
    """A label of an axis whose ticks stand `step` apart, in few figures; unit: "s", or "B" for bytes."""
    names = (
        ((1, "s"), (1e-3, "ms"), (1e-6, "µs"), (1e-9, "ns"))
        if unit == "s"
        else ((1e12, "TB"), (1e9, "GB"), (1e6, "MB"), (1e3, "kB"), (1, "B"))
    )
    size, name = next(
        ((size, name) for size, name in names if step >= size * 0.2 and (value >= size or value == 0)), names[-1]
    )
    return f"{value / size:.6g}{SPACE}{name}"


def span(bounds: list | None) -> str:
    """The range from bounds[0] to bounds[1], in seconds: "1.9 to 3.4 s"."""
    if not bounds:
        return NOTHING
    low, high = seconds(bounds[0]), seconds(bounds[1])
    if low == high:
        return low
    (low_number, low_unit), high_unit = low.rsplit(SPACE, 1), high.rsplit(SPACE, 1)[1]
    if bounds[0] == 0 or (low_unit == high_unit and SPACE not in low_number):
        low = low_number
    return f"{low} to {high}"


def size(value: float | None) -> str:
    """Bytes, in powers of 1000."""
    if value is None:
        return NOTHING
    for unit in ("B", "kB", "MB", "GB", "TB"):
        if abs(value) < 999.5 or unit == "TB":
            break
        value /= 1000
    return f"{round(value)}{SPACE}B" if unit == "B" else f"{_figures(value)}{SPACE}{unit}"


def binary(value: float) -> str:
    """Bytes, in powers of 1024: for stripes, chunks and classes of sizes."""
    for unit in ("B", "KiB", "MiB", "GiB", "TiB"):
        if abs(value) < 1024 or unit == "TiB":
            break
        value /= 1024
    return f"{value:.4g}{SPACE}{unit}"


def rate(value: float | None) -> str:
    """Bytes per second."""
    return NOTHING if value is None else f"{size(value)}/s"


def share(value: float | None) -> str:
    """A part of one, in per cent."""
    if value is None:
        return NOTHING
    percent = 100 * value
    if 0 < percent < 0.1:
        return f"<{SPACE}0.1{SPACE}%"
    return f"{percent:.1f}{SPACE}%" if 0 < percent < 9.95 else f"{percent:.0f}{SPACE}%"


def count(value: float | None) -> str:
    """A whole number, or a factor with two figures after the point."""
    if value is None:
        return NOTHING
    return f"{value:,}" if isinstance(value, int) else f"{value:.2f}"


def shorten(text: str | None, limit: int) -> str:
    """At most `limit` characters, cut in the middle; the end, where names of files differ, keeps the larger part."""
    text = text or ""
    if len(text) <= limit:
        return text
    head = (limit - 1) // 3
    return f"{text[:head]}\u2026{text[len(text) - (limit - 1 - head):]}"


def base(path: str | None) -> str:
    """The last part of a path."""
    return (path or "").rstrip("/").rsplit("/", 1)[-1] or (path or "")


def ranks_of(group: list) -> str:
    """The label of a row of ranks, group[0] to group[1]."""
    return str(group[0]) if group[0] == group[1] else f"{group[0]}\u2013{group[1]}"


def plural(number: int | None, noun: str) -> str:
    """A number with its noun: "1 rank", "8 ranks"."""
    number = number or 0
    ending = "" if number == 1 else "es" if noun.endswith("x") else "s"
    return f"{number:,} {noun}{ending}"
