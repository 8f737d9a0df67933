"""Classifies the call paths of a process: whether a call is the outermost, is made inside an I/O call, or only starts
the library and is no I/O. table.py uses it."""

from dataclasses import dataclass

import numpy as np

from sverdrup.analysis.words import IO_LAYERS, LAYER_ORDER
from sverdrup.trace import Process

# Calls that do not count as I/O of the program, just as MPI_Init does not; a server spends its whole life in one. The
# calls inside them count as if the program had made them.
STARTING = frozenset(("sv_init", "sv_serve", "sv_init_fortran", "sv_init_f"))


@dataclass
class Paths:
    """Arrays by path of one process. `function`: its number; `caller`: that of the function that called it, -1: the
    program, or unknown. `outermost`: of the outermost call. All functions are numbers of `names`."""

    function: np.ndarray
    caller: np.ndarray
    outermost: np.ndarray
    root: np.ndarray  # called by the program
    outer: np.ndarray  # not within a call of the same function
    top: np.ndarray  # not within a call of the same layer
    in_io: np.ndarray  # within a call of an I/O layer
    hidden: np.ndarray  # one of STARTING
    layer: np.ndarray  # index of LAYER_ORDER


def of_process(process: Process, names: dict[tuple[str, str], int]) -> Paths:
    """`names`: numbers of (layer, function), which grows."""
    count = len(process.path_function)
    function = np.array([names.setdefault(process.functions[i], len(names)) for i in process.path_function], np.int64)
    layers = [process.functions[i][0] for i in process.path_function]
    hidden = np.array([process.functions[i][1] in STARTING for i in process.path_function])
    caller, outermost = np.full(count, -1), function.copy()
    root, outer, top, in_io = (np.zeros(count, bool) for _ in range(4))
    above: list[frozenset] = [frozenset()] * count
    layers_above: list[frozenset] = [frozenset()] * count
    parents = process.path_caller.copy()
    for path in range(1, count):
        parent = int(parents[path])
        if parent and hidden[parent]:
            parent = parents[path] = parents[parent]
        if parent:
            above[path] = above[parent] | {int(function[parent])}
            layers_above[path] = layers_above[parent] | {layers[parent]}
            caller[path], outermost[path] = function[parent], outermost[parent]
        root[path] = not parent and not process.path_lost[path]
        outer[path] = int(function[path]) not in above[path]
        top[path] = layers[path] not in layers_above[path]
        in_io[path] = not layers_above[path].isdisjoint(IO_LAYERS)
    layer = np.array([LAYER_ORDER.index(name) for name in layers], np.int64)
    return Paths(function, caller, outermost, root, outer, top, in_io, hidden, layer)
