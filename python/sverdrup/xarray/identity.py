"""Which files a path leads to, as src/store/file_identity.hpp has it: a file system gives the number of a file that is
gone to a new one, so the time of birth counts, too."""

from __future__ import annotations

import ctypes
import glob
import os
import struct
from collections.abc import Iterator

Identity = tuple[int, int]
_HERE, _BIRTH = -100, 0x800  # AT_FDCWD, STATX_BTIME
_NUMBER_AT, _BIRTH_AT = 32, 80  # in struct statx, of 256 bytes


def _of_file(path: str) -> Identity | None:
    """Number and birth; where the file system or the system does not know the latter, device and number. A growing file
    keeps both. None where there is no file."""
    room = ctypes.create_string_buffer(256)
    statx = getattr(ctypes.CDLL(None), "statx", None)
    if statx is not None and statx(_HERE, os.fsencode(path), 0, _BIRTH, room) == 0:
        if struct.unpack_from("=I", room)[0] & _BIRTH:
            seconds, nanoseconds = struct.unpack_from("=qI", room, _BIRTH_AT)
            return struct.unpack_from("=Q", room, _NUMBER_AT)[0], seconds * 10**9 + nanoseconds
    try:
        found = os.stat(path)
    except OSError:
        return None
    return found.st_dev, found.st_ino


def _files(path: str) -> Iterator[str]:
    if os.path.exists(path):
        return iter([path])
    if "%v" in path:
        return glob.iglob(glob.escape(path).replace("%v", "*"))
    return iter(sorted(glob.iglob(glob.escape(path) + ".[0-9][0-9][0-9][0-9]*"))[:1])


def identities(path: str) -> frozenset[Identity]:
    """Of a file, of the first piece of a set, or of all files that may be those of the variables ('ocean_%v.nc'). Where
    they are the same files as before, none of these is missing; others may have come."""
    return frozenset(found for found in map(_of_file, _files(path)) if found is not None)
