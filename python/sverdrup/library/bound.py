"""The common base of the library's objects: they belong to one process, and end."""

from __future__ import annotations

from typing import Any, NoReturn

from sverdrup.library.errors import error_of


class ProcessBound:
    """An object that stands for one in the memory of this process: another process could only follow a number into the
    void, and a copy would be freed twice. It has no attributes but those of its class: others would be lost."""

    __slots__ = ("__weakref__",)

    def __reduce_ex__(self, protocol: Any) -> NoReturn:
        raise TypeError(
            f"a sverdrup.{type(self).__name__} belongs to its process and its communicator: it cannot be pickled or "
            "copied. Pass the path and the settings, and open the file there"
        )


def ended(what: str, remedy: str) -> NoReturn:
    """Raises the error of a call on an object that was closed, freed or finalised."""
    raise error_of(1, f"{what}. {remedy}", False)
