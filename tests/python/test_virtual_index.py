"""The virtual index of a growing file, after each commit."""

import numpy as np
import pytest

import sverdrup
from conftest import NX, NY

fsspec = pytest.importorskip("fsspec")
xr = pytest.importorskip("xarray")
pytest.importorskip("zarr", "3")


def opened(path):
    storage = fsspec.filesystem("reference", fo=f"{path}.refs.json", skip_instance_cache=True)
    backend = {"consolidated": False}
    return xr.open_dataset(storage.get_mapper(""), engine="zarr", backend_kwargs=backend, decode_cf=False, chunks=None)


SETTINGS = [{}, {"store": "netcdf4", "compression": "deflate:1"}, {"store": "netcdf4", "async": "threads"}]


@pytest.mark.parametrize("settings", SETTINGS)
def test_each_commit_has_its_index(comm, field, settings):
    path = "indexed.nc"
    with sverdrup.Context(comm, virtual_index="true", **settings) as io, io.create(path, kind="growing") as file:
        for name, length in {"time": None, "lat": NY, "lon": NX}.items():
            file.def_dim(name, length)
        var = file.def_var("sst", "f4", ["time", "lat", "lon"])
        depth = file.def_var("depth", "f8", ["lat", "lon"])
        file.enddef()
        start, count = sverdrup.block(NY, io.size, io.rank)
        grid = io.decomp((NY, NX), (start, 0), (count, NX))
        depth.put(field[start : start + count], grid)
        for record in range(5):
            var.put(field[start : start + count] + record, grid, record)
            io.end_step()
            io.flush()
            if comm.rank == 0:
                with opened(path) as found:
                    wanted = np.stack([field + each for each in range(record + 1)]).astype("f4")
                    np.testing.assert_array_equal(found["sst"], wanted)
                    np.testing.assert_array_equal(found["depth"], field)
            comm.barrier()
    if comm.rank == 0:
        with opened(path) as found:
            assert found.sizes == {"time": 5, "lat": NY, "lon": NX}
