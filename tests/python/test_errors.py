"""Errors: exceptions with fields, the same on every rank; and how `with` ends."""

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from mpi4py import MPI

import sverdrup
from sverdrup.library import builds


def test_an_error_has_fields(io, file, grid, mine):
    sst = file.def_var("sst", "f4", ["time", "lat", "lon"])
    file.enddef()
    with pytest.raises(sverdrup.ArgumentError) as caught:
        sst.put(mine, grid)  # without its record
    error = caught.value
    assert (error.status, error.variable, error.rank) == (1, "sst", 0)
    assert error.file == "test_an_error_has_fields.nc"
    assert error.cause == "a record variable needs a record number"
    assert error.remedy == "Records count from 0"
    assert error.collective and isinstance(error, ValueError)
    file.close()


def test_one_rank_with_a_wrong_array_is_told_to_all(io, comm, file, grid, mine):
    sst = file.def_var("sst", "f4", ["lat", "lon"])
    file.enddef()
    wrong = io.size - 1
    with pytest.raises(sverdrup.ArgumentError) as caught:
        sst.put(mine[:, :-1] if io.rank == wrong else mine, grid)
    error = caught.value
    assert (error.rank, error.variable, error.file) == (wrong, "sst", file.path), str(error)
    assert "where (" in error.cause and "halo" in error.remedy
    with pytest.raises(sverdrup.TypesError, match="complex"):
        sst.put(mine.astype(complex) if io.rank == wrong else mine, grid)
    with pytest.raises(sverdrup.ArgumentError, match="cannot be read: RuntimeError: not now"):
        sst.put(Hostile() if io.rank == wrong else mine, grid)
    with pytest.raises(sverdrup.ArgumentError, match="'start' has 1 numbers"):
        sst.put_vara([0] if io.rank == wrong else None, mine)
    with pytest.raises(sverdrup.ArgumentError, match="cannot be read: ValueError"):
        file.mput([(sst, mine)] if io.rank == wrong else [(sst, mine, grid, None)])
    sst.put(mine, grid)  # nothing has been lost by it
    file.close()


class Hostile:
    def __array__(self, dtype=None, copy=None):
        raise RuntimeError("not now")


def test_local_errors(io, file):
    file.def_var("sst", "f4", ["lat", "lon"])
    with pytest.raises(sverdrup.ExistsError) as caught:
        file.def_var("sst", "f4", ["lat"])
    assert caught.value.variable == "sst" and not caught.value.collective
    with pytest.raises(KeyError):
        file["none"]
    with pytest.raises(KeyError):
        file.attributes["none"]
    with pytest.raises(sverdrup.TypesError):
        file.def_var("z", "c16", ["lat"])
    with pytest.raises(ValueError, match="published"):
        io.create("x.nc", kind="sometimes")
    file.enddef()
    with pytest.raises(sverdrup.ArgumentError) as caught:
        file["sst"].iput_var(np.zeros(3))
    assert (caught.value.rank, caught.value.variable) == (io.rank, "sst")
    file.close()
    with pytest.raises(sverdrup.Error):
        file.sync()


def test_settings_and_missing_files(comm, io):
    with pytest.raises(sverdrup.ConfigurationError, match="rout"):
        sverdrup.Context(comm, rout="ranges")
    with pytest.raises(sverdrup.NotFoundError) as caught:
        io.open("nowhere.nc")
    assert caught.value.file == "nowhere.nc" and isinstance(caught.value, FileNotFoundError)
    with pytest.raises(sverdrup.LayoutError):
        io.decomp((4,), (0,), (3,))


def test_with_tells_the_others_what_ended_it(comm):
    bad = comm.size - 1
    with pytest.raises(ZeroDivisionError) as caught:
        with sverdrup.Context(comm) as io, io.create("ended.nc") as file:
            file.def_dim("x", 4)
            v = file.def_var("v", "f8", ["x"])
            file.enddef()
            if comm.rank == bad:
                1 / 0  # noqa: B018
            v.put_var(np.zeros(4))
    if comm.rank != bad:
        assert isinstance(caught.value, sverdrup.PeerError) and caught.value.rank == bad
        assert caught.value.cause.endswith("ZeroDivisionError: division by zero")
    comm.barrier()
    assert not Path("ended.nc").exists()


def test_with_closes_and_finalises(comm):
    with sverdrup.Context(comm) as io:
        file = io.create("closed.nc")
        file.def_dim("x", 1)
        file.enddef()
    assert file.closed and io.finalized and Path("closed.nc").exists()
    with pytest.raises(sverdrup.OrderError), sverdrup.Context(comm) as io:
        io.create("abandoned.nc")
        io.finalize()


def test_the_tools_do_without_the_library(comm):
    """A copy of the package without the compiled part."""
    if comm.rank > 0:
        return
    package = Path(sverdrup.__file__).parents[1]
    look = "import sverdrup, sverdrup.cli\ntry: sverdrup.Context\nexcept AttributeError as e: print(e)"
    done = subprocess.run(
        [sys.executable, "-S", "-c", look], env={"PYTHONPATH": str(package)}, capture_output=True, text=True
    )
    assert "no library for Python, only its tools" in done.stdout, done.stderr


def test_the_tools_do_not_load_the_library(comm):
    """Though it is there. And the names that stand in `sverdrup` are those of the library."""
    assert sverdrup._LIBRARY == set(sverdrup.library.__all__)
    if comm.rank > 0:
        return
    loaded = "print({'mpi4py', 'sverdrup._core'} & set(sys.modules))"
    look = f"import sys, sverdrup.cli as cli; cli.parser(cli.SVERDRUP); {loaded}"
    done = subprocess.run([sys.executable, "-c", look], capture_output=True, text=True)
    assert done.stdout == "set()\n", done.stdout + done.stderr


def test_builds_of_a_wheel(tmp_path, monkeypatch):
    """A wheel for several MPIs takes the build for the one that mpi4py runs on, or says what it has."""
    assert builds.name_of(8, (-1, -1)) == "openmpi"
    assert builds.name_of(4, (0, 0)) == "mpich"
    assert builds.name_of(8, (1, 0)) == "mpiabi"
    mine = builds.name_of(MPI._sizeof(MPI.COMM_WORLD), (-1, -1))
    monkeypatch.setattr(builds, "__file__", str(tmp_path / "library" / "builds.py"))
    monkeypatch.setattr(sys.modules["sverdrup"], "__path__", [])
    builds.choose()  # no folder of builds: nothing to choose
    assert sys.modules["sverdrup"].__path__ == []
    (tmp_path / "builds" / "other").mkdir(parents=True)
    with pytest.raises(ImportError, match=rf"built for other, and mpi4py runs on .*\({mine}\)"):
        builds.choose()
    (tmp_path / "builds" / mine).mkdir()
    builds.choose()
    assert sys.modules["sverdrup"].__path__ == [str(tmp_path / "builds" / mine)]
    monkeypatch.setitem(sys.modules, "mpi4py.MPI", None)
    with pytest.raises(ImportError, match="needs mpi4py and an MPI library.*pip install mpi4py"):
        builds.choose()


def test_a_compiled_part_that_does_not_load(alone):
    """Because it needs another MPI library than the one that is there, as it may be with a wheel."""
    alone("""
import mpi4py.MPI, pathlib, shutil, sys, sysconfig
import sverdrup
copy = pathlib.Path("copy/sverdrup")
shutil.copytree(next(p for p in sverdrup.__path__ if (pathlib.Path(p) / "library").is_dir()), copy)
for name in [each for each in sys.modules if each.partition(".")[0] == "sverdrup"]:
    del sys.modules[name]
sys.path.insert(0, "copy")
for name in ("openmpi", "mpich"):
    (copy / "builds" / name).mkdir(parents=True)
    (copy / "builds" / name / ("_core" + sysconfig.get_config_var("EXT_SUFFIX"))).write_text("no library")
import sverdrup
sverdrup.__path__[:] = [str(copy)]
try:
    sverdrup.Context
except ImportError as error:
    assert "does not load in a process whose mpi4py runs on" in str(error) and "MPI4PY_LIBMPI" in str(error), error
else:
    raise AssertionError("it has been loaded")
""")


def test_two_mpi_libraries_do_not_meet(comm, monkeypatch):
    builds.compare("One MPI 1.0\0\n", "/one/libmpi.so", "One MPI 1.0")
    with pytest.raises(ImportError, match="one MPI, 'One MPI' .'/one/libmpi.so'., and mpi4py runs on another, 'Two'"):
        builds.compare("One MPI\nof 2026", "/one/libmpi.so", "Two\nof 2027")
    from sverdrup import _core

    name, path = _core.mpi_library()
    assert "MPI" in name and Path(path).exists()
    monkeypatch.setattr(MPI, "Get_library_version", lambda: "Another MPI")
    for call in (sverdrup.Context, sverdrup.serve):
        with pytest.raises(ImportError, match="Set MPI4PY_LIBMPI="):
            call(comm)
