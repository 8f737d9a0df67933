"""Finds out which language a traced program is written in, and writes lines of advice in it."""

from pathlib import Path

from sverdrup.analysis.traced_run import TracedRun
from sverdrup.analysis.words import short

_FORTRAN = (b"libnetcdff.so", b"libpnetcdff", b"libgfortran.so", b"_gfortran_", b"libifcore", b"_FortranAio")
_READ_BYTES = 64 << 20

# By advice: the lines for programs in C, Fortran (nf90) and Python (netCDF4, sverdrup).
_LINES = {
    "cdf5": {
        "c": "nc_create(path, NC_CLOBBER | NC_64BIT_DATA, &file);  /* CDF-5 instead of NC_NETCDF4 */\n",
        "fortran": "status = nf90_create(path, ior(NF90_CLOBBER, NF90_64BIT_DATA), file)  ! not NF90_NETCDF4\n",
        "python": "file = netCDF4.Dataset(path, 'w', format='NETCDF3_64BIT_DATA')  # CDF-5\n",
    },
    "deflate": {
        "c": "nc_def_var_deflate(file, variable, 1, 1, 1);  /* shuffle, deflate, level 1 */\n",
        "fortran": "status = nf90_def_var_deflate(file, variable, 1, 1, 1)  ! shuffle, deflate, level 1\n",
        "python": "file.createVariable(name, 'f4', dims, compression='zlib', complevel=1, shuffle=True)\n",
    },
    "no_fill": {
        "c": "nc_set_fill(file, NC_NOFILL, NULL);  /* after nc_create */\n",
        "fortran": "status = nf90_set_fill(file, NF90_NOFILL, old_mode)  ! after nf90_create\n",
        "python": "file.set_fill_off()  # before variables are written\n",
    },
    "gather": {
        "c": "sv_def_decomp(io, 2, shape, start, count, NULL, &mine);  /* once: the cells of each rank */\n"
        "sv_put(file, variable, mine, record, SV_FLOAT, part, NULL);        /* on every rank */\n",
        "fortran": "call sv_def_decomp(io, mine, shape, start, count)       ! once: the cells of each rank\n"
        "call sv_put(file, variable, mine, part, record=n)   ! on every rank\n",
        "python": "mine = io.decomp(shape, start, count)  # once: the cells of each rank\n"
        "variable.put(part, mine, record=n)     # on every rank\n",
    },
    "sync": {
        "c": "if (step % 10 == 0) nc_sync(file);  /* not after every record */\n",
        "fortran": "if (mod(step, 10) == 0) status = nf90_sync(file)  ! not after every record\n",
        "python": "if step % 10 == 0: file.sync()  # not after every record\n",
    },
}  # fmt: skip


def language_of(traced: TracedRun) -> str:
    """ "python", "fortran" or "c"; also "c" if the program can no longer be read."""
    programs = {process.program for process, index in zip(traced.run.processes, traced.run.rank_index) if index >= 0}
    if any(short(path).startswith("python") for path in programs):
        return "python"
    return "fortran" if any(_names_fortran(Path(path)) for path in programs) else "c"


def _names_fortran(program: Path) -> bool:
    """Whether an executable is linked with libraries that only programs in Fortran need."""
    try:
        if not program.is_file():
            return False
        with program.open("rb") as file:
            content = file.read(_READ_BYTES)
    except (OSError, ValueError):
        return False
    return content[:4] == b"\x7fELF" and any(name in content for name in _FORTRAN)


def lines_for(what: str, traced: TracedRun) -> tuple[str, str]:
    """The lines of `what`, and their language."""
    language = language_of(traced)
    return _LINES[what][language], language
