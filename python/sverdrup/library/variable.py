"""A variable of a file: puts and gets, all collective but the requests (requests.py)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from math import prod
from typing import Any, TypeVar

import numpy as np

from sverdrup import _core
from sverdrup.library import data as forms
from sverdrup.library import strings
from sverdrup.library.arrays import Array, native_number, values_of
from sverdrup.library.data import Box, Data, Place
from sverdrup.library.decompositions import Decomp
from sverdrup.library.indexing import Selection, selection
from sverdrup.library.integers import LIMIT, NO_RECORD, record_number
from sverdrup.library.requests import Requests

_Made = TypeVar("_Made")
_NO_FIELD = (forms.NOTHING, NO_RECORD)
_NO_REGIONS = (forms.NOWHERE, forms.NOTHING)
_ALL = selection((), ())


class Variable(Requests):
    """Made by File.def_var, and found in File.variables. Records count from 0; None is for a variable without records.

    `data` is anything that arrays.py passes on; `out` an array to get into, instead of a new one of `dtype` (by default
    the variable's own type; float64 if it is packed).

    `v[...]` reads and `v[...] = data` writes a part, as put_vara and get_vara do: collective, each rank its own cells,
    with integers and slices. `for`, `len` and np.asarray follow from it."""

    __slots__ = ()

    # ---- writing

    def put(self, data: Any, decomp: Decomp, record: int | None = None) -> None:
        """A distributed field: this rank's block with its halo, which is not written; or its points. Without a copy for
        any strides."""
        if type(data) is np.ndarray and (record is None or type(record) is int):  # the call of a model in every step
            number = native_number(data.dtype)
            at = NO_RECORD if record is None else record
            good = record is None or 0 <= at < LIMIT
            if number is not None and good and data.shape == decomp.usual.get(self._slab):
                _core.put(self.file.handle, self.id, decomp.handle, at, number, data)
                return
        made, at = self._prepared(lambda: (forms.put_field(self, data, decomp), record_number(record)), _NO_FIELD)
        _core.put(self.file.handle, self.id, decomp.handle, at, made.number, made.array)

    def put_var(self, data: Any, record: int | None = None) -> None:
        """A replicated field: every rank passes the same whole variable, or the same whole record."""
        if self.has_strings:
            texts, at = self._prepared(
                lambda: (strings.strings_of(data, self._whole_shape()), record_number(record)), ([], NO_RECORD)
            )
            _core.put_var_string(self.file.handle, self.id, at, texts)
            return
        made, at = self._prepared(lambda: (forms.put_whole(self, data), record_number(record)), _NO_FIELD)
        _core.put_var(self.file.handle, self.id, at, made.number, made.array)

    def put_vara(self, start: Place | None, data: Any = None, stride: Place | None = None) -> None:
        """A part per rank, from `start` (with the record dimension) and as large as the array; with None, this rank
        puts nothing. `stride`: the file stride in each dimension."""
        if self.has_strings:
            self._put_strings(lambda: strings.put_part(self, start, data, stride))
            return
        box, made = self._prepared(lambda: forms.put_part(self, start, data, stride), self._nowhere())
        _core.put_vars(self.file.handle, self.id, box.start, box.count, box.stride, made.number, made.array)

    def put_varn(self, starts: Sequence[Place], counts: Sequence[Place], data: Any) -> None:
        """Regions, whose values follow one another in the array (which is copied unless it is contiguous)."""
        places, made = self._prepared(
            lambda: forms.put_regions(self, forms.regions(self, starts, counts), data), _NO_REGIONS
        )
        _core.put_varn(self.file.handle, self.id, places.starts, places.counts, made.number, made.array)

    def copy_to(self, other: Variable, record: int | None = None, to_record: int | None = None) -> None:
        """Copies a record, or a variable without records, into a variable of another open file of the same context."""
        target = record if to_record is None else to_record
        at, to = self._prepared(lambda: (record_number(record), record_number(target)), (NO_RECORD, NO_RECORD))
        _core.copy_var(self.file.handle, self.id, at, other.file.handle, other.id, to)

    # ---- reading

    def get(self, decomp: Decomp, record: int | None = None, *, dtype: Any = None, out: Any = None) -> Array:
        """A distributed field: an array of this rank's block with its halo, which stays as it is (of a new array:
        0)."""
        made, at = self._prepared(lambda: (forms.get_field(self, decomp, dtype, out), record_number(record)), _NO_FIELD)
        _core.get(self.file.handle, self.id, decomp.handle, at, made.number, made.array)
        return made.arrived()  # type: ignore[no-any-return]

    def get_var(self, record: int | None = None, *, dtype: Any = None, out: Any = None) -> Array:
        """The whole variable, or record of it, on every rank."""
        if self.has_strings:
            cells, at = self._prepared(lambda: (self._whole_shape(), record_number(record)), ((0,), NO_RECORD))
            return strings.array_of(_core.get_var_string(self.file.handle, self.id, at, prod(cells)), cells)
        made, at = self._prepared(lambda: (forms.get_whole(self, dtype, out), record_number(record)), _NO_FIELD)
        _core.get_var(self.file.handle, self.id, at, made.number, made.array)
        return made.arrived()  # type: ignore[no-any-return]

    def get_vara(
        self,
        start: Place | None,
        count: Place | None = None,
        stride: Place | None = None,
        *,
        dtype: Any = None,
        out: Any = None,
    ) -> Array:
        """This rank's part; with None, nothing."""
        if self.has_strings:
            box = self._prepared(
                lambda: strings.get_part(self, forms.part(self, start, count, stride)), self._nowhere()[0]
            )
            return self._get_strings(box)
        box, made = self._prepared(
            lambda: forms.get_part(self, forms.part(self, start, count, stride), dtype, out), self._nowhere()
        )
        _core.get_vars(self.file.handle, self.id, box.start, box.count, box.stride, made.number, made.array)
        return made.arrived()  # type: ignore[no-any-return]

    def get_varn(
        self, starts: Sequence[Place], counts: Sequence[Place], *, dtype: Any = None, out: Any = None
    ) -> Array:
        """Regions: their values follow one another."""
        places, made = self._prepared(
            lambda: forms.get_regions(self, forms.regions(self, starts, counts), dtype, out), _NO_REGIONS
        )
        _core.get_varn(self.file.handle, self.id, places.starts, places.counts, made.number, made.array)
        return made.arrived()  # type: ignore[no-any-return]

    # ---- strings

    def _whole_shape(self) -> tuple[int, ...]:
        return self.shape[1:] if self.has_records else self.shape

    def _put_strings(self, prepare: Callable[[], tuple[Box, list[Any]]]) -> None:
        box, texts = self._prepared(prepare, (self._nowhere()[0], []))
        _core.put_vara_string(self.file.handle, self.id, box.start, box.count, texts)

    def _get_strings(self, box: Box) -> Array:
        found = strings.array_of(
            _core.get_vara_string(self.file.handle, self.id, box.start, box.count), box.count
        )
        every = tuple(slice(None, None, step) for step in box.stride or ())
        return found[every] if every else found

    # ---- as NumPy has it

    def __getitem__(self, key: Any) -> Any:
        def prepare_strings() -> tuple[Selection, Box]:
            chosen = selection(key, self.shape)
            return chosen, strings.get_part(self, Box(chosen.start, chosen.count, chosen.stride))

        if self.has_strings:
            chosen, box = self._prepared(prepare_strings, (_ALL, self._nowhere()[0]))
            return chosen.of_file(self._get_strings(box))

        def prepare() -> tuple[Selection, Box, Data]:
            chosen = selection(key, self.shape)
            return chosen, *forms.get_part(self, Box(chosen.start, chosen.count, chosen.stride), None, None)

        chosen, box, made = self._prepared(prepare, (_ALL, *self._nowhere()))
        _core.get_vars(self.file.handle, self.id, box.start, box.count, box.stride, made.number, made.array)
        return chosen.of_file(made.arrived())

    def __setitem__(self, key: Any, data: Any) -> None:
        def prepare_strings() -> tuple[Box, list[Any]]:
            values = np.asarray(data, dtype=object)
            chosen = selection(key, self.shape, values.shape if self.has_records else None)
            return strings.put_part(self, chosen.start, chosen.for_file(values), chosen.stride)

        if self.has_strings:
            self._put_strings(prepare_strings)
            return

        def prepare() -> tuple[Box, Data]:
            values, number = values_of(data, self.missing)
            chosen = selection(key, self.shape, values.shape if self.has_records else None)
            return Box(chosen.start, chosen.count, chosen.stride), Data(chosen.for_file(values), number)

        box, made = self._prepared(prepare, self._nowhere())
        _core.put_vars(self.file.handle, self.id, box.start, box.count, box.stride, made.number, made.array)

    def __len__(self) -> int:
        if not self.ndim:
            raise TypeError(f"len() of the variable '{self.name}', which has no dimension")
        return self.shape[0]

    def __bool__(self) -> bool:
        return True  # also without records

    def __iter__(self) -> Iterator[Any]:
        return (self[n] for n in range(len(self)))

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Array:
        if copy is False:
            raise ValueError("the values of a variable are read from its file: np.asarray copies them")
        return np.asarray(self[...], dtype)

    # ----

    def _nowhere(self) -> tuple[Box, Data]:
        none = [0] * len(self.slab + (0,) * self.has_records)
        return Box(none, none), forms.NOTHING

    def _prepared(self, prepare: Callable[[], _Made], otherwise: _Made) -> _Made:
        """The result of `prepare`. If this rank cannot pass its arguments on, the library refuses the following
        collective call, on every rank."""
        return self.file.context.prepared(prepare, otherwise, f"file '{self.file.path}', variable '{self.name}': ")
