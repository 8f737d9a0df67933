"""The values of variables of strings: lists and arrays of str (or bytes), also of NumPy's StringDType."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import Any

import numpy as np

from sverdrup.library.arrays import Array, Refused, expect
from sverdrup.library.data import Box, Place
from sverdrup.library.description import STRING, Described
from sverdrup.library.integers import wholes

__all__ = ["STRING", "array_of", "get_part", "names_strings", "put_part", "strings_of"]


def names_strings(dtype: Any) -> bool:
    """Whether a type of Python or NumPy means strings of any length: str, object, StringDType."""
    kind = np.dtype(dtype)
    return kind.kind in "OT" or (kind.kind == "U" and kind.itemsize == 0)


def strings_of(data: Any, shape: Sequence[int]) -> list[str | bytes]:
    """The strings in the order of the cells. Raises Refused."""
    array: Array = np.asarray(data)
    if array.dtype.kind not in "OTUS":
        cause = f"an array of {array.dtype} for a variable of strings"
        raise Refused(6, cause, "Pass str, alone, in a list or in an array")
    expect(array, [tuple(shape)])
    strings: list[Any] = array.astype(object).ravel().tolist()
    wrong = [each for each in strings if not isinstance(each, str | bytes)]
    if wrong:
        raise Refused(6, f"{wrong[0]!r} among the values of a variable of strings", "Pass str for each cell")
    return strings


def put_part(variable: Described, start: Place | None, data: Any, stride: Place | None) -> tuple[Box, list[Any]]:
    """The cells of a put, and their strings. Raises Refused."""
    if start is None:
        return Box(none := [0] * variable.ndim, none), []
    if stride is not None and any(step != 1 for step in stride):
        raise Refused(1, "strings are put with a file stride", "Put cells that follow one another")
    array: Array = np.asarray(data, dtype=object) if isinstance(data, str | bytes) else np.asarray(data)
    first = wholes(start, "'start'")
    count = [1] * (len(first) - array.ndim) + list(array.shape)
    if len(first) != variable.ndim or len(count) != variable.ndim:
        cause = f"{len(first)} numbers in 'start' and {array.ndim} dimensions of the array, for {variable.ndim}"
        raise Refused(1, cause, "The record dimension counts, too")
    return Box(first, count), strings_of(array, array.shape)


def get_part(variable: Described, part: Box | None) -> Box:
    """The cells between the first and the last one of a part. Raises Refused."""
    if part is None:
        return Box(none := [0] * variable.ndim, none)
    steps = part.stride or [1] * len(part.count)
    return Box(part.start, [(n - 1) * step + 1 if n else 0 for n, step in zip(part.count, steps, strict=True)], steps)


def array_of(strings: list[str], shape: Sequence[int]) -> Array:
    made: Array = np.empty(prod(shape), dtype=object)
    made[:] = strings
    return made.reshape(tuple(shape))
