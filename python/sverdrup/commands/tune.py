"""sverdrup tune: the settings with which a workload's output takes least time."""

import argparse
import sys

NAME = "tune"
HELP = "finds the settings with which a workload, or a program of yours, takes least time, and says which matter"
EPILOG = """\
examples:
  sverdrup tune --workload 'mom5 --scale 400 --steps 8' --ranks 16 --dir /scratch/me --budget '60 runs'
  sverdrup tune --workload 'mom5 --scale 400' --profile m.yaml --confirm 'mom5 --scale 100' --ranks 16
  sverdrup tune --ranks 64 --launcher 'srun -n {ranks}' --budget 2h -- ./ocean --days 1
  sverdrup tune --ranks 16 --print-space > space.yaml

In a command of yours, {ranks}, {servers}, {config} (the configuration file, also in SV_CONFIG) and {settings}
(key=value, a word each) are replaced. The same command goes on where it was interrupted. What the parts mean:
docs/tuning.md.
"""


def _pair(text: str) -> tuple[int, int]:
    first, _, second = text.partition("x")
    if not (first.isdigit() and second.isdigit() and int(first) and int(second)):
        raise argparse.ArgumentTypeError(f"give ranks in x and in y, such as 8x15, not '{text}'")
    return int(first), int(second)


def _positive(text: str) -> int:
    if not text.isdigit() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"give a whole number from 1 on, not '{text}'")
    return int(text)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    from sverdrup import programs

    parser.description = (
        "Screens the parameters of all layers, searches those that matter, and proves the winner against the default."
    )
    parser.epilog = EPILOG
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    add = parser.add_argument
    add("--workload", metavar="TEXT", help="a workload of sv-bench with its options")
    add("command", nargs="*", metavar="COMMAND", help="instead of it, after --: a program of yours")
    add("--ranks", type=_positive, default=8, help="ranks that compute (8); servers come beside them")
    add("--budget", default="60 runs", help="'60 runs' (the default) or a time: '20min'")
    add("--dir", default=".", help="where workloads write (.)")
    add(
        "--state",
        default="tuned",
        metavar="DIR",
        help="journal and results: runs.jsonl, sverdrup.yaml, tune.html, tune.json (tuned)",
    )
    add(
        "--profile",
        metavar="FILE",
        help="of the machine (sverdrup probe): runs begin where the prediction is best; workloads only",
    )
    add("--device", metavar="TEXT", help="emulated storage, as of sv-bench; workloads only")
    add("--servers", type=int, default=0, metavar="N", help="at most so many more ranks that serve (0)")
    add("--layout", type=_pair, metavar="PXxPY", help="ranks in x and in y (as square as possible)")
    add("--nodes", type=_positive, default=1, help="nodes that the ranks are on (1)")
    add("--allow", default="", metavar="LIST", help="what may change in the files: netcdf4, deflate, pieces")
    add("--space", metavar="FILE", help="the parameters and values that are tried, as --print-space prints them")
    add("--print-space", action="store_true", help="prints them, and ends")
    add(
        "--metric",
        metavar="FILE:PATH",
        help="of a command: seconds in a JSON file it writes, run.json:results.0.seconds (its whole time)",
    )
    add("--repeat", type=_positive, default=3, help="repetitions within a run of a workload (3)")
    add(
        "--run-limit",
        type=float,
        default=600.0,
        metavar="SECONDS",
        help="what a run may take; a longer one is ended, and avoided (600)",
    )
    add("--confirm", metavar="TEXT", help="workload at a larger scale, with which the winner is confirmed")
    add("--confirm-ranks", type=_positive, metavar="N", help="ranks for confirming (as many)")
    add(
        "--confirm-rounds",
        type=_positive,
        default=5,
        metavar="N",
        help="rounds of default, winner and runner-up there (5; at least 2)",
    )
    add("--seed", type=int, default=1, help="of what is drawn (1)")
    add("--quiet", action="store_true", help="no line for each run")
    programs.add_arguments(parser)


def run(arguments: argparse.Namespace) -> int:
    try:
        from sverdrup.programs import ProgramError
        from sverdrup.tune import TuneError
        from sverdrup.tune.session import tune
    except ImportError as error:
        print(f"sverdrup tune: {error.name} is not installed. Install it: pip install scipy pyyaml", file=sys.stderr)
        return 1
    try:
        return tune(arguments)
    except (TuneError, ProgramError) as error:
        print(f"sverdrup tune: {error}", file=sys.stderr)
        return 1
