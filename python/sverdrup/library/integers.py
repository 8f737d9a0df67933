"""Integers that callers pass: records, starts, counts, lengths. An integer is what Python takes as an index; a float is
refused, even 1.0, because a record 1.9 that becomes record 1 overwrites the values of another time."""

from __future__ import annotations

import operator
from collections.abc import Iterable
from typing import Any

import numpy as np

from sverdrup.library.arrays import Array, Refused
from sverdrup.library.errors import error_of

NO_RECORD = -1
LIMIT = 2**63


def whole(value: Any, what: str) -> int:
    """The integer that `value` is; `what` names it. Raises Refused."""
    try:
        number = operator.index(value)
    except TypeError:
        kind = type(value).__name__
        raise Refused(6, f"{what} is {value!r}, a {kind}, where an integer is expected", "Pass an integer") from None
    if not -LIMIT <= number < LIMIT:
        raise Refused(1, f"{what} is {number}, which no integer of 64 bits holds", "Pass a smaller number")
    return number


def wholes(values: Any, what: str) -> list[int]:
    """The integers of a list. Raises Refused."""
    try:
        each = list(values)
    except TypeError:
        raise Refused(6, f"{what} is {values!r}, where a list of integers is expected", "Pass a list") from None
    return [whole(value, what) for value in each]


def lists(values: Iterable[Any], what: str) -> list[list[int]]:
    """Lists of integers, one for each region. Raises Refused."""
    return [wholes(each, what) for each in values]


def record_number(record: Any) -> int:
    """A record, from 0, as the library takes it; None is for a variable without records. Raises Refused."""
    if record is None:
        return NO_RECORD
    number = whole(record, "the record")
    if number < 0:
        raise Refused(1, f"record {number}", "Records count from 0; pass None for a variable without records")
    return number


def cells(values: Any, what: str) -> Array:
    """A contiguous array of int64: numbers or places of cells. Raises Refused."""
    given = np.asarray(values)
    if given.size and given.dtype.kind not in "iu":
        raise Refused(6, f"{what} are of {given.dtype}, where integers are expected", "Pass an array of integers")
    if given.size and given.dtype.kind == "u" and int(given.max()) >= LIMIT:
        raise Refused(1, f"{what} have {given.max()}, which no integer of 64 bits holds", "Pass smaller numbers")
    return np.ascontiguousarray(given, "int64")


def here(value: Any, what: str, place: str = "") -> int:
    """The same for a call of this rank alone, which raises the exception itself. `place`: where it is, for the text."""
    try:
        return whole(value, what)
    except Refused as reason:
        raise error_of(reason.status, f"{place}{reason.cause}. {reason.remedy}", False) from reason
