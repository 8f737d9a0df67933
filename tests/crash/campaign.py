"""Records runs and judges the crash states of each: campaign.py BUILD [--count N] [--seed S] [--rows WORDS] ...

A line for each recording; then what became of the states of each row, into FILE as JSON. Exit status 1: a promise was
broken; the log of the recording is kept, and the line of the violation says how to look at that state alone."""
import argparse
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

from rows import all_rows, documented_peer_rows, documented_rows, peer_rows, program_rows, sample_of

HERE = pathlib.Path(__file__).resolve().parent
FATES = ("whole", "partial", "lost", "refused", "wrong")
MOST_STATES_OF_A_RECORDING = 3000


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


def environment(build, row, place):
    more = {"LD_PRELOAD": str(build / "lib/libcrash_recorder.so"), "CRASH_DIR": str(place.path / "files"),
            "CRASH_LOG": str(place.path / "log"), "OMPI_MCA_btl_vader_backing_directory": str(place.path)}
    if row.mpi_io:
        more["OMPI_MCA_io"] = row.mpi_io
    if row.by_sv_run:
        more["SV_DURABILITY"] = row.durability
        if row.threads:
            more["SV_ASYNC"] = "threads"
    return {**os.environ, **more}


def record(build, row, place, dice):
    """Returns the commands."""
    place.begin()
    commands = list(row.commands(dice))
    for ranks, arguments in commands:
        head = [str(build / "bin/sv-run"), "-q"] if row.by_sv_run else []
        command = [*head, str(HERE.parents[1] / "scripts/mpirun"), str(ranks), str(build / "tests" / row.program), *arguments]
        run = subprocess.run(command, cwd=place.path / "files", env=environment(build, row, place), capture_output=True,
                             text=True, timeout=600, check=False)
        if (run.returncode == 0) == ("end=killed" in arguments):
            raise Failure(f"{' '.join(command)}: status {run.returncode}\n{run.stdout}{run.stderr}")
    return commands


def check(build, place, count, seed):
    """Returns the report of crash_check: the violations, and its figures."""
    command = [str(build / "tests/crash_check"), "log", f"count={count}", f"seed={seed}", "final=files"]
    # A directory of its own for MPI: those of other ranks without a launcher have the same name, and remove it.
    run = subprocess.run(command, cwd=place.path, env={**os.environ, "OMPI_MCA_orte_tmpdir_base": str(place.path)},
                         capture_output=True, text=True, timeout=3600, check=False)
    lines = run.stdout.splitlines()
    if run.returncode not in (0, 1) or not lines:
        raise Failure(f"{' '.join(command)}: status {run.returncode}\n{run.stdout}{run.stderr}")
    return [line[len("VIOLATION "):] for line in lines if line.startswith("VIOLATION ")], json.loads(lines[-1])


class Campaign:
    """The totals of each row, and the recordings that it takes to reach a number of states."""

    def __init__(self, build, arguments):
        self.build, self.arguments = build, arguments
        self.totals = {}
        self.end = time.monotonic() + 60 * arguments.minutes
        self.work = pathlib.Path(os.environ.get("CRASH_WORK", "/dev/shm")) / f"sv_crash_campaign_{os.getpid()}"

    def one_recording(self, row, number, count):
        if time.monotonic() > self.end:
            return None
        seed = f"{self.arguments.seed}/{row.name}/{number}"
        place = Place(self.work / f"{row.name.replace(', ', '_').replace(' ', '_')}_{number}")
        begin = time.monotonic()
        commands = record(self.build, row, place, random.Random(seed))
        stories, figures = check(self.build, place, count, random.Random(seed).getrandbits(32))
        states = figures["kill"][0] + figures["power"][0]
        words = "; ".join(f"{ranks} ranks, {' '.join(arguments)}" for ranks, arguments in commands)
        lines = [f"{row.name} [{number}] {words}: {states} states, {figures['violations']} violations, "
                 f"{time.monotonic() - begin:.1f} s"]
        if stories:  # another recording has another order of its ranks
            kept = pathlib.Path("crash_failures") / (place.path.name + ".log")
            kept.parent.mkdir(exist_ok=True)
            shutil.copy(place.path / "log", kept)
        for story in stories:
            state, text = story.split(" ", 1)
            lines += [f"  VIOLATION {text}", f"    alone: {self.build}/tests/crash_check {kept.resolve()} state={state}"]
        shutil.rmtree(place.path)
        return states, figures, "\n".join(lines)

    def add(self, row, figures):
        nothing = [0] * (2 + len(FATES))
        total = self.totals.setdefault(row.name, {"recordings": 0, "violations": 0, "kill": nothing, "power": nothing})
        total["recordings"] += 1
        total["violations"] += figures["violations"]
        for crash in ("kill", "power"):
            total[crash] = [a + b for a, b in zip(total[crash], figures[crash])]

    def run(self, rows, jobs):
        """A recording of each row, and again until there are enough states. Quick stores give more of them."""
        states, number = 0, 0
        with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
            while states < self.arguments.count and time.monotonic() < self.end:
                most = min(MOST_STATES_OF_A_RECORDING, 2 * self.arguments.count // len(rows))
                recordings = pool.map(lambda row: self.one_recording(row, number, most // row.dear), rows)
                for row, new in zip(rows, recordings):
                    if new is None:
                        continue
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


def keep(arguments, results):
    """In the file of results; its other rows stay."""
    file = arguments.results
    kept = json.loads(file.read_text(encoding="utf-8")) if file.exists() else {}
    if not arguments.peers:
        kept["seed"] = arguments.seed
    part = kept.setdefault("peers" if arguments.peers else "rows", {})
    part.update(results)
    known = documented_peer_rows() if arguments.peers else documented_rows()
    kept["peers" if arguments.peers else "rows"] = {row.name: part[row.name] for row in known if row.name in part}
    file.write_text(json.dumps(kept, indent=1) + "\n", encoding="utf-8")


def stale(results, documented):
    """Rows of which something is promised, and which the documents call whole in every state, but were not."""
    for name, row in results.items():
        for crash in ("kill", "power"):
            was, found = documented.get(name, row)[crash], row[crash]
            if was["promised"] and was["whole"] == was["states"] and found["whole"] < found["states"]:
                yield f"{name}: tests/crash/crash.json says that every state after a {crash} is whole, but here are {found}"


def parse():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("--count", type=int, default=100000, help="distinct states over all rows")
    parser.add_argument("--minutes", type=float, default=1e6, help="no more recordings after that")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--peers", action="store_true", help="other libraries, of which nothing is promised here")
    parser.add_argument("--programs", action="store_true", help="netCDF-4 programs by sv-run; without --results")
    parser.add_argument("--sample", action="store_true", help="one durability of each kind, and fewer rows of the stores over libraries")
    parser.add_argument("--rows", default=".*", help="a regular expression for the names of rows")
    parser.add_argument("--results", type=pathlib.Path, help="where the figures are written, as JSON")
    parser.add_argument("--against", type=pathlib.Path, help="results that these must not contradict")
    parser.add_argument("--jobs", type=int, default=2)
    return parser.parse_args()


def main():
    arguments = parse()
    build = arguments.build.resolve()
    known = program_rows() if arguments.programs else peer_rows(build) if arguments.peers else all_rows(build)
    rows = [row for row in known
            if re.fullmatch(arguments.rows, row.name)]
    if arguments.sample:
        rows = sample_of(rows)
    if not rows:
        sys.exit(f"no row is called '{arguments.rows}'")
    campaign = Campaign(build, arguments)
    begin = time.monotonic()
    try:
        campaign.run(rows, arguments.jobs)
    except Failure as failure:
        sys.exit(f"FAILED: {failure}")
    results = campaign.results()
    if arguments.results and not arguments.programs:
        keep(arguments, results)
    states = sum(row[crash]["states"] for row in results.values() for crash in ("kill", "power"))
    promised = sum(row[crash]["promised"] for row in results.values() for crash in ("kill", "power"))
    violations = sum(row["violations"] for row in results.values())
    print(f"{states} states, of {promised} of them something is promised: {violations} violations; "
          f"seed {arguments.seed}, {time.monotonic() - begin:.0f} s")
    contradictions = []
    if arguments.against:
        contradictions = list(stale(results, json.loads(arguments.against.read_text(encoding="utf-8"))["rows"]))
        print("\n".join(contradictions))
    return 1 if violations or contradictions else 0


sys.exit(main())
