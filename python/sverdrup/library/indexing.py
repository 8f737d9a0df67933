"""Translates NumPy's indices of a variable (integers, slices, an ellipsis) to the start, count and stride of a part of
its file. Other indices (lists, masks, new axes) are errors, because libraries give them different meanings. Called by
Variable and by xarray's engine."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import prod
from typing import Any

import numpy as np

from sverdrup.library.arrays import Array, Refused
from sverdrup.library.integers import whole


@dataclass(frozen=True)
class Selection:
    """A part of a variable: start, count and file stride in each dimension; the dimensions that are reversed, and those
    that an integer selects, which the result lacks."""

    start: list[int]
    count: list[int]
    stride: list[int] | None
    turned: tuple[int, ...]
    dropped: tuple[int, ...]

    @property
    def shape(self) -> tuple[int, ...]:
        return tuple(count for d, count in enumerate(self.count) if d not in self.dropped)

    def of_file(self, values: Any) -> Any:
        """The selected values, of those of the part: a view."""
        return np.squeeze(np.flip(values, self.turned), self.dropped)[()]

    def for_file(self, values: Array) -> Array:
        """The assigned values of the part: a view. Raises ValueError where the shapes do not fit."""
        return np.flip(np.broadcast_to(values, self.shape).reshape(self.count), self.turned)


def selection(key: Any, shape: Sequence[int], added: Sequence[int] | None = None) -> Selection:
    """`added`: the shape of the values that are assigned to a variable with records. The record dimension may then be
    selected beyond its end, and a slice of it without an end selects as many records as there are values. Raises
    Refused, or IndexError for an integer out of range."""
    keys = _expanded(key if isinstance(key, tuple) else (key,), len(shape))
    kept = sum(isinstance(each, slice) for each in keys)
    start, count, stride = [], [], []
    turned, dropped = [], []
    for d, (each, length) in enumerate(zip(keys, shape, strict=True)):
        grows = d == 0 and added is not None
        if isinstance(each, slice):
            cells = _cells(each, length, added[0] if grows and len(added) == kept else 0 if grows else None)
            if grows and not cells and prod(added):
                raise Refused(1, "the slice selects no record, for values", "Say which record they are: v[0] = ...")
        else:
            dropped.append(d)
            cells = _cell(whole(each, "an index"), length, grows)
        if cells.step < 0:
            turned.append(d)
        start.append(min(cells[0], cells[-1]) if cells else 0)
        count.append(len(cells))
        stride.append(abs(cells.step))
    return Selection(start, count, None if set(stride) <= {1} else stride, tuple(turned), tuple(dropped))


def _expanded(keys: tuple[Any, ...], ndims: int) -> list[Any]:
    """A key for each dimension."""
    for key in keys:
        if not (key is Ellipsis or isinstance(key, slice) or (hasattr(key, "__index__") and not _is_mask(key))):
            cause = f"the index {key!r} is a {type(key).__name__}, where integers, slices and '...' are expected"
            raise Refused(6, cause, "Read the box around the cells, and select in it with NumPy")
    dots = [at for at, key in enumerate(keys) if key is Ellipsis]
    given = len(keys) - len(dots)
    if len(dots) > 1 or given > ndims:
        raise Refused(1, f"{given} indices and {len(dots)} '...' for {ndims} dimensions", "Pass one for each dimension")
    at = dots[0] if dots else len(keys)
    return [*keys[:at], *[slice(None)] * (ndims - given), *keys[at + 1 :]]


def _is_mask(key: Any) -> bool:
    return isinstance(key, bool | np.bool_) or getattr(key, "ndim", 0) > 0


def _cell(index: int, length: int, may_grow: bool) -> range:
    if index < -length or (index >= length and not may_grow):
        raise IndexError(f"index {index} is out of range for {length} cells")
    first = index + length if index < 0 else index
    return range(first, first + 1)


def _cells(key: slice, length: int, values: int | None) -> range:
    """`values`: how many there are for a dimension that grows."""
    if values is None or (key.step is not None and key.step < 0):
        return range(*key.indices(length))
    first, _, step = key.indices(max(length, key.start or 0))
    end = first + (values - 1) * step + 1 if key.stop is None else key.stop
    return range(*key.indices(max(length, end)))
