"""Advises ROMIO, where MPI-IO turns large collective writes into many small ones, as Open MPI's own component does."""

from sverdrup.analysis.advice.advice import Advice
from sverdrup.analysis.facts import Facts
from sverdrup.analysis.words import plural, seconds, size

SMALL, MANY = 128 << 10, 8


def detect(facts: Facts) -> Advice | None:
    table = facts.table
    collective = (
        table.is_layer("mpi_io") & table.top & table.is_function(lambda _, name: "write" in name and "all" in name)
    )
    calls, took = int(table.calls[collective].sum()), facts.seconds_of(collective)
    if not calls or not facts.worth(took) or _romio(facts):
        return None
    names = table.is_function(lambda layer, name: layer == "mpi_io" and "write" in name and "all" in name)
    within = {int(function) for function in table.function[names]}
    under = facts.writes & table.in_io & _isin(table.caller, within)
    writes, bytes = int(table.calls[under].sum()), int(table.bytes[under].sum())
    if writes < MANY * calls or bytes / max(writes, 1) >= SMALL:
        return None
    text = (
        f"{plural(calls, 'collective write')} became {plural(writes, 'write')} of {size(bytes / writes)} on "
        f"average, and took {seconds(took)} on the slowest rank. Open MPI's own MPI-IO (OMPIO) does that. ROMIO, which "
        "Open MPI also contains, writes whole buffers, and reports a full disk, which OMPIO does not."
    )
    evidence = [(f"{plural(writes, 'system write')} for {plural(calls, 'MPI-IO call')}", "flow")]
    return Advice("Use ROMIO", text, took, (took / 4, took / 2), "export OMPI_MCA_io=^ompio\n", "sh", evidence)


def _isin(values, wanted: set[int]):
    return sum((values == each for each in wanted), values < -1)


def _romio(facts: Facts) -> bool:
    """Whether the hints in force are ROMIO's."""
    return any(
        str(key).startswith("romio")
        for _, note in facts.traced.notes("hints")
        if isinstance(note.get("used"), dict)
        for key in note["used"]
    )
