"""The findings `row`, `aggregation` and `serial` of claims.toml, after Wong et al. 2015: whether rows are better than
columns, when collecting is faster than straight writing, and when one writer is."""

import math
import statistics

from sverdrup.page.median_chart import Chart, Line
from .bench import Bench, Run, methods, phases
from .catalogue import DEVICE, Measured
from .judge import Statement, Verdict, faster, most, ratio

_RANKS = (2, 4, 8, 16, 32, 64)
_MODEL = ("cmaq", "--domain", "ca", "--species", "2", "--steps", "1", "--scale")
_OUTPUT = ("open", "write", "close")
_SCHEMES = ("gather", "pnetcdf", "pnetcdf.row", "sverdrup.shared", "sverdrup.row")
_FAMILIES = (("PnetCDF", "pnetcdf", "pnetcdf.row"), ("Sverdrup", "sverdrup.shared", "sverdrup.row"))


def _sweep(bench: Bench, only: tuple[str, ...], ranks: list[int]) -> tuple[dict[int, dict], dict[int, dict]]:
    """Seconds of output by method, and the results, of each number of ranks."""
    words, device = (*_MODEL, bench.scale(16)), bench.device(DEVICE)
    results = {count: bench.run(Run(words, count, device, only)) for count in ranks}
    return {count: phases(result, _OUTPUT) for count, result in results.items()}, results


def _chart(title: str, seconds: dict[int, dict], names: tuple[tuple[str, str], ...]) -> Chart:
    lines = tuple(Line(name, tuple(one[name] for one in seconds.values()), group) for name, group in names)
    return Chart(title, "ranks", tuple(map(str, seconds)), lines)


def _writes(results: dict[int, dict], ranks: int, names: tuple[str, ...]) -> str:
    """How many writes these methods make, in words."""
    found = methods(results[ranks])
    return ", ".join(f"{name} {found[name]['writes']:,}" for name in names)


def _planned(bench: Bench) -> tuple[Chart, Statement]:
    """Writes of a species of the largest domain by the plan, on the paper's layouts and a larger one, with its text."""
    layouts = ("4x8", "8x8", "8x16", "16x16", "16x32", "32x64")
    found = {
        route: [
            bench.plan(("--shape", "35x299x459", "--type", "float", "--layout", layout, "--route", route))
            for layout in layouts
        ]
        for route in ("shared", "column", "row", "ranges")
    }
    lines = tuple(Line(route, tuple([one["totals"]["writes"]] for one in plans)) for route, plans in found.items())
    places = tuple(str(int(x) * int(y)) for x, y in (layout.split("x") for layout in layouts))
    last = {route: plans[-1] for route, plans in found.items()}
    said = "; ".join(
        f"{route} {one['totals']['writes']:,} / {one['totals']['writers']:,} / {one['stripes']['mean_writers']:.0f}"
        for route, one in last.items()
    )
    chart = Chart("By the plan: writes of a species, CONUS", "ranks", places, lines, "writes")
    fewer = all(
        row["totals"]["writes"] < straight["totals"]["writes"] for row, straight in zip(found["row"], found["shared"])
    )
    return chart, Statement(
        f"By the plan, rows make fewer writes on CONUS, too. Writes / writers / writers in a stripe,"
        f" with {places[-1]} ranks: {said}.",
        fewer,
    )


def row_and_column(bench: Bench) -> Measured:
    names = ("pnetcdf.row", "pnetcdf.column", "sverdrup.row", "sverdrup.column")
    seconds, results = _sweep(bench, names, bench.ranks((4, 8, 16, 32)))
    statements = []
    for family, row, column in (("PnetCDF", *names[:2]), ("Sverdrup", *names[2:])):
        true = most([faster(one[row], one[column], True) for one in seconds.values()])
        shown = ", ".join(f"{ratio(one[row], one[column]):.2f} ({count})" for count, one in seconds.items())
        statements.append(
            Statement(f"{family}: the row takes less time than the column; the ratio is {shown} (ranks).", true)
        )
    last = max(seconds)
    why = (
        f"Writes with {last} ranks: {_writes(results, last, names)}. Two-phase I/O inside PnetCDF makes the same few"
        " writes in both cases, which differ only in how the ranks send their parts. If I/O PEs themselves write what"
        " they collected, the rows of a column are apart in the file."
    )
    lines = tuple((name, name.split(".")[0]) for name in names)
    return Measured([_chart("Output by rows and by columns of ranks", seconds, lines)], Verdict(tuple(statements), why))


def overtaking(bench: Bench) -> Measured:
    seconds, results = _sweep(bench, _SCHEMES, bench.ranks(_RANKS))
    few, many = min(seconds), max(seconds)
    statements = []
    for family, straight, row in _FAMILIES:
        logs = {
            count: [math.log(left / right) for left, right in zip(one[row], one[straight], strict=True)]
            for count, one in seconds.items()
        }
        saved = {count: 100 * (1 - math.exp(statistics.median(one))) for count, one in logs.items()}
        shown = ", ".join(f"{value:.0f} ({count})" for count, value in saved.items())
        wins = faster(seconds[many][row], seconds[many][straight], True)
        statements.append(
            Statement(f"{family}: with {many} ranks collecting is faster; per cent saved: {shown} (ranks).", wins)
        )
        grows = faster([math.exp(one) for one in logs[many]], [math.exp(one) for one in logs[few]], False)
        statements.append(Statement(f"{family}: its saving grows from {few} to {many} ranks.", grows))
    names = tuple((name, group) for group, *both in _FAMILIES for name in both)
    planned, statement = _planned(bench)
    statements.append(statement)
    counts = (_writes(results, few, _SCHEMES), _writes(results, many, _SCHEMES))
    why = f"Writes with {few} ranks: {counts[0]}; with {many}: {counts[1]}."
    chart = _chart("Output, straight and collected along rows", seconds, names)
    return Measured([chart, planned], Verdict(tuple(statements), why))


def below_serial(bench: Bench) -> Measured:
    seconds, results = _sweep(bench, _SCHEMES, bench.ranks(_RANKS))
    few, many = min(seconds), max(seconds)
    statements = []
    for family, straight, row in _FAMILIES:
        shown = ", ".join(f"{ratio(one[straight], one['gather']):.3g} ({count})" for count, one in seconds.items())
        below = faster(seconds[many]["gather"], seconds[many][straight], True)
        statements.append(
            Statement(
                f"{family}: with {many} ranks straight writing is slower than one writer; the ratio is {shown}.", below
            )
        )
        above = faster(seconds[few][straight], seconds[few]["gather"], True)
        statements.append(Statement(f"{family}: with {few} ranks it is faster than one writer.", above))
    why = (
        f"Writes with {few} ranks: {_writes(results, few, _SCHEMES)}; with {many}: {_writes(results, many, _SCHEMES)}."
        " On this device, a write costs its latency, and a stripe with a new writer costs a hand-over. Straight"
        " writing without PnetCDF makes a write for each piece of a row, already with two ranks. PnetCDF joins the"
        " pieces first, and the exchange among ranks that share two cores grows."
    )
    names = (("gather", "gather"), ("pnetcdf", "straight"), ("sverdrup.shared", "straight"), ("sverdrup.row", "row"))
    chart = _chart("Straight output against one writer that gathers", seconds, names)
    return Measured([chart], Verdict(tuple(statements), why))
