"""Carries out one `sverdrup tune`, from its arguments to the files that it leaves."""

import argparse
import json
import re
import shlex
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np

from ..programs import ProgramError, program
from . import TuneError, configuration, space
from .budget import Budget
from .journal import Journal, Run
from .layers import ALLOWED, Circumstances, layers, square
from .outcome import Verdict, contenders, decide, document
from .predict import Predictor, quality_text
from .procedure import Found, Tuning
from .race import Race, race
from .space import Configuration, Space
from .task import Bench, Command, bench_program, has_servers, larger, options_of, pinned_by, words_of
from .tuning_page import tuning_page


def _targets(device: str | None) -> int:
    match = re.search(r"targets=(\d+)", device or "")
    return int(match[1]) if match else 0


def _allowed(text: str) -> frozenset[str]:
    words = frozenset(word for word in re.split(r"[,\s]+", text) if word)
    wrong = sorted(words - set(ALLOWED))
    if wrong:
        raise TuneError(f"--allow {wrong[0]}: give some of {', '.join(ALLOWED)}")
    return words


def _compressed(workload: str | None) -> frozenset[str]:
    """Where the workload's own words ask for compression, how it is done is tried without being allowed."""
    settled = pinned_by(words_of(workload)) if workload else {}
    compresses = settled.get("compression", "none") != "none"
    return frozenset({"deflate"}) if compresses else frozenset()


def _space(given: argparse.Namespace, servers: int) -> Space:
    if given.space:
        return replace(space.read(Path(given.space)), nodes=given.nodes)
    if given.nodes > given.ranks:
        raise TuneError(f"--nodes {given.nodes} is more than there are ranks ({given.ranks})")
    layout = given.layout or square(given.ranks)
    if layout[0] * layout[1] != given.ranks:
        raise TuneError(f"--layout {layout[0]}x{layout[1]} does not have {given.ranks} ranks")
    workload = given.workload.split()[0] if given.workload else ""
    about = Circumstances(
        given.ranks,
        layout,
        given.nodes,
        servers,
        _targets(given.device),
        reads=workload == "mom5",
        computes=not workload or has_servers(workload),
        allowed=_allowed(given.allow) | _compressed(given.workload),
    )
    return layers(about)


def _confirm_words(given: argparse.Namespace) -> list[str]:
    try:
        return words_of(given.confirm)
    except TuneError as error:
        raise TuneError(str(error).replace("--workload", "--confirm", 1)) from error


def _check(given: argparse.Namespace) -> None:
    if bool(given.workload) == bool(given.command):
        raise TuneError("give either --workload or your own command after --")
    of_workloads = {"--device": given.device, "--profile": given.profile}
    wrong = [name for name, value in of_workloads.items() if value and not given.workload]
    if wrong:
        raise TuneError(
            f"{wrong[0]} is for workloads of sv-bench (--workload); your own command uses the storage as it is"
        )
    if given.metric and (given.workload or not given.metric.partition(":")[2]):
        raise TuneError(
            "--metric needs a command after --, and names a file and a path in it: run.json:results.0.seconds"
        )
    if given.confirm and not given.workload:
        raise TuneError("--confirm needs a workload; confirm a command with --confirm-ranks")
    if given.confirm:
        _confirm_words(given)  # a mistake is reported now, not after hours
    if given.confirm_rounds < 2:
        raise TuneError("--confirm-rounds 1: the noise cannot be estimated from one round. Give 2 or more")
    for folder in (given.dir, given.state):
        Path(folder).mkdir(parents=True, exist_ok=True)


def _task(given: argparse.Namespace) -> Bench | Command:
    if given.command:
        made = _space(given, given.servers)
        folder = Path(given.state).absolute()
        return Command(made, given.command, given.ranks, folder, given.launcher, given.metric, given.run_limit)
    if given.confirm:
        options_of(bench_program(given.bin), _confirm_words(given)[0])
    words = words_of(given.workload)
    bench = bench_program(given.bin)
    options = options_of(bench, words[0])
    serves, layout = "--servers" in options, given.layout if "--layout" in options else None
    if given.servers and not serves:
        raise TuneError(
            f"--servers: the workload {words[0]} has no servers. Take cfio_loop or overlap, or leave --servers out"
        )
    made, folder = _space(given, given.servers), Path(given.dir).absolute()
    return Bench(
        made,
        words,
        given.ranks,
        folder,
        bench,
        given.launcher,
        given.device,
        given.repeat,
        given.run_limit,
        serves,
        layout,
    )


class Session:
    """The runs of a tuning, each counted, printed and kept."""

    def __init__(self, task: Bench | Command, journal: Journal, quiet: bool):
        self.task, self.journal, self.quiet = task, journal, quiet

    def measure(self, stage: str, one: Configuration, among: str) -> Run:
        run = self._run(stage, one, self.task, among)
        if stage == "start" and run.seconds is not None:  # slower than that is not worth waiting for
            self.task.limit = min(self.task.limit, 10 * run.took + 10)
        return run

    def confirm(self, task: Bench | Command, one: Configuration, among: str) -> Run:
        """At the larger scale, outside the budget."""
        return self._run("confirm", one, task, among)

    def _run(self, stage: str, one: Configuration, task: Bench | Command, among: str) -> Run:
        run = self.journal.run(stage, one, task.measure, among)
        if not self.quiet:
            outcome = f"{run.seconds:10.4f} s" if run.seconds is not None else f"failed: {run.failed}"
            print(f"{len(self.journal.runs):4} {stage:8} {outcome}  {task.space.key(one)}", file=sys.stderr, flush=True)
        return run


def _predictor(given: argparse.Namespace, task: Bench | Command):
    """Predictions of the workload, if there is a profile; workloads that cannot be predicted are reported, and continue
    without."""
    if not given.profile or not isinstance(task, Bench):
        return None
    if not Path(given.profile).is_file():
        raise TuneError(f"--profile {given.profile}: there is no such file. `sverdrup probe` makes one")

    made: list[Predictor] = []

    def predict(configurations: list[Configuration]) -> np.ndarray:
        try:
            if not made:
                made.append(Predictor(task, program("sv-plan", given.bin), Path(given.profile)))
            return made[0].seconds(configurations)
        except (TuneError, ProgramError) as error:
            print(f"sverdrup tune: continuing without a prediction: {error}", file=sys.stderr)
            return np.full(len(configurations), np.nan)

    return predict


def _confirm(given: argparse.Namespace, session: Session, found: Found) -> Race | None:
    entrants = contenders(found)
    if not entrants or found.interrupted:
        return None
    task = larger(session.task, _confirm_words(given) if given.confirm else None, given.confirm_ranks)
    task.limit = given.run_limit
    entrants = [found.space.default, *entrants]
    among = f"{shlex.join(task.words)} on {task.ranks} ranks: {' | '.join(map(found.space.key, entrants))}"
    random = np.random.default_rng(given.seed + 1)
    try:
        return race(entrants, given.confirm_rounds, lambda one: session.confirm(task, one, among), random)
    except KeyboardInterrupt as error:
        found.ended = "interrupted while the winner was confirmed"
        return getattr(error, "race", None)


def _identity(given: argparse.Namespace) -> dict:
    """The identity of a tuning, to which a journal belongs. The budget is not part of it: a larger one continues. Nor
    are the options that confirm, which the runs of the confirmation contain."""
    names = ("workload", "command", "ranks", "launcher", "device", "servers", "layout", "nodes", "allow", "metric")
    kept = {name: getattr(given, name) for name in (*names, "repeat", "seed")}
    kept["dir"] = str(Path(given.dir).absolute())
    kept["space"] = Path(given.space).read_text(encoding="utf-8") if given.space else None
    profile = given.profile and Path(given.profile).is_file()
    return {**kept, "profile": Path(given.profile).read_text(encoding="utf-8") if profile else None}


def _write(given: argparse.Namespace, found: Found, verdict: Verdict, confirmation: Race | None) -> None:
    folder = Path(given.state)
    about = f"{given.workload or ' '.join(given.command)} on {given.ranks} ranks"
    about += f", device {given.device}" if given.device else ""
    everything = document(found, verdict, confirmation, {"about": about, "budget": given.budget, "ranks": given.ranks})
    (folder / "sverdrup.yaml").write_text(configuration.text(found, verdict, about), encoding="utf-8")
    (folder / "tune.json").write_text(json.dumps(everything, indent=1, allow_nan=False) + "\n", encoding="utf-8")
    (folder / "tune.html").write_text(tuning_page(everything), encoding="utf-8")
    print(verdict.sentence)
    if everything["prediction"]:
        print(f"The prediction: {quality_text(everything['prediction'])}.")
    if found.ended:
        more = "The same command" if found.interrupted else "A larger --budget"
        print(f"Ended early: {found.ended}. {more} continues from here.")
    names = ("sverdrup.yaml", "tune.html", "tune.json", "runs.jsonl")
    print(f"written: {', '.join(str(folder / name) for name in names)}")


def tune(given: argparse.Namespace) -> int:
    """Exit status 0; 130 where it was interrupted. Raises TuneError."""
    if given.print_space:
        print(_space(given, given.servers).text(), end="")
        return 0
    _check(given)
    budget = Budget.of(given.budget)
    task = _task(given)
    session = Session(task, Journal(Path(given.state) / "runs.jsonl", _identity(given)), given.quiet)
    tuning = Tuning(task.space, session.measure, _predictor(given, task), given.seed)
    found = tuning.carry_out(budget)
    if not found.succeeded():
        raise TuneError(f"{found.ended or 'ended'} before the default configuration ran")
    asked = bool(given.confirm or given.confirm_ranks)
    confirmation = _confirm(given, session, found) if asked else None
    _write(given, found, decide(found, confirmation, asked), confirmation)
    return 130 if found.interrupted else 0
