"""The progress of one file, by its name, size and header, now and before."""

import json
import os
import struct
from collections import deque
from dataclasses import dataclass
from pathlib import Path

ABSENT, WRITING, RECENT, COMPLETE = "not there yet", "being written", "just written", "complete"
_WINDOW = 30.0  # seconds over which a rate is averaged
_QUIET = 60.0  # seconds without a write after which a file is taken for complete


@dataclass(frozen=True)
class Sample:
    """A file at one time (seconds of time.time()). `records`: None if they are not known without a library (netCDF-4).
    `changed`: when the file was last written. `is_locked`: a process of this host writes it."""

    time: float
    state: str
    records: int | None
    bytes: int
    changed: float | None
    is_locked: bool = False


def _in_progress(path: Path) -> tuple[Path, bool]:
    """The file to look at, and whether it is NAME.part: that of a published file while it is written, next to the
    target if NAME is a link."""
    target = path.resolve()
    part = target.with_name(target.name + ".part")
    return (part, True) if part.exists() else (target, False)


def _state_of_named(path: Path, is_locked: bool, was_locked: bool, age: float) -> str:
    """Of a file that has its name: a published one is complete, a growing one may still be written. It is complete if
    NAME.complete exists or the lock of its writer has gone; if the writer may be on another host, whose locks are not
    seen, after a while without a write."""
    if path.with_name(path.name + ".complete").exists():
        return COMPLETE
    if is_locked:
        return WRITING
    return RECENT if age < _QUIET and not was_locked else COMPLETE


def _is_locked(path: Path) -> bool:
    """Whether a process of this host holds the lock of a writer on the file, as that of a growing file does."""
    there = path.stat()
    place = f"{os.major(there.st_dev):02x}:{os.minor(there.st_dev):02x}:{there.st_ino}"
    try:
        locks = Path("/proc/locks").read_text(encoding="ascii").splitlines()
        return any(" WRITE " in lock and f" {place} " in lock for lock in locks)
    except OSError:
        return False


def _records_of_cdf(head: bytes) -> int | None:
    """The record count of a classic header, or None: another format, or a count that is not kept."""
    form = {b"CDF\x01": ">I", b"CDF\x02": ">I", b"CDF\x05": ">Q"}.get(head[:4])
    if form is None or len(head) < 4 + struct.calcsize(form):
        return None
    (count,) = struct.unpack_from(form, head, 4)
    return None if count == 2 ** (8 * struct.calcsize(form)) - 1 else count


def _head(path: Path) -> bytes:
    with path.open("rb") as file:
        return file.read(12)


def _zarr(path: Path) -> tuple[int | None, bool | None]:
    """Records, and whether it is complete, as Sverdrup notes them in the metadata of a group."""
    try:
        noted = json.loads((path / "zarr.json").read_text(encoding="utf-8"))["consolidated_metadata"]["netcdf"]
        return noted.get("records"), noted.get("complete")
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return None, None


def _bytes(path: Path) -> int:
    """Allocated bytes on the disk: without the holes of a sparse file."""
    there = path.stat()
    blocks = getattr(there, "st_blocks", 0) * 512
    return min(there.st_size, blocks) if blocks else there.st_size


def _folder_bytes(path: Path) -> int:
    total = 0
    for folder, _, names in os.walk(path):
        for name in names:
            try:
                total += os.stat(os.path.join(folder, name)).st_size
            except OSError:  # replaced in the meantime
                continue
    return total


def sample(path: Path, now: float, was_locked: bool = False) -> Sample:
    """How the file is now. `was_locked`: is_locked of the sample before. A file that disappears in the meantime is not
    there yet."""
    file, is_part = _in_progress(path)
    try:
        records, complete = _zarr(file) if file.is_dir() else (_records_of_cdf(_head(file)), None)
        written = file / "zarr.json" if complete is not None else file
        changed = written.stat().st_mtime
        is_locked = _is_locked(file)
        if is_part or complete is False:
            state = WRITING
        else:
            state = COMPLETE if complete else _state_of_named(file, is_locked, was_locked, now - changed)
        return Sample(now, state, records, (_folder_bytes if file.is_dir() else _bytes)(file), changed, is_locked)
    except FileNotFoundError:
        return Sample(now, ABSENT, None, 0, None)


class Watched:
    """A file with its samples, oldest first, of the last minutes."""

    def __init__(self, path: Path):
        self.path = path
        self.samples: deque[Sample] = deque(maxlen=1000)
        self.committed: float | None = None  # when the record count was last seen to change

    def look(self, now: float) -> Sample:
        before = self.samples[-1] if self.samples else None
        new = sample(self.path, now, was_locked=before is not None and before.is_locked)
        if before and new.records != before.records:
            self.committed = now
        self.samples.append(new)
        return new

    @property
    def latest(self) -> Sample:
        return self.samples[-1]

    def last_commit(self) -> float | None:
        """The last change of the record count; until one was seen, or if records are not known, the last write."""
        return self.committed or self.latest.changed

    def rates(self) -> tuple[float | None, float | None]:
        """Bytes and records per second over the last half minute; None: not known yet."""
        last = self.latest
        first = next((one for one in self.samples if last.time - one.time <= _WINDOW), last)
        seconds = last.time - first.time
        if seconds <= 0:
            return None, None
        records = None
        if last.records is not None and first.records is not None:
            records = max(last.records - first.records, 0) / seconds
        return max(last.bytes - first.bytes, 0) / seconds, records
