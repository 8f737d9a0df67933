"""Advises stripe-aligned ranges, where several writers share stripes or pages of a file."""

from sverdrup.analysis import words
from sverdrup.analysis.advice.advice import Advice
from sverdrup.analysis.facts import Facts
from sverdrup.analysis.words import plural, seconds, short


def detect(facts: Facts) -> Advice | None:
    best = None
    for row in facts.ranges:
        shared, unit = row["shared_units"], row["stripe_bytes"] or 4096
        if not shared or len(row["writers"]) < 2 or facts.traced.has_servers:
            continue
        rows = facts.writes & (facts.table.file == facts.table.files.index(row["path"]))
        took = float(facts.table.seconds_by_rank(rows).max(initial=0))
        pieces = row["bytes"] / unit if row["stripe_bytes"] else int(facts.table.calls[rows].sum())
        cost = took * min(1.0, shared / max(pieces, 1))
        if facts.worth(cost, 0.01) and (best is None or cost > best[0]):
            best = cost, took, row, shared, unit
    if best is None:
        return None
    cost, took, row, shared, unit = best
    writers = plural(len(row["writers"]), "rank")
    text = (
        f"{row['misaligned_text']}. Two writers of one {'stripe' if row['stripe_bytes'] else 'page'} wait for each "
        "other's lock, and on a parallel file system one of them reads the stripe first. Writers that own whole "
        "stripes avoid both. On a local file system the cost is small, hence the lower bound."
    )
    if facts.traced.uses_sverdrup:
        lines, language = f"route: ranges\nwriters: auto\nfile_system.stripe: {max(unit, 1 << 20) >> 20}MiB\n", "yaml"
    else:
        lines = 'export PNETCDF_HINTS="nc_var_align_size=1048576;nc_record_align_size=1048576"\n'
        language = "sh"
    evidence = [
        (f"{writers} wrote {short(row['path'])} in {plural(sum(len(w['ranges']) for w in row['writers']), 'range')}; "
         f"{shared} times two of them share {words.unit(unit)}", "ranges"),
        (f"writing took {seconds(took)}", "files"),
    ]  # fmt: skip
    return Advice("Give each writer whole stripes", text, cost, (0.0, cost), lines, language, evidence)
