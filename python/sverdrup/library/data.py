"""The arguments that a put or a get passes to the library, for each form of the calls: a field, a whole, a part,
regions. Made on this rank alone; unsuitable ones are Refused."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import prod
from typing import Any

import numpy as np

from sverdrup.library.arrays import (
    Array,
    Refused,
    device_room_of,
    dtype_of,
    expect,
    landing_of,
    number_of,
    room_of,
    values_of,
)
from sverdrup.library.decompositions import Decomp, Points
from sverdrup.library.description import Described
from sverdrup.library.devices import Landing, on_device
from sverdrup.library.integers import lists, wholes

Place = Sequence[int]


@dataclass(frozen=True)
class Data:
    """`array` is None on a rank that brings or takes nothing; `result` is what a get returns, or the way there."""

    array: Array | None
    number: int
    result: Any = None

    def arrived(self) -> Any:
        """The result of a get, after the call."""
        return self.result.land() if isinstance(self.result, Landing) else self.result


NOTHING = Data(None, 6)


@dataclass(frozen=True)
class Box:
    """The start and the count of a part, in the variable's dimensions, and its file stride; None is 1 everywhere."""

    start: list[int]
    count: list[int]
    stride: list[int] | None = None


@dataclass(frozen=True)
class Regions:
    """The starts and the counts of several parts."""

    starts: list[list[int]]
    counts: list[list[int]]


NOWHERE = Regions([], [])


def _room(out: Any, dtype: Any, variable: Described, shape: Sequence[int]) -> tuple[Array, int, Any]:
    """The array of a get: the caller's, or a new one (of zeros, which the halo keeps); its type; its landing."""
    if on_device(out):
        room = device_room_of(out)
        if room is not None:
            return *room, out
        way = landing_of(out)
        return *room_of(way.host), way
    if out is not None:
        array, number = room_of(out)
        return array, number, array
    number = variable.default_type if dtype is None else number_of(dtype)
    made: Array = np.zeros(tuple(shape), dtype_of(number))
    return made, number, made


def filled_later(out: Any) -> Any:
    """The array of a get that waits. Only the library could copy it to a device later."""
    if on_device(out) and device_room_of(out) is None:
        raise Refused(6, "an array on a device cannot be filled later", "Use get, or get into memory of the host")
    return out


def _shapes(variable: Described, decomp: Decomp) -> list[tuple[tuple[int, ...], int]]:
    return decomp.arrays(variable.slab, variable.first_axis)


def _fitting(array: Array, variable: Described, decomp: Decomp) -> Array:
    """The array, of whose points this is a view without the halo that may stand behind them."""
    found = _shapes(variable, decomp)
    if not found:
        raise Refused(
            5,
            f"the variable's shape {variable.slab} does not contain the grid's, {decomp.shape}",
            "Pass the decomposition of its dimensions",
        )
    reasons = []
    for shape, place in found:
        try:
            if not isinstance(decomp, Points):
                expect(array, [shape])
                return array
            expect(array, [shape], place)
            return array[(slice(None),) * place + (slice(decomp.n),)]
        except Refused as reason:
            reasons.append(reason)
    raise reasons[0]


def put_field(variable: Described, data: Any, decomp: Decomp) -> Data:
    if decomp.empty:
        return NOTHING
    array, number = values_of(data, variable.missing, views_only=True)
    fitting = _fitting(array, variable, decomp)
    if len(decomp.arrays(variable.slab, None)) == 1:
        decomp.usual[variable.slab] = fitting.shape
    return Data(fitting, number)


def get_field(variable: Described, decomp: Decomp, dtype: Any, out: Any) -> Data:
    found = _shapes(variable, decomp)
    array, number, result = _room(out, dtype, variable, found[0][0] if found else ())
    if decomp.empty:
        return Data(None, number, result)
    return Data(_fitting(array, variable, decomp), number, result)


def put_whole(variable: Described, data: Any) -> Data:
    array, number = values_of(data, variable.missing, views_only=True)
    expect(array, [variable.slab])
    return Data(array, number)


def get_whole(variable: Described, dtype: Any, out: Any) -> Data:
    array, number, result = _room(out, dtype, variable, variable.slab)
    expect(array, [variable.slab])
    return Data(array, number, result)


def _empty_box(variable: Described) -> Box:
    none = [0] * len(variable.dimensions)
    return Box(none, none)


def _same_length(variable: Described, **given: Sequence[int] | None) -> None:
    n = len(variable.dimensions)
    for name, numbers in given.items():
        if numbers is None:
            continue
        if len(numbers) != n:
            raise Refused(
                1, f"'{name}' has {len(numbers)} numbers for {n} dimensions", "The record dimension counts, too"
            )


def _file_stride(stride: Place | None) -> list[int] | None:
    return None if stride is None else wholes(stride, "'stride'")


def put_part(
    variable: Described, start: Place | None, data: Any, stride: Place | None = None
) -> tuple[Box, Data]:
    if start is None:
        return _empty_box(variable), NOTHING
    start, step = wholes(start, "'start'"), _file_stride(stride)
    _same_length(variable, start=start, stride=step)
    array, number = values_of(data, variable.missing, views_only=True)
    if array.ndim > len(start):
        raise Refused(
            1,
            f"the array has {array.ndim} dimensions for {len(start)} of the variable",
            "Pass one with at most as many",
        )
    array = array[(None,) * (len(start) - array.ndim) + (...,)]  # a view
    return Box(start, list(array.shape), step), Data(array, number)


def part(variable: Described, start: Place | None, count: Place | None, stride: Place | None = None) -> Box | None:
    """The part that a get reads; None for none."""
    if start is None or count is None:
        return None
    box = Box(wholes(start, "'start'"), wholes(count, "'count'"), _file_stride(stride))
    _same_length(variable, start=box.start, count=box.count, stride=box.stride)
    return box


def get_part(variable: Described, box: Box | None, dtype: Any, out: Any) -> tuple[Box, Data]:
    if box is None:
        return _empty_box(variable), NOTHING
    array, number, result = _room(out, dtype, variable, box.count)
    if 0 in box.count:
        return box, Data(None, number, result)
    expect(array, [tuple(box.count)])
    return box, Data(array, number, result)


def regions(variable: Described, starts: Sequence[Place], counts: Sequence[Place]) -> Regions:
    made = Regions(lists(starts, "'starts'"), lists(counts, "'counts'"))
    if len(made.starts) != len(made.counts):
        raise Refused(1, f"{len(made.starts)} starts and {len(made.counts)} counts", "Pass as many of both")
    for start, count in zip(made.starts, made.counts, strict=True):
        _same_length(variable, starts=start, counts=count)
    return made


def put_regions(variable: Described, places: Regions, data: Any) -> tuple[Regions, Data]:
    array, number = values_of(data, variable.missing)
    array = np.ascontiguousarray(array).reshape(-1)
    expect(array, [(sum(map(prod, places.counts)),)])
    return places, Data(array, number)


def get_regions(variable: Described, places: Regions, dtype: Any, out: Any) -> tuple[Regions, Data]:
    shape = (sum(map(prod, places.counts)),)
    array, number, result = _room(out, dtype, variable, shape)
    expect(array, [shape])
    if not array.flags.c_contiguous:
        raise Refused(1, "the array is not contiguous", "Pass one that is")
    return places, Data(array, number, result)
