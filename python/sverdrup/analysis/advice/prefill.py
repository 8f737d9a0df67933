"""Advises not to fill, where a file is written twice: first with fill values, then with data."""

from sverdrup.analysis.advice.advice import Advice
from sverdrup.analysis.facts import Facts
from sverdrup.analysis.language import lines_for
from sverdrup.analysis.words import seconds, size


def detect(facts: Facts) -> Advice | None:
    table, best = facts.table, None
    if facts.traced.uses_sverdrup:
        return None
    compressed = table.is_layer("netcdf") & table.is_function(lambda _, name: "deflate" in name or "filter" in name)
    for row in facts.file_rows:
        of = table.file == table.files.index(row["path"])
        puts = (
            of & table.is_layer("netcdf") & table.top & table.is_function(lambda _, name: name.startswith("nc_put_var"))
        )
        put = int(table.bytes[puts].sum())
        if put < 1 << 20 or row["written_bytes"] < 1.7 * put or (compressed & of).any():
            continue
        cost = facts.seconds_of(facts.writes & of) * (1 - put / row["written_bytes"])
        if facts.worth(cost, 0.01) and (best is None or cost > best[0]):
            best = cost, row, put
    if best is None:
        return None
    cost, row, put = best
    text = (
        f"The program put {size(put)} into {row['file']}, but {size(row['written_bytes'])} were written: the library "
        "writes fill values before the data. If the program writes all cells, fill values are wasted. (If values are "
        "converted to a smaller type, the estimate is too high.)"
    )
    evidence = [(f"{row['written_bytes'] / put:.1f} times as many bytes written as put; {seconds(cost)}", "files")]
    return Advice(
        "Switch off pre-filling",
        text,
        cost,
        (cost / 2, cost),
        *lines_for("no_fill", facts.traced),
        evidence,
    )
