"""Variables of strings: written and read by the interface, by xarray, and by the libraries of each format."""

import numpy as np
import pytest

import sverdrup

STORES = [("netcdf4", "strings.nc"), ("zarr", "strings.zarr")]
NAMES = ["Bergen", "", "Tórshavn"]


def write(comm, path, store):
    with sverdrup.Context(comm, store=store) as io, io.create(path) as file:
        file.def_dim("time", None)
        file.def_dim("station", 3)
        name = file.def_var("name", str, ["station"], long_name="names")
        note = file.def_var("note", object, ["time", "station"], fill="none")
        temp = file.def_var("temp", "f4", ["time", "station"])
        file.enddef()
        name.put_var(NAMES)
        for record in range(2):
            note.put_vara([record, 0] if comm.rank == 0 else None, [[f"{record}a", f"{record}b"]])
            temp.put_var(np.zeros(3, "f4"), record)
            io.end_step()


@pytest.mark.parametrize(("store", "path"), STORES)
def test_what_was_written_is_read(comm, store, path):
    write(comm, path, store)
    with sverdrup.Context(comm) as io, io.open(path) as file:
        name, note = file["name"], file["note"]
        assert name.dtype == object and name.has_strings and note.fill_value() == "none"
        assert name[:].tolist() == NAMES and name[2] == "Tórshavn" and name[::-2].tolist() == ["Tórshavn", "Bergen"]
        assert name.get_var().tolist() == NAMES
        assert note[1].tolist() == ["1a", "1b", "none"] and note[:, 1].tolist() == ["0b", "1b"]
        assert note.get_vara([comm.rank % 2, 0], [1, 2]).tolist() == [[f"{comm.rank % 2}a", f"{comm.rank % 2}b"]]


@pytest.mark.parametrize(("store", "path"), STORES)
def test_wrong_arguments_are_errors_on_every_rank(comm, store, path):
    with sverdrup.Context(comm, store=store) as io, io.create(path) as file:
        file.def_dim("station", 3)
        name = file.def_var("name", str, ["station"])
        file.enddef()
        with pytest.raises(sverdrup.Error, match="shape"):
            name.put_var(NAMES[:2] if comm.rank == comm.size - 1 else NAMES)
        with pytest.raises(sverdrup.TypesError, match="strings"):
            name.put_var([1.0, 2.0, 3.0])
        with pytest.raises(sverdrup.TypesError, match="str for each"):
            name.put_var(["a", None, "b"])
        name.put_var(np.array(NAMES))


@pytest.mark.parametrize(("store", "path"), STORES)
def test_numpy_strings_of_any_kind(comm, store, path):
    with sverdrup.Context(comm, store=store) as io, io.create(path) as file:
        file.def_dim("station", 3)
        kinds = [np.array(NAMES), np.array(NAMES, dtype=object)]
        if hasattr(np.dtypes, "StringDType"):
            kinds.append(np.array(NAMES, dtype=np.dtypes.StringDType()))
        made = [file.def_var(f"v{at}", str, ["station"]) for at in range(len(kinds))]
        file.enddef()
        for variable, values in zip(made, kinds, strict=True):
            variable[slice(None) if comm.rank == 0 else slice(0)] = values if comm.rank == 0 else []
            assert variable[:].tolist() == NAMES


@pytest.mark.parametrize(("store", "path"), STORES)
def test_xarray_reads_them(comm, store, path):
    xarray = pytest.importorskip("xarray")
    write(comm, path, store)
    with xarray.open_dataset(path, engine="sverdrup") as data:
        assert data["name"].values.tolist() == NAMES and data["note"].values[0, 0] == "0a"


def test_netcdf4_python_and_h5py_read_them(comm):
    path = "strings.nc"
    write(comm, path, "netcdf4")
    netcdf4, h5py = pytest.importorskip("netCDF4"), pytest.importorskip("h5py")
    with netcdf4.Dataset(path) as data:
        assert data["name"][:].tolist() == NAMES and data["note"][1, 1] == "1b"
    with h5py.File(path) as data:
        assert [each.decode() for each in data["name"][:]] == NAMES


def test_zarr_python_reads_and_writes_them(comm):
    zarr = pytest.importorskip("zarr")
    write(comm, "strings.zarr", "zarr")
    group = zarr.open_group("strings.zarr", mode="r")
    assert group["name"][:].tolist() == NAMES and group["note"][1].tolist() == ["1a", "1b", "none"]
    path = "foreign.zarr"
    if comm.rank == 0:
        made = zarr.open_group(path, mode="w", zarr_format=3)
        array = made.create_array("name", shape=(3,), chunks=(2,), dtype=str, dimension_names=["station"])
        array[:] = NAMES
        zarr.consolidate_metadata(path)
    comm.Barrier()
    with sverdrup.Context(comm) as io, io.open(path) as file:
        assert file["name"][:].tolist() == NAMES
