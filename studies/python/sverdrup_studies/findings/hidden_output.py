"""The finding `servers` of claims.toml, after Huang et al. 2013 and Pang et al. 2023: which part of the output I/O
servers hide behind computing, by the rate of the storage."""

import statistics

from sverdrup.page.median_chart import Chart, Line
from .bench import Bench, Run, methods
from .catalogue import Measured
from .judge import Statement, Verdict, faster


def servers(bench: Bench) -> Measured:
    rates = (400, 200, 100, 50, 25)
    compute, size = 0.1, 10.0  # seconds and MB of a step: as much as a device of 100 MB/s writes meanwhile
    words = ("overlap", "--clients", "4", "--servers", "1", "--steps", "8", "--compute", "100ms", "--bytes", "10MB")
    names = ("no_output", "sverdrup.no_servers", "sverdrup.servers")
    results = {
        rate: bench.run(Run(words, 5, f"{rate}MB/s", names, ("async.memory=32MiB", "transport.window=8MiB")))
        for rate in rates
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
            f"With {fast} MB/s, twice the need of {compute:g} s of computing for {size:g} MB, most of the output is"
            f" hidden; per cent: {shown} (MB/s).",
            hidden[fast] > 50,
        ),
        Statement(f"With {slow} MB/s, a quarter of that need, the smaller part is.", hidden[slow] < 50),
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
