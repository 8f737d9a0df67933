"""The finding `read` of claims.toml, after Yang et al. 2020: whether it is faster that each rank of an ocean model
reads its own part of the initial fields, or that a few ranks read for all."""

from sverdrup.page.median_chart import Chart, Line
from .bench import Bench, Run, phases
from .catalogue import DEVICE, Measured
from .judge import Statement, Verdict, faster, most, ratio

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
        " and then exchanges the data. If a read costs only its bytes, as from memory, the exchange is expensive."
        " Perhaps this holds for the paper's file servers, whose caches had the input. On a device whose requests cost"
        " latency, the many reads are expensive."
    )
    return Measured(charts, Verdict(tuple(statements), why))
