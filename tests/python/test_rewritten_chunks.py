"""A committed chunk that is put again, and is shorter then: every reader finds a body of just that length."""

import netCDF4
import numpy as np
import pytest

import sverdrup

h5py = pytest.importorskip("h5py")
numcodecs = pytest.importorskip("numcodecs")

NY = NX = 32  # smaller records would share chunks
WAYS = [
    {"codec": "deflate:1"},
    {"checksum": "true"},
    {"codec": "deflate:1", "checksum": "true"},
    {"codec": "zstd:1", "zstd_plugin": "assumed"},
]


def decoded(variable, cell):
    filters = variable.id.get_create_plist()
    body = variable.id.read_direct_chunk(cell)[1]
    codecs = {1: numcodecs.Zlib(), 2: numcodecs.Shuffle(8), 3: numcodecs.Fletcher32(), 32015: numcodecs.Zstd()}
    for number in reversed(range(filters.get_nfilters())):
        body = codecs[filters.get_filter(number)[0]].decode(body)
    return np.frombuffer(body, "f8").reshape(variable.chunks[1:])


@pytest.mark.parametrize("settings", WAYS)
def test_rewritten_chunks(comm, settings):
    path = "rewritten.nc"
    noise = np.random.default_rng(1).random((3, NY, NX))
    values = [noise, np.full_like(noise, 3), noise + 1, np.full_like(noise, 5)]
    chunks = f"1,{NY},{NX}"
    with sverdrup.Context(comm, store="netcdf4", chunks=chunks, compression={**settings, "shuffle": False}) as io:
        with io.create(path, kind="growing") as file:
            for name, length in {"time": None, "lat": NY, "lon": NX}.items():
                file.def_dim(name, length)
            var = file.def_var("sst", "f8", ["time", "lat", "lon"])
            file.enddef()
            start, count = sverdrup.block(NY, io.size, io.rank)
            grid = io.decomp((NY, NX), (start, 0), (count, NX))
            for all_records in values:
                for record, wanted in enumerate(all_records):
                    var.put(wanted[start : start + count], grid, record)
                io.end_step()
        with io.open(path) as file:
            for record, wanted in enumerate(values[-1]):
                np.testing.assert_array_equal(file["sst"].get(grid, record), wanted[start : start + count])
    if comm.rank > 0:
        return
    with h5py.File(path) as file:
        for record, wanted in enumerate(values[-1]):
            np.testing.assert_array_equal(decoded(file["sst"], (record, 0, 0)), wanted)
    if "zstd_plugin" not in settings:
        with netCDF4.Dataset(path) as file:
            np.testing.assert_array_equal(file["sst"][:], values[-1])
