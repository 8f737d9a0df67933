"""Every layer except POSIX: the traces contain exactly the calls of the program `layers_calls`.

layers_test.py MPIRUN PROGRAM LIBRARY PART...     (LIBRARY: the tracer, or the tracer:others)
"""

import os
import sys

from traces import calls, compare, paths, processes, rows, table, traced

RANKS = 3

MPI_IO = """
MPI_File_open           mpi_io.bin - 1 0
MPI_File_set_size       mpi_io.bin - 1 0
MPI_File_write_at       mpi_io.bin - 2 80+16
MPI_File_write_at_all   mpi_io.bin - 1 40
MPI_File_iwrite_at      mpi_io.bin - 1 16
MPI_File_write_at_all_begin mpi_io.bin - 1 24
MPI_File_write_at_all_end   mpi_io.bin - 1 0
MPI_File_set_view       mpi_io.bin - 3 0
MPI_File_write_all      mpi_io.bin - 1 16
MPI_File_read_at_all    mpi_io.bin - 1 16
MPI_File_sync           mpi_io.bin - 1 0
MPI_File_get_size       mpi_io.bin - 1 0
MPI_File_close          mpi_io.bin - 1 0
"""

NETCDF = """
nc_create         netcdf.{rank}.nc - 1 0
nc_def_dim        netcdf.{rank}.nc - 3 0
nc_def_var        netcdf.{rank}.nc - 3 0
nc_put_att_text   netcdf.{rank}.nc a 1 1
nc_put_att_double netcdf.{rank}.nc a 1 16
nc_put_att        netcdf.{rank}.nc a 1 12
nc_set_fill       netcdf.{rank}.nc - 1 0
nc_enddef         netcdf.{rank}.nc - 2 0
nc_put_var_double netcdf.{rank}.nc a 1 192
nc_put_vara_double netcdf.{rank}.nc a 1 48
nc_put_varm_float netcdf.{rank}.nc a 1 96
nc_put_var1_int   netcdf.{rank}.nc b 1 4
nc_put_vars_int   netcdf.{rank}.nc b 1 12
nc_put_vara       netcdf.{rank}.nc b 1 24
nc_put_var_float  netcdf.{rank}.nc s 1 4
nc_sync           netcdf.{rank}.nc - 1 0
nc_redef          netcdf.{rank}.nc - 1 0
nc_rename_var     netcdf.{rank}.nc - 1 0
nc_put_vara_longlong netcdf.{rank}.nc c 1 48
nc_put_var1_int   netcdf.{rank}.nc c 1 4 1
nc_close          netcdf.{rank}.nc - 2 0
nc_open           netcdf.{rank}.nc - 1 0
nc_get_var        netcdf.{rank}.nc c 1 72
nc_get_vara_int   netcdf.{rank}.nc c 1 48
nc_get_att_double netcdf.{rank}.nc a 1 16
"""

NETCDF_PARALLEL = """
nc_create_par       parallel.nc - 1 0
nc_def_dim          parallel.nc - 2 0
nc_def_var          parallel.nc - 1 0
nc_def_var_chunking parallel.nc field 1 0
nc_enddef           parallel.nc - 1 0
nc_var_par_access   parallel.nc field 1 0
nc_put_vara_double  parallel.nc field 1 64
nc_close            parallel.nc - 1 0
"""

PNETCDF = """
ncmpi_create       pnetcdf.nc - 1 0
ncmpi_def_dim      pnetcdf.nc - 3 0
ncmpi_def_var      pnetcdf.nc - 2 0
ncmpi_put_att_text pnetcdf.nc a 1 1
ncmpi_put_att      pnetcdf.nc a 1 12
ncmpi_get_att_text pnetcdf.nc a 1 1
ncmpi_get_att_double pnetcdf.nc a 1 24
ncmpi_enddef       pnetcdf.nc - 1 0
ncmpi_put_vara_double_all      pnetcdf.nc a 1 64
ncmpi_put_vara_all             pnetcdf.nc a 1 64
ncmpi_put_varn_double_all      pnetcdf.nc a 1 64
ncmpi_mput_vara_double_all     pnetcdf.nc - 1 64+64*({rank}==0)
ncmpi_begin_indep_data         pnetcdf.nc - 1 0
ncmpi_put_var1_int             pnetcdf.nc b 1 4
ncmpi_end_indep_data           pnetcdf.nc - 1 0
ncmpi_buffer_attach            pnetcdf.nc - 1 0
ncmpi_iput_vara_double         pnetcdf.nc a 1 64
ncmpi_bput_var1_double         pnetcdf.nc a 1 8
ncmpi_wait_all                 pnetcdf.nc - 2 0
ncmpi_buffer_detach            pnetcdf.nc - 1 0
ncmpi_get_var_double_all       pnetcdf.nc a 1 64*3
ncmpi_iget_varn                pnetcdf.nc a 1 32
ncmpi_wait                     pnetcdf.nc - 1 0 1
ncmpi_close                    pnetcdf.nc - 1 0
"""

SVERDRUP = """
sv_create   sverdrup.nc - 1 0
sv_enddef   sverdrup.nc - 1 0
sv_put      sverdrup.nc temp 1 3*48
sv_put_var  sverdrup.nc depth 1 24
sv_put_vara sverdrup.nc depth 1 8*({rank}==0)
sv_put      sverdrup.nc sst 1 48
sv_iput     sverdrup.nc sst 1 48
sv_wait     sverdrup.nc - 1 0
sv_mput     sverdrup.nc - 1 3*48
sv_close    sverdrup.nc - 2 0
sv_open     sverdrup.nc - 1 0
sv_get      sverdrup.nc sst 1 48
"""
FORTRAN_MPI_IO = """
MPI_File_open         newer.bin - 1 0
MPI_File_write_at     newer.bin - 1 16
MPI_File_close        newer.bin - 1 0
MPI_File_open         older.bin - 1 0
MPI_File_write_at_all older.bin - 1 32
MPI_File_close        older.bin - 1 0
"""

FORTRAN_PNETCDF = """
ncmpi_create       pnetcdf.nc - 1 0
ncmpi_def_dim      pnetcdf.nc - 1 0
ncmpi_def_var      pnetcdf.nc - 1 0
ncmpi_enddef       pnetcdf.nc - 1 0
ncmpi_put_vara_double_all pnetcdf.nc field 1 16
ncmpi_close        pnetcdf.nc - 1 0
"""

FORTRAN_NETCDF = """
nc_create          netcdf.{rank}.nc - 1 0
nc_def_dim         netcdf.{rank}.nc - 1 0
nc_def_var         netcdf.{rank}.nc - 1 0
nc_enddef          netcdf.{rank}.nc - 1 0
nc_put_vara_double netcdf.{rank}.nc field 1 24
nc_close           netcdf.{rank}.nc - 1 0
"""

FORTRAN_SVERDRUP = """
sv_create sverdrup.nc - 1 0
sv_enddef sverdrup.nc - 1 0
sv_put    sverdrup.nc field 1 16
sv_close  sverdrup.nc - 1 0
"""

# About no file.
SVERDRUP_RUN = {(name, "", ""): (1, 0, 0) for name in ("sv_init", "sv_def_decomp", "sv_end_step", "sv_finalize")}


def of_files(process, layer, beginning):
    found = rows(process, layer, outermost=True)
    return {key: value for key, value in found.items() if key[1].startswith(beginning)}


def has_path(process, *functions):
    """Whether a path goes through the functions in this order, with any others between; pwrite in any of its forms."""
    for path in paths(process):
        rest = iter(path.split(" > "))
        if all(any(name == wanted or (wanted == "pwrite" and name.startswith(wanted)) for name in rest)
               for wanted in functions):
            return True
    return False


def check_mpi_io(rank, process, all_of_them):
    compare(f"MPI-IO, rank {rank}", rows(process, "mpi_io", outermost=True), table(MPI_IO))
    first, second = calls(process, "MPI_File_write_at")[:2]
    assert first["offset"] == 80 * rank, first
    assert second["offset"] == 240 + 16 * rank, second
    opening = calls(process, "MPI_File_open")[0]
    assert opening["communicator"] == [RANKS] and opening["mode"] != [0], opening
    hints = [note.content for p in all_of_them for note in p.notes
             if note.content.get("kind") == "hints" and note.content["file"].endswith("mpi_io.bin")]
    assert len(hints) == 1 and hints[0]["asked"] == {"cb_nodes": "1"} and hints[0]["used"].get("cb_nodes") == "1", hints
    assert has_path(process, "MPI_File_write_at", "pwrite"), paths(process)
    assert not has_path(process, "MPI_File_get_size", "MPI_File_get_size"), paths(process)  # MPI_X and PMPI_X: once
    assert "MPI_Barrier" not in paths(process) and "MPI_Wait" not in paths(process), paths(process)


def check_netcdf(rank, process, _):
    compare(f"netCDF, rank {rank}", of_files(process, "netcdf", "netcdf."), table(NETCDF, rank=rank))
    block = calls(process, "nc_put_varm_float")[0]
    assert (block["start"], block["count"], block["stride"], block["imap"]) == ([0, 0], [4, 6], [1, 1], [1, 4]), block
    failed = calls(process, "nc_put_var1_int")[1]
    assert failed["failed"] and failed["start"] == [0, 6] and failed["status"] == [-40], failed  # NC_EINVALCOORDS


def check_netcdf_parallel(rank, process, _):
    compare(f"netCDF-4, rank {rank}", of_files(process, "netcdf", "parallel"), table(NETCDF_PARALLEL))
    put = calls(process, "nc_put_vara_double")[-1]
    assert put["start"] == [rank, 0] and put["count"] == [1, 8], put
    assert calls(process, "nc_create_par")[0]["communicator"] == [RANKS]
    assert calls(process, "nc_def_var_chunking")[0]["chunks"] == [1, 8]
    assert calls(process, "nc_var_par_access")[0]["collective"] == [1]
    assert has_path(process, "nc_create_par", "MPI_File_open"), paths(process)
    assert has_path(process, "nc_put_vara_double", "MPI_File_write_at_all"), paths(process)


def check_pnetcdf(rank, process, all_of_them):
    compare(f"PnetCDF, rank {rank}", rows(process, "pnetcdf"), table(PNETCDF, rank=rank))
    assert calls(process, "ncmpi_put_varn_double_all")[0]["requests"] == [2]
    assert calls(process, "ncmpi_put_vara_double_all")[0]["start"] == [rank, 0]
    assert calls(process, "ncmpi_wait_all")[0]["requests"] == [2]
    assert has_path(process, "ncmpi_put_vara_double_all", "MPI_File_write_at_all"), paths(process)
    assert any(has_path(p, "ncmpi_put_vara_double_all", "MPI_File_write_at_all", "pwrite") for p in all_of_them)


def check_sverdrup(rank, process, all_of_them):
    expected = {**table(SVERDRUP, rank=rank), **SVERDRUP_RUN}
    compare(f"Sverdrup, rank {rank}", rows(process, "sverdrup", outermost=True), expected)
    put = calls(process, "sv_put")[1]
    assert (put["start"], put["count"], put["record"]) == ([rank, 0], [1, 6], [0]), put
    assert any(" > MPI_" in path for path in paths(process)), paths(process)
    assert any(has_path(p, first, "pwrite") for p in all_of_them for first in ("sv_put", "sv_end_step", "sv_close"))
    if os.environ.get("SV_STORE") == "netcdf4_library":  # which is loaded when it is used, and refuses what hides its library
        assert any(has_path(p, "sv_put", "nc_put_vara") for p in all_of_them)


def check_fortran(rank, process, _):
    compare(f"MPI-IO from Fortran, rank {rank}", rows(process, "mpi_io", outermost=True), table(FORTRAN_MPI_IO))
    assert calls(process, "MPI_File_write_at_all")[0]["offset"] == 32 * rank
    found = of_files(process, "sverdrup", "sverdrup")
    compare(f"Sverdrup from Fortran, rank {rank}", found, table(FORTRAN_SVERDRUP))


def check_fortran_pnetcdf(rank, process, _):
    compare(f"PnetCDF from Fortran, rank {rank}", rows(process, "pnetcdf"), table(FORTRAN_PNETCDF))


def check_fortran_netcdf(rank, process, _):
    expected = table(FORTRAN_NETCDF, rank=rank)
    compare(f"netCDF from Fortran, rank {rank}", rows(process, "netcdf", outermost=True), expected)


def main() -> None:
    mpirun, program, library, *parts = sys.argv[1:]
    traced([mpirun, str(RANKS), program, *parts], library, "traces")
    found = processes("traces", program.split("/")[-1])
    assert sorted(found) == list(range(RANKS)), sorted(found)
    for rank, process in found.items():
        assert process.ranks == RANKS and 0 < process.mpi_start_ns < process.mpi_end_ns <= process.end_ns
        for part in parts:
            globals()[f"check_{part}"](rank, process, list(found.values()))
    print(f"{', '.join(parts)}: as expected")


if __name__ == "__main__":
    main()
