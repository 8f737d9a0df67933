"""Traces of whole runs that never were, of every kind that the report distinguishes. Each function writes a folder and
returns it. Fields: `temp`, ny rows of nx floats in `/scratch/ocean.nc`, cut into rows by rank."""

from pathlib import Path

from sverdrup.trace import layout
from synthetic import Synthetic

FILE = "/scratch/ocean.nc"
HEADER, NX = 1 << 20, 1024
ROW_BYTES = 4 * NX


def _rows(rank, ranks, ny):
    first = ny * rank // ranks
    return first, ny * (rank + 1) // ranks - first


def no_output(directory, ranks=4, steps=6):
    """A run that writes next to nothing: 1 ms of 3 s."""
    for rank in range(ranks):
        process = Synthetic(directory, rank, ranks)
        process.mpi_start()
        for _ in range(steps):
            process.compute(0.5)
        if rank == 0:
            process.call("posix", "open", 0.0001, file="/scratch/log.txt", mode=1)
            process.call("posix", "write", 0.0008, file="/scratch/log.txt", bytes=100, offset=0)
            process.call("posix", "close", 0.0001, file="/scratch/log.txt")
        process.mpi_end()
        process.save()
    return Path(directory)


def _open_pnetcdf(process, file):
    with process.within("pnetcdf", "ncmpi_create", file=file, mode=0x20, communicator=process.header["ranks"][0]):
        with process.within("mpi_io", "MPI_File_open", file=file, mode=5):
            process.call("mpi", "MPI_Bcast", 0.002, communicator=4)
            process.call("posix", "open", 0.001, file=file, mode=66)
    process.call("pnetcdf", "ncmpi_def_var", 0.00001, file=file, variable="temp")
    with process.within("pnetcdf", "ncmpi_enddef", file=file):
        if process.header["rank"][0] == 0:
            with process.within("mpi_io", "MPI_File_write_at", file=file, bytes=200, offset=0):
                process.call("posix", "pwrite64", 0.0005, file=file, bytes=200, offset=0)
        else:
            process.call("mpi", "MPI_Barrier", 0.0005)


def pnetcdf(
    directory, ranks=8, steps=6, ny=512, aggregators=2, ring_slots=None, killed=None, missing=None, hosts=("vm",)
):
    """PnetCDF's collective writer: `aggregators` ranks write what the others send. `killed`: a rank that is killed in
    the last put; `missing`: one without a trace. Hosts' clocks start apart."""
    for rank in range(ranks):
        if rank == missing:
            continue
        host = hosts[rank * len(hosts) // ranks]
        process = Synthetic(directory, rank, ranks, host=host, start=0.01 * rank, ring_slots=ring_slots)
        process.mpi_start()
        process.note(file=FILE, kind="hints", asked={}, used={"cb_nodes": str(aggregators)})
        _open_pnetcdf(process, FILE)
        first, count = _rows(rank, ranks, ny)
        begin, mine = _rows(rank // (ranks // aggregators), aggregators, ny)
        writes = rank % (ranks // aggregators) == 0
        for step in range(steps):
            process.until(0.2 + 0.5 * step + 0.02 * rank)
            slot = HEADER + step * ny * ROW_BYTES
            arguments = dict(start=[step, first, 0], count=[1, count, NX], record=step)
            process.begin("pnetcdf", "ncmpi_put_vara_float_all", FILE, "temp")
            process.begin("mpi_io", "MPI_File_write_at_all", FILE)
            process.call("mpi", "MPI_Alltoall", 0.02, communicator=ranks)
            if writes:
                place = dict(bytes=mine * ROW_BYTES, offset=slot + begin * ROW_BYTES)
                if rank == killed and step == steps - 1:
                    process.begin("posix", "pwrite64", FILE)
                    break
                process.call("posix", "pwrite64", 0.12, file=FILE, **place)
            elif rank == killed and step == steps - 1:
                process.begin("mpi", "MPI_Allreduce")
                break
            with process.within("mpi", "MPI_Allreduce", communicator=ranks):
                process.until(0.4 + 0.5 * step + 0.02 * ranks - 0.01 * rank)
            process.end(bytes=count * ROW_BYTES, offset=slot + first * ROW_BYTES)
            process.end(bytes=count * ROW_BYTES, **arguments)
        else:
            with process.within("pnetcdf", "ncmpi_close", file=FILE):
                process.call("mpi", "MPI_Barrier", 0.001)
                with process.within("mpi_io", "MPI_File_close", file=FILE):
                    process.call("posix", "close", 0.0002, file=FILE)
            process.mpi_end()
            process.compute(0.01)
        process.save(ended=rank != killed)
    return Path(directory)


def gather(directory, ranks=4, steps=5):
    """Serial netCDF-4 of rank 0, which everything is sent to outside of I/O calls; chunks and metadata in nc_close."""
    for rank in range(ranks):
        process = Synthetic(directory, rank, ranks, program="/usr/bin/python3")
        process.mpi_start()
        if rank == 0:
            with process.within("netcdf", "nc_create", file=FILE, mode=0x1000):
                process.call("posix", "open", 0.001, file=FILE, mode=66)
            process.call("netcdf", "nc_def_var", 0.0001, file=FILE, variable="temp")
            process.call("netcdf", "nc_def_var_chunking", 0.0001, file=FILE, variable="temp", chunks=[1, 256, NX])
            process.call("netcdf", "nc_enddef", 0.0001, file=FILE)
        for step in range(steps):
            process.compute(0.3)
            if rank == 0:
                whole = dict(start=[step, 0, 0], count=[1, 512, NX], bytes=512 * ROW_BYTES)
                with process.within("netcdf", "nc_put_vara_float", file=FILE, variable="temp", **whole):
                    for chunk in range(2):
                        offset = 8192 + (2 * step + chunk) * 256 * ROW_BYTES
                        process.call("posix", "pwrite64", 0.1, file=FILE, bytes=256 * ROW_BYTES, offset=offset)
        if rank == 0:
            with process.within("netcdf", "nc_close", file=FILE):
                for index in range(40):
                    process.call("posix", "pwrite64", 0.002, file=FILE, bytes=96 + index, offset=96 * index)
                process.call("posix", "ftruncate64", 0.01, file=FILE, length=9000000)
                process.call("posix", "close", 0.001, file=FILE)
        process.until(3)
        process.mpi_end()
        process.save()
    return Path(directory)


def _pair(directory, rank, ranks, **rest):
    """The tracer's and the library's file of one process of a program that uses Sverdrup."""
    return (Synthetic(directory, rank, ranks, program="/opt/ocean", **rest),
            Synthetic(directory, rank, ranks, program="/opt/ocean", producer=layout.LIBRARY, start=0.001,
                      **rest))  # fmt: skip


def _describe(library, rank, ranks, role, servers, writers, domain=None, io=None, chunks=None, stripe=1 << 20,
              way=None):  # fmt: skip
    library.note(kind="run", version="0.1.0", rank=rank, ranks=ranks, role=role, servers=servers,
                 settings={"async.mode": way or (f"servers:{servers}" if servers else "none"),
                           "async.memory": 256 << 20, "route": "auto"})  # fmt: skip
    if rank == 0:
        variable = dict(
            name="temp", begin_bytes=HEADER, shape=[512, NX], dims=["lat", "lon"], type_bytes=4, record=True
        )
        library.note(kind="file", path=FILE, format="cdf2", route="ranges", reason="two writers per node", store="cdf",
                     io_layout=None, writers=writers, stripe_bytes=stripe, record_bytes=512 * ROW_BYTES,
                     variables=[dict(variable, chunks=chunks)])  # fmt: skip
    if domain:
        io = io or (None, None, None)
        library.note(kind="domain", file=FILE, shape=[512, NX], start=[domain[0], 0], count=[domain[1], NX],
                     io_start=io[0], io_count=io[1], io_rank=io[2], variables=["temp"])  # fmt: skip


def _writes(library, file=FILE + ".part", seconds=0.2, offset=HEADER, bytes=1 << 20):
    library.call("step", "output", seconds, file=file, bytes=bytes, offset=offset)


def synchronous(directory, ranks=4, steps=6, write_s=0.2, stripe=1 << 20, cores=None):
    """Sverdrup without servers: two of the ranks write, all wait for them. `cores`: that each may use, as a trace has
    them."""
    writers = [0, ranks // 2]
    for rank in range(ranks):
        tracer, library = _pair(directory, rank, ranks, cores=cores)
        tracer.mpi_start()
        domain = _rows(rank, ranks, 512)
        _describe(library, rank, ranks, "both", 0, writers, domain, stripe=stripe)
        if rank in writers:
            begin, count = _rows(writers.index(rank), 2, 512)
            ranges = [[HEADER + begin * ROW_BYTES, count * ROW_BYTES]]
            library.note(kind="range", file=FILE, ranges=ranges)
        tracer.call("sverdrup", "sv_init", 0.01)
        with tracer.within("sverdrup", "sv_create", file=FILE):
            if rank in writers:
                tracer.call("posix", "open64", 0.001, file=FILE + ".part", mode=66)
        for step in range(steps):
            tracer.compute(0.5)
            library.until(tracer.now_ns / 1e9)
            moved = domain[1] * ROW_BYTES
            tracer.begin("sverdrup", "sv_put", FILE, "temp")
            library.begin("step", "write", FILE)
            library.call("step", "pack", 0.02, file=FILE, bytes=moved)
            tracer.compute(0.02)
            if rank in writers:
                place = dict(bytes=count * ROW_BYTES, offset=ranges[0][0] + step * 512 * ROW_BYTES)
                tracer.call("posix", "pwrite64", write_s, file=FILE + ".part", **place)
                _writes(library, seconds=write_s, **place)
            else:
                tracer.call("mpi", "MPI_Wait", write_s)
                library.call("step", "wait", write_s)
            library.end(bytes=moved)
            tracer.end(bytes=moved, record=step)
            with tracer.within("sverdrup", "sv_end_step", step=step):
                tracer.call("mpi", "MPI_Barrier", 0.002)
            library.call("step", "end_step", 0.002, step=step)
        with tracer.within("sverdrup", "sv_close", file=FILE):
            if rank in writers:
                tracer.call("posix", "close", 0.001, file=FILE + ".part")
            if rank == 0:
                tracer.call("posix", "rename", 0.001, file=FILE)
        to = writers[rank * 2 // ranks]
        library.note(kind="sends", file=FILE, to=[[to, steps * domain[1] * ROW_BYTES, steps]])
        tracer.mpi_end()
        for process in (tracer, library):
            process.save()
    return Path(directory)


def _client(tracer, library, rank, clients, server, steps, wait_s, start_s, thread_s=0.0):
    tracer.call("sverdrup", "sv_init", 0.01 + start_s)
    tracer.call("sverdrup", "sv_create", 0.001, file=FILE)
    domain = _rows(rank, clients, 512)
    moved = domain[1] * ROW_BYTES
    for step in range(steps):
        tracer.compute(0.5)
        library.until(tracer.now_ns / 1e9)
        library.begin("step", "write", FILE)
        library.begin("step", "pack", FILE)
        library.compute(0.02)
        if wait_s and step:
            library.call("step", "wait_memory", wait_s)
        library.end(bytes=moved)
        library.end(bytes=moved)
        tracer.call("sverdrup", "sv_put", 0.02 + (wait_s if step else 0), file=FILE, variable="temp", bytes=moved)
        with library.within("step", "write"):
            library.call("step", "end_step", 0.001, step=step)
        tracer.call("sverdrup", "sv_end_step", 0.001, step=step)
        if thread_s:
            place = dict(bytes=512 * ROW_BYTES, offset=HEADER + step * 512 * ROW_BYTES)
            library.call("step", "write_file", thread_s, file=FILE + ".part", **place)
            tracer.call("posix", "pwrite64", 0, file=FILE + ".part", **place)  # its seconds are above
    tracer.call("sverdrup", "sv_close", 0.001, file=FILE)
    tracer.call("sverdrup", "sv_finalize", 0.2)
    library.note(kind="sends", file=FILE, to=[[server, steps * moved, steps]])


def _server(tracer, library, begin, count, steps, write_s):
    tracer.begin("sverdrup", "sv_init")
    tracer.call("posix", "open64", 0.001, file=FILE + ".part", mode=66)
    library.until(0.52)
    for step in range(steps):
        place = dict(bytes=count * ROW_BYTES, offset=HEADER + begin * ROW_BYTES + step * 512 * ROW_BYTES)
        library.until(0.55 + 0.52 * step)
        library.call("step", "receive", 0.02, bytes=count * ROW_BYTES)
        library.call("step", "assemble", 0.01)
        library.call("step", "write_file", write_s, file=FILE + ".part", **place)
        library.call("step", "sync", 0.001, step=step)
        tracer.until(library.now_ns / 1e9 - write_s)
        tracer.call("posix", "pwrite64", write_s, file=FILE + ".part", **place)
        idle = 0.55 + 0.52 * (step + 1) - library.now_ns / 1e9
        if idle > 0:
            library.call("step", "idle", idle)
    tracer.call("posix", "rename", 0.001, file=FILE)
    tracer.until(library.now_ns / 1e9)
    tracer.end()
    library.note(kind="range", file=FILE, ranges=[[HEADER + begin * ROW_BYTES, count * ROW_BYTES]])


def served(directory, clients=4, servers=2, steps=6, write_s=0.3, wait_s=0.0, start_s=0.0, cores=None):
    """Sverdrup with servers, the last ranks; `wait_s`: seconds per step that clients wait for their memory; `start_s`:
    that they start later."""
    ranks = clients + servers
    writers = list(range(clients, ranks))
    for rank in range(ranks):
        tracer, library = _pair(directory, rank, ranks, cores=cores)
        tracer.mpi_start()
        if rank < clients:
            _describe(library, rank, ranks, "client", servers, writers, _rows(rank, clients, 512))
            _client(tracer, library, rank, clients, writers[rank * servers // clients], steps, wait_s, start_s)
        else:
            _describe(library, rank, ranks, "server", servers, writers)
            _server(tracer, library, *_rows(rank - clients, servers, 512), steps, write_s)
        tracer.mpi_end()
        for process in (tracer, library):
            process.save()
    return Path(directory)


def behind(directory, ranks=4, steps=6, write_s=0.3, start_s=0.0, cores=None):
    """Sverdrup with `async: threads`: a thread of the first rank writes."""
    for rank in range(ranks):
        tracer, library = _pair(directory, rank, ranks, cores=cores)
        tracer.mpi_start()
        _describe(library, rank, ranks, "both", 0, [0], _rows(rank, ranks, 512), way="threads")
        _client(tracer, library, rank, ranks, 0, steps, 0, start_s, write_s if rank == 0 else 0)
        tracer.mpi_end()
        for process in (tracer, library):
            process.save()
    return Path(directory)


ALL = {
    "no_output": no_output,
    "pnetcdf": pnetcdf,
    "gather": gather,
    "synchronous": synchronous,
    "served": served,
    "waiting": lambda directory: served(directory, write_s=0.6, wait_s=0.15),
    "killed": lambda directory: pnetcdf(directory, killed=3, missing=5),
    "wrapped": lambda directory: pnetcdf(directory, steps=40, ring_slots=64),
    "hosts": lambda directory: pnetcdf(directory, hosts=("a", "b")),
    "many": lambda directory: pnetcdf(directory, ranks=200, aggregators=10, steps=3, ny=2000, ring_slots=256),
}
