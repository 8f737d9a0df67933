"""The command `sverdrup`."""

import argparse
import json
import sys
from pathlib import Path

from sverdrup import __version__
from sverdrup.analysis import analyse
from sverdrup.trace import Run, TraceError

_EXAMPLES = """\
examples:
  sv-trace --output run.svtrace -- mpiexec -n 16 ./ocean
  sverdrup report run.svtrace
  sverdrup report synchronous=a.svtrace servers=b.svtrace --output compared.html
  sverdrup report run.svtrace --json - | jq '.runs[0].headline'

The page needs no network. What its parts mean, and how numbers are made: docs/report.md.
"""


def parser() -> argparse.ArgumentParser:
    top = argparse.ArgumentParser(prog="sverdrup", description="Tells where the time of a program's output goes.")
    top.add_argument("--version", action="version", version=f"sverdrup {__version__}")
    commands = top.add_subparsers(dest="command", required=True, metavar="COMMAND")
    report = commands.add_parser(
        "report", help="a page, and JSON, of where time went in traced runs",
        description="Reads what sv-trace and the library recorded, and writes one page of HTML, and the same as JSON.",
        epilog=_EXAMPLES, formatter_class=argparse.RawDescriptionHelpFormatter,
    )  # fmt: skip
    report.add_argument(
        "runs", nargs="+", metavar="[NAME=]DIRECTORY",
        help="folder of trace files (*.svtrace) of one run, with a name for it; several runs are shown side by side",
    )  # fmt: skip
    report.add_argument("--output", metavar="FILE", help="the page (report.html, unless only others are given)")
    report.add_argument("--figures", metavar="DIR", help="each chart as an SVG file in this folder")
    report.add_argument(
        "--json", metavar="FILE", help="the findings as JSON (docs/report-json.md); -: to standard output"
    )
    return top


def open_run(argument: str) -> Run:
    """[NAME=]DIRECTORY; a folder whose name has a '=' in it is one when it exists."""
    name, equals, directory = argument.partition("=")
    if equals and name and not Path(argument).exists():
        return Run(directory, name)
    return Run(argument)


def write(path: str, text: str) -> None:
    if path == "-":
        sys.stdout.write(text)
    else:
        Path(path).write_text(text, encoding="utf-8")


def write_figures(folder: Path, findings: dict) -> None:
    from sverdrup.page import figures

    folder.mkdir(parents=True, exist_ok=True)
    for name, svg in figures(findings).items():
        write(str(folder / f"{name.replace('/', '_')}.svg"), svg)


def report(arguments: argparse.Namespace) -> int:
    findings = analyse([open_run(argument) for argument in arguments.runs])
    output = arguments.output or (None if arguments.json or arguments.figures else "report.html")
    if arguments.json:
        write(arguments.json, json.dumps(findings, indent=1, allow_nan=False) + "\n")
    if output:
        from sverdrup.page import render

        write(output, render(findings))
    if arguments.figures:
        write_figures(Path(arguments.figures), findings)
    quiet = "-" in (arguments.json, output)
    for run in findings["runs"]:
        for problem in run["problems"]:
            print(f"{run['name']}: {problem['severity']}: {problem['text']}", file=sys.stderr)
        if not quiet:
            print(f"{run['name']}: {run['headline']['sentence']}{_advice(run)}")
    if not quiet:
        print("written: " + ", ".join(path for path in (output, arguments.json, arguments.figures) if path))
    return 0


def _advice(run: dict) -> str:
    if run["headline"]["nothing_to_gain"]:
        return " There is nothing to gain."
    first = next((f for f in run["findings"] if f["id"] == run["headline"]["change"]), None)
    if not first:
        return ""
    low, high = first["saves_seconds"]
    return f" {first['title']}: saves {low:.1f} to {high:.1f} s of {run['seconds']:.1f} s."


def main(arguments: list[str] | None = None) -> int:
    """Exit status: 0, 1: a trace or a file that cannot be used, 2: wrong arguments."""
    given = parser().parse_args(arguments)
    try:
        return report(given)
    except TraceError as error:
        print(f"sverdrup: {error}", file=sys.stderr)
    except BrokenPipeError:
        sys.stderr.close()
    except OSError as error:
        print(f"sverdrup: {error.filename or 'output'}: {error.strerror}", file=sys.stderr)
    return 1


if __name__ == "__main__":
    sys.exit(main())
