"""The groups of a netCDF-4 file or a Zarr group: mappings of names to their members. File.groups has them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from sverdrup import _core
from sverdrup.library.attributes import Attributes
from sverdrup.library.bound import ProcessBound
from sverdrup.library.errors import NotFoundError
from sverdrup.library.names import is_possible, missing
from sverdrup.library.variable import Variable


def own_name(name: str) -> str:
    """The name without those of its groups."""
    return name.rpartition("/")[2]


class Group(ProcessBound):
    """The members of one group, by names without those of its groups. Local; the same on every rank."""

    __slots__ = ("_file", "id")

    def __init__(self, file: Any, number: int) -> None:
        self._file = file
        self.id = number

    @property
    def name(self) -> str:
        """The name with those of its groups; "/" for the outermost group."""
        return str(_core.inq_grpname_full(self._file.handle, self.id))

    @property
    def attributes(self) -> Attributes:
        return Attributes(self._file, -1 - self.id)

    @property
    def variables(self) -> dict[str, Variable]:
        found = [self._file.variables.at(var) for var in _core.inq_grp_varids(self._file.handle, self.id)]
        return {own_name(variable.name): variable for variable in found}

    @property
    def dimensions(self) -> dict[str, int]:
        """Names and lengths of its own dimensions."""
        handle = self._file.handle
        found = [_core.inq_dim(handle, dim) for dim in _core.inq_grp_dimids(handle, self.id)]
        return {own_name(name): int(length) for name, length in found}

    @property
    def groups(self) -> Groups:
        return Groups(self._file, self.id)

    def __repr__(self) -> str:
        return f"<group '{self.name}' of {self._file!r}>"


class Groups(ProcessBound, Mapping[str, Group]):
    """The groups in a group by their own names. "ocean/deep" finds one in a group in it."""

    __slots__ = ("_file", "_parent")

    def __init__(self, file: Any, parent: int) -> None:
        self._file = file
        self._parent = parent

    def __getitem__(self, name: str) -> Group:
        if is_possible(name):
            try:
                return Group(self._file, _core.inq_grpid(self._file.handle, self._parent, name.strip("/")))
            except NotFoundError:
                pass
        raise missing(f"file '{self._file.path}'", "group", name, self)

    def __contains__(self, name: object) -> bool:
        try:
            self[name]  # type: ignore[index]
        except KeyError:
            return False
        return True

    def __len__(self) -> int:
        return len(_core.inq_grps(self._file.handle, self._parent))

    def __iter__(self) -> Iterator[str]:
        numbers = _core.inq_grps(self._file.handle, self._parent)
        return iter([own_name(_core.inq_grpname_full(self._file.handle, each)) for each in numbers])
