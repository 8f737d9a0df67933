"""Writes trace files of processes that never were: a clock that only goes on by request, and calls within
calls.

    process = Synthetic(directory, rank=0, ranks=4)
    with process.within("netcdf", "nc_put_vara_double", file="/d/a.nc", variable="t", bytes=800, start=[0, 0]):
        process.call("posix", "pwrite64", seconds=0.1, file="/d/a.nc", bytes=800, offset=4096)
    process.compute(0.5)
    process.save()

Totals, size classes, the ring and the calls that go on are as the recorder of src/trace writes them."""

import json
from contextlib import contextmanager
from pathlib import Path

import numpy as np
from sverdrup.trace import layout

CAPACITIES = {
    "functions": 64, "paths": 128, "files": 16, "variables": 16, "text": 1 << 14, "notes": 64, "totals": 256,
    "path_totals": 128, "threads": 4, "ring": 2048,
}  # fmt: skip


class Synthetic:
    """One process. `start`: seconds at which it began, on the clock of its host. `ring_slots`: events' room."""

    def __init__(self, directory, rank=-1, ranks=0, *, host="vm", program="/opt/model", pid=None, start=0.0,
                 producer=layout.TRACER, ring_slots=None, epoch=1_700_000_000, parent=1, cores=None):  # fmt: skip
        self.path = Path(directory) / f"{host}-{pid or 1000 + max(rank, 0)}-{producer}.svtrace"
        self.capacity = dict(CAPACITIES, ring=ring_slots or CAPACITIES["ring"])
        self.now_ns = 0
        self.header = np.zeros(1, layout.HEADER)
        self.header["magic"] = layout.MAGIC
        self.header["version"] = layout.VERSION
        self.header["header_bytes"] = layout.HEADER.itemsize
        self.header["producer"] = producer
        self.header["start_monotonic_ns"] = round(start * 1e9) + 77_000_000_000
        self.header["start_realtime_ns"] = round((epoch + start) * 1e9)
        self.header["pid"] = pid or 1000 + max(rank, 0)
        self.header["parent_pid"] = parent
        self.header["rank"], self.header["ranks"] = rank, ranks
        self.header["host"], self.header["program"] = host.encode(), program.encode()
        self.functions, self.paths, self.files, self.variables = {None: 0}, {None: 0}, {None: 0}, {None: 0}
        self.notes, self.totals, self.events, self.stack = [], {}, [], []
        self.slots = 0
        if cores:
            self.note(kind="cores", may_use=cores)

    # The clock, and the calls.
    def compute(self, seconds):
        self.now_ns += round(seconds * 1e9)

    def until(self, seconds):
        """Advances the time to `seconds` after the process began; a time that has passed changes nothing."""
        self.now_ns = max(self.now_ns, round(seconds * 1e9))

    def mpi_start(self):
        self.header["mpi_start_ns"] = max(self.now_ns, 1)
        self.header["flags"] |= layout.INITIALIZED_MPI

    def mpi_end(self):
        self.header["mpi_end_ns"] = self.now_ns

    def begin(self, layer, name, file=None, variable=None):
        caller = self.stack[-1]["path"] if self.stack else layout.NO_CALLER
        path = self._number(self.paths, (caller, self._number(self.functions, (layer, name))))
        file_number = self._number(self.files, file)
        frame = dict(path=path, file=file_number, start_ns=self.now_ns)
        frame["variable"] = self._number(self.variables, variable and (file_number, variable))
        self.stack.append(frame)

    def end(self, bytes=-1, offset=-1, failed=False, **arguments):
        frame = self.stack.pop()
        event = dict(frame, duration_ns=self.now_ns - frame["start_ns"], bytes=bytes, offset=offset, failed=failed)
        self._total(event)
        event["words"] = [
            word for kind, values in arguments.items()
            for word in (layout.ARGUMENTS.index(kind) << 32 | len(np.atleast_1d(values)), *np.atleast_1d(values))
        ]  # fmt: skip
        event["slots"] = 1 + -(-len(event["words"]) // 7)
        event["number"] = self.slots
        self.slots += event["slots"]
        self.events.append(event)

    @contextmanager
    def within(self, layer, name, file=None, variable=None, **rest):
        self.begin(layer, name, file, variable)
        yield self
        self.end(**rest)

    def call(self, layer, name, seconds, file=None, variable=None, **rest):
        with self.within(layer, name, file, variable, **rest):
            self.compute(seconds)

    def note(self, file=None, **entries):
        content = entries | ({"file": file} if file else {})
        self.notes.append((self.now_ns, self._number(self.files, file), json.dumps(content).encode()))

    def save(self, ended=True):
        """Writes the file. Not `ended`: it was killed now, in the calls that were begun and not ended."""
        self.header["latest_ns"] = max([e["start_ns"] + e["duration_ns"] for e in self.events], default=0)
        if ended:
            self.header["flags"] |= layout.ENDED
            self.header["end_ns"] = self.now_ns
        tables = self._tables()
        offset = 4096
        for index, name in enumerate(layout.SECTIONS):
            section = self.header["sections"][0, index : index + 1]
            section["offset_bytes"], section["capacity"] = offset, self.capacity[name]
            section["entry_bytes"] = layout.ENTRIES[name].itemsize
            section["used"] = self.slots if name == "ring" else self.used[name]
            offset += -(-tables[name].nbytes // 4096) * 4096
        self.header["file_bytes"] = offset
        content = bytearray(offset)
        content[: layout.HEADER.itemsize] = self.header.tobytes()
        for index, name in enumerate(layout.SECTIONS):
            begin = int(self.header["sections"][0, index]["offset_bytes"])
            content[begin : begin + tables[name].nbytes] = tables[name].tobytes()
        self.path.parent.mkdir(parents=True, exist_ok=True)
        self.path.write_bytes(content)
        return self.path

    # How it is stored.
    @staticmethod
    def _number(numbers, key):
        return numbers.setdefault(key, len(numbers))

    def _total(self, event):
        key = event["path"] << 48 | event["file"] << 24 | event["variable"]
        total = self.totals.setdefault(key, np.zeros(1, layout.TOTAL)[0])
        end = event["start_ns"] + event["duration_ns"]
        if not total["calls"]:
            total["key"], total["first_ns"] = key, event["start_ns"]
        total["calls"] += 1
        total["errors"] += event["failed"]
        total["bytes"] += max(event["bytes"], 0)
        total["ns"] += event["duration_ns"]
        total["most_ns"] = max(total["most_ns"], event["duration_ns"])
        total["last_ns"] = max(total["last_ns"], end)
        total["first_ns"] = min(total["first_ns"], event["start_ns"])
        total["sizes"][min(max(event["bytes"], 0).bit_length(), layout.SIZE_CLASSES - 1)] += 1

    def _tables(self):
        tables = {name: np.zeros(self.capacity[name], layout.ENTRIES[name]) for name in layout.SECTIONS}
        text = bytearray()

        def store(content):
            text.extend(content)
            return len(text) - len(content), len(content)

        for key, number in list(self.functions.items())[1:]:
            tables["functions"][number] = (layout.LAYER_NUMBERS[key[0]], key[1].encode())
        for key, number in list(self.paths.items())[1:]:
            tables["paths"][number] = key
        for name, number in list(self.files.items())[1:]:
            tables["files"][number] = store(name.encode())
        for (file, name), number in list(self.variables.items())[1:]:
            tables["variables"][number] = (file, number, *store(name.encode()))
        for index, (time_ns, file, content) in enumerate(self.notes):
            tables["notes"][index] = (time_ns, *store(content), 1, file)
        tables["text"][: len(text)] = np.frombuffer(bytes(text), np.uint8)
        for index, total in enumerate(self.totals.values()):
            tables["totals"][index * 7 % self.capacity["totals"]] = total
        if self.stack:
            tables["threads"][1]["tid"], tables["threads"][1]["depth"] = self.header["pid"][0], len(self.stack)
            for index, frame in enumerate(self.stack):
                row = (frame["path"], frame["file"], frame["variable"], 0, frame["start_ns"])
                tables["threads"][1]["frames"][index] = row
        self._ring(tables["ring"])
        counts = [len(self.functions), len(self.paths), len(self.files), len(self.variables), len(text),
                  len(self.notes), len(self.totals), 0, 1, 0]  # fmt: skip
        self.used = dict(zip(layout.SECTIONS, counts))
        return tables

    def _ring(self, ring):
        words = ring.view("<i8").reshape(len(ring), 8)
        for event in self.events:
            fields = [
                event[name] for name in ("start_ns", "duration_ns", "bytes", "offset", "path", "file", "variable")
            ]
            ring[event["number"] % len(ring)] = (event["number"] + 1, *fields, 0, event["slots"], event["failed"], 0)
            padded = event["words"] + [0] * (7 * (event["slots"] - 1) - len(event["words"]))
            for index in range(event["slots"] - 1):
                words[(event["number"] + 1 + index) % len(ring)] = [0, *padded[7 * index : 7 * index + 7]]
