"""Lists the parameters of all layers, from the plan and the stores to MPI-IO and the file system, with values that fit
a number of ranks and their layout. session.py calls layers()."""

from dataclasses import dataclass

from .serving import AUTO, NONE, THREADS
from .space import Parameter, Space

ALLOWED = ("netcdf4", "deflate", "pieces")  # they change the files, and are tried only if that is allowed
_LIBRARIES = ("pnetcdf",)


@dataclass(frozen=True)
class Circumstances:
    """The conditions of the values; `layout`: ranks in x and in y; `servers`: most ranks that may serve, besides the
    others; `targets`: of an emulated device, over how many its files may be striped; `computes`: the tuned program
    computes while its output could be written."""

    ranks: int
    layout: tuple[int, int]
    nodes: int = 1
    servers: int = 0
    targets: int = 0
    reads: bool = False
    computes: bool = False
    allowed: frozenset[str] = frozenset()


def square(ranks: int) -> tuple[int, int]:
    """Ranks in x and in y, as square as possible, as sv-bench divides them."""
    x = next(each for each in range(int(ranks**0.5), 0, -1) if ranks % each == 0)
    return x, ranks // x


def _halvings(most: int) -> list[int]:
    """1, 2, 4 … and most."""
    return sorted({most, *(1 << power for power in range(most.bit_length()) if 1 << power <= most)})


def _io_layouts(layout: tuple[int, int]) -> list[str]:
    """Divisors of the layout; not those that are a route of their own: row, column, and a domain for each rank."""
    px, py = layout
    own = {(1, 1), (1, py), (px, 1), (px, py)}
    pairs = [(x, y) for x in _halvings(px) for y in _halvings(py) if (x, y) not in own]
    return [f"{x},{y}" for x, y in pairs if px % x == 0 and py % y == 0]


def _routes(about: Circumstances) -> list[Parameter]:
    inner = _io_layouts(about.layout)
    routes = ["auto", "serial", "ranges", "row", "column", "shared", *(["domains"] if inner else [])]
    routes += ["per_domain", "per_pe"] if "pieces" in about.allowed else []
    counts = [str(each) for each in _halvings(about.ranks)]
    per_node = [f"{each} per node" for each in _halvings(about.ranks // about.nodes)[:3]] if about.nodes > 1 else []
    found = [Parameter("route", tuple(routes), "plan")]
    if inner:
        found.append(Parameter("io_layout", ("none", *inner), "plan", {"route": ("domains", "per_domain")}))
    collected = ("ranges", "row", "column", "domains")
    found.append(Parameter("writers", ("auto", *counts, *per_node), "plan", {"route": collected}, ordered=True))
    return found


def _stores(about: Circumstances) -> list[Parameter]:
    wide = "netcdf4" in about.allowed or "deflate" in about.allowed
    found = [Parameter("store", ("cdf", "pnetcdf", *(["netcdf4"] if wide else [])), "store")]
    if wide:
        px, py = about.layout
        chunks = dict.fromkeys(f"{x},{y}" for x in (1, px) for y in (1, py))
        found.append(Parameter("chunks.layout", ("none", *chunks), "store", {"store": ("netcdf4",)}))
    if "deflate" in about.allowed:
        codecs = ("none", "deflate:1", "deflate:4", "zstd:1", "zstd:3")
        found.append(Parameter("compression", codecs, "store", {"store": ("netcdf4",)}))
    return found


def _hints(about: Circumstances) -> list[Parameter]:
    nodes = dict.fromkeys([about.nodes, *(each for each in (2, 4) if each <= about.ranks)])
    return [
        Parameter("mpi_io", ("romio", "library"), "MPI-IO", {"store": _LIBRARIES}),
        Parameter("mpi_io.cb_nodes", ("none", *map(str, nodes)), "MPI-IO", {"store": _LIBRARIES}, ordered=True),
        Parameter(
            "mpi_io.cb_buffer_size", ("none", "1048576", "16777216"), "MPI-IO", {"store": _LIBRARIES}, ordered=True
        ),
        Parameter("file_system.stripe_count", ("directory", "4", "16"), "file system", ordered=True),
    ]


def _serving(about: Circumstances) -> list[Parameter]:
    """Servers, ranks that are kept ready to serve, and threads, which take no ranks."""
    counts = tuple(f"servers:{each}" for each in _halvings(about.servers)) if about.servers > 0 else ()
    per_node = about.servers // about.nodes
    ready = tuple(f"{AUTO}:{each} per node" for each in _halvings(per_node)) if per_node > 0 else ()
    behind = (*counts, *ready, *((THREADS, AUTO) if about.computes else ()))
    if not behind:
        return []
    found = [
        Parameter("async", (NONE, *behind), "servers"),
        Parameter("async.memory", ("256MiB", "64MiB", "1GiB"), "servers", {"async": behind}),
    ]
    if about.nodes > 1 and counts:
        policies = ("synchronous", "asynchronous")
        found.append(Parameter("async.forwarding", policies, "servers", {"async": (*counts, *ready)}))
    return found


def layers(about: Circumstances) -> Space:
    """All parameters that can have an effect in these circumstances."""
    found = _routes(about) + _stores(about)
    found += [
        Parameter("file_system.stripe", ("0", "256KiB", "4MiB", "16MiB"), "plan", {"store": ("cdf",)}),
        Parameter("transport.window", ("64MiB", "8MiB", "256MiB"), "transport", ordered=False),
        Parameter("transport", ("auto", "send"), "transport"),
        Parameter("combine", ("off", "step"), "engine"),
    ]
    found += _hints(about)
    if about.targets > 1:
        counts = [str(each) for each in _halvings(about.targets) if each != about.targets]
        found.append(Parameter("stripes", (str(about.targets), *reversed(counts)), "file system", ordered=True))
    if about.reads:
        found.append(Parameter("reading", ("auto", "self", "collective", "writers"), "engine"))
    found += _serving(about)
    never = (
        {"route": ("ranges",), "writers": ("self",)},
        {"store": _LIBRARIES, "async": (THREADS, AUTO)},  # they call MPI: the calls write
    )
    return Space(tuple(found), never, about.nodes)
