"""The command `study kit`: it makes all measurements of a machine, and leaves a page and an archive."""

import argparse
import platform
import sys
import time
from pathlib import Path

NAME = "kit"
HELP = "runs all measurements on a machine and writes one page and one archive"
DESCRIPTION = (
    "Runs probe, workloads, findings, tune and consistency, one after the other. A step that fails does not stop "
    "the others."
)
EPILOG = """\
examples:
  studies/study kit --dry-run
  studies/study kit --launcher 'srun -n {ranks}' --ranks 96 --nodes 2 --dir /scratch/me/kit --budget 2h
  studies/study kit --steps probe,findings --output sverdrup-kit-here

If it is interrupted, run the same command with the same --output again: it continues, and repeats the steps that
failed. studies/docs/kit.md explains the steps.
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    from sverdrup import programs

    programs.add_arguments(parser)
    parser.add_argument("--ranks", type=int, default=16, metavar="N", help="ranks of each run, at most (16)")
    parser.add_argument("--nodes", type=int, default=1, metavar="N", help="nodes that the ranks run on (1)")
    parser.add_argument("--dir", default=".", metavar="DIR", help="folder on the file system to measure (.)")
    parser.add_argument(
        "--budget", default="60min", metavar="TIME", help="time for all steps together: 60min, 2h (60min)"
    )
    parser.add_argument("--steps", metavar="LIST", help="run only these steps or groups: probe,findings,workload-mom5")
    parser.add_argument(
        "--output", metavar="DIR", help="folder for the results (sverdrup-kit-HOST-DATE); the archive lies beside it"
    )
    parser.add_argument("--dry-run", action="store_true", help="list the steps and their planned times, and exit")


def run(given: argparse.Namespace) -> int:
    from sverdrup_studies.kit import KitError
    from sverdrup_studies.kit.needs import require
    from sverdrup_studies.kit.plan import Asked, chosen, fitted, minutes_of, steps

    try:
        minutes = minutes_of(given.budget)
        wanted = fitted(chosen(steps(minutes), given.steps), minutes)
        if given.ranks < 2:
            raise KitError("--ranks must be at least 2")
        if not 1 <= given.nodes <= given.ranks:
            raise KitError("--nodes must be at least 1, and no more than --ranks")
        if given.dry_run:
            return _list(wanted, minutes)
        output = Path(given.output or f"sverdrup-kit-{platform.node() or 'host'}-{time.strftime('%Y%m%d')}").absolute()
        directory = Path(given.dir).absolute()
        asked = Asked(given.launcher, given.bin, given.ranks, directory, minutes, output, given.nodes)
        require(asked, wanted)
        directory.mkdir(parents=True, exist_ok=True)
        output.mkdir(parents=True, exist_ok=True)
        return _run(asked, wanted)
    except KitError as error:
        print(f"study kit: {error}", file=sys.stderr)
        return 2


def _list(wanted: list, minutes: float) -> int:
    for step in wanted:
        print(f"{step.name:<24} {step.minutes:5.1f} min  {step.about}")
    print(f"{'together':<24} {sum(step.minutes for step in wanted):5.1f} min, of a budget of {minutes:g} min")
    return 0


def _run(asked, wanted: list) -> int:
    """Exit status 1 where a step failed, 130 where the user stopped it; the page is written all the same."""
    from sverdrup_studies.kit.kit_page import kit_page
    from sverdrup_studies.kit.needs import left_out
    from sverdrup_studies.kit.plan import steps
    from sverdrup_studies.kit.running import archive, outcome, run_all

    def tell(text: str) -> None:
        print(f"{time.strftime('%H:%M:%S')} {text}", flush=True)

    for line in left_out(asked, wanted):
        tell(line)
    interrupted = False
    try:
        run_all(asked, wanted, tell)
    except KeyboardInterrupt:
        interrupted = True
        tell("interrupted: finished steps are kept; run the same command again to continue")
    results = [there for step in steps(asked.minutes) if (there := outcome(asked.output, step))]
    index = asked.output / "index.html"
    index.write_text(kit_page(asked, results), encoding="utf-8")
    tell(f"written: {index}, {archive(asked.output)}")
    if interrupted:
        return 130
    ours = {step.name for step in wanted}
    return 1 if any(one["name"] in ours and one["status"] not in ("done", "missing") for one in results) else 0
