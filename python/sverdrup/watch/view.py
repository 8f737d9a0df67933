"""The table of the watched files, as text for a terminal."""

import time

from sverdrup.analysis.words import printable, size

from .progress import ABSENT, COMPLETE, Watched

HEADS = ("file", "state", "records", "records/s", "size", "rate", "last commit")


def ago(moment: float | None, now: float) -> str:
    """How long ago; a clock of another host may be ahead."""
    if moment is None:
        return "-"
    passed = max(now - moment, 0)
    if passed < 120:
        return f"{passed:.0f} s ago"
    return f"{passed / 60:.0f} min ago" if passed < 7200 else time.strftime("%d %b %H:%M", time.localtime(moment))


def row(watched: Watched, now: float) -> tuple[str, ...]:
    """The cells of a file, under HEADS."""
    last = watched.latest
    if last.state == ABSENT:
        return str(watched.path), ABSENT, "-", "-", "-", "-", "-"
    byte_rate, record_rate = (None, None) if last.state == COMPLETE else watched.rates()
    return (
        str(watched.path),
        last.state,
        "-" if last.records is None else f"{last.records:,}",
        "-" if record_rate is None else f"{record_rate:.3g}",
        size(last.bytes),
        "-" if byte_rate is None else f"{size(byte_rate)}/s",
        ago(watched.last_commit(), now),
    )


def table(files: list[Watched], ranks: list[str], now: float) -> str:
    """Lines, without control characters from names."""
    rows = [HEADS, *(row(one, now) for one in files)]
    rows = [tuple(printable(cell) for cell in cells) for cells in rows]
    widths = [max(len(cells[column]) for cells in rows) for column in range(len(HEADS))]
    lines = ["  ".join(cell.ljust(width) for cell, width in zip(cells, widths, strict=True)).rstrip() for cells in rows]
    return "\n".join([*lines, *(printable(line) for line in ranks)]) + "\n"
