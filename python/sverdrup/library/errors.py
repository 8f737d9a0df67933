"""The errors of the library as exceptions: one class, and one below it for each status code of sverdrup.h."""

import re

_PLACE = re.compile(
    r"(?:, )?(?:file '(?P<file>.*?)'(?=[,:])|variable '(?P<variable>.*?)'(?=[,:])"
    r"|record (?P<record>\d+) \(from (?P<first>[01])\)|rank (?P<rank>\d+)|request (?P<request>\d+) of \d+)"
)
_REFUSED = re.compile(r"sv_\w+.*?: (?=file ')")
_REMEDY = re.compile(r"\. (?=['\w])")


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


def _place(text: str) -> tuple[dict[str, str], str]:
    """Where the text says that it happened, and what follows. What a rank refuses has the place after the call."""
    found: dict[str, str] = {}
    at = 0
    while match := _PLACE.match(text, at):
        found |= {name: value for name, value in match.groupdict().items() if value is not None}
        at = match.end()
    if at == 0 or not text.startswith(": ", at):
        return {}, text
    refused = _REFUSED.match(text, at + 2)
    if refused is None:
        return found, text[at + 2 :]
    within, rest = _place(text[refused.end() :])
    return within | found, rest


def _number(text: str | None, minus: int = 0) -> int | None:
    return None if text is None else int(text) - minus


class ArgumentError(Error, ValueError):
    """SV_EINVAL: an argument has a bad value."""

    status = 1


class ConfigurationError(Error, ValueError):
    """SV_ECONFIG: the configuration has an unknown key or a bad value."""

    status = 2


class OrderError(Error, RuntimeError):
    """SV_EORDER: a call out of order, or ranks that made different calls."""

    status = 3


class DefinitionError(Error, ValueError):
    """SV_EDEFINE: a definition is wrong, or ranks defined different things."""

    status = 4


class LayoutError(Error, ValueError):
    """SV_ELAYOUT: a decomposition overlaps, leaves a gap, or is out of range."""

    status = 5


class TypesError(Error, TypeError):
    """SV_ETYPE: the types do not convert."""

    status = 6


class RangeError(Error, ValueError):
    """SV_ERANGE: a value does not fit its type."""

    status = 7


class NotFoundError(Error, LookupError):
    """SV_ENOTFOUND: no such file, variable, dimension or attribute."""

    status = 8


class ExistsError(Error):
    """SV_EEXISTS: the file or the name exists already."""

    status = 9


class AccessError(Error):
    """SV_EACCESS: the file system refuses access."""

    status = 10


class NoSpaceError(Error):
    """SV_ENOSPACE: the disk or the quota is full."""

    status = 11


class StorageError(Error):
    """SV_EIO: the file system reported a failure."""

    status = 12


class FormatError(Error, ValueError):
    """SV_EFORMAT: the file is malformed, truncated, or of another kind."""

    status = 13


class LimitError(Error):
    """SV_ELIMIT: the file format has a limit that does not permit this."""

    status = 14


class NoMemoryError(Error, MemoryError):
    """SV_ENOMEM: no memory."""

    status = 15


class WaitedTooLongError(Error, TimeoutError):
    """SV_ETIMEOUT: other ranks waited too long for a rank."""

    status = 16


class MpiError(Error, RuntimeError):
    """SV_EMPI: MPI reported an error."""

    status = 17


class NotCompiledError(Error):
    """SV_ECOMPILED: this part was not compiled into the library."""

    status = 18


class InternalError(Error):
    """SV_EINTERNAL: a defect of Sverdrup: please report it."""

    status = 19


_BY_STATUS = {kind.status: kind for kind in Error.__subclasses__()}


def error_of(status: int, text: str, collective: bool) -> Error:
    """The exception for a status code; called by sverdrup._core."""
    return _BY_STATUS.get(status, InternalError)(text, collective=collective)
