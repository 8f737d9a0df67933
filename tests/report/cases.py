"""Small runs, each with the cause of one piece of advice. `case(directory)` writes it; EXPECTED names the advice."""

import runs
from sverdrup.trace import Run, layout
from synthetic import Synthetic

FILE, MIB = "/scratch/a.nc", 1 << 20


def _ranks(directory, ranks, work, **rest):
    for rank in range(ranks):
        process = Synthetic(directory, rank, ranks, **rest)
        process.mpi_start()
        process.compute(0.5)
        work(process, rank)
        process.until(3)
        process.mpi_end()
        process.save()
    return directory


def nothing(directory):
    return runs.no_output(directory)


def servers(directory):
    return runs.synchronous(directory)


def server_memory(directory):
    return runs.served(directory, write_s=0.3, wait_s=0.15)


def more_servers(directory):
    return runs.served(directory, write_s=0.6, wait_s=0.15)


def alignment(directory):
    return runs.synchronous(directory, stripe=4 << 20)


def gather(directory):
    return runs.gather(directory)


def port(directory):
    return runs.pnetcdf(directory)


def writers(directory):
    def work(process, rank):
        with process.within("pnetcdf", "ncmpi_put_vara_float_all", FILE, "t", bytes=2 * MIB):
            if rank == 0:
                process.call("posix", "pwrite64", 1.0, file=FILE, bytes=8 * MIB, offset=0)

    return _ranks(directory, 4, work)


def many_writers(directory):
    def work(process, rank):
        with process.within("pnetcdf", "ncmpi_put_vara_float", FILE, "t", bytes=2 * MIB):
            for piece in range(16):
                offset = 128 * 1024 * (16 * piece + rank)
                process.call("posix", "pwrite64", 0.05, file=FILE, bytes=128 * 1024, offset=offset)

    return _ranks(directory, 16, work)


def imbalance(directory):
    def work(process, rank):
        parts = 6 if rank == 2 else 1
        with process.within("pnetcdf", "ncmpi_put_vara_float_all", FILE, "t", bytes=MIB * parts):
            process.call("posix", "pwrite64", 0.2 * parts, file=FILE, bytes=MIB * parts, offset=8 * MIB * rank)

    return _ranks(directory, 4, work)


def arrival(directory):
    def work(process, rank):
        for step in range(3):
            process.until(0.5 + 0.7 * step + (0.4 if rank == 1 else 0))
            with process.within("pnetcdf", "ncmpi_put_vara_float_all", FILE, "t", bytes=MIB):
                with process.within("mpi", "MPI_Allreduce"):
                    process.until(0.95 + 0.7 * step)

    return _ranks(directory, 4, work)


def chunks(directory):
    def work(process, rank):
        process.call("netcdf", "nc_def_var_chunking", 0.001, file=FILE, variable="t", chunks=[64, 100])
        box = dict(start=[32 * rank, 0], count=[32, 100], bytes=32 * 400)
        with process.within("netcdf", "nc_put_vara_float", file=FILE, variable="t", **box):
            process.call("posix", "pwrite64", 1.0, file=FILE, bytes=32 * 400, offset=4096 + 32 * 400 * rank)

    return _ranks(directory, 4, work)


def small_writes(directory):
    def work(process, rank):
        for piece in range(100):
            place = dict(bytes=4000, offset=4000 * (4 * piece + rank))
            with process.within("pnetcdf", "ncmpi_put_vara_float", FILE, f"t{piece % 5}", bytes=4000):
                process.call("posix", "pwrite64", 0.01, file=FILE, **place)

    return _ranks(directory, 4, work)


def metadata(directory):
    def work(process, rank):
        process.call("netcdf", "nc_def_var_chunking", 0.001, file=FILE, variable="t", chunks=[64, 100])
        with process.within("netcdf", "nc_put_vara_float", FILE, "t", bytes=MIB):
            process.call("posix", "pwrite64", 0.1, file=FILE, bytes=MIB, offset=MIB * (rank + 1))
        with process.within("netcdf", "nc_close", FILE):
            for piece in range(30):
                process.call("posix", "pwrite64", 0.02, file=FILE, bytes=200, offset=200 * piece)

    return _ranks(directory, 2, work)


def syncing(directory):
    def work(process, rank):
        for record in range(8):
            process.call("netcdf", "nc_put_vara_float", 0.05, file=FILE, variable="t", bytes=MIB)
            with process.within("netcdf", "nc_sync", FILE):
                process.call("posix", "pwrite64", 0.1, file=FILE, bytes=MIB, offset=MIB * (8 * rank + record))

    return _ranks(directory, 2, work)


def prefill(directory):
    def work(process, _):
        with process.within("netcdf", "nc_enddef", FILE):
            process.call("posix", "write", 0.5, file=FILE, bytes=4 * MIB, offset=0)
        with process.within("netcdf", "nc_put_vara_float", FILE, "t", bytes=4 * MIB):
            process.call("posix", "write", 0.5, file=FILE, bytes=4 * MIB, offset=0)

    return _ranks(directory, 1, work)


def reopening(directory):
    def work(process, _):
        for _ in range(20):
            process.call("netcdf", "nc_open", 0.02, file=FILE)
            process.call("netcdf", "nc_put_vara_float", 0.001, file=FILE, variable="t", bytes=100)
            process.call("netcdf", "nc_close", 0.02, file=FILE)

    return _ranks(directory, 2, work)


def mpi_io(directory):
    def work(process, rank):
        with process.within("pnetcdf", "ncmpi_put_vara_float_all", FILE, "t", bytes=MIB):
            with process.within("mpi_io", "MPI_File_write_at_all", FILE, bytes=MIB):
                for piece in range(50):
                    place = dict(bytes=20000, offset=20000 * (4 * piece + rank))
                    process.call("posix", "pwritev", 0.02, file=FILE, **place)

    return _ranks(directory, 4, work)


def compression(directory):
    def work(process, rank):
        process.call("netcdf", "nc_def_var_deflate", 0.001, file=FILE, variable="t")
        with process.within("netcdf", "nc_put_vara_float", FILE, "t", bytes=4 * MIB):
            process.compute(1.0)
            process.call("posix", "pwrite64", 0.1, file=FILE, bytes=MIB, offset=MIB * rank)

    return _ranks(directory, 2, work)


def reading(directory):
    def work(process, _):
        with process.within("netcdf", "nc_get_var_float", FILE, "t", bytes=4 * MIB):
            process.call("posix", "pread64", 0.5, file=FILE, bytes=4 * MIB, offset=4096)

    return _ranks(directory, 4, work)


def with_sverdrup(directory):
    """The same folder, as if the program used Sverdrup: each rank's library records its presence."""
    for process in Run(directory).processes:
        library = Synthetic(directory, process.rank, process.ranks, pid=process.pid, producer=layout.LIBRARY)
        library.note(kind="run", rank=process.rank, ranks=process.ranks, role="both", servers=0, settings={})
        library.save()
    return directory


# The kind of the advice, and the required text of its configuration.
EXPECTED = {
    nothing: ("nothing", None),
    servers: ("servers", "async: threads\n"),
    server_memory: ("server_memory", "async.memory: 512MiB\n"),
    more_servers: ("server_memory", "async: servers:4\n"),
    alignment: ("alignment", "file_system.stripe: 4MiB"),
    gather: ("gather", "variable.put(part, mine, record=n)"),
    port: ("port", "async: servers:1 per node"),
    writers: ("writers", "cb_nodes=2"),
    many_writers: ("writers", "cb_nodes=1"),
    imbalance: ("imbalance", None),
    arrival: ("arrival", None),
    chunks: ("chunks", "{32, 100}"),
    small_writes: ("small_writes", "ncmpi_wait_all"),
    metadata: ("metadata", "NC_64BIT_DATA"),
    syncing: ("syncing", "nc_sync"),
    prefill: ("prefill", "NC_NOFILL"),
    reopening: ("reopening", None),
    mpi_io: ("mpi_io", "OMPI_MCA_io=^ompio"),
    compression: ("compression", "nc_def_var_deflate"),
    reading: ("reading", "MPI_Bcast"),
}
