"""The runs of the crash campaign: a row for each kind of file, store and durability, and the runs that make it."""
import dataclasses
import itertools

WRITTEN, ORDERED, ON_DISK = "written", "ordered", "on_disk"
DURABILITIES = (WRITTEN, ORDERED, ON_DISK)
OTHER_STORES = ("pnetcdf", "netcdf4", "netcdf4_library", "zarr")
DEAR = {"netcdf4": 6, "netcdf4_library": 6, "zarr": 6}


@dataclasses.dataclass(frozen=True)
class Row:
    """`runs`: arguments of the writer, one run after the other in the same directory; end=killed: it is ended."""
    kind: str          # as the documentation calls it
    store: str
    durability: str
    runs: tuple
    ranks: int = 3     # most of them
    least: int = 1
    dear: int = 1      # its states take so much longer
    served: bool = False
    threads: bool = False  # that write behind the calls
    program: str = "crash_writer"
    mpi_io: str = ""   # the components of Open MPI for MPI-IO; empty: it, or the library, chooses
    by_sv_run: bool = False

    @property
    def name(self):
        return f"{self.kind}, {self.store}, {self.durability}"

    def commands(self, dice):
        """The runs with sizes, routes and ranks by chance: (ranks, arguments)."""
        ranks = dice.randint(self.least + self.served, self.ranks + self.served)
        sizes = [f"nx={dice.choice([5, 64, 130, 200])}", f"ny={dice.choice([4, 6, 9])}", f"nz={dice.choice([1, 2, 3])}"]
        options = [f"durability={self.durability}", f"flush={dice.choice([2, 3, 5])}"]
        if self.program != "crash_writer":
            options = [dice.choice(["deflate=0", "deflate=1"])] if self.by_sv_run else []
        elif self.store != "cdf":
            options.append(f"store={self.store}")
        if self.store == "netcdf4":  # the last: chunks that span records, which later steps write again
            options += dice.choice([["compression=none"], ["compression=deflate:1"], ["compression=deflate:1", "chunks=2,2,3,50"]])
        if self.store == "zarr":
            options += dice.choice([["chunks=1,2,3,50"], ["chunks=2,2,3,50", "compression=zstd:1"],
                                    ["chunks=2,1,3,50", "compression=zstd:1", "chunks.shards=3,50"], ["compression=zstd:1", "chunks.shards=auto"]])
        if self.served:
            options.append("async=servers:1")
        if self.threads and not self.by_sv_run:
            options.append("async=threads")
        given = any(word.startswith("route=") for run in self.runs for word in run)
        if self.program == "crash_writer" and not given and "points" not in self.kind:
            options.append(dice.choice(["route=auto", "route=serial", "route=ranges", "route=shared"]))
        if self.program == "crash_writer":
            options.append(dice.choice(["header_reserve=0", "file_system.stripe=4096", "transport.window=64KiB", "transport=send"]))
            if "route=ranges" in options and ranks > 1 and not self.served:
                options.append("writers=2")
        for run in self.runs:
            own = [word.replace("RANKS", str(ranks)) for word in run]
            keys = [word.split("=")[0] for word in own]
            yield ranks, own + [word for word in sizes + options if word.split("=")[0] not in keys]


GROWING = (("growing", "steps=8"),)
PUBLISHED = (("published", "steps=6"),)
SERIES = (("series", "steps=5", "end=killed"), ("series", "from=3", "steps=5"))
STREAMS = (("streams", "steps=10", "end=killed"), ("streams", "from=7", "steps=7"))
APPEND = (("growing", "steps=4"), ("append", "from=4", "steps=3"), ("append", "from=7", "steps=2", "flush=1"))
PLACE = (("redefine_place", "steps=8", "header_reserve=16KiB", "texts=60"),)
MOVE = (("redefine_move", "steps=7", "flush=2"),)  # moved data were confirmed to be on the disk
POINTS = (("points", "steps=6"),)

KINDS = [
    ("growing", GROWING, {}),
    ("growing, appended to", APPEND, {}),
    ("growing, combined", (("combined", "steps=12", "combine=step"),), {}),
    ("growing, points", POINTS, {}),
    ("growing, redefined in place", PLACE, {}),
    ("growing, redefined by a move", MOVE, {}),
    ("series", SERIES, {}),
    ("streams", STREAMS, {}),
    ("published", PUBLISHED, {}),
    ("set, published", (("set", "steps=3", "route=per_pe", "pieces=RANKS"),), {}),
    ("set, growing", (("set", "set_kind=growing", "steps=4", "route=per_pe", "pieces=RANKS"),), {}),
    ("set by domains", (("set", "steps=3", "route=per_domain", "io_layout=1,2", "pieces=2"),),
     {"ranks": 4, "least": 2}),
    ("servers, growing", GROWING, {"served": True}),
    ("servers, appended to", APPEND, {"served": True}),
    ("servers, points", POINTS, {"served": True}),
    ("servers, redefined in place", PLACE, {"served": True}),
    ("servers, redefined by a move", MOVE, {"served": True}),
    ("servers, series", SERIES, {"served": True}),
    ("servers, streams", STREAMS, {"served": True}),
    ("servers, published", PUBLISHED, {"served": True}),
    ("threads, growing", GROWING, {"threads": True}),
    ("threads, appended to", APPEND, {"threads": True}),
    ("threads, points", POINTS, {"threads": True}),
    ("threads, redefined by a move", MOVE, {"threads": True}),
    ("threads, series", SERIES, {"threads": True}),
    ("threads, streams", STREAMS, {"threads": True}),
    ("threads, published", PUBLISHED, {"threads": True}),
    ("threads, set, published", (("set", "steps=3", "route=per_pe", "pieces=RANKS"),), {"threads": True}),
]


def is_published(kind):
    """Whether its files get their names when they are complete."""
    return "published" in kind or "domains" in kind


def documented_rows():
    """All of them."""
    rows = [Row(kind, "cdf", durability, runs, **more) for kind, runs, more in KINDS for durability in DURABILITIES]
    rows += [Row(kind, store, durability, runs, dear=DEAR.get(store, 1), **more)
             for store in OTHER_STORES for kind, runs, more in KINDS for durability in DURABILITIES
             if "in place" not in kind  # these stores always move
             and "streams" not in kind  # a layer above all stores
             and not (more.get("threads") and store not in ("netcdf4", "zarr"))  # their libraries call MPI: the calls write
             and (durability != ORDERED or is_published(kind))]  # growing files are refused
    return rows


def all_rows(build):
    """Those whose stores were built."""
    return [row for row in documented_rows()
            if row.store == "cdf" or (build / "lib/sverdrup" / f"store_{row.store}.so").exists()]


LIBRARIES, OWN = ("pnetcdf", "netcdf4_library"), ("netcdf4", "zarr")


def sample_of(rows):
    """One durability of each kind, in turn; of the stores over libraries without servers, which write with the same code. Kinds take
    turns with the two stores of other libraries, and with the two whose threads write behind the calls."""
    sample = []
    for first, store in enumerate(("cdf", *OTHER_STORES)):
        own = [row for row in rows if row.store == store and not (row.served and store in OTHER_STORES)]
        for turn, (_, group) in enumerate(itertools.groupby(own, key=lambda row: row.kind)):
            of_kind = list(group)
            pair = LIBRARIES if store in LIBRARIES else OWN if store in OWN and of_kind[0].threads else (store,)
            if pair[turn % len(pair)] == store:
                sample.append(of_kind[(first + turn // len(pair)) % len(of_kind)])
    return sample


def documented_peer_rows():
    """The same growing file, written with other libraries; `durability` is when they were asked to sync."""
    rows = []
    for program, library, dear in (("crash_peer_pnetcdf", "PnetCDF", 1), ("crash_peer_netcdf4", "netCDF-4", 6)):
        for component, mpi_io in (("OMPIO", "ompio"), ("ROMIO", "^ompio")):
            for sync, word in ((0, "never"), (1, "each record")):
                runs = (("steps=8", f"sync={sync}"),)
                rows.append(Row("growing", f"{library} over {component}", f"synced {word}", runs, program=program,
                                dear=dear, mpi_io=mpi_io))
    return rows


def peer_rows(build):
    """Those whose libraries were found."""
    return [row for row in documented_peer_rows() if (build / "tests" / row.program).exists()]


def program_rows():
    """Unmodified netCDF-4 programs by sv-run, parallel and serial, that call nc_sync."""
    kinds = (("", 3, False, ()), (", threads", 3, True, ()), (", serial", 1, False, ("serial=1",)))
    promises = ((WRITTEN, "killed"), (ON_DISK, "counted"))
    return [Row("growing", f"netCDF-4 by sv-run{kind}, nc_sync after {sync}", durability,
                (("steps=8", f"sync={sync}", f"promise={promise}", *words),), ranks=ranks, threads=threads,
                program="crash_peer_netcdf4", by_sv_run=True)
            for (durability, promise), (kind, ranks, threads, words), sync in itertools.product(promises, kinds, (1, 3))]
