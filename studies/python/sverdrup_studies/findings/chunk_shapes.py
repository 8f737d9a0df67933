"""The finding `chunks` of claims.toml, after Yang et al. 2020: how long netCDF-4 output takes by the shape of its
chunks."""

import itertools

from sverdrup.page.median_chart import Chart, Line
from .bench import Bench, Run, methods
from .catalogue import DEVICE, Measured
from .judge import Statement, Verdict, faster, milliseconds, within


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
        settings = ("store=netcdf4_library", "route=domains", "io_layout=3,5", f"chunks.layout={x},{y}")
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
        " leaves each row of an I/O domain a piece of its own. It is as good as chunks of the domains' width only where"
        " MPI-IO joins the rows of neighbours, as with the paper's aggregators."
    )
    return Measured([chart], Verdict(tuple(statements), why))
