"""The interface of the context and of the file that the lower parts of the library use. Context and File, which consist
of these parts, derive from the two classes here."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from sverdrup.library.arrays import Array
from sverdrup.library.bound import ProcessBound

_Made = TypeVar("_Made")


class ContextBase(ProcessBound):
    """`rank`: in the communicator of the ranks that compute; -1 on a server."""

    __slots__ = ("rank",)
    rank: int

    def prepared(self, prepare: Callable[[], _Made], otherwise: _Made, place: str = "") -> _Made:
        raise NotImplementedError

    def forget(self, file: FileBase) -> None:
        raise NotImplementedError


class FileBase(ProcessBound):
    """`context`: the one that made the file."""

    __slots__ = ("context",)
    context: ContextBase

    @property
    def handle(self) -> int:
        raise NotImplementedError

    @property
    def path(self) -> str:
        raise NotImplementedError

    @property
    def closed(self) -> bool:
        raise NotImplementedError

    def keep(self, request: int, array: Array | None) -> None:
        raise NotImplementedError
