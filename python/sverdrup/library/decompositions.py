"""Decompositions: which rank owns which cells. Context.decomp and Context.points make them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from sverdrup import _core
from sverdrup.library.arrays import Array, Refused
from sverdrup.library.bound import ProcessBound, ended
from sverdrup.library.integers import cells, here, whole, wholes
from sverdrup.library.owners import ContextBase

Halo = int | Sequence[int | tuple[int, int]]


def block(length: int, parts: int, part: int) -> tuple[int, int]:
    """Divides `length` cells into `parts` parts: start (from 0) and count of `part` (from 0)."""
    return _core.block(here(length, "the length"), here(parts, "the number of parts"), here(part, "the part"))


def widths(halo: Halo | None, ndims: int) -> list[int]:
    """The low and the high width of each dimension: of one number for all, or one number or a pair for each. Raises
    Refused."""
    if halo is None:
        return [0] * (2 * ndims)
    remedy = "Pass one width, or for each dimension one or a pair"
    if isinstance(halo, np.ndarray):
        halo = halo.tolist()
    if not hasattr(halo, "__len__"):
        return [whole(halo, "the halo")] * (2 * ndims)
    if len(halo) != ndims:
        raise Refused(1, f"halo: {len(halo)} widths for {ndims} dimensions", remedy)
    made = []
    for each in halo:
        pair = wholes(each, "the halo") if hasattr(each, "__len__") else [whole(each, "the halo")] * 2
        if len(pair) != 2:
            raise Refused(1, f"halo: {len(pair)} widths for one dimension", remedy)
        made += pair
    return made


class Decomp(ProcessBound):
    """The cells of this rank. `shape` is the grid's; `extent` is the shape that the grid's dimensions have in this
    rank's arrays, halo included: for points, one dimension. Freed by `free` (local) or with the context."""

    __slots__ = ("_handle", "empty", "extent", "shape", "usual")

    def __init__(self, handle: int, shape: tuple[int, ...], extent: tuple[int, ...], empty: bool) -> None:
        self._handle = handle
        self.shape = shape
        self.extent = extent
        self.empty = empty
        # The shape of this rank's array for a slab of a variable in which the grid stands in one place only.
        self.usual: dict[tuple[int, ...] | None, tuple[int, ...]] = {}

    @property
    def handle(self) -> int:
        """Its number in sverdrup._core."""
        return self._handle or ended(f"the decomposition of {self.shape} was freed", "Make another one")

    def free(self) -> None:
        if self._handle:
            handle, self._handle = self._handle, 0
            _core.free_decomp(handle)

    def arrays(self, slab: tuple[int, ...], first: int | None) -> list[tuple[tuple[int, ...], int]]:
        """The shapes that this rank's array may have for a variable whose dimensions, without the record dimension, are
        `slab`, each with the place of the grid in it: of several only where the grid fits into the slab in several
        places."""
        n = len(self.shape)
        places = range(len(slab) - n + 1) if first is None else [first]
        return [(slab[:p] + self.extent + slab[p + n :], p) for p in places if slab[p : p + n] == self.shape]


class Blocks(Decomp):
    """A block of cells with its halo: `interior` are the slices of the array that this rank owns."""

    __slots__ = ("count", "interior", "start")

    def __init__(self, handle: int, shape: tuple[int, ...], owned: list[tuple[int, int]], halo: list[int]) -> None:
        """`owned`: start and count in each dimension."""
        start, count = (tuple(each) for each in zip(*owned, strict=True))
        low, high = halo[0::2], halo[1::2]
        extent = tuple(cells + before + after for cells, before, after in zip(count, low, high, strict=True))
        super().__init__(handle, shape, extent, 0 in count)
        self.start = start
        self.count = count
        self.interior = tuple(slice(before, before + cells) for before, cells in zip(low, count, strict=True))


@dataclass(frozen=True)
class Cost:
    """The cost of a decomposition into points: see sv_inq_points."""

    cells: int
    owned: int
    runs: int
    seconds: float
    bytes: int


class Points(Decomp):
    """Points of an unstructured grid: this rank owns `n` cells, in the order of its indices."""

    __slots__ = ("context", "n")

    def __init__(self, context: ContextBase, handle: int, shape: tuple[int, ...], n: int) -> None:
        super().__init__(handle, shape, (n,), n == 0)
        self.context = context
        self.n = n

    def ordered(self, positions: Any) -> Points:
        """Collective. The same points, in the caller's order: the place in the file, from 0, of each point of this
        rank."""
        places = self.context.prepared(
            lambda: self._fitting(cells(positions, "the places")), np.zeros(self.n, "int64")
        )
        return Points(self.context, _core.order_points(self.handle, places), self.shape, self.n)

    def ordered_along_curve(self, longitude: Any, latitude: Any) -> Points:
        """Collective. The same points along a Hilbert curve around the sphere; degrees."""
        lon, lat = (
            self.context.prepared(
                lambda given=given: self._fitting(np.ascontiguousarray(given, "float64")), np.zeros(self.n)
            )
            for given in (longitude, latitude)
        )
        return Points(self.context, _core.order_points_along_curve(self.handle, lon, lat), self.shape, self.n)

    def _fitting(self, values: Array) -> Array:
        if values.shape != (self.n,):
            cause = f"an array of the shape {values.shape} for {self.n} points"
            raise Refused(1, cause, "Pass one value for each point")
        return values

    def cost(self) -> Cost:
        return Cost(*_core.inq_points(self.handle))
