"""Records runs and judges the crash states of each: campaign.py BUILD [--count N] [--seed S] [--rows WORDS] [--results FILE]

A line for each recording; then what became of the states of each row, into FILE as JSON. Exit status 1: a promise was
broken. The line of a violation says how to look at that state alone."""
import argparse
import collections
import concurrent.futures
import dataclasses
import json
import os
import pathlib
import random
import re
import shutil
import subprocess
import sys
import time

from rows import all_rows

HERE = pathlib.Path(__file__).resolve().parent
FATES = ("whole", "lost", "refused", "wrong")
MOST_STATES_OF_A_RECORDING = 6000


@dataclasses.dataclass
class Place:
    """Where a recording is made: its directory, its log, the words of its runs."""
    path: pathlib.Path

    def begin(self):
        shutil.rmtree(self.path, ignore_errors=True)
        (self.path / "files").mkdir(parents=True)
        (self.path / "log").touch()
        (self.path / "log.lock").write_bytes(bytes(4096))


class Failure(Exception):
    """A run that could not be recorded, or whose states could not be looked at."""


def environment(build, place):
    more = {"LD_PRELOAD": str(build / "lib/libcrash_recorder.so"), "CRASH_DIR": str(place.path / "files"),
            "CRASH_LOG": str(place.path / "log"), "OMPI_MCA_btl_vader_backing_directory": str(place.path)}
    return {**os.environ, **more}


def record(build, row, place, dice):
    """Returns the commands."""
    place.begin()
    commands = list(row.commands(dice))
    for ranks, arguments in commands:
        command = [str(HERE.parents[1] / "scripts/mpirun"), str(ranks), str(build / "tests" / row.program), *arguments]
        run = subprocess.run(command, cwd=place.path / "files", env=environment(build, place), capture_output=True,
                             text=True, timeout=120, check=False)
        if (run.returncode == 0) == ("end=killed" in arguments):
            raise Failure(f"{' '.join(command)}: status {run.returncode}\n{run.stdout}{run.stderr}")
    return commands


def check(build, place, count, seed):
    """Returns what crash_check tells: the violations, and its figures."""
    command = [str(build / "tests/crash_check"), "log", f"count={count}", f"seed={seed}", "final=files"]
    run = subprocess.run(command, cwd=place.path, capture_output=True, text=True, timeout=3600, check=False)
    lines = run.stdout.splitlines()
    if run.returncode not in (0, 1) or not lines:
        raise Failure(f"{' '.join(command)}: status {run.returncode}\n{run.stdout}{run.stderr}")
    return [line[len("VIOLATION "):] for line in lines if line.startswith("VIOLATION ")], json.loads(lines[-1])


class Campaign:
    """The totals of each row, and the recordings that it takes to reach a number of states."""

    def __init__(self, build, arguments):
        self.build, self.arguments = build, arguments
        self.totals = collections.OrderedDict()
        self.violations = 0
        self.work = pathlib.Path(os.environ.get("CRASH_WORK", "/dev/shm")) / f"sv_crash_campaign_{os.getpid()}"

    def one_recording(self, row, number, count):
        seed = f"{self.arguments.seed}/{row.name}/{number}"
        place = Place(self.work / f"{row.name.replace(', ', '_').replace(' ', '_')}_{number}")
        begin = time.monotonic()
        commands = record(self.build, row, place, random.Random(seed))
        stories, figures = check(self.build, place, count, random.Random(seed).getrandbits(32))
        states = figures["kill"][0] + figures["power"][0]
        words = "; ".join(f"{ranks} ranks, {' '.join(arguments)}" for ranks, arguments in commands)
        lines = [f"{row.name} [{number}] {words}: {states} states, {figures['violations']} violations, "
                 f"{time.monotonic() - begin:.1f} s"]
        for story in stories:
            state, text = story.split(" ", 1)
            lines.append(f"  VIOLATION {text}\n    alone: {self.how_to_repeat(row, number)} --state {state}")
        shutil.rmtree(place.path)
        return states, figures, "\n".join(lines)

    def how_to_repeat(self, row, number):
        return (f"python3 tests/crash/campaign.py {self.build.name} --seed {self.arguments.seed} --rows '{row.name}' "
                f"--recording {number}")

    def add(self, row, figures):
        total = self.totals.setdefault(row.name, {"recordings": 0, "violations": 0, "kill": [0] * 6, "power": [0] * 6})
        total["recordings"] += 1
        total["violations"] += figures["violations"]
        for crash in ("kill", "power"):
            total[crash] = [a + b for a, b in zip(total[crash], figures[crash])]

    def run(self, rows, jobs):
        """A recording of each row, and again until there are enough states. Quick stores give more of them."""
        states, number = 0, 0
        with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
            while states < self.arguments.count:
                most = min(MOST_STATES_OF_A_RECORDING, 2 * self.arguments.count // len(rows))
                recordings = pool.map(lambda row: self.one_recording(row, number, most // row.dear), rows)
                for row, new in zip(rows, recordings):
                    states += new[0]
                    self.add(row, new[1])
                    print(new[2], flush=True)
                number += 1
        shutil.rmtree(self.work, ignore_errors=True)

    def results(self):
        def figures(crash):
            return {"states": crash[0], "promised": crash[1], **dict(zip(FATES, crash[2:]))}
        return {name: {"recordings": total["recordings"], "violations": total["violations"],
                       "kill": figures(total["kill"]), "power": figures(total["power"])}
                for name, total in self.totals.items()}


def look_alone(campaign, row, arguments):
    """Records again, and shows one state: its files stay in `crash_state`."""
    seed = f"{arguments.seed}/{row.name}/{arguments.recording}"
    place = Place(campaign.work / "alone")
    record(campaign.build, row, place, random.Random(seed))
    target = pathlib.Path("crash_state")
    shutil.rmtree(target, ignore_errors=True)
    target.mkdir()
    run = subprocess.run([str(campaign.build / "tests/crash_check"), str(place.path / "log"), f"state={arguments.state}"],
                         cwd=target, check=False)
    print("the files of the state are in ./crash_state")
    shutil.rmtree(campaign.work)
    return run.returncode


def parse():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("--count", type=int, default=100000, help="distinct states over all rows")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--rows", default=".*", help="a regular expression for the names of rows")
    parser.add_argument("--results", type=pathlib.Path, help="where the figures are written, as JSON")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--recording", type=int, help="with --state: one recording of a row")
    parser.add_argument("--state", help="with --recording: one state of it")
    return parser.parse_args()


def main():
    arguments = parse()
    build = arguments.build.resolve()
    rows = [row for row in all_rows(build) if re.fullmatch(arguments.rows, row.name)]
    if not rows:
        sys.exit(f"no row is called '{arguments.rows}'")
    campaign = Campaign(build, arguments)
    if arguments.state:
        return look_alone(campaign, rows[0], arguments)
    begin = time.monotonic()
    try:
        campaign.run(rows, arguments.jobs)
    except Failure as failure:
        sys.exit(f"FAILED: {failure}")
    results = campaign.results()
    if arguments.results:
        arguments.results.write_text(json.dumps({"seed": arguments.seed, "rows": results}, indent=1) + "\n")
    states = sum(row[crash]["states"] for row in results.values() for crash in ("kill", "power"))
    promised = sum(row[crash]["promised"] for row in results.values() for crash in ("kill", "power"))
    violations = sum(row["violations"] for row in results.values())
    print(f"{states} states, of {promised} of them something is promised: {violations} violations; seed {arguments.seed}, "
          f"{time.monotonic() - begin:.0f} s")
    return 1 if violations else 0


sys.exit(main())
