"""The command `sverdrup report`: it writes, as a page or as JSON, where the time of traced runs went."""

import argparse
import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:  # a command finds its modules when it runs: --help works without them
    from sverdrup.trace import Run

NAME = "report"
HELP = "shows, as a page and as JSON, where the time of traced runs went"
DESCRIPTION = "Reads what sv-trace and the library recorded, and writes it as one page of HTML or as JSON."
EPILOG = """\
examples:
  sv-trace --output run.svtrace -- mpiexec -n 16 ./ocean
  sverdrup report run.svtrace
  sverdrup report synchronous=a.svtrace servers=b.svtrace --output compared.html
  sverdrup report run.svtrace --json - | jq '.runs[0].headline'

The page needs no network. docs/report.md explains its parts and how the numbers are computed.
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "runs", nargs="+", metavar="[NAME=]DIRECTORY",
        help="folder with the trace files (*.svtrace) of one run, and a name for it; several runs: side by side",
    )  # fmt: skip
    parser.add_argument(
        "--output", metavar="FILE", help="write the page to FILE (report.html, unless --json or --figures is given)"
    )
    parser.add_argument("--figures", metavar="DIR", help="write each chart as an SVG file into this folder")
    parser.add_argument(
        "--json", metavar="FILE", help="write the findings as JSON (docs/report-json.md); -: to standard output"
    )


def open_run(argument: str) -> "Run":
    """[NAME=]DIRECTORY; a folder whose name has a '=' in it is one when it exists."""
    from sverdrup.trace import Run

    name, equals, directory = argument.partition("=")
    if equals and name and not Path(argument).exists():
        return Run(directory, name)
    return Run(argument)


def write(path: str, text: str) -> None:
    text = text.encode("utf-8", "replace").decode("utf-8")  # names of files may be anything
    if path == "-":
        sys.stdout.write(text)
    else:
        Path(path).write_text(text, encoding="utf-8")


def write_figures(folder: Path, report: dict) -> None:
    from sverdrup.page import figures

    folder.mkdir(parents=True, exist_ok=True)
    for name, svg in figures(report).items():
        write(str(folder / f"{name.replace('/', '_')}.svg"), svg)


def run(arguments: argparse.Namespace) -> int:
    from sverdrup.trace import TraceError

    try:
        return _report(arguments)
    except TraceError as error:
        print(f"sverdrup: {error}", file=sys.stderr)
        return 1


def _report(arguments: argparse.Namespace) -> int:
    from sverdrup.analysis import analyse
    from sverdrup.analysis.words import printable

    report = analyse([open_run(argument) for argument in arguments.runs])
    output = arguments.output or (None if arguments.json or arguments.figures else "report.html")
    if arguments.json:
        write(arguments.json, json.dumps(report, indent=1, allow_nan=False) + "\n")
    if output:
        from sverdrup.page import render

        write(output, render(report))
    if arguments.figures:
        write_figures(Path(arguments.figures), report)
    quiet = "-" in (arguments.json, output)
    for run in report["runs"]:
        for problem in run["problems"]:
            print(f"{run['name']}: {problem['severity']}: {printable(problem['text'])}", file=sys.stderr)
        if not quiet:
            print(printable(f"{run['name']}: {run['headline']['sentence']}{_advice(run)}"))
    if not quiet:
        written = [path for path in (output, arguments.json, arguments.figures) if path]
        print(printable("written: " + ", ".join(written)))
    return 0


def _advice(run: dict) -> str:
    from sverdrup.page import units

    if run["headline"]["nothing_to_gain"]:
        return " There is nothing to gain."
    first = next((f for f in run["findings"] if f["id"] == run["headline"]["change"]), None)
    if not first:
        return "".join(f" {f['measured']['text']}" for f in run["findings"] if f["refuted"])
    saves, whole = units.span(first["saves_seconds"]), units.seconds(run["seconds"])
    return f" {first['title']}: saves {saves} of {whole}.".replace(units.SPACE, " ")
