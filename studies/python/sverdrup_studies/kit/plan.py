"""Lists the steps of the kit, and divides the budget of time among them."""

import math
import re
from dataclasses import dataclass, replace
from pathlib import Path

from . import KitError

SMALL_RANKS = 8


@dataclass(frozen=True)
class Workload:
    """Of sv-bench. options: of all its runs, in which {clients}, {servers} and {header} are replaced; scale: of the
    small run, on SMALL_RANKS ranks or fewer; 0: it has none, and there is only the small run."""

    options: str
    scale: float = 0

    @property
    def weight(self) -> int:
        """Its part of the workloads' time: a large run takes most of it."""
        return 3 if self.scale else 1


def scaled(scale: float, ranks: int) -> float:
    """The divisor of --scale, for as much work of each rank with more than SMALL_RANKS; at least 1: the original."""
    return max(1.0, scale * SMALL_RANKS / max(SMALL_RANKS, ranks))


# Small enough for a laptop: with 8 ranks on two cores seconds each, all methods together.
WORKLOADS = {
    "field": Workload("--shape 20x540x720"),
    "patterns": Workload("--shape 20x540x720"),
    "records": Workload(""),
    "coll_perf": Workload(""),
    "flash": Workload(""),
    "mom5": Workload("--steps 8 --servers {servers}", 1600),
    "cmaq": Workload("--steps 1 --servers {servers}", 64),
    "overlap": Workload("--clients {clients} --servers {servers} --steps 4 --compute 100ms --bytes 25MB"),
    "cfio_throughput": Workload("--servers {servers}", 6400),
    "cfio_loop": Workload("--loops 10 --servers {servers}", 1600),
    "pop": Workload("--days 1 --servers {servers}", 16000),
    "cice": Workload("--days 10 --servers {servers}", 8000),
    "licom": Workload("--servers {servers}", 40000),
    "points": Workload(""),
    # A seventh of the paper's outputs, and of its computing: that of seven times as many processes.
    "macom": Workload("--outputs 12 --steps 120 --processes 7168 --varn-limit 0 --servers {servers}", 8000),
    "replay": Workload("{header} --servers {servers}"),
    "segments": Workload("--segments 20000"),
    "small": Workload(""),
    "start": Workload(""),
    "subsets": Workload(""),
}
# For tuning: mom5 with 8 steps; the winner is confirmed with so many times the cells.
TUNED_SCALE, CONFIRMED_TIMES = 400, 4
# Of the budget; the workloads divide theirs by their weights.
_SHARES = {"probe": 0.08, "findings": 0.15, "findings-own": 0.07, "tune": 0.25}
_WORKLOADS_SHARE = 0.45
_LEAST = 0.5  # minutes that any step may take


@dataclass(frozen=True)
class Asked:
    """The user's request. minutes: the budget; directory: on the file system that is measured; nodes:
    that the ranks are on."""

    launcher: str | None
    bin: str | None
    ranks: int
    directory: Path
    minutes: float
    output: Path
    nodes: int = 1

    @property
    def servers(self) -> int:
        """Of the ranks, those that serve where there are servers."""
        return max(1, self.ranks // 8)


@dataclass(frozen=True)
class Step:
    """name: also of its folder. group: its name in --steps. minutes: its expected time."""

    name: str
    group: str
    about: str
    minutes: float


def minutes_of(text: str) -> float:
    """Of '90min', '2h', '45s' or a number of minutes. Raises KitError."""
    match = re.fullmatch(r"(\d+(?:\.\d+)?)\s*(s|min|m|h|)", text.strip())
    if not match or not float(match[1]) > 0:
        raise KitError(f"--budget: give a time such as 90min or 2h, not '{text}'")
    return float(match[1]) * {"s": 1 / 60, "h": 60.0}.get(match[2], 1.0)


def steps(minutes: float) -> list[Step]:
    """All of them, in order."""
    weights = sum(workload.weight for workload in WORKLOADS.values())
    shares = _SHARES | {
        f"workload-{name}": _WORKLOADS_SHARE * one.weight / weights for name, one in WORKLOADS.items()
    }

    def step(name: str, about: str, group: str = "") -> Step:
        return Step(name, group or name, about, max(_LEAST, minutes * shares.get(name, 0.0)))

    return [
        step("environment", "finds the machine, MPI, file system and programs"),
        step("probe", "measures rates and latencies (sverdrup probe)"),
        *(step(f"workload-{name}", f"runs sv-bench {name}", "workloads") for name in WORKLOADS),
        step("findings", "measures the papers' findings on emulated storage (studies/study findings)"),
        step("findings-own", "measures them on the machine's own storage", "findings"),
        step("tune", "finds the best settings for an ocean model's files (sverdrup tune)"),
        step("consistency", "compares the papers' equations with their tables (studies/study consistency)"),
    ]


def fitted(wanted: list[Step], minutes: float) -> list[Step]:
    """These steps, with the time that each may take so that together they fit: no step gets less than the
    least, and the others give up the same part of theirs. Raises KitError where there are too many."""
    least = _LEAST * len(wanted)
    if minutes < least:
        raise KitError(
            f"--budget: {minutes:g} min is too little for {len(wanted)} steps, each of which needs at least "
            f"{60 * _LEAST:.0f} s. Give --budget {math.ceil(least)}min or more, or fewer steps with --steps"
        )
    above = sum(step.minutes for step in wanted) - least
    kept = min(1.0, (minutes - least) / above) if above > 0 else 1.0
    return [replace(step, minutes=_LEAST + kept * (step.minutes - _LEAST)) for step in wanted]


def chosen(all_steps: list[Step], names: str | None) -> list[Step]:
    """Those whose name or group is in names, separated by commas; None: all. Raises KitError."""
    if names is None:
        return all_steps
    wanted = [name.strip() for name in names.split(",") if name.strip()]
    known = {word for step in all_steps for word in (step.name, step.group)}
    if unknown := [name for name in wanted if name not in known]:
        raise KitError(f"--steps: there is no '{unknown[0]}'; there are: {', '.join(sorted(known))}")
    return [step for step in all_steps if step.name in wanted or step.group in wanted]
