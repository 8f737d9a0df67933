"""Prints a file's dimensions, variables and attributes in CDL, line for line as `ncdump -h` does. Called by `repr` of
File and Variable; local."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

_TYPES = {
    "int8": ("byte", "b"), "|S1": ("char", ""), "int16": ("short", "s"), "int32": ("int", ""),
    "float32": ("float", "f"), "float64": ("double", ""), "uint8": ("ubyte", "UB"), "uint16": ("ushort", "US"),
    "uint32": ("uint", "U"), "int64": ("int64", "LL"), "uint64": ("uint64", "ULL"),
    "object": ("string", ""),
}  # fmt: skip
_ESCAPES = str.maketrans({"\\": "\\\\", '"': '\\"', "\t": "\\t", "\r": "\\r", "\b": "\\b", "\f": "\\f", "\v": "\\v"})
_NEXT_LINE = '\\n",\n\t\t\t"'
_SPECIAL = frozenset(" !\"#$%&'()*,:;<=>?[]\\^`{|}~")


def name_of(name: str) -> str:
    """A name with CDL's backslashes."""
    escaped = "".join(f"\\{each}" if each in _SPECIAL else each for each in name)
    return f"\\{escaped}" if name[:1].isdigit() else escaped


def type_of(dtype: np.dtype[Any]) -> str:
    return _TYPES["|S1" if dtype.kind == "S" else dtype.name][0]


def _number(value: Any) -> str:
    suffix = _TYPES[value.dtype.name][1]
    if value.dtype.kind != "f":
        return f"{value}{suffix}"
    if not np.isfinite(value):
        return ("NaN" if np.isnan(value) else "Infinity" if value > 0 else "-Infinity") + suffix
    digits, e, exponent = f"{value:.{7 if value.dtype.itemsize == 4 else 15}g}".partition("e")
    return f"{digits if '.' in digits else f'{digits}.'}{e}{exponent}{suffix}"


def _value(value: Any) -> str:
    if isinstance(value, list):
        return ", ".join(_value(each) for each in value)
    if not isinstance(value, str):
        return ", ".join(_number(each) for each in np.atleast_1d(value))
    return '"' + value.translate(_ESCAPES).replace("\n", _NEXT_LINE) + '"'


def attributes(of: str, named: Mapping[str, Any]) -> Iterator[str]:
    """A line for each attribute. `of`: the name of the variable; empty for the file's own."""
    return (f"\t\t{name_of(of)}:{name_of(name)} = {_value(value)} ;" for name, value in named.items())


def variable(of: Any) -> Iterator[str]:
    """The lines of a variable."""
    dims = f"({', '.join(map(name_of, of.dimensions))})" if of.ndim else ""
    yield f"\t{type_of(of.dtype)} {name_of(of.name)}{dims} ;"
    yield from attributes(of.name, of.attributes)


def file(of: Any) -> Iterator[str]:
    """The lines of a file, without its name."""
    if of.dimensions:
        yield "dimensions:"
    unlimited = of.unlimited_dimensions
    for name, length in of.dimensions.items():
        grows = name in unlimited
        yield f"\t{name_of(name)} = " + (f"UNLIMITED ; // ({length} currently)" if grows else f"{length} ;")
    if len(of.variables):
        yield "variables:"
    for each in of.variables.values():
        yield from variable(each)
    if of.attributes:
        yield "\n// global attributes:"
        yield from attributes("", of.attributes)
