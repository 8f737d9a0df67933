"""The cases of `make race`: the workloads of sv-bench, the places of the files, and the compared methods."""
import dataclasses
import itertools

FOUR_NODES = 4


@dataclasses.dataclass(frozen=True)
class Pair:
    """A method of ours, those of the others that do the same, and the floor: the least that this work can cost. Names may
    hold wildcards; of several, the fastest counts."""

    what: str
    ours: str
    others: tuple[str, ...]
    floor: str = "none"


@dataclasses.dataclass(frozen=True)
class Case:
    """A subcommand of sv-bench on so many ranks. `short`: other arguments, for the short race; None: not in it."""

    name: str
    ranks: int
    words: tuple[str, ...]
    pairs: tuple[Pair, ...]
    short: tuple[str, ...] | None = None
    repeat: int = 5
    measures_memory: bool = True

    @property
    def command(self):
        return self.name.split(" ")[0].rstrip(",")


@dataclasses.dataclass(frozen=True)
class Place:
    """Where the files go, and on how many nodes: `folder` is memory or disk."""

    name: str
    folder: str = "memory"
    words: tuple[str, ...] = ()
    nodes: int = 1


PLACES = [Place(name + (", four nodes" if nodes > 1 else ""), folder, words, nodes) for nodes, (name, folder, words) in itertools.product(
    (1, FOUR_NODES), (("memory", "memory", ()), ("500 MB/s", "memory", ("--device", "500MB/s")),
                      ("1 GB/s + 0.5 ms", "memory", ("--device", "1GB/s,0.5ms")), ("disk, fsync", "disk", ("--durable",))))]
SHORT_PLACES = PLACES[:2]

FIELD = (Pair("write", "sverdrup.auto", ("pnetcdf", "netcdf4", "netcdf4.contiguous", "gather"), "floor"),
         Pair("read", "read.sverdrup", ("read.pnetcdf",), "read.pread"))
COMBINED = (Pair("each variable", "sverdrup.per_variable", ("pnetcdf.per_variable",), "floor.window"),
            Pair("together", "sverdrup.implicit", ("pnetcdf.*",), "floor.window"))
# Its floor: serial netCDF by one rank that also sends all others the status of each put, as a collective call does.
SMALL = (Pair("each", "sverdrup.per_variable", ("pnetcdf.per_variable", "gather"), "gather.confirmed"),
         Pair("a step", "sverdrup.step", ("pnetcdf.*", "gather"), "gather.confirmed"))
MODEL = tuple(Pair(way.replace("_", " "), f"sverdrup.{way}", ("pnetcdf", "gather")) for way in ("no_servers", "servers", "threads"))


def only(pairs):
    """Arguments: no other methods than these, of which some would take minutes on a device."""
    return ("--only", ",".join(sorted({name for pair in pairs for name in (pair.ours, *pair.others)})))


def model(name, ranks, pairs=MODEL, repeat=2):
    return Case(name, ranks, only(pairs), pairs, None, repeat, False)


def small(kind, ranks):
    sizes = {"variables": ("--vars", "100"), "files": ("--files", "20"), "appends": ("--records", "100"), "open": ()}
    pairs = (Pair("read", "read.sverdrup", ("read.pnetcdf", "read.netcdf")),) if kind == "open" else SMALL
    words = ("--kind", kind)
    return Case(f"small {kind}, {ranks} rank" + ("s" if ranks > 1 else ""), ranks, words, pairs, (*words, *sizes[kind]))


def subsets(kind, ranks):
    pairs = (Pair("read", "read.sverdrup", ("read.pnetcdf", "read.netcdf"), "read.pread"),)
    return Case(f"subsets {kind}, {ranks} rank" + ("s" if ranks > 1 else ""), ranks, ("--kind", kind), pairs, None, 5, False)


CASES = [
    Case("field", 16, ("--shape", "50x540x720", "--only", "sverdrup.auto,floor,pnetcdf,netcdf4*,gather,read.*"), FIELD,
         ("--shape", "10x540x720", "--only", "sverdrup.auto,floor,pnetcdf,netcdf4*,gather,read.*")),
    Case("field, 1 rank", 1, ("--shape", "50x540x720", "--only", "sverdrup.auto,floor,pnetcdf,netcdf4*,gather,read.*"), FIELD,
         ("--shape", "10x540x720", "--only", "sverdrup.auto,floor,pnetcdf,netcdf4*,gather,read.*")),
    Case("field compressed", 16, ("--shape", "20x540x720", "--type", "float", "--store", "netcdf4", "--deflate", "1", "--chunk",
                                  "1x270x360", "--only", "sverdrup.netcdf4.deflate,netcdf4.deflate,gather.deflate"),
         (Pair("write", "sverdrup.netcdf4.deflate", ("netcdf4.deflate", "gather.deflate")),)),
    Case("records", 16, (), (Pair("each variable", "sverdrup.per_variable", ("pnetcdf.per_variable",), "floor"),
                             Pair("a record", "sverdrup.step", ("pnetcdf.iput_record",), "floor"),
                             Pair("all", "sverdrup.combined", ("pnetcdf.*",), "floor")), ("--records", "5")),
    Case("coll_perf", 16, (), COMBINED, ("--vars", "4")),
    Case("flash", 16, ("--blocks", "20"), COMBINED, ("--blocks", "5")),
    *(small(kind, ranks) for ranks in (1, 2, 16) for kind in ("variables", "files", "appends", "open")),
    *(subsets(kind, ranks) for ranks in (1, 2, 16) for kind in ("half", "strided", "series")),
    Case("points", 16, (), (Pair("write", "sverdrup.direct", ("pnetcdf.*",), "floor"),), ("--cells", "50000")),
    Case("cfio_throughput", 8, ("--servers", "2"), (Pair("write", "sverdrup.no_servers", ("pnetcdf",)),), None, 3, False),
    model("mom5", 16, (Pair("whole", "sverdrup.auto", ("pnetcdf", "pnetcdf.domains", "gather")),), 3),
    model("cmaq", 16, (Pair("whole", "sverdrup.auto", ("pnetcdf*", "gather")),), 3),
    *(model(name, 10) for name in ("pop", "cice", "licom"))]
