"""Groups and strings of netCDF-4 files and Zarr groups: written and read by the interface, and by xarray."""

import numpy as np
import pytest

import sverdrup

STORES = [("netcdf4", "groups.nc"), ("zarr", "groups.zarr")]


def write(comm, path, store):
    with sverdrup.Context(comm, store=store) as io, io.create(path) as file:
        file.def_dim("x", 3)
        ocean = file.def_group("ocean")
        deep = file.def_group("ocean/deep")
        file.def_dim("ocean/deep/z", 2)
        temp = file.def_var("ocean/deep/temp", "f4", ["ocean/deep/z", "x"], units="K")
        deep.attributes["title"] = "below"
        ocean.attributes["words"] = ["cold", "warm"]
        file.enddef()
        temp.put_var(np.arange(6, dtype="f4").reshape(2, 3))


@pytest.mark.parametrize(("store", "path"), STORES)
def test_what_was_written_is_read(comm, store, path):
    write(comm, path, store)
    with sverdrup.Context(comm) as io, io.open(path) as file:
        assert list(file.groups) == ["ocean"] and "land" not in file.groups
        ocean = file.groups["ocean"]
        deep = file.groups["ocean/deep"]
        assert list(ocean.groups) == ["deep"] and deep.name == "ocean/deep"
        assert deep.dimensions == {"z": 2} and list(deep.variables) == ["temp"]
        assert dict(deep.attributes) == {"title": "below"} and ocean.attributes["words"] == ["cold", "warm"]
        assert file["ocean/deep/temp"].dimensions == ("ocean/deep/z", "x")
        np.testing.assert_array_equal(deep.variables["temp"][1], [3, 4, 5])
        with pytest.raises(KeyError, match="group 'land'"):
            file.groups["land"]


@pytest.mark.parametrize(("store", "path"), STORES)
def test_xarray_opens_a_group(comm, store, path):
    xarray = pytest.importorskip("xarray")
    write(comm, path, store)
    with xarray.open_dataset(path, engine="sverdrup", group="ocean/deep") as data:
        assert data.attrs == {"title": "below"} and data["temp"].dims == ("z", "x")
        np.testing.assert_array_equal(data["temp"], np.arange(6).reshape(2, 3))
    with xarray.open_dataset(path, engine="sverdrup") as data:
        assert not data.data_vars
