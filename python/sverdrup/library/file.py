"""A file: its definitions, its variables, its requests. Context.create and Context.open make it."""

from __future__ import annotations

import contextlib
import logging
import warnings
from collections.abc import Iterable, Iterator, Mapping, Sequence
from inspect import signature
from types import TracebackType
from typing import Any, Self, cast

import numpy as np

from sverdrup import _core
from sverdrup.library import listing, storage
from sverdrup.library.arrays import Array, Refused, dtype_of, number_of
from sverdrup.library.attributes import GLOBAL, Attributed, Attributes
from sverdrup.library.bound import ProcessBound, ended
from sverdrup.library.decompositions import Points
from sverdrup.library.errors import Error, LimitError, NotFoundError, RangeError, TypesError, error_of
from sverdrup.library.groups import Group, Groups
from sverdrup.library.integers import here, wholes
from sverdrup.library.keywords import refuse_others
from sverdrup.library.lists import Lists
from sverdrup.library.names import is_possible, missing, text
from sverdrup.library.owners import ContextBase
from sverdrup.library.strings import STRING, names_strings
from sverdrup.library.variable import Variable

UNLIMITED = 0
LOGGER = logging.getLogger("sverdrup")


def _date(date: Any) -> list[int]:
    """Six numbers; of a datetime, also of cftime, its fields. Raises Refused."""
    if hasattr(date, "year"):
        return [date.year, date.month, date.day, *(getattr(date, part, 0) for part in ("hour", "minute", "second"))]
    numbers = wholes(date, "the date")
    if not 3 <= len(numbers) <= 6:
        raise Refused(1, f"a date of {len(numbers)} numbers", "Pass year, month, day, and hour, minute, second")
    return numbers + [0] * (6 - len(numbers))


def _fill(value: Any, dtype: np.dtype[Any]) -> Array:
    """A fill value in the variable's type, in this machine's byte order. Raises ValueError, TypeError or OverflowError
    for one that the type cannot hold."""
    with np.errstate(over="ignore"):
        made: Array = np.full(1, value, dtype)
    if dtype.kind in "iuS":
        given = value.encode() if isinstance(value, str) else value
        if not np.all(made == np.asarray(given)):
            raise ValueError(f"{value!r} is not a value of {dtype}")
    elif np.isinf(made).any() and not np.isinf(float(value)):
        raise ValueError(f"{value!r} is beyond the values of {dtype}")
    return made


def _two_numbers(packing: Any, place: str) -> tuple[float, float]:
    try:
        scale_factor, add_offset = map(float, packing)
    except (TypeError, ValueError) as reason:
        text = f"{place}its packing is {packing!r}, where two numbers are expected. Pass scale_factor and add_offset"
        raise TypesError(text) from reason
    return scale_factor, add_offset


class Dimensions(ProcessBound, Mapping[str, int]):
    """Names and lengths; of the record dimension, the number of records."""

    def __init__(self, file: File) -> None:
        self._file = file

    def __getitem__(self, name: str) -> int:
        return int(_core.inq_dim(self._file.handle, self._file.dimension_id(name))[1])

    def __len__(self) -> int:
        return int(_core.inq(self._file.handle)[0])

    def __iter__(self) -> Iterator[str]:
        return iter([_core.inq_dim(self._file.handle, dim)[0] for dim in range(len(self))])

    def __repr__(self) -> str:
        return f"<dimensions of {self._file!r}>" if self._file.closed else repr(dict(self))


class Variables(ProcessBound, Mapping[str, Variable]):
    """The variables by name, in the order of the file."""

    def __init__(self, file: File) -> None:
        self._file = file
        self._known: dict[int, Variable] = {}

    def at(self, var: int) -> Variable:
        return self._known.setdefault(var, Variable(self._file, var))

    def forget(self, var: int) -> None:
        self._known.pop(var, None)

    def _find(self, name: Any) -> int | None:
        if not is_possible(name):
            return None
        try:
            return int(_core.inq_varid(self._file.handle, name))
        except NotFoundError:
            return None

    def __contains__(self, name: object) -> bool:
        return self._find(name) is not None

    def __getitem__(self, name: str) -> Variable:
        reason = None
        if is_possible(name):
            try:
                return self.at(int(_core.inq_varid(self._file.handle, name)))
            except NotFoundError as error:  # it may say why the variable is left out
                reason = error
        raise missing(f"file '{self._file.path}'", "variable", name, self) from reason

    def __len__(self) -> int:
        return int(_core.inq(self._file.handle)[1])

    def __iter__(self) -> Iterator[str]:
        return iter([_core.inq_var(self._file.handle, var)[0] for var in range(len(self))])


class File(Attributed, Lists):
    """Collective are: enddef, redef, sync, select_record, wait, the lists (lists.py), close. Definitions are local, and
    the same on every rank. `with` closes the file; after an exception that not every rank has, the context abandons
    it.

    A file is a mapping of names to variables, too: `file["sst"]`, `"sst" in file`, `for name in file`."""

    __slots__ = ("_ended", "_handle", "_kept", "_path", "dimensions", "reads", "variables")

    def __init__(self, context: ContextBase, handle: int, *, reads: bool = False) -> None:
        """`reads`: it is open for reading alone."""
        self.context = context
        self.reads = reads
        self._handle = handle
        self._ended = ""  # why there is no handle, and the last name
        self._path = ""
        self.variables = Variables(self)
        self.dimensions = Dimensions(self)
        self._kept: dict[int, Array | None] = {}

    @property
    def handle(self) -> int:
        """Its number in sverdrup._core. Raises ArgumentError once the file is closed."""
        if not self._handle:
            ended(f"file '{self._path}', rank {self.context.rank}: the file {self._ended}", "Open it again")
        return self._handle

    @property
    def path(self) -> str:
        """The file's name; of a series, that of the current period; of a closed file, the last one."""
        return str(_core.inq_path(self._handle)) if self._handle else self._path

    def end(self, why: str) -> int:
        """Called where the file is closed, and by a context that is finalised: its handle, which it then no longer
        has."""
        self._path = self.path
        self._ended = why
        handle, self._handle = self._handle, 0
        return handle

    # ---- definitions

    def def_dim(self, name: str, length: int | None) -> str:
        """None is the record dimension. No format that the library writes has a fixed dimension of length 0."""
        place = self._located("dimension", text(name, f"file '{self.path}': the name of a dimension"))
        own = UNLIMITED if length is None else here(length, "its length", place)
        if own == UNLIMITED and length is not None:
            cause = "its length is 0, and a dimension of fixed length has at least one cell in the formats written here"
            raise LimitError(f"{place}{cause}. Pass None for the record dimension, or leave the dimension out")
        _core.def_dim(self.handle, name, own)
        return name

    def def_var(
        self,
        name: str,
        dtype: Any,
        dimensions: str | Sequence[str] = (),
        *,
        fill: Any = None,
        packing: tuple[float, float] | None = None,
        first_axis: int | None = None,
        enum: tuple[str, Mapping[str, int]] | None = None,
        **words: Any,
    ) -> Variable:
        """A variable, slowest dimension first. `dtype`: a type of NumPy; str is for strings of any length. `fill`: the
        value of cells that no rank writes; False: they get none, and have any value. `packing`: scale_factor and
        add_offset, with which puts pack and gets unpack. `first_axis`: where the grid stands among the dimensions, if
        it fits in several places. `enum`: the name of a type and the names of the integers with their values, an
        enumeration in netCDF-4 and attributes elsewhere. `words`: how the variable is stored (storage.Storage:
        compression, chunksizes, significant_digits and so on, as in netCDF4.Dataset.createVariable); all others are
        attributes. An attribute with the name of one of these parameters is set afterwards: variable.attributes["name"]
        = ..."""
        place = self._located("variable", text(name, f"file '{self.path}': the name of a variable"))
        asked = storage.taken_from(words, place)
        attributes = {word: value for word, value in words.items() if word not in asked}
        if attributes:
            refuse_others(attributes, signature(File.def_var).parameters, place)
        try:
            number = STRING if names_strings(dtype) else number_of(dtype)
        except Refused as reason:
            raise TypesError(f"{place}{reason.cause}. {reason.remedy}") from reason
        own = [dimensions] if isinstance(dimensions, str) else dimensions
        variable = self.variables.at(
            _core.def_var(self.handle, name, number, [self.dimension_id(dim) for dim in own])
        )
        with self._removed_if_refused(variable):
            if fill is not None:
                self._define_fill(variable, number, fill, place)
            if packing is not None:
                _core.def_packing(self.handle, variable.id, *_two_numbers(packing, place))
            if first_axis is not None:
                axis = here(first_axis, "first_axis", place)
                _core.def_var_decomp_dim(self.handle, variable.id, axis)
                variable.first_axis = axis - int(variable.has_records)
            if enum is not None:
                type_name, members = enum
                numbers = [int(each) for each in members.values()]
                _core.def_var_enum(self.handle, variable.id, type_name, list(members), numbers)
            storage.ask(self.handle, variable.id, cast(storage.Storage, asked), place)
            if (idle := storage.without_effect(self.format, asked)) and self.context.rank == 0:
                warnings.warn(f"{place}{idle[0]}: no effect, since {idle[1]}", stacklevel=2)
            for attribute, value in attributes.items():
                variable.attributes[attribute] = value
        return variable

    @contextlib.contextmanager
    def _removed_if_refused(self, variable: Variable) -> Iterator[None]:
        """Removes the variable that was defined last, if the block raises."""
        try:
            yield
        except BaseException:
            with contextlib.suppress(Error):  # the first error is raised
                _core.undef_var(self.handle, variable.id)
            self.variables.forget(variable.id)
            raise

    def _define_fill(self, variable: Variable, number: int, fill: Any, place: str) -> None:
        if fill is False:
            _core.def_var_nofill(self.handle, variable.id, 1)
        elif number == STRING:
            _core.put_att_string(self.handle, variable.id, "_FillValue", [fill])
        else:
            try:
                value = _fill(fill, dtype_of(number))
            except (TypeError, ValueError, OverflowError) as reason:
                cause = f"its fill value: {reason}. Pass a value of the variable's type"
                raise RangeError(place + cause) from reason
            _core.def_fill(self.handle, variable.id, value)

    def def_group(self, name: str) -> Group:
        """A group of a netCDF-4 file or a Zarr group. "ocean/deep" is made in the group "ocean". The names of its
        members begin with its name: def_var("ocean/temp", ...)."""
        above, _, own = text(name, f"file '{self.path}': the name of a group").rpartition("/")
        parent = self.groups[above].id if above else 0
        return Group(self, _core.def_grp(self.handle, parent, own))

    def def_order(self, dimension: str, name: str, ordered: Points) -> Variable:
        """Points along this dimension stand in the order of `ordered`, which a variable of this name holds."""
        text(name, f"file '{self.path}': the name of a variable")
        return self.variables.at(_core.def_order(self.handle, self.dimension_id(dimension), name, ordered.handle))

    def _located(self, what: str, name: str) -> str:
        return f"file '{self.path}', {what} '{name}': "

    def dimension_id(self, name: str) -> int:
        if is_possible(name):
            with contextlib.suppress(NotFoundError):
                return int(_core.inq_dimid(self.handle, name))
        raise missing(f"file '{self.path}'", "dimension", name, self.dimensions)

    def rename_dim(self, name: str, to: str) -> None:
        new = text(to, f"{self._located('dimension', name)}its new name")
        _core.rename_dim(self.handle, self.dimension_id(name), new)

    def enddef(self) -> None:
        """Ends define mode: the definitions of all ranks are compared, and the header is written."""
        _core.enddef(self.handle)

    def redef(self) -> None:
        _core.redef(self.handle)

    # ---- inquiry (local)

    @property
    def attributes(self) -> Attributes:
        return Attributes(self, GLOBAL)

    @property
    def groups(self) -> Groups:
        """The groups of the outermost group. `variables` and `dimensions` of the file have those of all groups, by
        names such as "ocean/temp"."""
        return Groups(self, 0)

    @property
    def format(self) -> int:
        """1, 2, 5: CDF; 3, 4: netCDF-4, its classic model."""
        return int(_core.inq_format(self.handle))

    @property
    def record_dimension(self) -> str | None:
        dim = _core.inq(self.handle)[3]
        return None if dim < 0 else str(_core.inq_dim(self.handle, dim)[0])

    @property
    def unlimited_dimensions(self) -> list[str]:
        """The record dimension, and others that puts make longer (netCDF-4, Zarr)."""
        return [str(_core.inq_dim(self.handle, dim)[0]) for dim in _core.inq_unlimdims(self.handle)]

    @property
    def records(self) -> int:
        name = self.record_dimension
        return 0 if name is None else self.dimensions[name]

    @property
    def closed(self) -> bool:
        return self._handle == 0

    def _is_closed(self) -> bool:
        return self.closed

    def __getitem__(self, name: str) -> Variable:
        return self.variables[name]

    def __contains__(self, name: object) -> bool:
        return name in self.variables

    def __iter__(self) -> Iterator[str]:
        return iter(self.variables)

    def __len__(self) -> int:
        return len(self.variables)

    def __bool__(self) -> bool:
        return not self.closed

    # ---- writing

    def select_record(self, date: Any, time: float) -> tuple[int, bool]:
        """For a series: goes to the file of the date and the record of the time. The record for the puts that follow,
        and whether variables without records must be put."""
        own, at = self.context.prepared(lambda: (_date(date), float(time)), ([0] * 6, 0.0), f"file '{self.path}': ")
        record, wants_fixed = _core.select_record(self.handle, own, at)
        return record, wants_fixed

    def sync(self) -> None:
        """Commits the puts into this file."""
        _core.sync(self.handle)

    # ---- requests

    @property
    def pending(self) -> int:
        """The number of pending requests of this rank."""
        return int(_core.inq_pending(self.handle))

    def keep(self, request: int, array: Array | None) -> None:
        self._kept[request] = array

    def wait(self, requests: Iterable[int] | None = None) -> None:
        """Carries out requests of this rank: these, which may be none, or all. If some fail, the others are still
        carried out; `statuses` of the error has the status of each."""
        own = None
        if requests is not None:
            own = self.context.prepared(lambda: wholes(requests, "the requests"), [], f"file '{self.path}': ")
        status, message, statuses = _core.wait(self.handle, own)
        self._release(own)
        if status:
            error = error_of(status, message, True)
            error.statuses = None if own is None else list(statuses)
            raise error

    def cancel(self, requests: Iterable[int] | None = None) -> None:
        """Local: none of their data are transferred."""
        own = None if requests is None else [here(each, "a request") for each in requests]
        _core.cancel(self.handle, own)
        self._release(own)

    def _release(self, requests: list[int] | None) -> None:
        for request in list(self._kept) if requests is None else requests:
            self._kept.pop(request, None)

    def attach_buffer(self, size: int) -> None:
        """The buffer, in bytes, of this rank's bput calls."""
        _core.attach_buffer(self.handle, here(size, "the size of the buffer", f"file '{self.path}': "))

    def detach_buffer(self) -> None:
        _core.detach_buffer(self.handle)

    @property
    def buffer(self) -> tuple[int, int]:
        """Bytes of the buffer, and those in use."""
        size, used = _core.inq_buffer(self.handle)
        return size, used

    # ---- end

    def close(self) -> None:
        """Completes the file: carries out pending requests, fills, commits, publishes. Closes it in any case."""
        if self.closed:
            return
        self.context.forget(self)
        try:
            LOGGER.debug("rank %d closes '%s'", self.context.rank, self.path)
            _core.close(self.end("is closed"))
        finally:
            self._kept.clear()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if error is None:
            self.close()
        elif isinstance(error, Error) and error.collective:
            try:
                self.close()
            except Error as second:
                error.add_note(f"and then, closing the file: {second}")

    def __repr__(self) -> str:
        if self.closed:
            return f"<sverdrup.File '{self.path}', closed>"
        return "\n".join([f"<sverdrup.File '{self.path}'>", *listing.file(self)])
