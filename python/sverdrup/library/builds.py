"""Which compiled part a wheel for several MPIs takes: sverdrup/builds has a folder for each, named as mpi4py names
its own modules (openmpi: Open MPI 4 and 5; mpich: MPICH and what is compatible with it). The library chooses, when it
is imported, by the MPI that mpi4py runs on: a process has one. Other installations have one compiled part and no
folder."""

import sys
from pathlib import Path


def name_of(library: str, abi: tuple[int, int]) -> str:
    """The name of the interface between programs and the MPI library that calls itself `library`; `abi` is the version
    of MPI's own binary interface (MPI 5), if mpi4py uses that."""
    if abi[0] > 0:
        return "mpiabi"
    return "openmpi" if library.startswith("Open MPI") else "mpich"


def choose() -> None:
    """Lets `sverdrup._core` be found. Raises ImportError where the wheel has nothing for this MPI."""
    package = sys.modules["sverdrup"]
    builds = Path(__file__).resolve().parents[1] / "builds"
    if not builds.is_dir():
        return
    from mpi4py import MPI

    abi = MPI.Get_abi_version() if hasattr(MPI, "Get_abi_version") else (-1, -1)
    library = MPI.Get_library_version().rstrip("\0\n")
    name = name_of(library, abi)
    if not (builds / name).is_dir():
        known = ", ".join(sorted(each.name for each in builds.iterdir() if each.is_dir()))
        raise ImportError(
            f"this copy of sverdrup is built for {known}, and mpi4py runs on {library.splitlines()[0]!r} ({name}). "
            "Let MPI4PY_LIBMPI name another MPI library, or build Sverdrup with this one: pip install . in its sources"
        )
    package.__path__.append(str(builds / name))
