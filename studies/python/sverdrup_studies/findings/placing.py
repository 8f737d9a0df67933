"""The findings `writers`, `stripes` and `domains` of claims.toml, after Yang et al. 2020 and Wong et al. 2015: how many
ranks should write, and over how many targets a file should be striped."""

import statistics

from sverdrup.page.median_chart import Chart, Line
from .bench import Bench, Run, methods, phases
from .catalogue import DEVICE, Measured
from .judge import Statement, Verdict, between, faster, milliseconds, within

_FIELD = ("field", "--layout", "4x4", "--shape")
_NODES = "testing.ranks_per_node=4"  # four nodes
_SPECIES = 4
_OUTPUT = ("open", "write", "close")


def _field(bench: Bench, levels: str, device: str, settings: tuple[str, ...]) -> tuple[list[float], dict]:
    """Seconds of the rounds, and the result, of a field written by 16 ranks on four nodes."""
    result = bench.run(Run((*_FIELD, levels), 16, device, ("sverdrup.auto",), (*settings, _NODES)))
    one = methods(result)["sverdrup.auto"]
    return one["rounds"], one


def writers_per_node(bench: Bench) -> Measured:
    layouts = {"1/4": "1,1", "1/2": "1,2", "1": "1,4", "2": "2,4", "4": "4,4"}
    shape = f"{max(1, round(4 * bench.size))}x512x256"
    # So that one writer does not keep all targets busy at a time.
    small = ("transport.window=256KiB", "file_system.stripe=64KiB")
    blocks = {
        place: _field(
            bench, shape, bench.device(DEVICE), ("route=domains", f"io_layout={layout}", "writers=self", *small)
        )
        for place, layout in layouts.items()
    }
    ranges = {
        place: _field(bench, shape, bench.device(DEVICE), ("route=ranges", f"writers={count}", *small))
        for place, count in zip(layouts, (1, 2, 4, 8, 16), strict=True)
    }
    statements, lines = [], []
    for name, found in (("I/O domains", blocks), ("ranges of stripes", ranges)):
        seconds = {place: rounds for place, (rounds, _) in found.items()}
        shown = milliseconds(seconds)
        said = (
            f"{name}: the best number lies between the fewest and the most; milliseconds: {shown} (writers per node)."
        )
        statements.append(Statement(said, between(list(seconds.values()))))
        lines.append(Line(name, tuple(seconds.values())))
    counts = "; ".join(
        f"{name}: " + ", ".join(f"{one['writes']:,} ({place})" for place, (_, one) in found.items())
        for name, found in (("I/O domains", blocks), ("ranges", ranges))
    )
    chart = Chart("Writers on each of four nodes", "writers per node", tuple(layouts), tuple(lines))
    why = (
        f"Writes: {counts} (writers per node). Blocks that are narrower than the grid need a write for each row, and"
        " neighbours then share stripes. Ranges of whole stripes have neither cost, and more writers keep more targets"
        " busy. So the optimum is a property of blocks, not of writers."
    )
    return Measured([chart], Verdict(tuple(statements), why))


def stripes_and_writers(bench: Bench) -> Measured:
    stripes, writers = (1, 2, 4, 8, 16), (2, 4, 8)
    seconds: dict[int, dict[int, list[float]]] = {}
    sizes = {}  # of a write
    for count in writers:
        settings = ("route=ranges", f"writers={count}", "transport.window=1MiB", "file_system.stripe=256KiB")
        found = {stripe: _field(bench, "4x512x512", _striped(stripe), settings) for stripe in stripes}
        seconds[count] = {stripe: rounds for stripe, (rounds, _) in found.items()}
        sizes[count] = found[1][1]["bytes"] / found[1][1]["writes"] / 1024
    statements = []
    for count, found in seconds.items():
        shown = milliseconds(found)
        fewer = faster(found[count], found[count // 2], False)
        statements.append(
            Statement(f"{count} writers: as many stripes beat half as many; milliseconds: {shown} (stripes).", fewer)
        )
        part = statistics.median(found[2 * count]) / statistics.median(found[count])
        no_gain = within(found[count], found[2 * count], 1 / 0.9)
        said = f"{count} writers: twice as many stripes gain less than a tenth; they take {part:.2f} of it."
        statements.append(Statement(said, no_gain))
    lines = tuple(Line(f"{count} writers", tuple(found.values())) for count, found in seconds.items())
    chart = Chart("Stripes of a file and its writers", "stripes (targets of the file)", tuple(map(str, stripes)), lines)
    reported = ", ".join(f"{size:.0f} KiB ({count} writers)" for count, size in sizes.items())
    why = (
        f"A write is of {reported} on average. A stripe has 256 KiB, so a writer uses one or two targets at a time."
        " Writers move through their ranges in rounds, which end with the slowest. A few writers on as many targets"
        " still meet on one of them, but less often with more targets. On the emulated device, more targets cost"
        " nothing, while on the paper's machine each aggregator talks to all of them. So more stripes than writers can"
        " only gain here."
    )
    return Measured([chart], Verdict(tuple(statements), why))


def _striped(stripes: int) -> str:
    return f"10MB/s,0.2ms,targets=16,stripe=256KiB,stripes={stripes},handover=0.5ms"


def stripes_and_domains(bench: Bench) -> Measured:
    stripes, domains = (1, 2, 5, 11, 20, 40), ("ca", "eus", "conus")
    seconds: dict[str, dict[int, list[float]]] = {}
    sizes = {}
    for domain in domains:
        seconds[domain] = {}
        for stripe in stripes:
            words = ("cmaq", "--domain", domain, "--scale", "32", "--species", str(_SPECIES), "--steps", "1")
            device = f"1MB/s,0.2ms,targets=40,stripe=16KiB,stripes={stripe},handover=0.5ms"
            result = bench.run(Run(words, 16, device, ("pnetcdf.row",)))
            seconds[domain][stripe] = phases(result, _OUTPUT)["pnetcdf.row"]
            sizes[domain] = result["case"]["bytes"]
    best = {domain: _fewest(found) for domain, found in seconds.items()}
    shown = ", ".join(f"{count} ({domain.upper()}, {sizes[domain] / 1e6:.2g} MB)" for domain, count in best.items())
    order = [best[domain] for domain in domains]
    grows = True if order == sorted(order) and order[0] < order[-1] else False if order[0] >= order[-1] else None
    statements = [Statement(f"The fewest stripes that are as good as any grow with the domain: {shown}.", grows)]
    ends = [
        statistics.median(seconds[domain][40]) / statistics.median(seconds[domain][best[domain]]) for domain in domains
    ]
    reported = ", ".join(f"{end:.2f} ({domain.upper()})" for end, domain in zip(ends, domains, strict=True))
    worse = faster(seconds["ca"][best["ca"]], seconds["ca"][40], False)
    statements.append(Statement(f"Too many stripes cost the small domain time: 40 to the best take {reported}.", worse))
    lines = tuple(Line(domain.upper(), tuple(found.values())) for domain, found in seconds.items())
    chart = Chart("Stripes for CMAQ's three domains", "stripes (targets of the file)", tuple(map(str, stripes)), lines)
    lengths = ", ".join(f"{sizes[domain] / _SPECIES / 16384:.0f} ({domain.upper()})" for domain in domains)
    why = (
        f"A species is written at a time, and is so many stripes long: {lengths}. More targets than that cannot work at"
        " the same time. On the emulated device, opening a file costs nothing per target. A file system that creates"
        " an object on every target of a file makes the small domain pay for targets that it does not use."
    )
    return Measured([chart], Verdict(tuple(statements), why))


def _fewest(seconds: dict[int, list[float]]) -> int:
    """The fewest stripes whose median is no more than the slowest round of the fastest."""
    fastest = min(seconds.values(), key=statistics.median)
    return next(count for count, rounds in seconds.items() if statistics.median(rounds) <= max(fastest))
