"""Reads the header and the sections of a trace file. A section that does not fit the file is refused. Process reads
through it."""

import os
import stat
from pathlib import Path

import numpy as np

from sverdrup.trace import layout
from sverdrup.trace.errors import TraceError

FOREIGN = "Give the folder that sv-trace wrote; take other files out of it"
DAMAGED = "It was cut or damaged after it was written; copy it again, or take it out of the folder"

# More entries than this no recorder makes; so a damaged number cannot ask for all memory.
MOST = {
    "functions": 1 << 16, "paths": 1 << 16, "files": 1 << 20, "variables": 1 << 20, "text": 1 << 28, "notes": 1 << 20,
    "totals": 1 << 22, "path_totals": 1 << 16, "threads": 1 << 16, "ring": 1 << 26,
}  # fmt: skip


def _at_once(path: str, flags: int) -> int:
    """Opens a pipe, too, without waiting for one that writes."""
    return os.open(path, flags | os.O_NONBLOCK)


def read_header(path: Path) -> tuple[np.void, np.ndarray]:
    """The header of a trace file, with the right magic, version and length, and the bytes of the file, which are
    mapped. Raises TraceError."""
    try:
        with open(path, "rb", opener=_at_once) as file:
            status = os.fstat(file.fileno())
            if not stat.S_ISREG(status.st_mode):
                raise TraceError(path, "this is no regular file", FOREIGN)
            header = _checked(path, file.read(layout.HEADER.itemsize), status.st_size)
            return header, np.memmap(file, np.uint8, "r")
    except OSError as error:
        raise TraceError(path, f"it cannot be read: {error.strerror}", "See who may read it") from None


def _checked(path: Path, start: bytes, size: int) -> np.void:
    if start[:8] != layout.MAGIC:
        raise TraceError(path, "this is no trace file of Sverdrup", FOREIGN)
    if len(start) < layout.HEADER.itemsize:
        raise TraceError(path, f"it has {size} bytes, less than its header", DAMAGED)
    header = np.frombuffer(start, layout.HEADER)[0]
    if header["version"] != layout.VERSION:
        remedy = f"This program reads version {layout.VERSION}: use the one that came with the tracer"
        raise TraceError(path, f"its format has version {header['version']}", remedy)
    if header["header_bytes"] != layout.HEADER.itemsize:
        raise TraceError(path, f"its header says it has {header['header_bytes']} bytes", DAMAGED)
    if header["file_bytes"] != size:
        raise TraceError(path, f"it has {size} bytes and should have {header['file_bytes']}", DAMAGED)
    if header["producer"] not in (layout.TRACER, layout.LIBRARY):
        raise TraceError(path, f"the producer {header['producer']} is unknown", DAMAGED)
    return header


class Sections:
    """The tables of one file: each an array of its entries that are in use. Arrays are mapped, not read."""

    def __init__(self, path: Path, header: np.void, content: np.ndarray):
        self.path, self.header, self.bytes = path, header, content
        self._places = [self._checked(name, header["sections"][index]) for index, name in enumerate(layout.SECTIONS)]
        self._check_overlap()
        for name in ("files", "variables", "notes"):
            self._check_texts(name)

    def _checked(self, name: str, section: np.void) -> tuple[int, int, int, int]:
        """Offset in bytes, capacity in entries, used, lost."""
        offset, capacity, entry_bytes, used, lost = (int(value) for value in section.item())
        entry = layout.ENTRIES[name]
        if entry_bytes != entry.itemsize:
            raise self.damaged(f"entries of section '{name}' have {entry_bytes} bytes instead of {entry.itemsize}")
        if not 0 < capacity <= MOST[name] or offset < layout.HEADER.itemsize or offset % 8 != 0:
            raise self.damaged(f"section '{name}' of {capacity} entries at byte {offset} is impossible")
        if offset + capacity * entry_bytes > int(self.header["file_bytes"]):
            raise self.damaged(f"section '{name}' ends beyond the file")
        if used < 0 or lost < 0 or (used > capacity and name != "ring"):
            raise self.damaged(f"section '{name}' uses {used} of {capacity} entries and lost {lost}")
        return offset, capacity, used, lost

    def _check_overlap(self) -> None:
        ends = sorted(
            (offset, offset + capacity * layout.ENTRIES[name].itemsize, name)
            for name, (offset, capacity, _, _) in zip(layout.SECTIONS, self._places)
        )
        for (_, end, first), (begin, _, second) in zip(ends, ends[1:]):
            if begin < end:
                raise self.damaged(f"sections '{first}' and '{second}' overlap")

    def _check_texts(self, name: str) -> None:
        """Each entry has a text of its own: all together they are not longer than the section."""
        lengths, used = self.table(name)["text_bytes"], self.used("text")
        if ((lengths < 0) | (lengths > used)).any() or int(lengths.sum()) > used:
            raise self.damaged(f"the texts of section '{name}' are not in the text, which has {used} bytes")

    def damaged(self, cause: str) -> TraceError:
        return TraceError(self.path, cause, DAMAGED)

    def whole(self, name: str) -> np.ndarray:
        """All entries of a section, in use or not."""
        offset, capacity, _, _ = self._places[layout.SECTIONS.index(name)]
        entry = layout.ENTRIES[name]
        return self.bytes[offset : offset + capacity * entry.itemsize].view(entry)

    def table(self, name: str) -> np.ndarray:
        """Entries in use of a section that fills up from its beginning."""
        return self.whole(name)[: self.used(name)]

    def capacity(self, name: str) -> int:
        return self._places[layout.SECTIONS.index(name)][1]

    def used(self, name: str) -> int:
        return self._places[layout.SECTIONS.index(name)][2]

    def lost(self, name: str) -> int:
        return self._places[layout.SECTIONS.index(name)][3]

    def text(self, offset: int, length: int) -> str:
        """UTF-8 of the text section; bytes that are none become U+FFFD: names of files may be anything."""
        used = self.used("text")
        if not (0 <= offset <= used and 0 <= length <= used - offset):
            raise self.damaged(f"a name at byte {offset} of {length} bytes is not in the text, which has {used}")
        return self.whole("text")[offset : offset + length].tobytes().decode("utf-8", "replace")
