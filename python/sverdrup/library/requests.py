"""Requests of a variable that wait for File.wait: local calls. The file keeps their arrays until then."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeVar

from sverdrup import _core
from sverdrup.library import data as forms
from sverdrup.library.arrays import Array, Refused
from sverdrup.library.data import Data, Place
from sverdrup.library.decompositions import Decomp
from sverdrup.library.description import Described
from sverdrup.library.errors import error_of
from sverdrup.library.integers import record_number

_Made = TypeVar("_Made")


class Requests(Described):
    """The part of Variable that waits. The calls with i need the array until File.wait or the end of the file; those
    with b copy it. Every call returns the number of the request; those of iget also the array that will be filled."""

    __slots__ = ()

    def iput(self, data: Any, decomp: Decomp, record: int | None = None) -> int:
        return self._field(_core.iput, data, decomp, record, keep=True)

    def bput(self, data: Any, decomp: Decomp, record: int | None = None) -> int:
        return self._field(_core.bput, data, decomp, record, keep=False)

    def iput_var(self, data: Any, record: int | None = None) -> int:
        return self._whole(_core.iput_var, data, record, keep=True)

    def bput_var(self, data: Any, record: int | None = None) -> int:
        return self._whole(_core.bput_var, data, record, keep=False)

    def iput_vara(self, start: Place, data: Any, stride: Place | None = None) -> int:
        return self._part(_core.iput_vars, start, data, stride, keep=True)

    def bput_vara(self, start: Place, data: Any, stride: Place | None = None) -> int:
        return self._part(_core.bput_vars, start, data, stride, keep=False)

    def iput_varn(self, starts: Sequence[Place], counts: Sequence[Place], data: Any) -> int:
        return self._regions(_core.iput_varn, starts, counts, data, keep=True)

    def bput_varn(self, starts: Sequence[Place], counts: Sequence[Place], data: Any) -> int:
        return self._regions(_core.bput_varn, starts, counts, data, keep=False)

    def iget(
        self, decomp: Decomp, record: int | None = None, *, dtype: Any = None, out: Any = None
    ) -> tuple[int, Array]:
        at = self._record(record)
        made = self._here(lambda: forms.get_field(self, decomp, dtype, forms.filled_later(out)))
        request = _core.iget(self.file.handle, self.id, decomp.handle, at, made.number, made.array)
        return self._keep(request, made), made.result

    def iget_var(self, record: int | None = None, *, dtype: Any = None, out: Any = None) -> tuple[int, Array]:
        at = self._record(record)
        made = self._here(lambda: forms.get_whole(self, dtype, forms.filled_later(out)))
        request = _core.iget_var(self.file.handle, self.id, at, made.number, made.array)
        return self._keep(request, made), made.result

    def iget_vara(
        self, start: Place, count: Place, stride: Place | None = None, *, dtype: Any = None, out: Any = None
    ) -> tuple[int, Array]:
        box, made = self._here(
            lambda: forms.get_part(self, forms.part(self, start, count, stride), dtype, forms.filled_later(out))
        )
        request = _core.iget_vars(self.file.handle, self.id, box.start, box.count, box.stride, made.number, made.array)
        return self._keep(request, made), made.result

    def iget_varn(
        self, starts: Sequence[Place], counts: Sequence[Place], *, dtype: Any = None, out: Any = None
    ) -> tuple[int, Array]:
        places, made = self._here(
            lambda: forms.get_regions(self, forms.regions(self, starts, counts), dtype, forms.filled_later(out))
        )
        request = _core.iget_varn(self.file.handle, self.id, places.starts, places.counts, made.number, made.array)
        return self._keep(request, made), made.result

    # ----

    def _field(self, call: Any, data: Any, decomp: Decomp, record: int | None, *, keep: bool) -> int:
        at = self._record(record)
        made = self._here(lambda: forms.put_field(self, data, decomp))
        request = call(self.file.handle, self.id, decomp.handle, at, made.number, made.array)
        return self._keep(request, made) if keep else request

    def _whole(self, call: Any, data: Any, record: int | None, *, keep: bool) -> int:
        at = self._record(record)
        made = self._here(lambda: forms.put_whole(self, data))
        request = call(self.file.handle, self.id, at, made.number, made.array)
        return self._keep(request, made) if keep else request

    def _part(self, call: Any, start: Place, data: Any, stride: Place | None, *, keep: bool) -> int:
        box, made = self._here(lambda: forms.put_part(self, start, data, stride))
        request = call(self.file.handle, self.id, box.start, box.count, box.stride, made.number, made.array)
        return self._keep(request, made) if keep else request

    def _regions(self, call: Any, starts: Sequence[Place], counts: Sequence[Place], data: Any, *, keep: bool) -> int:
        places, made = self._here(lambda: forms.put_regions(self, forms.regions(self, starts, counts), data))
        request = call(self.file.handle, self.id, places.starts, places.counts, made.number, made.array)
        return self._keep(request, made) if keep else request

    def _keep(self, request: int, made: Data) -> int:
        self.file.keep(request, made.array)
        return int(request)

    def _record(self, record: int | None) -> int:
        return self._here(lambda: record_number(record))

    def _here(self, prepare: Callable[[], _Made]) -> _Made:
        """The result of `prepare`; an unsuitable argument is an error of this rank alone."""
        try:
            return prepare()
        except Refused as reason:
            place = f"file '{self.file.path}', variable '{self.name}', rank {self.file.context.rank}"
            raise error_of(reason.status, f"{place}: {reason.cause}. {reason.remedy}", False) from reason
