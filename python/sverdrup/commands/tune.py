"""The command `sverdrup tune`: it finds the settings with which the output of a workload takes least time."""

import argparse
import math
import sys

NAME = "tune"
HELP = "finds the fastest settings for a workload or your own program, and says which settings matter"
DESCRIPTION = (
    "Tests the parameters of all layers, searches among those that matter, and compares the winner with the "
    "default."
)
EPILOG = """\
examples:
  sverdrup tune --workload 'mom5 --scale 400 --steps 8' --ranks 16 --dir /scratch/me --budget '60 runs'
  sverdrup tune --workload 'mom5 --scale 400' --profile m.yaml --confirm 'mom5 --scale 100' --ranks 16
  sverdrup tune --ranks 64 --launcher 'srun -n {ranks}' --budget 2h -- ./ocean --days 1
  sverdrup tune --ranks 16 --print-space > space.yaml

In your own command, {ranks}, {servers}, {config} (the configuration file, also in SV_CONFIG) and {settings} (one word
key=value for each setting) are replaced. If tuning is interrupted, run the same command again: it continues.
docs/tuning.md explains the results.
"""


def _pair(text: str) -> tuple[int, int]:
    first, _, second = text.partition("x")
    if not (first.isdigit() and second.isdigit() and int(first) and int(second)):
        raise argparse.ArgumentTypeError(f"give the ranks in x and in y, such as 8x15, not '{text}'")
    return int(first), int(second)


def _positive(text: str) -> int:
    if not text.isdigit() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"give a whole number of at least 1, not '{text}'")
    return int(text)


def _natural(text: str) -> int:
    if not text.isdecimal():
        raise argparse.ArgumentTypeError(f"give a whole number, 0 or more, not '{text}'")
    return int(text)


def _seconds(text: str) -> float:
    seconds = float(text)
    if not 0 < seconds < math.inf:
        raise argparse.ArgumentTypeError(f"give seconds, more than 0, not '{text}'")
    return seconds


def add_arguments(parser: argparse.ArgumentParser) -> None:
    from sverdrup import programs

    add = parser.add_argument
    add("--workload", metavar="TEXT", help="a workload of sv-bench with its options")
    add("command", nargs="*", metavar="COMMAND", help="your own program, after --, instead of a workload")
    add("--ranks", type=_positive, default=8, help="ranks that compute (8); servers are additional ranks")
    add("--budget", default="60 runs", help="number of runs or time: '60 runs' (default), '20min'")
    add("--dir", default=".", help="folder in which workloads write (.)")
    add(
        "--state",
        default="tuned",
        metavar="DIR",
        help="folder for journal and results: runs.jsonl, sverdrup.yaml, tune.html, tune.json (tuned)",
    )
    add(
        "--profile",
        metavar="FILE",
        help="machine profile (sverdrup probe): the search begins where the prediction is best; workloads only",
    )
    add("--device", metavar="TEXT", help="emulated storage, as for sv-bench; workloads only")
    add("--servers", type=_natural, default=0, metavar="N", help="additional ranks that serve, at most (0)")
    add("--layout", type=_pair, metavar="PXxPY", help="ranks in x and in y (as square as possible)")
    add("--nodes", type=_positive, default=1, help="nodes that the ranks run on (1)")
    add("--allow", default="", metavar="LIST", help="changes of the files to allow: netcdf4, deflate, pieces")
    add("--space", metavar="FILE", help="parameters and values to try, in the format of --print-space")
    add("--print-space", action="store_true", help="print the parameters and values, and exit")
    add(
        "--metric",
        metavar="FILE:PATH",
        help="for a command: where to find the seconds in a JSON file that it writes, for example "
        "run.json:results.0.seconds (default: the time of the whole command)",
    )
    add("--repeat", type=_positive, default=3, help="repetitions within a run of a workload (3)")
    add(
        "--run-limit",
        type=_seconds,
        default=600.0,
        metavar="SECONDS",
        help="time limit of a run; a longer run is ended, and its settings are avoided (600)",
    )
    add("--confirm", metavar="TEXT", help="workload at a larger scale, on which the winner is confirmed")
    add("--confirm-ranks", type=_positive, metavar="N", help="ranks for confirming (the same number)")
    add(
        "--confirm-rounds",
        type=_positive,
        default=5,
        metavar="N",
        help="rounds of default, winner and runner-up for confirming (5; at least 2)",
    )
    add("--seed", type=_natural, default=1, help="seed of the random numbers (1)")
    add("--quiet", action="store_true", help="print no line for each run")
    programs.add_arguments(parser)


def run(arguments: argparse.Namespace) -> int:
    from sverdrup.programs import ProgramError
    from sverdrup.tune import TuneError
    from sverdrup.tune.session import tune

    try:
        return tune(arguments)
    except (TuneError, ProgramError) as error:
        print(f"sverdrup tune: {error}", file=sys.stderr)
        return 1
