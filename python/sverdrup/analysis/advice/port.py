"""Advises Sverdrup to a program that does not use it, and estimates what it would save."""

from sverdrup.analysis.advice.advice import Advice
from sverdrup.analysis.advice.own_costs import own_seconds
from sverdrup.analysis.facts import Facts
from sverdrup.analysis.words import seconds, size

_LINES = "# sverdrup.yaml, once the program calls sv_put instead (docs/from-netcdf.md)\n"
_UNCHANGED = (
    "# sverdrup.yaml, for the program as it is: SV_CONFIG=sverdrup.yaml sv-run mpiexec ... (docs/dropin.md);\n"
    "# or once it calls sv_put instead (docs/from-netcdf.md)\n"
)
_SHORTEST_S = 0.2  # the uncounted costs of a first output can be half of a shorter time


def detect(facts: Facts) -> Advice | None:
    traced, table = facts.traced, facts.table
    if traced.uses_sverdrup or len(traced.ranks) < 2 or not table.is_layer("netcdf", "pnetcdf", "mpi_io").any():
        return None
    took = facts.seconds_of(facts.outermost("write", "close", "meta", "open"))
    if took < _SHORTEST_S or not facts.worth(took) or not facts.outermost("write").any():
        return None
    own, parts = own_seconds(facts)
    rate = facts.best_rate
    least = float(facts.written.sum()) / rate if rate else 0.0
    if took - least - own <= 0:
        return None
    text = f"The slowest rank was in calls that write for {seconds(took)}. {_bounds(facts, least)} "
    text += f"Sverdrup's own costs are estimated as {seconds(own)} ({parts}) and are counted in both bounds."
    evidence = [
        (f"{seconds(took)} in calls that write" + (f", {seconds(least)} at {size(rate)} a second" if rate else ""),
         "files"),
        (f"waiting for other ranks inside I/O calls: {seconds(float(traced.waiting_seconds.max(initial=0)))}", "heat"),
    ]  # fmt: skip
    own_calls = facts.outermost("write") & table.is_layer("pnetcdf", "netcdf")
    lines = _UNCHANGED if own_calls.any() else _LINES
    lines += "route: auto\n" if facts.cores.spare(1) is False else "async: servers:1 per node\n"
    low = took - 2 * (least + own) if rate else 0.0
    return Advice("Write through Sverdrup", text, took, (low, took - least - own), lines, "yaml", evidence)


def _bounds(facts: Facts, least: float) -> str:
    """How the bounds are made, in words."""
    if not facts.best_rate:
        return (
            "No file of 1 MiB or more was seen being written, so the rate of the storage is not known: the lower bound "
            "is nothing, and the upper bound leaves out the writing itself. A trace in which the tracer sees the "
            "writes (over ROMIO instead of Open MPI's own MPI-IO) gives closer bounds."
        )
    return (
        f"Writing the {size(facts.written.sum())} takes {seconds(least)} at the best rate that was seen "
        f"({size(facts.best_rate)} a second). The rest is waiting, copying and small pieces: the upper bound. The "
        "lower bound takes Sverdrup's writers and its own costs to be twice as slow. Servers can hide the writing "
        "itself as well."
    )
