"""Writes the page of watched files, which loads itself again and needs no network and no JavaScript."""

import time
from pathlib import Path

from markupsafe import Markup

from ..page.svg import join, picture, tag
from ..page.template import rendered
from .progress import Watched
from .view import HEADS, row

TEMPLATE = Path(__file__).with_name("watch_page.html")
_WIDE, _HIGH = 240.0, 40.0  # pixels of a curve


def _curve(key: str, watched: Watched) -> Markup:
    """Bytes over the time since watching began."""
    first, last = watched.samples[0], watched.latest
    seconds, most = last.time - first.time, max(one.bytes for one in watched.samples)
    if seconds <= 0 or most == 0:
        return Markup("")
    points = " ".join(
        f"{(one.time - first.time) / seconds * _WIDE:.1f},{_HIGH - one.bytes / most * _HIGH:.1f}"
        for one in watched.samples
    )
    line = tag("polyline", points=points, fill="none", stroke="currentColor", stroke_width="1.5")
    return picture(key, ("Size", f"bytes during the last {seconds:.0f} s"), (_WIDE, _HIGH), join([line]))


def watch_page(files: list[Watched], ranks: list[str], now: float, interval: float) -> str:
    """HTML that shows `files` at `now`, and loads itself every `interval` seconds."""
    return rendered(
        TEMPLATE,
        heads=HEADS,
        rows=[(row(one, now), _curve(f"curve-{index}", one)) for index, one in enumerate(files)],
        ranks=ranks,
        time=time.strftime("%d %B %Y %H:%M:%S", time.localtime(now)),
        interval=max(1, round(interval)),
    )
