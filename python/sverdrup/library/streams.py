"""Streams, the output that the configuration asks for: docs/streams.md."""

from __future__ import annotations

import contextlib
import json
import os
from collections.abc import Sequence
from dataclasses import dataclass
from types import TracebackType
from typing import Any, Self, TypedDict, Unpack

import numpy as np

from sverdrup import _core
from sverdrup.library.arrays import Refused
from sverdrup.library.bound import ProcessBound, ended
from sverdrup.library.context import Context
from sverdrup.library.decompositions import Decomp
from sverdrup.library.errors import error_of

_TYPES = {
    "i1": 1, "i2": 3, "i4": 4, "f4": 5, "f8": 6, "u1": 7, "u2": 8, "u4": 9, "i8": 10, "u8": 11,
}  # fmt: skip


_TEXTS = ("units", "standard_name", "long_name", "coordinates", "cell_measures", "ancillary_variables", "bounds")


class FieldOptions(TypedDict, total=False):
    """Further arguments of Streams.field. The last four are attributes that name fields without time."""

    file_type: Any
    units: str
    standard_name: str
    long_name: str
    fill_value: Any
    coordinates: str
    cell_measures: str
    ancillary_variables: str
    bounds: str


@dataclass(frozen=True)
class StreamAxis:
    """A dimension of fields. `length` may be left out if there are `values`, the coordinates; `bounds` has a lower and
    an upper one for each. Texts that are empty are not written."""

    name: str
    length: int = 0
    values: Any = None
    bounds: Any = None
    units: str = ""
    standard_name: str = ""
    long_name: str = ""
    axis: str = ""
    positive: str = ""

    @property
    def size(self) -> int:
        return self.length if self.values is None else len(self.values)

    def given(self) -> tuple[str, int, list[float], list[float], list[str]]:
        both = (self.values, self.bounds)
        numbers = [[] if each is None else np.asarray(each, "f8").ravel().tolist() for each in both]
        texts = [self.units, self.standard_name, self.long_name, self.axis, self.positive]
        return self.name, self.size, numbers[0], numbers[1], texts


def _date(date: Any) -> tuple[int, ...]:
    """Of six numbers, or of an object such as datetime.datetime or cftime.datetime."""
    if hasattr(date, "year"):
        date = [getattr(date, part) for part in ("year", "month", "day", "hour", "minute", "second")]
    return tuple(int(each) for each in date)


def _type(given: Any) -> tuple[np.dtype[Any], int]:
    dtype = np.dtype(given).newbyteorder("=")
    number = _TYPES.get(dtype.str[1:])
    if number is None:
        raise error_of(6, f"there are no numbers of type {given!r} in netCDF. Use one such as 'f4' or 'i4'", False)
    return dtype, number


class StreamField(ProcessBound):
    """A field of the model, made by Streams.field."""

    __slots__ = ("dtype", "name", "number", "shape", "streams")

    def __init__(
        self, streams: Streams, number: int, name: str, kind: tuple[np.dtype[Any], tuple[int, ...] | None]
    ) -> None:
        """`kind`: type and shape of this rank's array; without a shape, the rank owns nothing."""
        self.streams = streams
        self.number = number
        self.name = name
        self.dtype, self.shape = kind

    def wanted(self, date: Any) -> bool:
        """Local. True if a stream needs the values at `date`, the end of a step."""
        return _core.inq_field_wanted(self.streams.handle, self.number, _date(date))

    def send(self, date: Any, values: Any) -> None:
        """Collective if a period ends. `values`: this rank's array with its halo, for the step that ends at `date`."""

        def read() -> Any:
            if self.shape is None:
                return None
            array = np.asarray(values, order="C")
            if array.dtype != self.dtype:
                raise Refused(6, f"field '{self.name}': values of type {array.dtype}", f"Send values of {self.dtype}")
            if array.shape != self.shape:
                raise Refused(1, f"field '{self.name}': an array of {array.shape}", f"Send one of {self.shape}")
            return array

        own = self.streams.context.prepared(read, None)
        _core.send_field(self.streams.handle, self.number, _date(date), own)


class Streams(ProcessBound):
    """Collective. The streams of the YAML file `config`, or of the file that SV_CONFIG names. Declare the fields, call
    `begin`, send the fields at the end of each step; `close`, or the end of `with`, is collective."""

    __slots__ = ("_handle", "context")

    def __init__(self, context: Context, config: str | bytes | os.PathLike[str] | None = None) -> None:
        if not hasattr(_core, "open_streams"):
            raise error_of(18, "streams are not compiled into this library: they need yaml-cpp", False)
        self.context = context
        self._handle = _core.open_streams(context.handle, None if config is None else os.fsencode(config))

    @property
    def handle(self) -> int:
        """Its number in sverdrup._core."""
        return self._handle or ended("the streams are closed", "Open others")

    def field(
        self,
        name: str,
        dtype: Any,
        axes: Sequence[StreamAxis] = (),
        decomp: Decomp | None = None,
        **more: Unpack[FieldOptions],
    ) -> StreamField:
        """Collective, before `begin`. `axes`: slowest first. Without `decomp`, each rank sends the same whole field."""
        return self._declared(name, dtype, axes, decomp, **more)

    def static_field(
        self,
        name: str,
        values: Any,
        axes: Sequence[StreamAxis] = (),
        decomp: Decomp | None = None,
        **more: Unpack[FieldOptions],
    ) -> None:
        """Collective, before `begin`. A field without time, whose `values` are copied: this rank's array with its
        halo."""

        def read() -> Any:
            return np.asarray(values, order="C")

        self._declared(name, self.context.prepared(read, np.zeros(0)), axes, decomp, **more)

    def define(self, name: str, keys: str | dict[str, Any]) -> None:
        """Collective, before `begin`. Defines a stream by its keys in YAML, or as a dictionary. It has no effect if the
        configuration has a stream of this name."""
        _core.def_stream(self.handle, name, keys if isinstance(keys, str) else json.dumps(keys))

    def _declared(
        self,
        name: str,
        kind: Any,
        axes: Sequence[StreamAxis],
        decomp: Decomp | None,
        **more: Unpack[FieldOptions],
    ) -> StreamField:
        """`kind`: a type; or the values of a field without time, as an array."""
        if unknown := sorted(set(more) - set(FieldOptions.__annotations__)):
            raise TypeError(f"unexpected keyword argument '{unknown[0]}'")
        constant = kind if isinstance(kind, np.ndarray) else None
        file_type, fill_value = more.get("file_type"), more.get("fill_value")
        own, number = _type(kind if constant is None else constant.dtype)
        in_file = 0 if file_type is None else _type(file_type)[1]
        fill = None if fill_value is None else np.array(fill_value, own)
        slab = tuple(axis.size for axis in axes)
        shape = None if decomp is not None and decomp.empty else slab
        if shape is not None and decomp is not None:
            shape = decomp.arrays(slab, None)[-1][0]
        made = _core.def_stream_field(
            self.handle,
            name,
            0 if decomp is None else decomp.handle,
            [number, in_file],
            [str(more.get(each, "")) for each in _TEXTS],
            (fill, self._checked(name, constant, shape)),
            [axis.given() for axis in axes],
            constant is not None,
        )
        return StreamField(self, made, name, (own, shape))

    def _checked(self, name: str, constant: Any, shape: tuple[int, ...] | None) -> Any:
        """Values of a field without time, of this rank's shape; None: there are none."""

        def read() -> Any:
            if constant is None or shape is None:
                return None
            if constant.shape != shape:
                raise Refused(1, f"field '{name}': an array of {constant.shape}", f"Give one of {shape}")
            return np.ascontiguousarray(constant, constant.dtype.newbyteorder("="))

        return self.context.prepared(read, None)

    def begin(
        self, date: Any, *, calendar: str = "standard", step_seconds: int = 0, continues: bool = False
    ) -> None:
        """Collective. Ends the declarations. `date`: of the state from which the first step begins. `continues`: an
        earlier run has called `save` with this date."""
        _core.begin_streams(self.handle, calendar, _date(date), step_seconds, continues)

    def save(self, date: Any) -> None:
        """Collective, between steps. Saves incomplete periods for a run that continues from `date`."""
        _core.save_streams(self.handle, _date(date))

    def close(self) -> None:
        """Collective. Periods that are not complete have no record."""
        if self._handle:
            handle, self._handle = self._handle, 0
            _core.close_streams(handle)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if kind is None:
            self.close()
            return
        with contextlib.suppress(Exception):  # the first error is the one to raise
            self.close()
