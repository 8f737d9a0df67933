"""One traced run, ready to be analysed: its ranks and their roles, the seconds that each spent in I/O, waiting and in
the library's phases. Facts, the charts and the headline are computed from a TracedRun."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from sverdrup.analysis.sent import sent_bytes
from sverdrup.analysis.table import Table
from sverdrup.analysis.words import HAND_OVER, LAYER_ORDER, WAITS
from sverdrup.trace import Run

NONE = np.empty(0)


@dataclass
class Times:
    """Of one rank, seconds since the run began: arrays of beginnings and ends. `io`: outermost I/O calls, those
    that go on too; `waiting`: MPI within them, and waits of the library; `posix_write`; `phases`: by name, of the
    library."""

    io: tuple[np.ndarray, np.ndarray]
    waiting: tuple[np.ndarray, np.ndarray]
    posix_write: tuple[np.ndarray, np.ndarray]
    phases: dict[str, tuple[np.ndarray, np.ndarray]]
    complete: bool

    def phase(self, *names: str) -> tuple[np.ndarray, np.ndarray]:
        return joined_pairs([self.phases.get(name, (NONE, NONE)) for name in names])


def joined_pairs(pairs: list[tuple[np.ndarray, np.ndarray]]) -> tuple[np.ndarray, np.ndarray]:
    if not pairs:
        return NONE, NONE
    return np.concatenate([s for s, _ in pairs]), np.concatenate([e for _, e in pairs])


class TracedRun:
    """Ranks are indices into `ranks`, their numbers, everywhere except in displayed texts."""

    def __init__(self, run: Run):
        self.run = run
        self.ranks = run.ranks
        self.seconds = run.seconds
        self.index_of = {int(rank): index for index, rank in enumerate(run.ranks)}
        self.roles = self._roles()
        self.servers = [index for index, role in enumerate(self.roles) if role == "server"]
        self.clients = [index for index, role in enumerate(self.roles) if role != "server"]
        self.table = Table(run)
        self.phase_self = self._phase_self()

    def notes(self, kind: str) -> list[tuple[int, dict]]:
        """(rank index, content) of all notes of a kind, in the order of time within each process."""
        found = []
        for index, process in zip(self.run.rank_index, self.run.processes):
            found += [
                (index, note.content) for note in process.notes if note.content.get("kind") == kind and index >= 0
            ]
        return found

    @cached_property
    def sent(self) -> dict[tuple[str, int, int], int]:
        """By file, sender and writer: bytes (see sent.py)."""
        return sent_bytes(self.run, self.table, self.index_of, self.notes("sends"))

    @cached_property
    def uses_sverdrup(self) -> bool:
        return self.table.sverdrup

    @cached_property
    def has_servers(self) -> bool:
        return bool(self.servers)

    @cached_property
    def seen_by_tracer(self) -> np.ndarray:
        """Ranks whose calls the tracer saw, shape (ranks,)."""
        seen = np.zeros(len(self.ranks), bool)
        for index, process in zip(self.run.rank_index, self.run.processes):
            if index >= 0 and not process.is_library:
                seen[index] = True
        return seen

    @cached_property
    def counted(self) -> np.ndarray:
        """Rows of Table: calls that the tracer saw, except sv_init. The library's own phases are used only for ranks
        that the tracer did not see."""
        table = self.table
        untraced = np.append(~self.seen_by_tracer, True)[table.rank]  # of no rank: the last
        return ~table.hidden & (~table.is_layer("step") | untraced)

    @cached_property
    def outermost_io(self) -> np.ndarray:
        """Rows of Table: the program's own I/O calls, without those of a library's threads; for ranks that only the
        library reported, its phases."""
        own = self.table.root & ~self.table.behind
        return own & (self.table.io | self.table.is_layer("step")) & self.counted

    @cached_property
    def io_seconds(self) -> np.ndarray:
        """Time of each rank in I/O calls, shape (ranks,), those that go on included; for ranks that only serve 0."""
        seconds = self.table.seconds_by_rank(self.outermost_io)
        for index, process in zip(self.run.rank_index, self.run.processes):
            if index >= 0 and (not process.is_library or not self.seen_by_tracer[index]):
                seconds[index] += self._going_on(index, process)
        seconds[self.servers] = 0
        return np.minimum(seconds, np.maximum(self.life, 0))

    @cached_property
    def life(self) -> np.ndarray:
        return self.run.end_s - self.run.begin_s

    def _going_on(self, index: int, process) -> float:
        at = self.run.processes.index(process)
        begun = [call.start_ns for call in process.open_calls if call.depth == 0 and self._is_io(at, call.path)]
        if process.ended or not begun:
            return 0.0
        return max(float(self.run.end_s[index] - self.run.absolute(at, min(begun))), 0.0)

    def _is_io(self, at: int, path: int) -> bool:
        known = self.table.paths[at]
        return known.layer[path] != LAYER_ORDER.index("mpi") and not known.hidden[path]

    def _roles(self) -> list[str]:
        """client, server or both; of a program without servers, both. The role that the library reported, else by the
        time in sv_init."""
        reported = {index: note.get("role") for index, note in self.notes("run")}
        roles = [
            reported.get(index) if reported.get(index) in ("client", "server", "both") else None
            for index in range(len(self.ranks))
        ]
        if not reported and len(self.ranks) > 1:
            serving = self._seconds_in_init() > 0.5 * self.seconds
            if serving.any() and not serving.all():
                roles = ["server" if serves else "client" for serves in serving]
        return [role or "both" for role in roles]

    def _seconds_in_init(self) -> np.ndarray:
        seconds = np.zeros(len(self.ranks))
        for index, process in zip(self.run.rank_index, self.run.processes):
            if index < 0 or process.is_library:
                continue
            names = [process.functions[function][1] for function in process.path_function]
            path, _, _ = process.total_places()
            inits = np.array([name == "sv_init" for name in names])[path]
            seconds[index] += process.totals["ns"][inits].sum() / 1e9
        return seconds

    def _phase_self(self) -> dict[tuple[str, str], np.ndarray]:
        """Seconds of each rank in a phase of the library without those within it, by the name of its outermost
        phase and its own, each of shape (ranks,)."""
        phases: dict[tuple[str, str], np.ndarray] = {}
        for at, (index, process) in enumerate(zip(self.run.rank_index, self.run.processes)):
            if not process.is_library or index < 0:
                continue
            own = self.table.self_ns(at) / 1e9
            for path, function in enumerate(process.path_function):
                layer, name = process.functions[function]
                if layer == "step" and own[path] > 0:
                    outermost = self.table.functions[self.table.paths[at].outermost[path]][1]
                    phases.setdefault((outermost, name), np.zeros(len(self.ranks)))[index] += own[path]
        return phases

    def phase(self, *names: str, within: tuple[str, ...] | None = None) -> np.ndarray:
        """Seconds of each rank in these phases; `within`: only where these are the outermost ones."""
        seconds = np.zeros(len(self.ranks))
        for (outermost, name), each in self.phase_self.items():
            if name in names and (within is None or outermost in within):
                seconds += each
        return seconds

    @cached_property
    def hand_over_seconds(self) -> np.ndarray:
        return self.phase(*HAND_OVER) if self.has_servers else np.zeros(len(self.ranks))

    @cached_property
    def blocked_seconds(self) -> np.ndarray:
        """Of clients: in I/O calls, and not handing over."""
        return np.maximum(self.io_seconds - self.hand_over_seconds, 0)

    @cached_property
    def waiting_seconds(self) -> np.ndarray:
        """Of each rank, in MPI inside I/O calls, or in waits of the library: the longer of both, since one is often
        inside the other."""
        table = self.table
        mpi = table.seconds_by_rank(table.is_layer("mpi") & table.in_io & table.top)
        return np.maximum(mpi, self.phase(*WAITS))

    def times(self, index: int) -> Times:
        """Of the events that are left of a rank."""
        found: dict[str, list] = {"io": [], "waiting": [], "posix_write": []}
        phases: dict[str, list] = {}
        complete = True
        for at, of in enumerate(self.run.rank_index):
            if of != index:
                continue
            process, known = self.run.processes[at], self.table.paths[at]
            events = process.events()
            complete = complete and events.complete and "ring" not in process.lost
            starts = self.run.absolute(at, events.start_ns)
            ends = starts + events.duration_ns / 1e9
            if process.is_library:
                self._phases_of(process, events.path, (starts, ends), phases)
                if not self.seen_by_tracer[index]:
                    mask = known.root[events.path]
                    found["io"].append((starts[mask], ends[mask]))
            else:
                layer = known.layer[events.path]
                files = self.table.file_numbers[at][events.file]
                behind = (layer == LAYER_ORDER.index("posix")) & np.isin(files, self.table.library_files)
                own = known.root[events.path] & ~behind
                masks = {
                    "io": own & (layer != LAYER_ORDER.index("mpi")) & ~known.hidden[events.path],
                    "waiting": (layer == LAYER_ORDER.index("mpi")) & known.in_io[events.path] & known.top[events.path],
                    "posix_write": (layer == LAYER_ORDER.index("posix")) & self._writes(process, events.path),
                }
                for name, mask in masks.items():
                    found[name].append((starts[mask], ends[mask]))
            self._add_open(at, found)
        pairs = {name: joined_pairs(parts) for name, parts in found.items()}
        waits = {name: joined_pairs(parts) for name, parts in phases.items()}
        return Times(**pairs, phases=waits, complete=complete)

    @staticmethod
    def _writes(process, path: np.ndarray) -> np.ndarray:
        names = np.array(["write" in process.functions[function][1] for function in process.path_function])
        return names[path]

    @staticmethod
    def _phases_of(process, path: np.ndarray, times: tuple, phases: dict) -> None:
        for function in np.unique(process.path_function):
            layer, name = process.functions[function]
            mask = process.path_function[path] == function
            if layer == "step" and mask.any():
                phases.setdefault(name, []).append((times[0][mask], times[1][mask]))

    def _add_open(self, at: int, found: dict) -> None:
        """Calls that were going on when the process was killed last until its end."""
        process, index = self.run.processes[at], self.run.rank_index[at]
        if process.ended or (process.is_library and self.seen_by_tracer[index]):
            return
        for call in process.open_calls:
            if call.depth == 0 and self._is_io(at, call.path):
                start = float(self.run.absolute(at, call.start_ns))
                found["io"].append((np.array([start]), np.array([max(self.run.end_s[index], start)])))
