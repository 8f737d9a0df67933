"""The command `sverdrup watch`: it shows how files grow while a run writes them."""

import argparse
import os
import sys
import time
from pathlib import Path

NAME = "watch"
HELP = "shows how files grow while a run writes them, and which ranks wait"
DESCRIPTION = (
    "Shows records, size, rate and last commit of files while a run writes them, until all are complete. It only "
    "reads: the run is not affected."
)
EPILOG = """\
examples:
  sverdrup watch history.nc
  sverdrup watch out/*.nc --trace run.svtrace --page watch.html
  sverdrup watch history.nc --once

Ranks are shown if the run records a trace (SV_TRACE=run.svtrace, or sv-trace). docs/watch.md explains the columns.
"""


def _interval(text: str) -> float:
    seconds = float(text)
    if not 0.1 <= seconds <= 3600:
        raise argparse.ArgumentTypeError(f"give seconds from 0.1 to 3600, not '{text}'")
    return seconds


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("files", nargs="+", metavar="FILE", help="file that is or will be written, by its final name")
    parser.add_argument("--trace", metavar="DIR", help="folder of the run's trace, to show which ranks wait")
    parser.add_argument("--page", metavar="PAGE", help="also write the table as a page that loads itself again")
    parser.add_argument("--interval", type=_interval, default=2.0, metavar="SECONDS", help="time between looks (2)")
    parser.add_argument("--once", action="store_true", help="look once, and exit")


def run(given: argparse.Namespace) -> int:
    from sverdrup.watch.progress import COMPLETE, Watched

    files = [Watched(Path(name)) for name in given.files]
    lines = 0
    try:
        while True:
            for one in files:
                one.look(time.time())
            lines = _show(given, files, lines)
            if given.once or all(one.latest.state == COMPLETE for one in files):
                return 0
            time.sleep(given.interval)
    except KeyboardInterrupt:  # the usual end
        return 0


def _ranks(folder: str | None) -> list[str]:
    from sverdrup.trace import TraceError
    from sverdrup.watch.waiting import waiting

    try:
        return waiting(Path(folder)) if folder else []
    except TraceError as error:  # the run may not have begun
        return [str(error)]


def _show(given: argparse.Namespace, files: list, lines: int) -> int:
    """On a terminal, in place of the `lines` that are there; returns how many it has written."""
    from sverdrup.watch.view import table

    now, ranks = time.time(), _ranks(given.trace)
    text = table(files, ranks, now)
    sys.stdout.write(f"\x1b[{lines}A\x1b[J{text}" if lines and sys.stdout.isatty() else text)
    sys.stdout.flush()
    if given.page:
        from sverdrup.watch.watch_page import watch_page

        new = Path(f"{given.page}.new")
        new.write_text(watch_page(files, ranks, now, given.interval), encoding="utf-8")
        os.replace(new, given.page)
    return text.count("\n")
