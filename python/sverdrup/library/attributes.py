"""Attributes of a file or a variable, as a mapping of names to values."""

from __future__ import annotations

from collections.abc import Iterator, MutableMapping
from typing import Any

import numpy as np

from sverdrup import _core
from sverdrup.library.arrays import Array, Refused, dtype_of, values_of
from sverdrup.library.bound import ProcessBound
from sverdrup.library.errors import ArgumentError, NotFoundError, TypesError
from sverdrup.library.names import is_possible, missing, text
from sverdrup.library.owners import FileBase

GLOBAL = -1
_CHARACTER = 2
_STRING = 12


def _shortest(values: Any) -> Any:
    """Integers and floats of Python, alone or in a list, in the type of netCDF that they are meant to have: int, or
    int64 where that is too small; double."""
    array = np.asarray(values)
    if isinstance(values, np.ndarray | np.generic) or array.dtype != np.int64:
        return array
    narrow = np.iinfo(np.int32)
    return array.astype(np.int32) if array.size and narrow.min <= array.min() and array.max() <= narrow.max else array


class Attributes(ProcessBound, MutableMapping[str, Any]):
    """Local; the same on every rank. Text and a single string are str, several strings a list of str, a single number
    is a scalar of NumPy, several are an array. A list of str is put as strings, which CDF files do not have. Changes
    are for define mode."""

    __slots__ = ("_file", "_var")

    def __init__(self, file: FileBase, var: int) -> None:
        self._file = file
        self._var = var

    @property
    def _place(self) -> str:
        if self._var < GLOBAL:
            group = _core.inq_grpname_full(self._file.handle, GLOBAL - self._var)
            return f"file '{self._file.path}', group '{group}'"
        of = "" if self._var == GLOBAL else f", variable '{_core.inq_var(self._file.handle, self._var)[0]}'"
        return f"file '{self._file.path}'{of}"

    def _find(self, name: Any) -> tuple[int, int] | None:
        """Type and count."""
        if not is_possible(name):
            return None
        try:
            return _core.inq_att(self._file.handle, self._var, name)  # type: ignore[no-any-return]
        except NotFoundError:
            return None

    def _found(self, name: Any) -> tuple[int, int]:
        found = self._find(name)
        if found is None:
            raise missing(self._place, "attribute", name, self)
        return found

    def __contains__(self, name: object) -> bool:
        return self._find(name) is not None

    def __getitem__(self, name: str) -> Any:
        number, count = self._found(name)
        if number == _CHARACTER:
            characters: Array = np.zeros(max(count, 1), "S1")
            _core.get_att(self._file.handle, self._var, name, number, characters)
            return characters.tobytes()[:count].decode("utf-8", "surrogateescape")
        if number == _STRING:
            strings = _core.get_att_string(self._file.handle, self._var, name, count)
            return strings[0] if count == 1 else strings
        values: Array = np.zeros(count, dtype_of(number))
        _core.get_att(self._file.handle, self._var, name, number, values)
        return values[0] if count == 1 else values

    def __setitem__(self, name: str, value: Any) -> None:
        text(name, f"{self._place}: the name of an attribute")
        if isinstance(value, str | bytes):
            _core.put_att_text(self._file.handle, self._var, name, value)
            return
        try:
            given = _shortest(value)
            if given.dtype.kind in "US" and (given.size == 1 or given.ndim == 0):
                self[name] = given.item()
                return
            if given.dtype.kind in "US":
                _core.put_att_string(self._file.handle, self._var, name, given.ravel().tolist())
                return
            values, number = values_of(given)
        except Refused as reason:
            raise TypesError(f"{self._place}: attribute '{name}': {reason.cause}. {reason.remedy}") from reason
        _core.put_att(self._file.handle, self._var, name, number, values.size, np.ascontiguousarray(values))

    def __delitem__(self, name: str) -> None:
        self._found(name)
        _core.del_att(self._file.handle, self._var, name)

    def __len__(self) -> int:
        if self._var <= GLOBAL:
            return int(_core.inq_grp_natts(self._file.handle, GLOBAL - self._var))
        return int(_core.inq_var(self._file.handle, self._var)[3])

    def __iter__(self) -> Iterator[str]:
        names = [_core.inq_attname(self._file.handle, self._var, i) for i in range(len(self))]
        return iter(names)

    def rename(self, name: str, to: str) -> None:
        self._found(name)
        _core.rename_att(self._file.handle, self._var, name, text(to, f"{self._place}: the name of an attribute"))

    def copy_from(self, other: Attributes, name: str) -> None:
        """Copies an attribute of another file or variable."""
        _core.copy_att(other._file.handle, other._var, name, self._file.handle, self._var)

    def __repr__(self) -> str:
        return f"<attributes of {self._file!r}>" if self._file.closed else repr(dict(self))


class Attributed(ProcessBound):
    """A file or a variable: `v.units` is `v.attributes["units"]`, read, set and deleted, where the class has no member
    of this name."""

    __slots__ = ()

    @property
    def attributes(self) -> Attributes:
        raise NotImplementedError

    def __getattr__(self, name: str) -> Any:
        """Called for names that the class lacks. Other libraries look for names with an underscore, at any time."""
        mine = f"a {type(self).__name__} has no member, and the file no attribute, '{name}'"
        if hasattr(type(self), name) or name.startswith("__"):
            raise AttributeError(mine, name=name, obj=self)
        try:
            return self.attributes[name]
        except KeyError:
            raise AttributeError(mine, name=name, obj=self) from None
        except ArgumentError as closed:
            if name.startswith("_"):
                raise AttributeError(mine, name=name, obj=self) from closed
            raise

    def __setattr__(self, name: str, value: Any) -> None:
        if hasattr(type(self), name):
            object.__setattr__(self, name, value)
        else:
            self.attributes[name] = value

    def __dir__(self) -> list[str]:
        of_file = [] if self._is_closed() else [name for name in self.attributes if name.isidentifier()]
        return [*object.__dir__(self), *of_file]

    def _is_closed(self) -> bool:
        raise NotImplementedError

    def __delattr__(self, name: str) -> None:
        if hasattr(type(self), name):
            object.__delattr__(self, name)
        else:
            del self.attributes[name]
