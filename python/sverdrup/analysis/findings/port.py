"""What Sverdrup could save a program that does not use it."""

from sverdrup.analysis.facts import Facts
from sverdrup.analysis.findings.finding import Finding
from sverdrup.analysis.words import seconds, size


def detect(facts: Facts) -> Finding | None:
    model, table = facts.model, facts.table
    if model.uses_sverdrup or len(model.ranks) < 2 or not facts.best_rate:
        return None
    if not table.is_layer("netcdf", "pnetcdf", "mpi_io").any():
        return None
    took = facts.seconds_of(facts.outermost("write", "close", "meta", "open"))
    least = float(facts.written.sum()) / facts.best_rate
    if not facts.worth(took) or took - least <= 0:
        return None
    text = (
        f"The slowest rank was in calls that write for {seconds(took)}. The {size(facts.written.sum())} that were "
        f"written take {seconds(least)} at the best rate that was seen ({size(facts.best_rate)} a second): what is "
        "above that is waiting, copying and small pieces, and the upper bound of what Sverdrup's own writers save. "
        "The lower bound lets them write at half that rate. Servers hide the writing itself as well."
    )
    evidence = [
        (f"{seconds(took)} in calls that write, {seconds(least)} at {size(facts.best_rate)} a second", "files"),
        (f"waiting for other ranks inside I/O calls: {seconds(float(model.waiting_seconds.max(initial=0)))}", "heat"),
    ]
    lines = "# sverdrup.yaml, once the program calls sv_put instead (docs/from-netcdf.md)\nservers: 1 per node\n"
    return Finding("Write through Sverdrup", text, took, (took - 2 * least, took - least), lines, "yaml", evidence)
