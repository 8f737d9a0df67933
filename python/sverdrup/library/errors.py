"""The errors of the library as exceptions: one class, and one below it for each status code of sverdrup.h. An error is
also the exception that Python itself has for such a case (FileNotFoundError, KeyError), where there is one."""

from __future__ import annotations

import builtins
import contextlib
import errno
import functools
import os
import re
import sys
from typing import Any

_PLACE = re.compile(
    r"(?:, )?(?:file '(?P<file>.*?)'(?=[,:])|variable '(?P<variable>.*?)'(?=[,:])"
    r"|record (?P<record>\d+) \(from (?P<first>[01])\)|rank (?P<rank>\d+)|request (?P<request>\d+) of \d+)"
)
_REFUSED = re.compile(r"(rank \d+): sv_\w+.*?: (file '.*?'(?:, variable '.*?')?)(?=: )")
_REMEDY = re.compile(r"\. (?=['\w])")
# The beginning of the report of another rank's exception: `named` follows.
ENDED = "an exception ended the model: "
UNREADABLE = "an argument that cannot be read: "
_PEER = re.compile(rf"(?:{ENDED}|{UNREADABLE}|cannot be encoded: )(?P<name>[\w.]+)(?=:|\. |$)")
# Words of C in the library's texts, outside quotation marks, and those of Python.
_WORDS_OF_C = {
    "SV_DOUBLE": "float64", "SV_FLOAT": "float32", "SV_INT": "int32", "SV_NOCLOBBER": "clobber=False",
    "SV_NO_RECORD": "None", "SV_SERIES": "kind='series'", "SV_UNLIMITED": "None", "SV_WRITE": "mode 'a'",
    "sv_def_var_decomp_dim": "first_axis", "sv_def_decomp": "decomp", "sv_def_points": "points", "sv_init": "Context",
    "sv_inq_dimid": "dimensions", "sv_inq_varid": "variables", "sv_order_points": "ordered",
    "sv_order_points_along_curve": "ordered_along_curve", "sv_use_packing": "packing", "sverdrup.h": "docs/python.md",
}  # fmt: skip
_WORD_OF_C = re.compile(r"(?<!\w)'[^']*'|\b(?:sv_\w+|SV_[A-Z_]+\b(?!=)|sverdrup\.h\b)")
_NUMBERS = {
    8: errno.ENOENT, 9: errno.EEXIST, 10: errno.EACCES, 11: errno.ENOSPC, 12: errno.EIO,
    16: errno.ETIMEDOUT, 21: errno.EBUSY,
}  # fmt: skip


def named(error: BaseException) -> str:
    """An exception as `error_of` finds it again, on another rank."""
    kind = type(error)
    module = "" if kind.__module__ == "builtins" else f"{kind.__module__}."
    return f"{module}{kind.__qualname__}: {error}"


def _in_python(text: str) -> str:
    """The text without words of C, and with the place in front where a rank has refused a call."""
    text = _REFUSED.sub(r"\2, \1", text, count=1)

    def word(match: re.Match[str]) -> str:
        found = match[0]
        return _WORDS_OF_C.get(found, found.removeprefix("sv_"))

    return _WORD_OF_C.sub(word, text)


class Error(Exception):
    """An error of Sverdrup. `str(error)` is the whole text; fields that do not apply are None."""

    status: int = 0
    file: str | None
    variable: str | None
    record: int | None  # from 0
    rank: int | None
    request: int | None  # of a list, from 0
    cause: str
    remedy: str | None
    collective: bool  # the same on every rank
    statuses: list[int] | None  # of File.wait with requests: the status of each

    def __init__(self, text: str, *, collective: bool = False) -> None:
        super().__init__(text)
        found, rest = _place(text)
        self.file, self.variable = found.get("file"), found.get("variable")
        self.rank = _number(found.get("rank"))
        self.record = _number(found.get("record"), _number(found.get("first")) or 0)
        self.request = _number(found.get("request"), 1)
        parts = _REMEDY.split(rest, maxsplit=1)
        self.cause = parts[0]
        self.remedy = parts[1] if len(parts) > 1 else None
        self.collective = collective
        self.statuses = None
        if isinstance(self, OSError) and self.status in _NUMBERS:
            self.errno, self.filename = _NUMBERS[self.status], self.file
            self.strerror = os.strerror(self.errno)

    def __str__(self) -> str:
        return str(self.args[0])

    def __reduce__(self) -> Any:
        return error_of, (self.status, self.args[0], self.collective), self.__dict__


def _place(text: str) -> tuple[dict[str, str], str]:
    """The place that the text names, and the rest of the text."""
    found: dict[str, str] = {}
    at = 0
    while match := _PLACE.match(text, at):
        found |= {name: value for name, value in match.groupdict().items() if value is not None}
        at = match.end()
    return (found, text[at + 2 :]) if at > 0 and text.startswith(": ", at) else ({}, text)


def _number(text: str | None, minus: int = 0) -> int | None:
    return None if text is None else int(text) - minus


class ArgumentError(Error, ValueError):
    """An argument has a bad value."""

    status = 1


class ConfigurationError(Error, ValueError):
    """The configuration has an unknown key or a bad value."""

    status = 2


class OrderError(Error, RuntimeError):
    """A call out of order."""

    status = 3


class DefinitionError(Error, ValueError):
    """A definition is wrong, or ranks defined different things."""

    status = 4


class LayoutError(Error, ValueError):
    """A decomposition overlaps, leaves a gap, or is out of range."""

    status = 5


class TypesError(Error, TypeError):
    """The types do not convert."""

    status = 6


class RangeError(Error, ValueError):
    """A value does not fit its type."""

    status = 7


class NotFoundError(Error, LookupError):
    """No such file (then also a FileNotFoundError), variable, dimension or attribute (KeyError), or record
    (IndexError)."""

    status = 8


class ExistsError(Error):
    """The file (then also a FileExistsError) or the name exists already."""

    status = 9


class AccessError(Error, PermissionError):
    """The file system refuses access."""

    status = 10


class NoSpaceError(Error, OSError):
    """The disk or the quota is full."""

    status = 11


class StorageError(Error, OSError):
    """The file system reported a failure."""

    status = 12


class FormatError(Error, OSError, ValueError):
    """The file is malformed, truncated, or of another kind."""

    status = 13


class LimitError(Error):
    """The file format has a limit that does not permit this."""

    status = 14


class NoMemoryError(Error, MemoryError):
    """No memory."""

    status = 15


class WaitedTooLongError(Error, TimeoutError):
    """Other ranks waited too long for a rank."""

    status = 16


class MpiError(Error, RuntimeError):
    """MPI reported an error."""

    status = 17


class NotCompiledError(Error):
    """This part was not compiled into the library."""

    status = 18


class InternalError(Error):
    """A defect of Sverdrup: please report it."""

    status = 19


class RanksError(Error, RuntimeError):
    """Ranks made different calls, or have different settings."""

    status = 20


class InUseError(Error, OSError):
    """The file is being written already."""

    status = 21


class UnsupportedError(Error, NotImplementedError):
    """The format, the kind or the writer of the file does not support the call."""

    status = 22


class DeviceError(Error, RuntimeError):
    """The runtime of a GPU reported an error."""

    status = 23


_BY_STATUS = {kind.status: kind for kind in Error.__subclasses__()}


class PeerError(Error):
    """An exception of the program has ended `with` on another rank. This error is also an exception of that class, if
    this rank has loaded the class."""

    status = InternalError.status


@functools.cache
def _also(kind: type[Error], other: type[BaseException]) -> type[Error]:
    """A class of this name that is also the other exception."""
    if issubclass(kind, other):
        return kind
    return type(kind.__name__, (kind, other), {"__doc__": kind.__doc__, "__module__": kind.__module__})


def _known(name: str) -> type[BaseException] | None:
    """An exception by its name, of Python or of a module that this process has loaded."""
    module, _, last = name.rpartition(".")
    found = getattr(sys.modules.get(module) if module else builtins, last, None)
    return found if isinstance(found, type) and issubclass(found, Exception) else None


def _of_python(status: int, text: str, collective: bool) -> type[BaseException] | None:
    """The exception of Python, or of the rank that had it, that an error is, too."""
    if peer := _PEER.search(text):
        return _known(peer["name"])
    found, rest = _place(text)
    of_a_name = not collective or "variable" in found
    if status == NotFoundError.status:
        of_a_record = "record" in found or rest.startswith("record ")
        return IndexError if of_a_record else KeyError if of_a_name else FileNotFoundError
    return FileExistsError if status == ExistsError.status and not of_a_name else None


def error_of(status: int, text: str, collective: bool) -> Error:
    """The exception for a status code; called by sverdrup._core."""
    text = _in_python(text)
    kind = PeerError if ENDED in text else _BY_STATUS.get(status, InternalError)
    if other := _of_python(status, text, collective):
        with contextlib.suppress(TypeError, ValueError):  # of classes that want other arguments than a text
            return _also(kind, other)(text, collective=collective)
    return kind(text, collective=collective)
