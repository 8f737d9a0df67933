"""Sverdrup next to other libraries of PyPI in one process, which bring their own netCDF-C and HDF5:
beside_others.py MODULE... imports the modules in this order, of sverdrup, netCDF4, h5py and zarr; writes a file with
each, and reads every file with each that knows its format. tests/python/test_beside_others.py starts it for a build,
scripts/packages for the wheel. On several ranks, the other libraries work on rank 0."""

import importlib
import sys
from pathlib import Path

import numpy as np

modules = {name: importlib.import_module(name) for name in sys.argv[1:]}
if "sverdrup" in modules:
    importlib.import_module("sverdrup.library")  # loads the compiled part at its place in the order

FIELD = np.arange(1200, dtype="f8").reshape(30, 40)


def write_netcdf4(path):
    with modules["netCDF4"].Dataset(path, "w") as file:
        for name, length in (("y", 30), ("x", 40)):
            file.createDimension(name, length)
        file.createVariable("v", "f8", ("y", "x"), compression="zlib")[:] = FIELD


def write_h5py(path):
    with modules["h5py"].File(path, "w", track_order=True) as file:
        v = file.create_dataset("v", data=FIELD, compression="gzip")
        for d, name in enumerate(("y", "x")):
            file[name] = np.arange(FIELD.shape[d], dtype="f8")
            file[name].make_scale(name)
            v.dims[d].attach_scale(file[name])


def write_zarr(path):
    group = modules["zarr"].open_group(path, mode="w")
    group.create_array("v", data=FIELD, chunks=(30, 20), dimension_names=("y", "x"))


def write_sverdrup(path):
    sverdrup = modules["sverdrup"]
    kind = "zarr" if path.endswith("zarr") else "netcdf4"
    with sverdrup.Context(summary={"table": False}) as io, io.create(path, format=kind) as f:
        start, count = sverdrup.block(30, io.size, io.rank)
        for name, length in (("y", 30), ("x", 40)):
            f.def_dim(name, length)
        v = f.def_var("v", "f8", ("y", "x"), zlib=True)
        f.enddef()
        v[start : start + count] = FIELD[start : start + count]


def read_sverdrup(path):
    with modules["sverdrup"].Context(summary={"table": False}) as io, io.open(path) as file:
        return file["v"].get_var()


def read_netcdf4(path):
    with modules["netCDF4"].Dataset(path) as file:
        return file["v"][:]


def read_h5py(path):
    with modules["h5py"].File(path) as file:
        return file["v"][:]


def read_zarr(path):
    return modules["zarr"].open_group(path, mode="r")["v"][:]


WRITERS = {"sverdrup": write_sverdrup, "netCDF4": write_netcdf4, "h5py": write_h5py, "zarr": write_zarr}
READERS = {"sverdrup": read_sverdrup, "netCDF4": read_netcdf4, "h5py": read_h5py, "zarr": read_zarr}


def main():
    from mpi4py import MPI

    comm = MPI.COMM_WORLD
    files = {f"by_{name}.{'zarr' if name == 'zarr' else 'nc'}": WRITERS[name] for name in modules}
    files["by_sverdrup.zarr"] = write_sverdrup
    for again in range(2):  # the second time every library has files of its own behind it
        for path, write in files.items():
            if write is write_sverdrup or comm.rank == 0:
                write(path)
            comm.barrier()
        for path in files:
            for name, read in READERS.items():
                if name not in modules or (name == "zarr") != path.endswith("zarr") and name != "sverdrup":
                    continue
                if name == "sverdrup" or comm.rank == 0:
                    np.testing.assert_array_equal(read(path), FIELD, err_msg=f"{path}, read with {name}, round {again}")
    if comm.rank == 0:
        others = {line.split()[-1] for line in Path("/proc/self/maps").read_text().splitlines() if "/" in line}
        named = sorted({Path(path).name for path in others if "hdf5" in path.lower() or "libnetcdf" in path})
        print(f"{len(files)} files on {comm.size} ranks, imported as {', '.join(modules)}; {', '.join(named)}")


main()
