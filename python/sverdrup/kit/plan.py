"""The steps of the kit, and what each may take of the budget."""

import re
from dataclasses import dataclass
from pathlib import Path

from . import KitError

# Workloads of sv-bench, each with options beside its defaults, and the default of --scale; 0: it has none.
WORKLOADS = {
    "field": ("--shape 20x540x720", 0),
    "records": ("", 0),
    "coll_perf": ("", 0),
    "flash": ("", 0),
    "mom5": ("--steps 8", 400),
    "cmaq": ("", 16),
    "overlap": ("--clients {clients} --servers {servers}", 0),
    "cfio_loop": ("--servers {servers}", 64),
    "pop": ("--servers {servers}", 0),
    "cice": ("--servers {servers}", 0),
    "licom": ("--servers {servers}", 0),
    "points": ("", 0),
    "macom": ("", 1000),
}
_SHARES = {"environment": 0.0, "probe": 0.08, "findings": 0.2, "findings-own": 0.17, "tune": 0.25, "consistency": 0.0}
_WORKLOADS_SHARE = 0.3
_LEAST = 1.0  # minutes that any step may take


@dataclass(frozen=True)
class Asked:
    """What the user asked for. minutes: the budget; directory: on the file system that is measured."""

    launcher: str | None
    bin: str | None
    ranks: int
    directory: Path
    minutes: float
    output: Path


@dataclass(frozen=True)
class Step:
    """name: also of its folder. group: what --steps picks. minutes: what it should take."""

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
    each = max(_LEAST, minutes * _WORKLOADS_SHARE / len(WORKLOADS))

    def share(name: str) -> float:
        return max(_LEAST, minutes * _SHARES[name])

    return [
        Step(
            "environment", "environment", "what machine, MPI, file system and programs there are", share("environment")
        ),
        Step("probe", "probe", "rates and latencies of the machine (sverdrup probe)", share("probe")),
        *(Step(f"workload-{name}", "workloads", f"sv-bench {name}", each) for name in WORKLOADS),
        Step("findings", "findings", "the papers' findings on emulated storage (sverdrup findings)", share("findings")),
        Step("findings-own", "findings", "the same on the machine's own storage", share("findings-own")),
        Step("tune", "tune", "the best settings for an ocean model's files (sverdrup tune)", share("tune")),
        Step(
            "consistency",
            "consistency",
            "the papers' equations against their tables (sverdrup consistency)",
            share("consistency"),
        ),
    ]


def chosen(all_steps: list[Step], names: str | None) -> list[Step]:
    """Those whose name or group is in names, separated by commas; None: all. Raises KitError."""
    if names is None:
        return all_steps
    wanted = [name.strip() for name in names.split(",") if name.strip()]
    known = {word for step in all_steps for word in (step.name, step.group)}
    if unknown := [name for name in wanted if name not in known]:
        raise KitError(f"--steps: there is no '{unknown[0]}'; there are: {', '.join(sorted(known))}")
    return [step for step in all_steps if step.name in wanted or step.group in wanted]
