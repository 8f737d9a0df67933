"""Describes where the kit runs: the machine, its MPI, the file system, and the programs of Sverdrup. It is the kit's
first step."""

import os
import platform
import shutil
import time
from pathlib import Path

from sverdrup import __version__, programs
from sverdrup_studies import processors
from sverdrup_studies.kept import read_text

from .plan import Asked

PROGRAMS = ("sv-bench", "sv-plan", "sv-probe", "libsv_shim.so")
_PREFIXES = (
    "SV_",
    "OMPI_MCA_",
    "MPICH_",
    "I_MPI_",
    "FI_",
    "UCX_",
    "ROMIO_",
    "SLURM_JOB_NUM",
    "SLURM_NTASKS",
    "SLURM_CPUS",
)


def _said(*command: str) -> str:
    """The first line of a command's output, or why it cannot be run."""
    try:
        ended = programs.run(command, 20)
    except programs.ProgramError as error:
        return str(error)
    return "\n".join((ended.output.strip() or ended.errors.strip()).splitlines()[:1])


def _processor() -> dict:
    names = processors.names()
    memory = [line.split() for line in read_text(Path("/proc/meminfo")).splitlines() if line.startswith("MemTotal")]
    return {
        "processor": names[0] if names else platform.processor(),
        "cores": os.cpu_count(),
        "memory_bytes": int(memory[0][1]) * 1024 if memory else None,
    }


def _file_system(directory: Path) -> dict:
    """Of the mount that the directory is on."""
    mounts = [line.split() for line in read_text(Path("/proc/mounts")).splitlines()]
    there = [one for one in mounts if len(one) > 2 and directory.is_relative_to(one[1])]
    mount = max(there, key=lambda one: len(one[1]), default=[None, None, None])
    found = {
        "directory": str(directory),
        "mount": mount[1],
        "kind": mount[2],
        "free_bytes": shutil.disk_usage(directory).free,
    }
    if shutil.which("lfs"):
        found["stripes"] = _said("lfs", "getstripe", "-d", str(directory))
    return found


def _program(name: str, folder: str | None) -> str | None:
    try:
        return str(programs.program(name, folder))
    except programs.ProgramError:
        return None


def environment(asked: Asked) -> dict:
    """A dictionary for JSON; sizes in bytes. Of variables only those of MPI, Sverdrup and the job's size are kept."""
    launcher = (asked.launcher or "mpiexec").split()[0]
    return {
        "sverdrup": __version__,
        "made": time.strftime("%Y-%m-%d %H:%M:%S %z"),
        "host": platform.node(),
        "system": platform.platform(),
        "python": platform.python_version(),
        **_processor(),
        "launcher": {"command": asked.launcher, "version": _said(launcher, "--version")},
        "ranks": asked.ranks,
        "file_system": _file_system(asked.directory),
        "programs": {name: _program(name, asked.bin) for name in PROGRAMS},
        "variables": {name: value for name, value in sorted(os.environ.items()) if name.startswith(_PREFIXES)},
    }
