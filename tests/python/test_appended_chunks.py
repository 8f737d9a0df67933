"""A file of chunks that was closed, and is opened to write more: all ranks compress again, with any chunks, and read
the values that share their chunks. Records are appended, put again, put in parts and read while the file is open."""

import random
import subprocess
import sys
from dataclasses import dataclass, field

import netCDF4
import numpy as np
import pytest

import sverdrup

NAMES = ("temp", "salt")
MASK = "mask"  # without records


def settings(chance: random.Random, store: str, ranks: int) -> dict[str, str]:
    shape = f"{chance.randint(4, 40)},{chance.randint(4, 40)}"
    made = {"store": store, "chunks": chance.choice(["auto", "writers", shape])}
    if chance.random() < 0.7:
        made["compression"] = "deflate:1"
    if store == "zarr" and chance.random() < 0.4:
        made["chunks.shards"] = "auto"
    if chance.random() < 0.3:
        made["writers"] = str(chance.randint(1, ranks))
    return made


@dataclass
class Fields:
    """The expected contents of the file, the same on all ranks, and how this rank puts and gets its part."""

    chance: random.Random
    io: sverdrup.Context = None
    file: sverdrup.File = None
    wanted: dict = field(default_factory=dict)

    def __post_init__(self):
        self.values = np.random.default_rng(self.chance.randrange(1000))
        self.shape = self.chance.randint(30, 70), self.chance.randint(30, 70)

    def _division(self):
        """In rows or in columns."""
        axis = self.chance.randint(0, 1)
        start, count = [0, 0], list(self.shape)
        start[axis], count[axis] = sverdrup.block(self.shape[axis], self.io.size, self.io.rank)
        grid = self.io.decomp(self.shape, tuple(start), tuple(count))
        return grid, tuple(slice(first, first + length) for first, length in zip(start, count, strict=True))

    def put(self, name, record=None):
        made = self.values.integers(0, 1000, self.shape).astype("f4")
        self.wanted[name, record] = made
        grid, mine = self._division()
        self.file[name].put(np.ascontiguousarray(made[mine]), grid, record)

    def put_part(self, name, record=None):
        start = [self.chance.randint(0, length - 2) for length in self.shape]
        count = [self.chance.randint(1, length - first) for first, length in zip(start, self.shape, strict=True)]
        made = self.values.integers(0, 1000, count).astype("f4")
        self.wanted[name, record][tuple(slice(b, b + n) for b, n in zip(start, count, strict=True))] = made
        if self.chance.randrange(self.io.size) != self.io.rank:
            self.file[name].put_vara(None, None)
        elif record is None:
            self.file[name].put_vara(tuple(start), made)
        else:
            self.file[name].put_vara((record, *start), made[np.newaxis])

    def check(self, name, record=None):
        grid, mine = self._division()
        np.testing.assert_array_equal(self.file[name].get(grid, record), self.wanted[name, record][mine])


def make(fields: Fields, path: str, kind: str) -> int:
    fields.file = file = fields.io.create(path, kind=kind)
    for name, length in {"time": None, "lat": fields.shape[0], "lon": fields.shape[1]}.items():
        file.def_dim(name, length)
    for name in NAMES:
        file.def_var(name, "f4", ("time", "lat", "lon"))
    file.def_var(MASK, "f4", ("lat", "lon"))
    file.enddef()
    fields.put(MASK)
    records = fields.chance.randint(1, 4)
    for record in range(records):
        for name in NAMES:
            fields.put(name, record)
        fields.io.end_step()
    file.close()
    return records


def change(fields: Fields, path: str, records: int) -> int:
    fields.file = fields.io.open(path, "a")
    for _ in range(fields.chance.randint(1, 5)):
        what = fields.chance.choice(["put again", "part", "part of the mask", "mask", "append", "read"])
        name, record = fields.chance.choice(NAMES), fields.chance.randrange(records)
        if what == "put again":
            fields.put(name, record)
        elif what == "part":
            fields.put_part(name, record)
        elif what == "part of the mask":
            fields.put_part(MASK)
        elif what == "mask":
            fields.put(MASK)
        elif what == "append":
            for each in NAMES:
                fields.put(each, records)
            records += 1
            fields.io.end_step()
        else:
            fields.io.end_step()
            fields.check(name, record)
    fields.io.end_step()
    fields.file.close()
    return records


@pytest.mark.parametrize("store", ["netcdf4", "zarr"])
@pytest.mark.parametrize("seed", range(4))
def test_appended_chunks(comm, store, seed):
    chance = random.Random(f"{store} {seed}")
    path = f"appended.{seed}.{'zarr' if store == 'zarr' else 'nc'}"
    fields = Fields(chance)
    with sverdrup.Context(comm, **settings(chance, store, comm.size)) as fields.io:
        records = make(fields, path, chance.choice(["growing", "published"]))
    for _ in range(chance.randint(1, 2)):
        with sverdrup.Context(comm, **settings(chance, store, comm.size)) as fields.io:
            records = change(fields, path, records)
    with sverdrup.Context(comm) as fields.io:
        with fields.io.open(path) as fields.file:
            for name, record in fields.wanted:
                fields.check(name, record)


@pytest.mark.parametrize("store", ["netcdf4", "zarr"])
def test_chunks_of_an_opened_file_are_those_that_it_has(comm, store):
    path = f"opened.{'zarr' if store == 'zarr' else 'nc'}"
    fields = Fields(random.Random(1))
    with sverdrup.Context(comm, store=store, chunks="9,11", compression="deflate:1") as fields.io:
        make(fields, path, "growing")
    with sverdrup.Context(comm, store=store, chunks="auto") as fields.io:
        with fields.io.open(path, "a") as file:
            assert file[NAMES[0]].chunks == (1, 9, 11) and file[MASK].chunks == (9, 11)


def make_by_netcdf(comm, path):
    """With one record; variables without records have been defined only."""
    if comm.rank == 0:
        with netCDF4.Dataset(path, "w") as file:
            file.createDimension("time", None)
            file.createDimension("x", 8)
            file.createVariable("whole", "i4", ("x",))
            file.createVariable("pieces", "i4", ("x",), chunksizes=(3,))
            file.createVariable("v", "i4", ("time", "x"))[0] = np.arange(8)
    comm.barrier()


def test_what_was_never_written_stays_unwritten(comm):
    make_by_netcdf(comm, "defined.nc")
    with sverdrup.Context(comm, store="netcdf4") as io:
        with io.open("defined.nc", "a") as file:
            file["v"].put_vara(*(((1, 0), np.arange(8, dtype="i4")[np.newaxis]) if comm.rank == 0 else (None, None)))
            file["pieces"].put_vara(*(((2,), np.arange(2, dtype="i4")) if comm.rank == 0 else (None, None)))
    if comm.rank == 0:
        with netCDF4.Dataset("defined.nc") as file:
            fill = netCDF4.default_fillvals["i4"]
            file.set_auto_mask(False)
            assert file["whole"][:].tolist() == [fill] * 8
            assert file["pieces"][:].tolist() == [fill] * 2 + [0, 1] + [fill] * 4
            assert file["v"][:].tolist() == [list(range(8))] * 2


OTHER_WRITER = """
import fcntl, netCDF4, struct, sys, time
file = open(sys.argv[1], "r+b")
fcntl.fcntl(file, 37, struct.pack("hhqqi4x", fcntl.F_WRLCK, 0, 2**63 - 2, 1, 0))  # F_OFD_SETLK
print("has the lock", flush=True)
time.sleep(1)
with netCDF4.Dataset(sys.argv[1], "a") as data:
    data["v"][1] = range(8)
"""


@pytest.mark.parametrize("store", ["netcdf4", "netcdf4_library"])
def test_records_that_are_added_while_the_file_is_opened_stay(comm, store):
    make_by_netcdf(comm, "opening.nc")
    if comm.rank == 0:
        other = subprocess.Popen([sys.executable, "-c", OTHER_WRITER, "opening.nc"], stdout=subprocess.PIPE)
        other.stdout.readline()
    comm.barrier()
    with sverdrup.Context(comm, store=store) as io:
        with pytest.raises(sverdrup.AccessError, match="another program wrote it while it was opened"):
            io.open("opening.nc", "a")
    if comm.rank == 0:
        assert other.wait() == 0
        with netCDF4.Dataset("opening.nc") as file:
            assert len(file.dimensions["time"]) == 2
