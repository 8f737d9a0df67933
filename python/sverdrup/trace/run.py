"""Reads a folder of traces: it finds the processes of one run, and puts their times on one clock."""

from dataclasses import dataclass
from pathlib import Path
from statistics import median

import numpy as np

from sverdrup.trace.errors import TraceError
from sverdrup.trace.process import Process


@dataclass(frozen=True)
class Problem:
    """A missing or wrong part. `severity`: "warning" or "error"; `rank`: None if it concerns no rank."""

    severity: str
    rank: int | None
    text: str


class Run:
    """`processes`, `ranks` (numbers, sorted: those that left a trace), and for each process `rank_index` (into
    `ranks`; -1: no rank) and `shift_s` (seconds from the run's beginning to the process's). `seconds`: of the run.
    Raises TraceError where the folder has nothing to read; files that cannot be used are `problems`."""

    def __init__(self, directory: Path | str, name: str | None = None):
        self.directory = Path(directory)
        self.name = name or self.directory.resolve().name.removesuffix(".svtrace")
        self.problems: list[Problem] = []
        self.processes = self._open_all()
        self.mpi = any(process.ranks > 0 or process.rank >= 0 for process in self.processes)
        self._number_ranks()
        self._align()
        self._find_life()

    def absolute(self, process_index: int, ns):
        """Seconds since the run began."""
        return self.shift_s[process_index] + np.asarray(ns) / 1e9

    @property
    def hosts(self) -> list[str]:
        return sorted({process.host for process in self.processes})

    @property
    def expected_ranks(self) -> int:
        """Ranks that the run had, traces of all of them or not."""
        return max([len(self.ranks), *(process.ranks for process in self.processes)])

    def _open_all(self) -> list[Process]:
        if not self.directory.is_dir():
            raise TraceError(self.directory, "there is no such folder", "Give the folder that sv-trace wrote")
        paths = sorted(self.directory.glob("*.svtrace"))
        processes, failures = [], []
        for path in paths:
            try:
                process = Process(path)
                process.totals  # noqa: B018: checks them
                processes.append(process)
            except TraceError as error:
                failures.append(error)
        if not processes:
            if failures:
                raise failures[0]
            raise TraceError(
                self.directory, "there are no trace files (*.svtrace) in it", "Give the folder that sv-trace wrote"
            )
        self.problems += [Problem("error", None, str(error)) for error in failures]
        return sorted(processes, key=lambda p: (p.start_realtime_ns, p.pid, p.producer))

    def _number_ranks(self) -> None:
        """MPI: the rank, or that of the process it was forked by. Otherwise numbers in the order of beginning."""
        numbers: dict[tuple[str, int], int] = {}
        for process in self.processes:
            if process.rank >= 0:
                numbers[process.host, process.pid] = process.rank
        for process in self.processes:
            key, parent = (process.host, process.pid), (process.host, process.parent_pid)
            if key in numbers:
                continue
            if self.mpi and parent in numbers:
                numbers[key] = numbers[parent]
            elif not self.mpi:
                numbers[key] = len(numbers)
        self.ranks = np.array(sorted(set(numbers.values())), np.int64)
        index = {int(rank): i for i, rank in enumerate(self.ranks)}
        of = [numbers.get((process.host, process.pid)) for process in self.processes]
        self.rank_index = [-1 if number is None else index[number] for number in of]

    def _align(self) -> None:
        """Processes of one host share the monotonic clock; hosts, what their real-time clocks say, the median over
        their processes. Where MPI_Init, which all leave at about one time, shows that those differ, it is what
        counts."""
        self._zero_ns = {
            host: int(median(p.start_realtime_ns - p.start_monotonic_ns for p in self.processes if p.host == host))
            for host in self.hosts
        }
        left = {
            host: max(
                p.start_monotonic_ns + p.mpi_start_ns for p in self.processes if p.host == host and p.mpi_start_ns
            )
            + self._zero_ns[host]
            for host in self.hosts
            if any(p.mpi_start_ns for p in self.processes if p.host == host)
        }
        if len(left) < 2:
            return
        apart = (max(left.values()) - min(left.values())) / 1e9
        if apart > 0.5:
            first = left[self.hosts[0]] if self.hosts[0] in left else next(iter(left.values()))
            for host, time_ns in left.items():
                self._zero_ns[host] -= time_ns - first
            text = f"the clocks of the hosts are {apart:.1f} s apart: they were aligned by the end of MPI_Init"
            self.problems.append(Problem("warning", None, text))

    def _find_life(self) -> None:
        """begin_s, end_s of each rank, shape (ranks,): from MPI_Init, or the process's beginning, to MPI_Finalize
        or the end."""
        start_ns = [process.start_monotonic_ns + self._zero_ns[process.host] for process in self.processes]
        begin = np.full(len(self.ranks), np.iinfo(np.int64).max)
        end = np.full(len(self.ranks), np.iinfo(np.int64).min)
        with_mpi = {index for index, p in zip(self.rank_index, self.processes) if p.mpi_start_ns and index >= 0}
        for process, index, start in zip(self.processes, self.rank_index, start_ns):
            if index < 0 or (index in with_mpi and not process.mpi_start_ns):
                continue
            begin[index] = min(begin[index], start + process.mpi_start_ns)
            end[index] = max(end[index], start + (process.mpi_end_ns or process.end_ns or self._latest_ns(process)))
        zero = int(begin.min()) if len(begin) else min(start_ns)
        self.shift_s = [(start - zero) / 1e9 for start in start_ns]
        self.begin_s, self.end_s = (begin - zero) / 1e9, np.maximum(end - zero, begin - zero) / 1e9
        last = [shift + self._latest_ns(p) / 1e9 for shift, p in zip(self.shift_s, self.processes)]
        self.seconds = max(float(self.end_s.max()) if len(self.ranks) else max(last), 1e-9)

    @staticmethod
    def _latest_ns(process: Process) -> int:
        return max([process.end_ns, process.latest_ns, *(call.start_ns for call in process.open_calls)])
