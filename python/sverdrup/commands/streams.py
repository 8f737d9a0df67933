"""The command `sverdrup streams`: it prints what the streams of a run will write, or converts FMS's diag_table."""

import argparse
import json
import subprocess
import sys
from pathlib import Path

NAME = "streams"
HELP = "shows what the streams of a run will write, and converts FMS's diag_table"
DESCRIPTION = (
    "Prints the plan of a run: streams, files, records, sizes, memory, and a calendar of the outputs. It refuses what "
    "the run would refuse."
)
EPILOG = """\
examples:
  SV_STREAM_FIELDS=fields.yaml mpiexec -n 4 ./ocean          # any run of the model writes the list of its fields
  sverdrup streams sverdrup.yaml --fields fields.yaml --end 2010-12-31
  sverdrup streams sverdrup.yaml --fields fields.yaml --end 2001-02-01 --describe case.json --ranks 720 --compute 2
  sverdrup streams --from-diag-table diag_table > streams.yaml

docs/streams.md explains the table and the list of fields.
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("config", nargs="?", metavar="CONFIG", help="YAML file with the section streams:")
    parser.add_argument("--fields", metavar="FILE", help="the fields of the model, as a run has written them")
    parser.add_argument("--end", metavar="DATE", help="the end of the run: 2001-12-31 or 2001-12-31T06:00:00")
    parser.add_argument("--begin", metavar="DATE", help="the beginning of the run (that of the fields' file)")
    parser.add_argument("--calendar", metavar="NAME", help="calendar of CF (that of the fields' file)")
    parser.add_argument("--step", metavar="SECONDS", help="length of a step; 0: it varies (that of the fields' file)")
    parser.add_argument("--svg", metavar="FILE", help="write a picture of the calendar, too")
    parser.add_argument(
        "--describe", metavar="FILE", help="write the output as a case of sv-plan, which predicts its seconds, too"
    )
    parser.add_argument("--ranks", type=int, default=1, metavar="N", help="ranks of the case (1)")
    parser.add_argument("--compute", type=float, default=0, metavar="SECONDS", help="computing of a step (0)")
    parser.add_argument("--json", action="store_true", help="print the plan as JSON")
    parser.add_argument(
        "--from-diag-table", metavar="FILE",
        help="print FMS's diag_table or diag_table.yaml as streams, and on standard error the parts that are left out",
    )  # fmt: skip
    parser.add_argument("--bin", metavar="DIR", help="folder with sv-streams ($SVERDRUP_BIN, or the PATH)")


def run(arguments: argparse.Namespace) -> int:
    from sverdrup.programs import ProgramError
    from sverdrup.streams import StreamsError

    if arguments.from_diag_table is None and not all((arguments.config, arguments.fields, arguments.end)):
        print("sverdrup streams: give CONFIG, --fields and --end, or --from-diag-table", file=sys.stderr)
        return 2
    try:
        return _plan(arguments) if arguments.from_diag_table is None else _convert(Path(arguments.from_diag_table))
    except (ProgramError, StreamsError) as error:
        print(f"sverdrup streams: {error}", file=sys.stderr)
        return 1


def _plan(arguments: argparse.Namespace) -> int:
    from sverdrup import programs
    from sverdrup.streams import StreamsError
    from sverdrup.streams.case import case_of
    from sverdrup.streams.drawing import svg_of
    from sverdrup.streams.tables import text_of, with_parts

    command = [programs.program("sv-streams", arguments.bin), arguments.config]
    for option in ("fields", "end", "begin", "calendar", "step"):
        if (value := getattr(arguments, option)) is not None:
            command += [f"--{option}", value]
    if arguments.svg is not None:
        command += ["--parts", "600"]  # as many as the picture has points
    done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        cause = done.stderr.strip().removeprefix("sv-streams: ")
        raise StreamsError(cause or f"sv-streams ended with {done.returncode}")
    plan = json.loads(done.stdout)
    if arguments.svg is not None:
        Path(arguments.svg).write_text(svg_of(plan), encoding="utf-8")
        plan = with_parts(plan, 60)
    if arguments.describe is not None:
        case = case_of(plan, arguments.ranks, arguments.compute)
        Path(arguments.describe).write_text(json.dumps(case) + "\n", encoding="utf-8")
    sys.stdout.write(done.stdout if arguments.json else text_of(plan))
    return 0


def _convert(path: Path) -> int:
    from sverdrup.streams.diag_table import convert

    text, notes = convert(path.read_text(encoding="utf-8"), str(path))
    sys.stdout.write(text)
    for note in notes:
        print(f"not converted: {note}", file=sys.stderr)
    return 0
