"""Lists of a file: several puts or gets in one call, put in the order of the file and written together. Collective;
ranks may have lists of different lengths."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from sverdrup import _core
from sverdrup.library import data as forms
from sverdrup.library.arrays import Array
from sverdrup.library.bound import ProcessBound
from sverdrup.library.data import Box, Data, Place
from sverdrup.library.integers import record_number

if TYPE_CHECKING:
    from sverdrup.library.context import Context
    from sverdrup.library.decompositions import Decomp
    from sverdrup.library.variable import Variable


class Lists(ProcessBound):
    """The part of File that has them."""

    context: Context

    @property
    def handle(self) -> int:
        raise NotImplementedError

    @property
    def path(self) -> str:
        raise NotImplementedError

    def mput(self, fields: Sequence[tuple[Variable, Any, Decomp, int | None]]) -> None:
        """Distributed fields: variable, data, decomposition, record."""
        made = _all(self, lambda: [(record_number(at), forms.put_field(var, data, on)) for var, data, on, at in fields])
        _core.mput(self.handle, *_whole_fields([(var, on) for var, _, on, _ in fields], made))

    def mget(self, fields: Sequence[tuple[Variable, Decomp, int | None]]) -> list[Array]:
        """Distributed fields: variable, decomposition, record."""
        made = _all(self, lambda: [(record_number(at), forms.get_field(var, on, None, None)) for var, on, at in fields])
        _core.mget(self.handle, *_whole_fields([(var, on) for var, on, _ in fields], made))
        return [data.result for _, data in made or []]

    def mput_vara(self, parts: Sequence[tuple[Variable, Place, Any]]) -> None:
        """Parts: variable, start, data."""
        made = _all(self, lambda: [forms.put_part(var, start, data) for var, start, data in parts])
        arguments = _arguments([part[0] for part in parts], made)
        _core.mput_vara(self.handle, *arguments)

    def mget_vara(self, parts: Sequence[tuple[Variable, Place, Place]]) -> list[Array]:
        """Parts: variable, start, count."""
        made = _all(
            self, lambda: [forms.get_part(var, forms.part(var, start, size), None, None) for var, start, size in parts]
        )
        arguments = _arguments([part[0] for part in parts], made)
        _core.mget_vara(self.handle, *arguments)
        return [data.result for _, data in made or []]


def _whole_fields(on: list[tuple[Variable, Decomp]], made: list[tuple[int, Data]] | None) -> tuple[list[Any], ...]:
    if made is None:
        on, made = [], []
    variables, decomps = [var.id for var, _ in on], [decomp.handle for _, decomp in on]
    return variables, decomps, [at for at, _ in made], [d.number for _, d in made], [d.array for _, d in made]


def _arguments(variables: list[Variable], made: list[tuple[Box, Data]] | None) -> tuple[list[Any], ...]:
    if made is None:
        variables, made = [], []
    starts, counts = [box.start for box, _ in made], [box.count for box, _ in made]
    return [var.id for var in variables], starts, counts, [d.number for _, d in made], [d.array for _, d in made]


def _all(file: Lists, prepare: Callable[[], list[Any]]) -> list[Any] | None:
    """What `prepare` makes; None if this rank cannot pass something on: the call that follows then fails on every
    rank."""
    return file.context.prepared(prepare, None, f"file '{file.path}': ")
