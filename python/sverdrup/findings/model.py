"""Yang et al. 2020 and Huang et al. 2013: how a model reads, how netCDF-4 is chunked, and what servers hide."""

import itertools
import statistics

from .bench import Bench, Run, methods, phases
from .catalogue import DEVICE, Measured
from .chart import Chart, Line
from .judge import Statement, Verdict, faster, milliseconds, most, ratio, within

_OCEAN = ("mom5", "--steps", "1", "--scale")


def reading(bench: Bench) -> Measured:
    pairs = (
        ("PnetCDF", "pnetcdf.domains", "pnetcdf.domains.pread"),
        ("Sverdrup", "sverdrup.auto", "sverdrup.auto.pread"),
    )
    names = tuple(name for _, *both in pairs for name in both)
    statements, charts = [], []
    ranks = bench.ranks((4, 8, 16))
    emulated = (("files in memory", ""), ("a device whose reads cost", DEVICE))
    for where, device in (("own storage", ""),) if bench.own else emulated:
        environment = {"SV_DEVICE_READS": "1"} if device else {}
        results = {
            count: bench.run(Run((*_OCEAN, bench.scale(1600)), count, device, names, environment=environment))
            for count in ranks
        }
        seconds = {count: phases(result, ("read",)) for count, result in results.items()}
        for family, each, together in pairs:
            true = most([faster(one[each], one[together], True) for one in seconds.values()])
            shown = ", ".join(f"{ratio(one[each], one[together]):.2g} ({count})" for count, one in seconds.items())
            said = (
                f"{family}, {where}: each rank reading its part takes less than reading together; the ratio is {shown}"
                " (ranks)."
            )
            statements.append(Statement(said, true))
        lines = tuple(Line(name, tuple(one[name] for one in seconds.values()), name.split(".")[0]) for name in names)
        charts.append(Chart(f"Reading initial fields: {where}", "ranks", tuple(map(str, ranks)), lines))
    why = (
        "A rank that reads its part makes a read for each row of each level; reading together makes a few large reads"
        " and then exchanges the data. If a read costs only its bytes, as from memory (and perhaps from the paper's"
        " file servers, whose caches had the input), the exchange is expensive; on a device whose requests cost"
        " latency, the many reads are expensive."
    )
    return Measured(charts, Verdict(tuple(statements), why))


def pieces(shape: tuple[int, int, int], domains: tuple[int, int], cut: tuple[int, int]) -> int:
    """How many pieces of a field (levels, rows, columns), each together in the file and in memory, I/O domains write,
    where chunks cut the columns and rows in so many segments (x first, as domains) and hold all levels."""
    levels, rows, columns = shape

    def parts(length: int, segments: int) -> list[tuple[int, int]]:
        size = -(-length // segments)
        return [(start, min(start + size, length)) for start in range(0, length, size)]

    count = 0
    chunks_x, chunks_y = parts(columns, cut[0]), parts(rows, cut[1])
    for x, y in itertools.product(parts(columns, domains[0]), parts(rows, domains[1])):
        for chunk_x, chunk_y in itertools.product(chunks_x, chunks_y):
            width = min(x[1], chunk_x[1]) - max(x[0], chunk_x[0])
            height = min(y[1], chunk_y[1]) - max(y[0], chunk_y[0])
            if width > 0 and height > 0:
                # In the file, and in memory, where a row is as long as the domain is wide.
                rows_join = width == chunk_x[1] - chunk_x[0] == x[1] - x[0]
                levels_join = rows_join and height == chunk_y[1] - chunk_y[0] == y[1] - y[0]
                count += 1 if levels_join else levels if rows_join else levels * height
    return count


def chunks(bench: Bench) -> Measured:
    along_x, along_y, shape = (1, 2, 3, 4), (1, 5), (20, 180, 144)
    words = ("field", "--layout", "3x5", "--shape", "x".join(map(str, shape)))
    seconds: dict[tuple[int, int], list[float]] = {}
    for y, x in itertools.product(along_y, along_x):
        settings = ("format=netcdf4", "route=domains", "io_layout=3,5", f"chunk_layout={x},{y}")
        result = bench.run(Run(words, 15, bench.device(DEVICE), ("sverdrup.auto",), settings))
        seconds[x, y] = methods(result)["sverdrup.auto"]["rounds"]
    statements = []
    for y in along_y:
        shown = milliseconds({x: seconds[x, y] for x in along_x})
        for x in (2, 4):
            said = f"{y} along y: 3 along x, as the I/O domains, take less than {x}, which cut them"
            true = faster(seconds[3, y], seconds[x, y], False)
            statements.append(Statement(f"{said}; milliseconds: {shown} (along x)." if x == 2 else f"{said}.", true))
        said = f"{y} along y: 1 along x takes at most a quarter more than 3."
        statements.append(Statement(said, within(seconds[1, y], seconds[3, y], 1.25)))
    counts = ", ".join(f"{pieces(shape, (3, 5), cut):,} ({cut[0]}x{cut[1]})" for cut in seconds)
    lines = tuple(Line(f"{y} along y", tuple(seconds[x, y] for x in along_x)) for y in along_y)
    chart = Chart("Chunks along x, with 3x5 I/O domains", "chunks along x", tuple(map(str, along_x)), lines)
    why = (
        f"Pieces that lie together in the file: {counts}. HDF5 makes a write of each here. A chunk as wide as the grid"
        " leaves each row of an I/O domain a piece of its own; only where MPI-IO joins the rows of neighbours before"
        " it writes, as with the paper's aggregators, is it as good as chunks of the domains' width."
    )
    return Measured([chart], Verdict(tuple(statements), why))


def servers(bench: Bench) -> Measured:
    rates = (400, 200, 100, 50, 25)
    compute, size = 0.1, 10.0  # seconds and MB of a step: what a device of 100 MB/s writes meanwhile
    words = ("overlap", "--clients", "4", "--servers", "1", "--steps", "8", "--compute", "100ms", "--bytes", "10MB")
    names = ("no_output", "sverdrup.no_servers", "sverdrup.servers")
    results = {
        rate: bench.run(Run(words, 5, f"{rate}MB/s", names, ("server_memory=32MiB", "window=8MiB"))) for rate in rates
    }
    walls = {rate: {name: one["rounds"] for name, one in methods(result).items()} for rate, result in results.items()}
    hidden = {}
    for rate, wall in walls.items():
        cost = {name: statistics.median(wall[name]) - statistics.median(wall["no_output"]) for name in names[1:]}
        hidden[rate] = 100 * (1 - cost["sverdrup.servers"] / cost["sverdrup.no_servers"])
    shown = ", ".join(f"{part:.0f} ({rate})" for rate, part in hidden.items())
    fast, slow = 200, 25
    statements = [
        Statement(
            f"With {fast} MB/s, twice what {compute:g} s of computing for {size:g} MB need, most of the output is"
            f" hidden; per cent: {shown} (MB/s).",
            hidden[fast] > 50,
        ),
        Statement(f"With {slow} MB/s, a quarter of what they need, the smaller part is.", hidden[slow] < 50),
        Statement(
            f"Servers are faster than none with {fast} MB/s.",
            faster(walls[fast]["sverdrup.servers"], walls[fast]["sverdrup.no_servers"], True),
        ),
    ]
    lines = tuple(Line(name, tuple(wall[name] for wall in walls.values())) for name in names)
    chart = Chart(
        "A model of 8 steps of 0.1 s and 10 MB", "MB/s of the device", tuple(map(str, rates)), lines, log=False
    )
    why = (
        "Steps of 10 MB in 0.1 s need 100 MB/s: below, servers fill their 32 MiB and clients wait for the device; the"
        " last step's output has no computing to hide behind, an eighth of all. On a fast device there is little to"
        " hide."
    )
    return Measured([chart], Verdict(tuple(statements), why))
