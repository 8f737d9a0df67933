"""Checks the names of dimensions, variables and attributes that callers pass, and finds the nearest known name for an
error. Called by File, Variable, Attributes and xarray's accessor."""

from __future__ import annotations

import difflib
from collections.abc import Iterable
from typing import Any

from sverdrup.library.errors import Error, error_of


def nearest(name: str, known: Iterable[str]) -> str:
    """A sentence that names the nearest of the known names; empty where none is near."""
    found = difflib.get_close_matches(name, list(known), 1)
    return f". The nearest one is '{found[0]}'" if found else ""


def missing(place: str, what: str, name: Any, known: Iterable[str]) -> Error:
    """The error for a name that is none of the known ones, which is a KeyError, too. `place`: file and variable."""
    return error_of(8, f"{place}: there is no {what} '{name}'{nearest(str(name), known)}", False)


def is_possible(name: Any) -> bool:
    """Whether a file may have this name: a text without a null character, at which names end."""
    return isinstance(name, str | bytes) and (b"\0" if isinstance(name, bytes) else "\0") not in name


def text(name: Any, what: str) -> Any:
    """A name for the library, which rejects names that netCDF does not allow. Raises TypesError."""
    if isinstance(name, str | bytes):
        return name
    raise error_of(6, f"{what} is {name!r}, a {type(name).__name__}, where a text is expected. Pass a str", False)
