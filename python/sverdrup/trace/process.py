"""Reads the trace file of one process, and checks everything in it before it is used."""

import json
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from pathlib import Path

import numpy as np

from sverdrup.trace import layout
from sverdrup.trace.events import Events
from sverdrup.trace.sections import Sections, read_header


@dataclass(frozen=True)
class Note:
    """A note of a producer, from JSON. `file`: index of Process.files, 0: none. `time_ns`: since the process began."""

    time_ns: int
    file: int
    content: dict = field(hash=False)


@dataclass(frozen=True)
class OpenCall:
    """A call that was going on when the process ended or was read; `depth` 0 is the outermost of its thread."""

    tid: int
    depth: int
    path: int
    file: int
    variable: int
    start_ns: int


class Process:
    """A trace file. Everything is checked when it is opened but totals and events, which are checked when first used;
    TraceError describes the error. Times are nanoseconds since the process began."""

    def __init__(self, path: Path | str):
        self.path = Path(path)
        header, content = read_header(self.path)
        self._sections = Sections(self.path, header, content)
        self.producer = int(header["producer"])
        for name in ("start_realtime_ns", "start_monotonic_ns", "end_ns", "latest_ns", "mpi_start_ns", "mpi_end_ns",
                     "pid", "parent_pid", "rank", "ranks"):  # fmt: skip
            setattr(self, name, int(header[name]))
        self.host = header["host"].decode("utf-8", "replace")
        self.program = header["program"].decode("utf-8", "replace")
        flags = int(header["flags"])
        self.ended, self.forked = bool(flags & layout.ENDED), bool(flags & layout.FORKED)
        self._check_times()
        self._read_names()
        self._read_paths()
        self.notes, self.unread_notes = self._read_notes()
        self.open_calls = self._read_open_calls()

    @property
    def is_library(self) -> bool:
        return self.producer == layout.LIBRARY

    @property
    def events_recorded(self) -> int:
        """Slots that events took, arguments included, those overwritten since too."""
        return self._sections.used("ring")

    @property
    def ring_capacity(self) -> int:
        return self._sections.capacity("ring")

    @cached_property
    def lost(self) -> dict[str, int]:
        """Entries that found no room, by section."""
        return {name: self._sections.lost(name) for name in layout.SECTIONS if self._sections.lost(name)}

    @cached_property
    def totals(self) -> np.ndarray:
        """layout.TOTAL and the fields `path`, `file`, `variable`, a row each; exact even if the ring lost events."""
        table = self._sections.whole("totals")
        rows = table[table["key"] != 0]
        by_path = self._sections.whole("path_totals")[: len(self.path_function)]
        extra = np.flatnonzero(by_path["calls"] != 0)
        totals = np.concatenate([rows, by_path[extra]])
        totals["key"][len(rows) :] = extra.astype(np.uint64) << np.uint64(48)
        self._check_totals(totals)
        return totals

    def total_places(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Path, file and variable of each row of `totals`."""
        key = self.totals["key"]
        low = np.uint64((1 << 24) - 1)
        path, file, variable = key >> np.uint64(48), (key >> np.uint64(24)) & low, key & low
        return path.astype(np.int64), file.astype(np.int64), variable.astype(np.int64)

    def events(self) -> Events:
        """The latest events that are whole, in the order of their beginnings. Those of the processes that were
        asked last are kept."""
        return _events(self)

    def _read_events(self) -> Events:
        limits = len(self.path_function), len(self.files), len(self.variables)
        return Events(self._sections.whole("ring"), self._sections.used("ring"), limits)

    # Reading and checking.
    def _check_times(self) -> None:
        latest = 1 << 60  # 36 years
        for name in ("end_ns", "latest_ns", "mpi_start_ns", "mpi_end_ns"):
            if not 0 <= getattr(self, name) < latest:
                raise self._sections.damaged(f"the time {name} is {getattr(self, name)}")
        if abs(self.start_monotonic_ns) >= latest or not 0 <= self.start_realtime_ns < 1 << 62:
            raise self._sections.damaged("the time of its beginning is impossible")
        if self.rank < -1 or self.ranks < 0 or (self.ranks and self.rank >= self.ranks):
            raise self._sections.damaged(f"it is of rank {self.rank} of {self.ranks}")

    def _read_names(self) -> None:
        sections = self._sections
        functions = sections.table("functions")
        known = np.isin(functions["layer"][1:], list(layout.LAYERS))
        if not known.all():
            raise sections.damaged("a function is of no known layer")
        self.functions = [
            (layout.LAYERS.get(int(row["layer"]), "posix"), row["name"].decode("utf-8", "replace")) for row in functions
        ] or [("posix", "")]
        self.files = [sections.text(*map(int, row.item())) for row in sections.table("files")] or [""]
        self.variables = [(0, "")]
        for row in sections.table("variables")[1:]:
            if row["file"] >= len(self.files):
                raise sections.damaged("a variable is of no file")
            self.variables.append((int(row["file"]), sections.text(int(row["text_offset"]), int(row["text_bytes"]))))

    def _read_paths(self) -> None:
        """path_caller, path_function: of each path. Callers come before those they call, so there are no loops."""
        paths = self._sections.table("paths")
        caller, function = paths["caller"].astype(np.int64), paths["function"].astype(np.int64)
        caller[:1], function[:1] = 0, 0
        lost = caller == layout.LOST_CALLER
        if (function >= len(self.functions)).any() or (~lost & (caller >= np.maximum(np.arange(len(caller)), 1))).any():
            raise self._sections.damaged("a call path is of no function, or calls itself")
        self.path_lost, self.path_caller, self.path_function = lost, np.where(lost, 0, caller), function
        depth = [0] * len(caller)
        for path in range(1, len(caller)):
            depth[path] = depth[self.path_caller[path]] + 1
        if max(depth, default=0) > layout.DEEPEST + 1:  # those deeper have the deepest call as their caller
            raise self._sections.damaged(f"a call path has {max(depth)} calls within one another")

    def _read_notes(self) -> tuple[list[Note], int]:
        notes, unread = [], 0
        for row in self._sections.table("notes"):
            if row["file"] >= len(self.files):
                raise self._sections.damaged("a note is of no file")
            if not row["complete"]:
                continue
            try:
                content = json.loads(self._sections.text(int(row["text_offset"]), int(row["text_bytes"])))
            except (ValueError, RecursionError):
                content = None
            if isinstance(content, dict):
                notes.append(Note(int(row["time_ns"]), int(row["file"]), content))
            else:
                unread += 1
        return notes, unread

    def _read_open_calls(self) -> list[OpenCall]:
        calls = []
        threads = self._sections.whole("threads")
        for thread in threads[(threads["tid"] != 0) & (threads["depth"] > 0)]:
            frames = thread["frames"][: min(int(thread["depth"]), layout.DEEPEST)]
            self._check_places(frames["path"], frames["file"], frames["variable"], "a call that goes on")
            for depth, frame in enumerate(frames):
                place = (int(frame[name]) for name in ("path", "file", "variable", "start_ns"))
                calls.append(OpenCall(int(thread["tid"]), depth, *place))
        return calls

    def _check_totals(self, totals: np.ndarray) -> None:
        key = totals["key"]
        low = np.uint64((1 << 24) - 1)
        self._check_places(key >> np.uint64(48), (key >> np.uint64(24)) & low, key & low, "a total")
        for name in ("calls", "errors", "bytes", "ns", "most_ns", "first_ns", "last_ns"):
            if ((totals[name] < 0) | (totals[name] >= 1 << 60)).any():
                raise self._sections.damaged(f"a total has an impossible number ({name})")

    def _check_places(self, path: np.ndarray, file: np.ndarray, variable: np.ndarray, what: str) -> None:
        for values, table, name in ((path, self.path_function, "path"), (file, self.files, "file"),
                                    (variable, self.variables, "variable")):  # fmt: skip
            if len(values) and int(values.max()) >= len(table):
                raise self._sections.damaged(f"{what} is of {name} {int(values.max())}, and there are {len(table)}")


@lru_cache(maxsize=16)  # full rings are 25 MB each
def _events(process: Process) -> Events:
    return process._read_events()
