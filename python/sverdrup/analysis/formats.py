"""Collects properties of the files of a run: their format, their variables, the positions of each variable's data, and
which writes are metadata. It reads the headers of CDF files, and the library's notes."""

import os
import struct
from dataclasses import dataclass, field

import numpy as np

from sverdrup.analysis.traced_run import TracedRun
from sverdrup.analysis.words import LAYER_ORDER, POSIX_WRITES, listed

_DEFINING = ("enddef", "close", "redef", "create", "open", "def_", "_att", "sync", "set_fill", "abort")

NC_NETCDF4 = 0x1000  # netcdf.h


@dataclass
class Variable:
    """`begin`: bytes from the start of the file, of the first record where it has records; `bytes`: of a record, or
    of all."""

    name: str
    begin: int | None = None
    bytes: int = 0
    record: bool = False
    shape: list[int] = field(default_factory=list)
    dims: list[str] | None = None
    chunks: list[int] | None = None


@dataclass
class File:
    """`format`: "cdf", "netcdf4" or None. `data_begin`, `record_bytes` where they are known. `reported`: its note."""

    path: str
    format: str | None = None
    variables: dict[str, Variable] = field(default_factory=dict)
    record_bytes: int = 0
    stripe_bytes: int | None = None
    reported: dict | None = None

    @property
    def data_begin(self) -> int | None:
        begins = [variable.begin for variable in self.variables.values() if variable.begin is not None]
        return min(begins) if begins else None


def files(traced: TracedRun) -> dict[str, File]:
    """By path, of all files that a netCDF layer, MPI-IO or Sverdrup knows, or that were written."""
    table = traced.table
    wanted = table.is_layer("sverdrup", "netcdf", "pnetcdf", "mpi_io", "step")
    wanted |= table.is_layer("posix") & table.is_function(lambda _, name: name in POSIX_WRITES)
    found = {
        table.files[number]: File(table.files[number]) for number in np.unique(table.file[wanted]).tolist() if number
    }
    for _, note in traced.notes("file"):
        _take_note(note, found, traced)
    created = _created(traced)
    for path, file in found.items():
        if not file.reported:
            _look(file)
        file.format = file.format or created.get(path) or _guess(traced, path)
    return found


def _created(traced: TracedRun) -> dict[str, str]:
    """By path, the format that nc_create was asked for, where its event is left."""
    formats = {}
    for at, process in enumerate(traced.run.processes):
        creates = [i for i, f in enumerate(process.path_function) if "nc_create" in process.functions[f][1]]
        if not creates:
            continue
        events = process.events()
        for event in np.flatnonzero(np.isin(events.path, creates))[:1000]:
            mode = events.arguments(int(event)).get("mode")
            path = traced.table.files[traced.table.file_numbers[at][events.file[event]]]
            if mode and path:
                formats.setdefault(path, "netcdf4" if mode[0] & NC_NETCDF4 else "cdf")
    return formats


def _take_note(note: dict, found: dict[str, File], traced: TracedRun) -> None:
    path = traced.table.final_name(str(note.get("path", "")))
    file = found.setdefault(path, File(path))
    file.reported, file.record_bytes = note, _number(note.get("record_bytes"))
    file.stripe_bytes = _number(note.get("stripe_bytes")) or None
    file.format = "netcdf4" if str(note.get("format", "")).startswith("netcdf4") else "cdf"
    file.variables = {}
    for entry in listed(note.get("variables")):
        if not isinstance(entry, dict):
            continue
        shape = [_number(n) for n in listed(entry.get("shape"))]
        bytes = _number(entry.get("type_bytes")) * int(np.prod(shape, dtype=object))
        begin, chunks = entry.get("begin_bytes"), entry.get("chunks")
        file.variables[str(entry.get("name"))] = Variable(
            str(entry.get("name")), _number(begin) if file.format == "cdf" and begin else None, bytes,
            bool(entry.get("record")), shape, [str(d) for d in listed(entry.get("dims"))] or None,
            [_number(c) for c in chunks] if isinstance(chunks, list) and chunks else None,
        )  # fmt: skip


def _number(value) -> int:
    return int(value) if isinstance(value, (int, float)) and abs(value) < 1 << 60 else 0


def _guess(traced: TracedRun, path: str) -> str | None:
    """By who wrote it: PnetCDF and MPI-IO's netCDF-4 leave no doubt."""
    table = traced.table
    rows = table.file == table.files.index(path)
    if (rows & table.is_layer("pnetcdf")).any():
        return "cdf"
    if (
        rows & table.is_layer("netcdf") & table.is_function(lambda _, name: "chunk" in name or "deflate" in name)
    ).any():
        return "netcdf4"
    return None


def _look(file: File) -> None:
    """Into the file itself, where it is still there. Only regular files: others may have no end, or make wait."""
    if not os.path.isfile(file.path):
        return
    try:
        with open(file.path, "rb") as stream:
            start = stream.read(1 << 20)
    except OSError:
        return
    if start[:4] == b"\x89HDF":
        file.format = "netcdf4"
    elif start[:3] == b"CDF" and start[3:4] in b"\1\2\5":
        file.format = "cdf"
        try:
            _read_header(file, start)
        except (struct.error, IndexError, ValueError, OverflowError, KeyError):
            file.variables = {}


_TYPE_BYTES = {1: 1, 2: 1, 3: 2, 4: 4, 5: 4, 6: 8, 7: 1, 8: 2, 9: 4, 10: 8, 11: 8}


class _Reader:
    """Reads on in the header of a CDF file; `wide`: CDF-5."""

    def __init__(self, content: bytes):
        self.content, self.at, self.wide, self.long = content, 4, content[3] == 5, content[3] != 1

    def number(self, form: str) -> int:
        value = struct.unpack_from(">" + form, self.content, self.at)[0]
        self.at += struct.calcsize(form)
        return value

    def count(self) -> int:
        return self.number("q" if self.wide else "i")

    def size(self) -> int:
        """A number of things; it may be that of a dimension, and larger than the file."""
        size = self.count()
        if size < 0:
            raise ValueError(size)
        return size

    def length(self) -> int:
        """A number of things that follow."""
        length = self.size()
        if length > len(self.content):
            raise ValueError(length)
        return length

    def name(self) -> str:
        length = self.length()
        text = self.content[self.at : self.at + length].decode()
        self.at += -(-length // 4) * 4
        return text

    def list_length(self) -> int:
        self.number("i")
        return self.length()

    def skip_attributes(self) -> None:
        for _ in range(self.list_length()):
            self.name()
            bytes_each = _TYPE_BYTES[self.number("i")]
            length = self.size() * bytes_each
            self.at += -(-length // 4) * 4


def _read_header(file: File, content: bytes) -> None:
    """Dimensions and variables of a classic file (netCDF Classic Format Specification)."""
    reader = _Reader(content)
    reader.count()  # records
    dims = [(reader.name(), reader.size()) for _ in range(reader.list_length())]
    reader.skip_attributes()
    for _ in range(reader.list_length()):
        name = reader.name()
        ids = [reader.size() for _ in range(reader.length())]
        reader.skip_attributes()
        type_bytes = _TYPE_BYTES[reader.number("i")]
        reader.count()  # vsize, which may be wrong for long variables
        begin = reader.number("q" if reader.long else "i")
        record = bool(ids) and dims[ids[0]][1] == 0
        shape = [dims[i][1] for i in ids[record:]]
        bytes = type_bytes * int(np.prod(shape, dtype=object))
        file.variables[name] = Variable(name, begin, bytes, record, shape, [dims[i][0] for i in ids[record:]] or None)
    with_records = [v.bytes for v in file.variables.values() if v.record]
    file.record_bytes = with_records[0] if len(with_records) == 1 else sum(-(-b // 4) * 4 for b in with_records)


def metadata_writes(traced: TracedRun, file: File) -> tuple[int, int, str]:
    """POSIX writes of a file, how many of them are metadata, and by which rule."""
    table = traced.table
    number = table.files.index(file.path)
    rows = (table.file == number) & table.is_layer("posix") & table.is_function(lambda _, name: name in POSIX_WRITES)
    writes = int(table.calls[rows].sum())
    defining = rows & table.is_called_by(
        lambda layer, name: layer in LAYER_ORDER[:3] and any(w in name for w in _DEFINING)
    )
    if file.format == "netcdf4":
        least = _least_data(traced, file)
        small = rows & ~defining
        few = table.sizes[small][:, : least.bit_length()].sum() if small.any() else 0
        close = table.sizes[defining][:, : least.bit_length()].sum() if defining.any() else 0
        return writes, int(few + close), f"writes of less than {least} bytes"
    begin = file.data_begin
    if begin is not None:
        before, seen = _writes_before(traced, number, begin)
        if seen == writes:
            return writes, before, "writes that end before the data of the first variable"
    return writes, int(table.calls[defining].sum()), "writes of calls that define, open, synchronise or close"


def _least_data(traced: TracedRun, file: File) -> int:
    """The smallest piece of data that is written at once, a power of two: a chunk, or the size of the smallest put;
    else 4096."""
    table = traced.table
    chunks = [int(np.prod(v.chunks, dtype=object)) for v in file.variables.values() if v.chunks]
    puts = (table.file == table.files.index(file.path)) & table.is_layer("netcdf", "pnetcdf", "sverdrup")
    puts &= table.is_function(lambda _, name: "put_var" in name or name.startswith("sv_put"))
    classes = np.flatnonzero(table.sizes[puts].sum(axis=0)[1:]) if puts.any() else []
    smallest = 1 << int(classes[0]) if len(classes) else 4096
    return max(min([smallest, 4096, *chunks]), 1)


def _writes_before(traced: TracedRun, number: int, begin: int) -> tuple[int, int]:
    """Writes that end at or before byte `begin`, and all writes, of the events that are left."""
    before = seen = 0
    for at, process in enumerate(traced.run.processes):
        if process.is_library or number not in traced.table.file_numbers[at]:
            continue
        events = process.events()
        writes = np.array([process.functions[f][1] in POSIX_WRITES for f in process.path_function])[events.path]
        writes &= traced.table.file_numbers[at][events.file] == number
        seen += int(writes.sum())
        offset = events.offset[writes]
        before += int(((offset >= 0) & (offset + events.bytes[writes] <= begin)).sum())
    return before, seen
