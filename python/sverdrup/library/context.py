"""The context: one per communicator. It makes decompositions and files, ends steps, and is finalised with `with`."""

from __future__ import annotations

import atexit
import contextlib
import enum
import os
import warnings
import weakref
from collections.abc import Callable, Iterator, Mapping, Sequence
from types import TracebackType
from typing import Any, Self, TypeVar

import numpy as np
from mpi4py import MPI

from sverdrup import _core
from sverdrup.library import builds
from sverdrup.library.arrays import Refused
from sverdrup.library.bound import ended
from sverdrup.library.decompositions import Blocks, Decomp, Halo, Points, widths
from sverdrup.library.errors import ENDED, UNREADABLE, ArgumentError, Error, TypesError, named
from sverdrup.library.file import LOGGER, File
from sverdrup.library.integers import cells, here, wholes
from sverdrup.library.names import nearest
from sverdrup.library.owners import ContextBase, FileBase

_MASKED = 1
_NO_CLOBBER = 0x4
_WRITE = 0x1
_FORMATS = {
    None: 0,
    "auto": 0,
    "cdf1": 0x100,
    "cdf2": 0x200,
    "cdf5": 0x20,
    "netcdf4": 0x1000,
    "netcdf4_classic": 0x1100,
    "zarr": 0x100000,
}
_KINDS = {None: 0, "published": 0x10000, "growing": 0x20000, "series": 0x40000}
Path = str | bytes | os.PathLike[str] | os.PathLike[bytes]

_Made = TypeVar("_Made")


class Level(enum.IntEnum):
    """How far the data of a put have come: see Context.flush."""

    HANDED_OVER = 0
    WRITTEN = 1
    ON_DISK = 2


def flattened(options: Mapping[str, Any]) -> dict[str, Any]:
    """By whole names: the keys of a group may come as a dictionary; `async`, a word of Python, is spelled `async_`."""
    made: dict[str, Any] = {}
    for key, value in options.items():
        name = key.rstrip("_")
        made |= {f"{name}.{own}": each for own, each in value.items()} if isinstance(value, Mapping) else {name: value}
    return made


def _option(key: str, value: Any) -> str:
    if isinstance(value, bool):
        return f"{key}={'true' if value else 'false'}"
    if isinstance(value, list | tuple):
        return f"{key}={','.join(str(each) for each in value)}"
    return f"{key}={value}"


def _arguments(
    comm: MPI.Comm | None, config: Path | None, options: dict[str, Any]
) -> tuple[int, bool, bytes | None, list[str]]:
    given = MPI.COMM_WORLD if comm is None else comm
    if not isinstance(given, MPI.Comm):
        raise TypesError(f"comm is {given!r}, a {type(given).__name__}, where a communicator of mpi4py is expected")
    builds.compare(*_core.mpi_library(), MPI.Get_library_version())
    return (
        given.py2f(),
        given != MPI.COMM_NULL and not given.Is_inter() and given.Get_size() == 1,
        None if config is None else os.fsencode(config),
        [_option(key, value) for key, value in flattened(options).items()],
    )


def serve(comm: MPI.Comm | None = None, config: Path | None = None, **options: Any) -> None:
    """Collective with the contexts of the models: this rank serves until all of them are finalised."""
    _core.serve(*_arguments(comm, config, options))


class Context(ContextBase):
    """Collective over `comm` (by default the world), which is duplicated. `config` names a YAML or namelist file;
    `options` are its keys, and override it: Context(route="ranges", async_="threads", chunks={"records": 4}).

    A rank that serves stays in this call until the others are finalised; then `is_model` is False. All other calls, but
    `finalize`, are for the ranks that compute: collective calls for all of `comm`.

    Threads may share a context: their calls are made one after the other. Where it has several ranks, every rank makes
    its collective calls in the same order (docs/python.md#threads)."""

    __slots__ = ("_files", "_handle", "comm", "is_model", "size")

    def __init__(self, comm: MPI.Comm | None = None, config: Path | None = None, **options: Any) -> None:
        self._handle = 0
        self._files: list[File] = []
        self._handle = _core.init(*_arguments(comm, config, options))
        self.is_model = bool(_core.is_model(self.handle))
        self.comm: MPI.Comm = MPI.Comm.f2py(_core.model_comm(self.handle)) if self.is_model else MPI.COMM_NULL
        self.rank: int = self.comm.rank if self.is_model else -1
        self.size: int = self.comm.size if self.is_model else 0
        _LIVING.add(self)

    @property
    def handle(self) -> int:
        """Its number in sverdrup._core. Raises ArgumentError once the context is finalised."""
        return self._handle or ended(f"rank {self.rank}: the context is finalised", "Begin another one")

    @property
    def finalized(self) -> bool:
        return self._handle == 0

    # ---- decompositions

    def decomp(
        self,
        shape: Sequence[int],
        start: Sequence[int],
        count: Sequence[int],
        *,
        halo: Halo | None = None,
        periodic: Sequence[bool] | None = None,
        masked: bool = False,
    ) -> Blocks:
        """Collective. This rank owns `count` cells from `start` (from 0) of a grid of `shape`, slowest dimension first.
        `halo`: one width, or for each dimension one or a pair (low, high). `masked`: cells may be without an owner
        (masks)."""
        def read() -> tuple[list[tuple[int, ...]], list[int], list[int]]:
            own = [tuple(wholes(given, what)) for given, what in ((shape, "shape"), (start, "start"), (count, "count"))]
            wraps = [int(bool(flag)) for flag in ([False] * len(own[0]) if periodic is None else periodic)]
            if len({len(each) for each in (*own, wraps)}) > 1:
                cause = f"{len(own[0])} dimensions, but {len(own[1])} starts and {len(own[2])} counts"
                raise Refused(1, cause, "Pass one number for each dimension")
            return own, wraps, widths(halo, len(own[0]))

        own, wraps, frame = self.prepared(read, ([(1,), (0,), (0,)], [0], [0, 0]))
        own_shape, own_start, own_count = own
        flags = _MASKED if masked else 0
        handle = _core.def_decomp(self.handle, list(own_shape), list(own_start), list(own_count), frame, wraps, flags)
        return Blocks(handle, own_shape, list(zip(own_start, own_count, strict=True)), frame)

    def points(self, shape: int | Sequence[int], indices: Any, *, masked: bool = False) -> Points:
        """Collective. This rank owns the cells with these numbers (row-major, from 0), in any order, of a grid of
        `shape`."""
        def read() -> tuple[tuple[int, ...], Any]:
            own = cells(indices, "indices")
            if own.ndim != 1:
                raise Refused(1, f"indices in an array of {own.ndim} dimensions", "Pass one dimension")
            return tuple(wholes(shape if hasattr(shape, "__len__") else [shape], "shape")), own

        own_shape, own = self.prepared(read, ((1,), np.zeros(0, "int64")))
        handle = _core.def_points(self.handle, list(own_shape), own.size, own, _MASKED if masked else 0)
        return Points(self, handle, own_shape, own.size)

    # ---- files

    def create(self, path: Path, *, format: str | None = None, kind: str | None = None, clobber: bool = True) -> File:
        """Collective. A new file, in define mode. `format`: "cdf1", "cdf2", "cdf5", "netcdf4", "netcdf4_classic" or
        "zarr", the words of the key of the configuration; without one or with "auto", as configured, which is Zarr for
        a name that ends in .zarr by default. `kind`: "published" (the default: its name appears when it is complete),
        "growing", "series"."""
        flags = _choice(_FORMATS, format, "format") | _choice(_KINDS, kind, "kind") | (0 if clobber else _NO_CLOBBER)
        return self._opened(_core.create(self.handle, self._name(path), flags))

    def open(self, path: Path, mode: str = "r") -> File:
        """Collective. "r": for reading; "a": for appending records and rewriting values. Pieces of a set open as one
        file."""
        flags = _choice({"r": 0, "a": _WRITE}, mode, "mode")
        return self._opened(_core.open(self.handle, self._name(path), flags), reads=not flags)

    def _name(self, path: Path) -> bytes:
        """A path as the library takes it."""

        def read() -> bytes:
            try:
                name = os.fsencode(path)
            except TypeError as reason:
                raise Refused(6, f"a path that is none: {reason}", "Pass a str or an os.PathLike") from reason
            if b"\0" in name:
                cause = f"the path {path!r} contains a null character"
                raise Refused(1, cause, "Leave it out")
            return name

        return self.prepared(read, b"")

    def _opened(self, handle: int, *, reads: bool = False) -> File:
        file = File(self, handle, reads=reads)
        LOGGER.debug("rank %d has opened '%s'", self.rank, file.path)
        self._files.append(file)
        return file

    def forget(self, file: FileBase) -> None:
        """Called by a file that is closed."""
        self._files = [each for each in self._files if each is not file]

    # ---- steps

    def end_step(self) -> None:
        """Collective. Commits all records that were put since the last call, in every file."""
        _core.end_step(self.handle)

    def flush(self, level: Level = Level.WRITTEN) -> None:
        """Collective. Returns when all steps that have ended, and all files that were closed, have reached this
        level."""
        _core.flush(self.handle, here(level, "the level"))

    @property
    def durable_step(self) -> int:
        """How many steps, from the first, are known to be on the disk."""
        return int(_core.durable_step(self.handle))

    @property
    def servers(self) -> int:
        return int(_core.servers(self.handle))

    @property
    def stopping(self) -> bool:
        """True after the end of the step that closed all files, for request_stop or a signal."""
        return bool(_core.stopping(self.handle))

    def request_stop(self) -> None:
        _core.request_stop(self.handle)

    def stop_on_signal(self, number: int) -> None:
        _core.stop_on_signal(self.handle, here(number, "the signal"))

    @contextlib.contextmanager
    def communication(self) -> Iterator[None]:
        """The model communicates meanwhile: with `async.forwarding: paced`, no message to a server begins."""
        _core.pause_forwarding(self.handle)
        try:
            yield
        finally:
            _core.resume_forwarding(self.handle)

    def write_summary(self, path: Path) -> None:
        """Collective. Settings, routes, bytes and seconds, as JSON."""
        _core.write_summary(self.handle, self._name(path))

    def refuse(self, status: int, cause: str, remedy: str = "") -> None:
        """Local. The next collective call of this rank fails on every rank, with this error."""
        _core.refuse(self.handle, here(status, "the status"), str(cause), str(remedy))

    def prepared(self, prepare: Callable[[], _Made], otherwise: _Made, place: str = "") -> _Made:
        """The result of `prepare` for the arguments of a collective call. If this rank cannot pass them on, the
        following call fails on every rank. `place`: file and variable, for the text."""
        try:
            return prepare()
        except Refused as reason:
            self.refuse(reason.status, place + reason.cause, reason.remedy)
        except Error:  # of an object that is closed: no argument of this call
            raise
        except Exception as reason:  # any exception of the caller's objects
            cause = f"{place}{UNREADABLE}{named(reason)}"
            self.refuse(1, cause, "Pass integers of Python, and arrays of NumPy or such as DLPack describes")
        return otherwise

    # ---- end

    def finalize(self) -> None:
        """Collective. Files that are still open are abandoned: an error. Frees the context in any case."""
        if not self._handle:
            return
        for file in self._files:
            file.end("was abandoned when its context was finalised")
        handle, self._handle = self._handle, 0
        self._files.clear()
        _core.finalize(handle)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Closes open files, in the order in which they were opened, and finalises. After an exception that this rank
        alone may have, the next collective call of the others fails with its text."""
        if not self._handle:
            return
        if error is None:
            try:
                for file in list(self._files):
                    file.close()
            finally:
                self.finalize()
            return
        if self.is_model and not (isinstance(error, Error) and error.collective):
            with contextlib.suppress(Error):
                self.refuse(19, f"{ENDED}{named(error)}", "See its traceback")
                self.end_step()
        with contextlib.suppress(Error):
            self.finalize()

    def unfinished(self) -> Iterator[str]:
        """A sentence for each written file that is not closed, or for the context, if that is not finalised. Files that
        are only read lose nothing."""
        remedy = "or use 'with': the call is collective, so that Python cannot make it when the object is deleted"
        for file in self._files:
            if file.reads:
                continue
            lost = "its last records may be missing, and a published file does not have its name"
            yield f"file '{file.path}', rank {self.rank}: it was not closed: {lost}. Call close, {remedy}"
        if self._handle and not self._files:
            yield f"rank {self.rank}: a context was not finalised. Call finalize, {remedy}"

    def __del__(self) -> None:
        if getattr(self, "_handle", 0):
            for text in self.unfinished():
                warnings.warn(text, ResourceWarning, stacklevel=2, source=self)

    def __repr__(self) -> str:
        return (
            f"<sverdrup.Context, rank {self.rank} of {self.size}>" if self._handle else "<sverdrup.Context, finalised>"
        )


_LIVING: weakref.WeakSet[Context] = weakref.WeakSet()


@atexit.register
def _report_unfinished() -> None:
    """Before the process ends, and MPI: Python itself hides its ResourceWarning."""
    for context in _LIVING:
        if context.rank <= 0:
            for text in context.unfinished():
                LOGGER.warning(text)


def _choice(choices: dict[Any, int], given: Any, what: str) -> int:
    if given not in choices:
        known = ", ".join(repr(each) for each in choices if each is not None)
        raise ArgumentError(f"{what} {given!r}: it is one of {known}{nearest(str(given), filter(None, choices))}")
    return choices[given]


__all__ = ["Blocks", "Context", "Decomp", "File", "Level", "Points", "serve"]
