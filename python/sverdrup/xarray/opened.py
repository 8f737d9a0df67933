"""The files that the engine of xarray has open. xarray's own file manager keeps them: it closes those that were not
used for a long time, opens them again when they are needed, and is pickled as their path and options."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from mpi4py import MPI
from xarray.backends.file_manager import CachingFileManager, DummyFileManager, FileManager
from xarray.backends.locks import HDF5_LOCK, NETCDFC_LOCK, combine_locks

import sverdrup
from sverdrup.library.context import flattened
from sverdrup.xarray.identity import Identity, identities

Option = tuple[str, Any]


class ProcessLock:
    """Held by the engine during each of its calls: one lock for each process, that of xarray's own backends of netCDF,
    because they may use the same libraries. Pickled as a name: in another process, it is that process's lock."""

    def __init__(self) -> None:
        self._lock = combine_locks([NETCDFC_LOCK, HDF5_LOCK])

    def acquire(self, blocking: bool = True) -> bool:
        return self._lock.acquire() if blocking else self._lock.acquire(blocking=False)

    def release(self) -> None:
        self._lock.release()

    def locked(self) -> bool:
        return self._lock.locked()

    def __enter__(self) -> bool:
        return self.acquire()

    def __exit__(self, *error: Any) -> None:
        self.release()

    def __reduce__(self) -> str:
        return "LOCK"


LOCK = ProcessLock()


class Opened:
    """An open file with a context of its own."""

    def __init__(self, path: str, comm: MPI.Comm, options: Mapping[str, Any]) -> None:
        self._context = sverdrup.Context(comm, **options)
        try:
            self.file = self._context.open(path)
        except BaseException:
            self._context.finalize()
            raise

    def close(self) -> None:
        """Collective over the communicator."""
        try:
            self.file.close()
        finally:
            self._context.finalize()


def reopened(path: str, options: tuple[Option, ...], known: frozenset[Identity], mode: str) -> Opened:
    """Opens a file for this process alone, again and again: each time the file that it was the first time."""
    del mode  # "r": the manager, where it is unpickled, passes one in any case
    opened = Opened(path, MPI.COMM_SELF, dict(options))
    if not known <= identities(path):
        opened.close()
        raise sverdrup.FormatError(
            f"file '{path}': another file has this name since the dataset was opened, and values of the two must not "
            "meet. Open the dataset again"
        )
    return opened


def _hashable(value: Any) -> Any:
    return tuple(value) if isinstance(value, list) else value


def manager_of(path: str, comm: MPI.Comm | None, options: Mapping[str, Any]) -> FileManager[Any]:
    """Of a file that this rank reads alone, one that may close and open it at any time. Of a file that several ranks
    read together, which close it together, too, one that leaves it open."""
    if comm is not None and comm.size > 1:
        return DummyFileManager(Opened(path, comm, options))
    own = tuple(sorted((key, _hashable(value)) for key, value in flattened(options).items()))
    return CachingFileManager(reopened, path, own, identities(path), mode="r", lock=LOCK)


@contextmanager
def reading(manager: FileManager[Any]) -> Iterator[sverdrup.File]:
    """The file, for as long as this thread alone calls the library."""
    with LOCK, manager.acquire_context(needs_lock=False) as opened:
        yield opened.file
