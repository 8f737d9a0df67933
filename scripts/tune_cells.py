"""How near the prediction is, cell by cell: pretended nodes, devices, sizes and routes, each predicted with the profile
that sv-probe wrote on that device and those nodes, and then measured. `scripts/tune-check --predicted` runs it."""

import argparse
import json
import math
import os
from pathlib import Path

import numpy as np
from sverdrup.cli import main as sverdrup
from sverdrup.programs import program
from sverdrup.tune import TuneError, predict, space
from sverdrup.tune.task import Bench

RANKS, REPEAT, LIMIT = 8, 3, 20.0
NODES = (1, 2)  # that the ranks pretend to be on
DEVICES = ("500MB/s", "1GB/s,0.5ms")
SCALES = ("800", "400")  # of mom5: the size of its fields
NEAR = 0.2  # a prediction is near that differs by so much of the measured time


def routes() -> space.Space:
    entries: dict = {
        "route": {"values": ["auto", "serial", "ranges", "row", "domains"], "layer": "plan"},
        "io_layout": {"values": ["none", "2,2"], "layer": "plan", "only": {"route": ["domains"]}},
    }
    never: list[dict] = [{"route": ["domains"], "io_layout": ["none"]}]
    return space.from_entries({"parameters": entries, "never": never}, "tune-check")


def is_near(row: dict) -> bool:
    """A run that failed, or was not predicted, is not near."""
    measured, predicted = row["measured"], row["predicted"]
    return measured is not None and abs(predicted - measured) <= NEAR * measured


def _on_nodes(nodes: int) -> None:
    """For the programs that are started from now on."""
    if nodes > 1:
        os.environ["SV_RANKS_PER_NODE"] = str(RANKS // nodes)
    else:
        os.environ.pop("SV_RANKS_PER_NODE", None)


def measure(given: argparse.Namespace, nodes: int, device: str) -> list[dict]:
    """Probes a device from so many nodes, and runs its cells; kept as a line each. A profile that is there stays."""
    _on_nodes(nodes)
    state = Path(given.state)
    state.mkdir(parents=True, exist_ok=True)
    name = f"{nodes}-{device.replace('/', '_')}"
    profile = state / f"profile-nodes-{name}.yaml"
    pairs = ("--bin", given.bin), ("--launcher", given.launcher)
    programs = [str(word) for pair in pairs if pair[1] for word in pair]
    if not profile.exists():
        words = ["probe", "--device", device, "--ranks", str(RANKS), "--dir", str(given.dir), "--budget", "30"]
        if sverdrup([*words, "--output", str(profile), *programs]) != 0:
            raise TuneError(f"{device}: sverdrup probe failed")
    rows, listed, folder = [], routes(), Path(given.dir).absolute()
    for scale in SCALES:
        words = ["mom5", "--scale", scale, "--steps", "4", "--set", "reading=self"]
        bench = program("sv-bench", given.bin)
        task = Bench(listed, words, RANKS, folder, bench, given.launcher, device, REPEAT, LIMIT, False)
        every = listed.configurations(np.random.default_rng(0))
        told = predict.Predictor(task, program("sv-plan", given.bin), profile).seconds(every)
        for one, seconds in zip(every, told):
            run = task.measure(one)
            row = {"nodes": nodes, "device": device, "scale": scale, "key": listed.key(one)}
            rows.append(row | {"predicted": float(seconds), "measured": run.seconds, "failed": run.failed})
    kept = state / f"predicted-{name}.jsonl"
    kept.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return rows


def table(rows: list[dict]) -> str:
    """A line for each cell, and how many are near."""
    lines = ["| nodes | device | scale | configuration | predicted, s | measured, s | difference |", "| --- " * 7 + "|"]
    for row in rows:
        measured, predicted = row["measured"], row["predicted"]
        told = [f"over {LIMIT:.0f}" if measured is None else f"{measured:.3f}", "–"]
        if measured is not None and math.isfinite(predicted):
            told[1] = f"{100 * (predicted / measured - 1):+.0f} %"
        cells = [row["nodes"], row["device"], row["scale"], f"`{row['key']}`", f"{predicted:.3f}", *told]
        lines.append("| " + " | ".join(map(str, cells)) + " |")
    near = sum(map(is_near, rows))
    return "\n".join([*lines, f"{near} of {len(rows)} cells within {100 * NEAR:.0f} %"])


def check(given: argparse.Namespace) -> str:
    rows = [row for nodes in given.nodes for device in DEVICES for row in measure(given, nodes, device)]
    return table(rows)
