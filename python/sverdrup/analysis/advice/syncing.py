"""Advises to synchronise less often, where a program calls nc_sync or the like after each record."""

from sverdrup.analysis.advice.advice import Advice
from sverdrup.analysis.facts import Facts
from sverdrup.analysis.language import lines_for
from sverdrup.analysis.words import plural, seconds

OFTEN = 4


def syncs(facts: Facts):
    """Rows of calls that synchronise a file without closing it."""
    return facts.table.is_function(lambda layer, name: layer in ("netcdf", "pnetcdf") and name.endswith("sync"))


def detect(facts: Facts) -> Advice | None:
    mask = facts.outermost("meta") & syncs(facts)
    took, calls = facts.seconds_of(mask), int(facts.table.by_rank(mask, "calls").max(initial=0))
    if calls < OFTEN or not facts.worth(took):
        return None
    name = facts.table.functions[facts.table.function[mask][0]][1]
    text = (
        f"One rank called {name} {plural(calls, 'time')}, and the slowest rank spent {seconds(took)} in it. Each call "
        "writes the header and all buffers, and in netCDF-4 all metadata. Synchronise only as often as another program "
        "has to read the file, or as data may be lost."
    )
    lines, language = lines_for("sync", facts.traced)
    evidence = [(f"{name}: {plural(calls, 'call')}, {seconds(took)}", "flow")]
    return Advice("Synchronise less often", text, took, (0.0, took * (1 - 1 / calls)), lines, language, evidence)
