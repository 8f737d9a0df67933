"""The input of the modules of advice/: a traced run, its tables, and sums that several of them need, each computed
once."""

from functools import cached_property

import numpy as np

from sverdrup.analysis import boxes, formats, gathering, per_file, places, ribbon
from sverdrup.analysis.cores import Cores
from sverdrup.analysis.formats import File
from sverdrup.analysis.traced_run import TracedRun
from sverdrup.analysis.words import POSIX_READS, POSIX_WRITES, kind_of


_UNITS = {"KiB": 1 << 10, "MiB": 1 << 20, "GiB": 1 << 30}


def in_bytes(setting: object) -> str:
    """A setting as text that can be compared: sizes in bytes."""
    text = str(setting).strip()
    for unit, bytes in _UNITS.items():
        number = text.removesuffix(unit).strip()
        if text.endswith(unit) and number.isdecimal() and len(number) < 20:
            return str(int(number) * bytes)
    return text


class Facts:
    """Arrays by rank have the shape (ranks,); masks are rows of traced.table."""

    def __init__(self, traced: TracedRun):
        self.traced, self.table, self.seconds = traced, traced.table, traced.seconds
        self.known: dict[str, File] = formats.files(traced)

    @cached_property
    def file_rows(self) -> list[dict]:
        return per_file.files(self.traced, self.known)

    @cached_property
    def ranges(self) -> list[dict]:
        return places.ranges(self.traced, self.known)

    @cached_property
    def layout(self) -> list[dict]:
        return boxes.layout(self.traced, self.known)

    @cached_property
    def cores(self) -> Cores:
        return Cores(self.traced)

    @cached_property
    def gathers_to(self) -> int | None:
        """The index of the rank that writes for all with a serial library; None: there is none."""
        return gathering.writer_for_all(self.traced, self.writes, self.written)

    @cached_property
    def gathered_output(self) -> float:
        """Seconds of its output, with the gathering between its puts; 0 without one."""
        return 0.0 if self.gathers_to is None else gathering.output_seconds(self.traced, self.gathers_to)

    @cached_property
    def output(self) -> float:
        """The most that a change of the output can save: the longest I/O time of a rank, or longer where one writes for
        all."""
        return max(self.io, self.gathered_output)

    @cached_property
    def io(self) -> float:
        """Seconds of the rank that was longest in I/O calls."""
        return float(self.traced.io_seconds.max(initial=0))

    @cached_property
    def worst(self) -> int:
        """Number of that rank."""
        return int(self.traced.ranks[self.traced.io_seconds.argmax()])

    @cached_property
    def writes(self) -> np.ndarray:
        """Rows of writes of the system to files that a netCDF layer, MPI-IO or Sverdrup knows, or all; without a
        tracer, of the writes that the library reports."""
        rows = self.table.is_layer("posix") & self.table.is_function(lambda _, name: name in POSIX_WRITES)
        if not self.traced.seen_by_tracer.any():
            rows = self.table.is_layer("step") & self.table.is_function(
                lambda _, name: name in ("output", "write_file")
            )
        return rows & (self.table.file > 0)

    @cached_property
    def reads(self) -> np.ndarray:
        return (
            self.table.is_layer("posix")
            & self.table.is_function(lambda _, name: name in POSIX_READS)
            & (self.table.file > 0)
        )

    @cached_property
    def write_seconds(self) -> np.ndarray:
        return self.table.seconds_by_rank(self.writes)

    @cached_property
    def written(self) -> np.ndarray:
        """Written bytes by rank; if the trace has no writes, the bytes that were sent to the rank."""
        written = self.table.by_rank(self.writes, "bytes")
        if not written.any():
            for (_, _, target), bytes in self.traced.sent.items():
                written[target] += bytes
        return written

    @cached_property
    def best_rate(self) -> float | None:
        """Bytes per second: the best that any file of 1 MiB and more was written with, all its writers together."""
        rates = []
        for file in np.unique(self.table.file[self.writes]).tolist():
            mask = self.writes & (self.table.file == file)
            bytes, most = int(self.table.bytes[mask].sum()), float(self.table.seconds_by_rank(mask).max(initial=0))
            if bytes >= 1 << 20 and most > 0:
                rates.append(bytes / most)
        return max(rates, default=None)

    @cached_property
    def compressing(self) -> np.ndarray:
        """Rows of netCDF's calls that make it compress a variable."""
        words = ("deflate", "filter", "quantize", "zstandard", "blosc", "szip")
        names = self.table.is_function(lambda _, name: "_def_var" in name and any(word in name for word in words))
        return names & self.table.is_layer("netcdf")

    def compresses(self, path: str) -> bool:
        """Whether the file is compressed, as far as the program's calls or Sverdrup's settings say."""
        calls = self.compressing & (self.table.file == self.table.files.index(path))
        return bool(calls.any()) or self.settings.get("compression.codec", "none") != "none"

    @cached_property
    def settings(self) -> dict[str, str]:
        """As they were in force, sizes in bytes; of a program without Sverdrup none."""
        for _, note in self.traced.notes("run"):
            if isinstance(settings := note.get("settings"), dict):
                return {key: in_bytes(v.get("value") if isinstance(v, dict) else v) for key, v in settings.items()}
        return {}

    @cached_property
    def way(self) -> str:
        """The value of the key `async`: threads, auto, or a number; empty if the calls write."""
        if self.traced.has_servers:
            return str(len(self.traced.servers))
        configured = self.settings.get("async.mode", "")
        return configured if configured in ("threads", "auto") else ""

    @cached_property
    def steps(self) -> int:
        """How many steps were ended, by the rank with most."""
        ends = self.table.is_function(lambda _, name: name == "sv_end_step") & self.traced.counted
        if not ends.any():
            ends = self.table.is_function(lambda _, name: name == "end_step")
        return int(self.table.by_rank(ends, "calls").max(initial=0))

    @cached_property
    def after_first_step(self) -> float | None:
        """Seconds from the end of the first step to the end of the run; None with fewer than two steps."""
        ended = ribbon.steps(self.traced)
        return self.seconds - ended[0]["end"] if len(ended) > 1 else None

    def outermost(self, *kinds: str) -> np.ndarray:
        """Rows of the program's own I/O calls of these kinds (open, read, write, close, meta)."""
        return self.traced.outermost_io & self.table.is_function(lambda layer, name: kind_of(layer, name) in kinds)

    def seconds_of(self, mask: np.ndarray) -> float:
        """Seconds of rows, of the rank with most."""
        return float(self.table.seconds_by_rank(mask).max(initial=0))

    def worth(self, seconds: float, share: float = 0.02) -> bool:
        return seconds >= share * self.seconds
