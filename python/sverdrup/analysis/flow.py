"""Computes the parts `flow` and `balance` of the report: which function called which, and how the time of each function
is divided among the ranks."""

import numpy as np

from sverdrup.analysis.traced_run import TracedRun
from sverdrup.analysis.words import IO_LAYERS, LAYER_ORDER

SHARE_BELOW = 0.005  # of the longest time in I/O: shorter flows are left out


def flow(traced: TracedRun) -> dict:
    table = traced.table
    shown = (table.io | (table.is_layer("mpi") & table.in_io)) & ~table.hidden
    if not traced.seen_by_tracer.any():
        shown = table.is_layer("step")
    nodes = _nodes(traced, shown)
    if not nodes:
        return {"nodes": [], "edges": [], "left_out": {"nodes": 0, "seconds": 0.0, "share_below": SHARE_BELOW}}
    least = SHARE_BELOW * max(float(traced.io_seconds.max(initial=0)), 1e-9)
    trivial = [node for node in nodes if node["max_seconds"] < least]
    kept = [node for node in nodes if node["max_seconds"] >= least]
    left_out = {
        "nodes": len(trivial),
        "seconds": max((node["max_seconds"] for node in trivial), default=0.0),
        "share_below": SHARE_BELOW,
    }
    return {"nodes": kept, "edges": _edges(traced, shown, {node["id"] for node in kept}, least), "left_out": left_out}


def _nodes(traced: TracedRun, shown: np.ndarray) -> list[dict]:
    table, nodes = traced.table, []
    for function in np.unique(table.function[shown & (table.rank >= 0)]):
        mask = shown & (table.function == function)
        seconds, calls = table.seconds_by_rank(mask & table.outer), table.by_rank(mask, "calls")
        layer, name = table.functions[function]
        taking = calls > 0
        nodes.append({
            "id": int(function), "layer": layer, "name": name,
            "max_seconds": float(seconds.max()), "max_rank": int(traced.ranks[seconds.argmax()]),
            "mean_seconds": float(seconds[taking].mean()) if taking.any() else 0.0,
            "calls": int(calls.sum()), "ranks": int(taking.sum()),
        })  # fmt: skip
    return sorted(nodes, key=lambda node: (LAYER_ORDER.index(node["layer"]), -node["max_seconds"]))


def _edges(traced: TracedRun, shown: np.ndarray, kept: set[int], least: float) -> list[dict]:
    table, edges = traced.table, []
    rows = shown & (table.rank >= 0) & table.outer & np.isin(table.function, list(kept))
    pairs = np.unique(np.column_stack([table.caller[rows], table.function[rows]]), axis=0)
    for caller, function in pairs.tolist():
        if caller >= 0 and caller not in kept:
            continue
        mask = rows & (table.caller == caller) & (table.function == function)
        if caller < 0:
            mask &= table.root
        seconds, calls = table.seconds_by_rank(mask), table.by_rank(mask, "calls")
        if seconds.max(initial=0) < least:
            continue
        edges.append({
            "from": None if caller < 0 else caller, "to": function, "max_seconds": float(seconds.max()),
            "ranks": int((calls > 0).sum()), "calls": int(calls.sum()),
        })  # fmt: skip
    return sorted(edges, key=lambda edge: -edge["max_seconds"])


def balance(traced: TracedRun) -> list[dict]:
    """Time over ranks of each function, the longest first, at most 12 of a layer."""
    table, rows = traced.table, []
    shown = (
        (table.is_layer(*IO_LAYERS, "step") | (table.is_layer("mpi") & table.in_io)) & ~table.hidden & (table.rank >= 0)
    )
    for function in np.unique(table.function[shown]):
        mask = shown & (table.function == function)
        seconds, calls = table.seconds_by_rank(mask & table.outer), table.by_rank(mask, "calls").astype(int)
        taking = np.flatnonzero(calls)
        if not len(taking):
            continue
        most, mean = float(seconds.max()), float(seconds[taking].mean())
        layer, name = table.functions[function]
        rows.append({
            "layer": layer, "function": name, "ranks": traced.ranks[taking].tolist(),
            "seconds": seconds[taking].tolist(),
            "calls": calls[taking].tolist(),
            "bytes": table.by_rank(mask & table.outer, "bytes")[taking].astype(int).tolist(),
            "max": most, "max_rank": int(traced.ranks[seconds.argmax()]), "mean": mean,
            "imbalance": most / mean if mean > 0 else 1.0,
        })  # fmt: skip
    rows.sort(key=lambda row: (-row["max"], row["function"]))
    by_layer = {layer: [row for row in rows if row["layer"] == layer][:12] for layer in LAYER_ORDER}
    return [row for row in rows if row in by_layer[row["layer"]]]
