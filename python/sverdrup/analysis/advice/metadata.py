"""Advises CDF-5 instead of netCDF-4, where the calls that define and close a file that is not compressed take long."""

from sverdrup.analysis.advice.advice import Advice
from sverdrup.analysis.advice.syncing import syncs
from sverdrup.analysis.facts import Facts
from sverdrup.analysis.language import lines_for
from sverdrup.analysis.words import plural, seconds


def detect(facts: Facts) -> Advice | None:
    table = facts.table
    rows = [row for row in facts.file_rows if row["format"] == "netcdf4" and row["writes"]]
    rows = [row for row in rows if not facts.compresses(row["path"])]
    best = None
    for row in rows:
        mask = (table.file == table.files.index(row["path"])) & facts.outermost("close", "meta") & ~syncs(facts)
        mask &= table.is_layer("netcdf", "sverdrup")
        took = facts.seconds_of(mask)
        if facts.worth(took) and (best is None or took > best[0]):
            best = took, row, mask
    if best is None:
        return None
    took, row, mask = best
    names = {table.functions[function][1] for function in table.function[mask]}
    functions = sorted(names, key=lambda name: (-_of(facts, mask, name), name))[:3]
    text = (
        f"The calls that define and close {row['file']} took {seconds(took)} and made "
        f"{plural(row['metadata_writes'], 'write')} of metadata. HDF5 keeps metadata in many small pieces all over the "
        "file and writes them when the file closes. A CDF file has one header, written once. You need netCDF-4 only "
        "for compression."
    )
    evidence = [
        (f"{row['metadata_writes']} of {row['writes']} writes are metadata ({row['metadata_rule']})", "files"),
        (", ".join(f"{name}: {seconds(_of(facts, mask, name))}" for name in functions), "flow"),
    ]
    if facts.traced.uses_sverdrup:
        lines, language = "format: cdf5\n", "yaml"
    else:
        lines, language = lines_for("cdf5", facts.traced)
    return Advice("Write CDF-5 instead of netCDF-4", text, took, (took / 2, took), lines, language, evidence)


def _of(facts: Facts, mask, name: str) -> float:
    return facts.seconds_of(mask & facts.table.is_function(lambda _, other: other == name))
