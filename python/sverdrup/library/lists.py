"""Lists of a file: several puts or gets in one call, put in the order of the file and written together. Collective;
ranks may have lists of different lengths."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from sverdrup import _core
from sverdrup.library import data as forms
from sverdrup.library.arrays import Array
from sverdrup.library.data import Box, Data, Place
from sverdrup.library.decompositions import Decomp
from sverdrup.library.integers import record_number
from sverdrup.library.owners import FileBase
from sverdrup.library.variable import Variable

Entry = tuple[tuple[Any, Any, Any], Data]  # variable, decomposition, record; or variable, start, count


class Lists(FileBase):
    """The part of File that has them."""

    __slots__ = ()

    def mput(self, fields: Iterable[tuple[Variable, Any, Decomp, int | None]]) -> None:
        """Distributed fields: variable, data, decomposition, record."""
        made = _all(self, lambda: [_field(var, on, at, forms.put_field(var, data, on)) for var, data, on, at in fields])
        _core.mput(self.handle, *_columns(made))

    def mget(self, fields: Iterable[tuple[Variable, Decomp, int | None]]) -> list[Array]:
        """Distributed fields: variable, decomposition, record."""
        made = _all(
            self, lambda: [_field(var, on, at, forms.get_field(var, on, None, None)) for var, on, at in fields]
        )
        _core.mget(self.handle, *_columns(made))
        return [data.result for _, data in made]

    def mput_vara(self, parts: Iterable[tuple[Variable, Place, Any]]) -> None:
        """Parts: variable, start, data."""
        made = _all(self, lambda: [_part(var, forms.put_part(var, start, data)) for var, start, data in parts])
        _core.mput_vara(self.handle, *_columns(made))

    def mget_vara(self, parts: Iterable[tuple[Variable, Place, Place]]) -> list[Array]:
        """Parts: variable, start, count."""
        made = _all(
            self,
            lambda: [
                _part(var, forms.get_part(var, forms.part(var, start, size), None, None)) for var, start, size in parts
            ],
        )
        _core.mget_vara(self.handle, *_columns(made))
        return [data.result for _, data in made]


def _field(var: Variable, on: Decomp, at: int | None, data: Data) -> Entry:
    return (var.id, on.handle, record_number(at)), data


def _part(var: Variable, made: tuple[Box, Data]) -> Entry:
    box, data = made
    return (var.id, box.start, box.count), data


def _columns(made: list[Entry]) -> tuple[list[Any], ...]:
    """The arguments of the library: a list of each."""
    firsts, seconds, thirds = ([place[column] for place, _ in made] for column in range(3))
    return firsts, seconds, thirds, [data.number for _, data in made], [data.array for _, data in made]


def _all(file: Lists, prepare: Callable[[], list[Entry]]) -> list[Entry]:
    """The result of `prepare`; nothing if this rank cannot pass an argument on: the following call then fails on every
    rank."""
    return file.context.prepared(prepare, [], f"file '{file.path}': ")
