"""How near the prediction is, cell by cell: pretended nodes, devices, sizes, and routes or codecs, each predicted with
the profile that sv-probe wrote on that device and those nodes, and then measured. `tune-check --predicted` and
`tune-check --predicted codecs` run it."""

import argparse
import json
import math
import os
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from sverdrup.cli import main as sverdrup
from sverdrup.programs import launch, program
from sverdrup.tune import TuneError, predict, space
from sverdrup.tune.journal import Run
from sverdrup.tune.task import Bench

RANKS = 8
REPEAT, LIMIT = 3, 20.0  # of a run, and its seconds
ONCE_LIMIT = 300.0  # of one that takes longer than that, and is made once more, with one repetition
NODES = (1, 2)  # that the ranks pretend to be on
DEVICES = ("500MB/s", "1GB/s,0.5ms")
NEAR = 0.2  # a prediction is near that differs by so much of the measured time


@dataclass
class Cells:
    """The varied parameters, and the workloads: the words of sv-bench for each size; and words of sv-probe."""

    space: space.Space
    sizes: dict[str, list[str]]
    probing: list[str]


def routes(_: argparse.Namespace) -> Cells:
    entries: dict = {
        "route": {"values": ["auto", "serial", "ranges", "row", "domains"], "layer": "plan"},
        "io_layout": {"values": ["none", "2,2"], "layer": "plan", "only": {"route": ["domains"]}},
    }
    never: list[dict] = [{"route": ["domains"], "io_layout": ["none"]}]
    sizes = {size: ["mom5", "--scale", size, "--steps", "4", "--set", "reading=self"] for size in ("800", "400")}
    return Cells(space.from_entries({"parameters": entries, "never": never}, "tune-check"), sizes, [])


def codecs(given: argparse.Namespace) -> Cells:
    """Fields of the ocean's temperature, in netCDF-4. They repeat a field of 20 x 180 x 360; wider chunks would hold
    the same values again and again, and take less time to compress than values do. The codecs are probed on these
    values: how fast they are, and how much they leave, depends on them."""
    ocean = Path(given.dir).absolute() / "ocean.nc"
    if not ocean.exists():
        words = ["--steps=24", "--every=24", f"--output={ocean}"]
        finished = launch(given.launcher, 4, [str(program("ocean", given.bin)), *words], 600)
        if not finished.ok:
            raise TuneError(f"the ocean, whose values are to be compressed, failed: {finished.reason}")
    values = f"{ocean}:temp"
    field = ["field", "--layout", "4x2", "--type", "float", "--values", values]
    sizes = {}
    for shape in ("25x540x720", "50x1080x1440"):
        for chunk in ("1,270,360", "5,180,360"):
            sizes[f"{shape} in {chunk}"] = [*field, "--shape", shape, "--set", "store=netcdf4", f"chunks={chunk}"]
    entries = {"compression": {"values": ["none", "deflate:1", "deflate:4"], "layer": "store"}}
    return Cells(space.from_entries({"parameters": entries}, "tune-check"), sizes, ["--sample", values])


LISTS = {"routes": routes, "codecs": codecs}


def is_near(row: dict) -> bool:
    """A run that failed, or was not predicted, is not near."""
    measured, predicted = row["measured"], row["predicted"]
    return measured is not None and abs(predicted - measured) <= NEAR * measured


def _on_nodes(nodes: int) -> None:
    """For the programs that are started from now on."""
    if nodes > 1:
        os.environ["SV_TESTING_RANKS_PER_NODE"] = str(RANKS // nodes)
    else:
        os.environ.pop("SV_TESTING_RANKS_PER_NODE", None)


def probe(given: argparse.Namespace, device: str, probing: list[str], profile: Path) -> None:
    """A profile that is there stays."""
    if profile.exists():
        return
    pairs = ("--bin", given.bin), ("--launcher", given.launcher)
    programs = [str(word) for pair in pairs if pair[1] for word in pair]
    words = ["probe", "--device", device, "--ranks", str(RANKS), "--dir", str(given.dir), "--budget", "30"]
    if sverdrup([*words, *probing, "--output", str(profile), *programs]) != 0:
        raise TuneError(f"{device}: sverdrup probe failed")


def run_of(task: Bench, one: space.Configuration) -> Run:
    """In several repetitions; or in one, where these would take too long."""
    run = task.measure(one)
    if run.seconds is None and run.took >= task.limit:
        run = replace(task, repeat=1, limit=ONCE_LIMIT).measure(one)
    return run


def measure(given: argparse.Namespace, nodes: int, device: str) -> list[dict]:
    """Probes a device from so many nodes, and runs its cells; kept as a line each."""
    _on_nodes(nodes)
    state = Path(given.state)
    state.mkdir(parents=True, exist_ok=True)
    name = f"{nodes}-{device.replace('/', '_')}"
    profile = state / f"profile-{given.predicted}-{name}.yaml"
    rows, cells, folder = [], LISTS[given.predicted](given), Path(given.dir).absolute()
    probe(given, device, cells.probing, profile)
    for size, words in cells.sizes.items():
        bench = program("sv-bench", given.bin)
        task = Bench(cells.space, words, RANKS, folder, bench, given.launcher, device, REPEAT, LIMIT, False)
        every = cells.space.configurations(np.random.default_rng(0))
        reported = predict.Predictor(task, program("sv-plan", given.bin), profile).seconds(every)
        for one, seconds in zip(every, reported):
            run = run_of(task, one)
            row = {"nodes": nodes, "device": device, "size": size, "key": cells.space.key(one)}
            row |= {"predicted": float(seconds), "measured": run.seconds, "repeated": len(run.samples)}
            rows.append(row | {"failed": run.failed})
    kept = state / f"predicted-{given.predicted}-{name}.jsonl"
    kept.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return rows


def table(rows: list[dict]) -> str:
    """A line for each cell, and how many are near."""
    lines = ["| nodes | device | size | configuration | predicted, s | measured, s | difference |", "| --- " * 7 + "|"]
    for row in rows:
        measured, predicted = row["measured"], row["predicted"]
        reported = ["failed" if measured is None else f"{measured:.3f}", "–"]
        if measured is not None and math.isfinite(predicted):
            reported[1] = f"{100 * (predicted / measured - 1):+.0f} %"
        cells = [row["nodes"], row["device"], row["size"], f"`{row['key']}`", f"{predicted:.3f}", *reported]
        lines.append("| " + " | ".join(map(str, cells)) + " |")
    near = sum(map(is_near, rows))
    return "\n".join([*lines, f"{near} of {len(rows)} cells within {100 * NEAR:.0f} %"])


def check(given: argparse.Namespace) -> str:
    rows = [row for nodes in given.nodes for device in DEVICES for row in measure(given, nodes, device)]
    return table(rows)
