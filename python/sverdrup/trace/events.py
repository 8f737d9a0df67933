"""The events of one process, as columns of numbers. Process.events() reads them from the file's ring."""

import numpy as np

from sverdrup.trace import layout

COLUMNS = ("start_ns", "duration_ns", "bytes", "offset", "path", "file", "variable", "thread")


class Events:
    """Columns of equal length, sorted by `start_ns`: start_ns, duration_ns, bytes, offset (int64), path, file,
    variable, thread, failed. `complete`: none has been overwritten. Incomplete and impossible events are left out.
    `limits`: the numbers of paths, files and variables."""

    def __init__(self, ring: np.ndarray, used: int, limits: tuple[int, int, int]):
        capacity = len(ring)
        filled = ring[: min(used, capacity)]
        number = filled["ticket"] - 1
        begins = (number >= max(used - capacity, 0)) & (number < used)
        begins &= (number % capacity == np.arange(len(filled))) & (filled["slots"] > 0)
        rows = filled[begins]
        number = number[begins]
        possible = (number + rows["slots"] <= used) & (rows["start_ns"] >= 0) & (rows["duration_ns"] >= 0)
        possible &= (rows["start_ns"] < 1 << 60) & (rows["duration_ns"] < 1 << 60) & (rows["bytes"] < 1 << 60)
        for name, limit in zip(("path", "file", "variable"), limits):
            possible &= rows[name] < limit
        order = np.flatnonzero(possible)
        order = order[np.argsort(rows["start_ns"][order], kind="stable")]
        for name in COLUMNS:
            setattr(self, name, rows[name][order])
        self.failed = rows["failed"][order] != 0
        self.complete = used <= capacity
        self.impossible = int(len(possible) - possible.sum())
        self._number, self._slots, self._ring = number[order], rows["slots"][order], ring

    def __len__(self) -> int:
        return len(self.start_ns)

    def arguments(self, index: int) -> dict[str, list[int]]:
        """Arguments of one event by kind (layout.ARGUMENTS); of a kind that comes twice, the first."""
        words = self._ring.view("<i8").reshape(len(self._ring), 8)
        slots = (self._number[index] + 1 + np.arange(int(self._slots[index]) - 1)) % len(self._ring)
        values = words[slots, 1:].ravel()
        found, at = {}, 0
        while at < len(values):
            kind, length = int(values[at]) >> 32, int(values[at]) & 0xFFFFFFFF
            if not 0 < kind < len(layout.ARGUMENTS):
                break
            found.setdefault(layout.ARGUMENTS[kind], values[at + 1 : at + 1 + length].tolist())
            at += 1 + length
        return found
