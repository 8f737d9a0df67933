"""Advises other chunks, where several ranks write into the same chunk of a netCDF-4 file."""

from sverdrup.analysis.advice.advice import Advice
from sverdrup.analysis.facts import Facts
from sverdrup.analysis.words import seconds


def detect(facts: Facts) -> Advice | None:
    cut = [row for row in facts.layout if row["cut_chunks"]]
    if not cut:
        return None
    row = max(cut, key=lambda each: each["cut_chunks"])
    table = facts.table
    rows = (
        facts.outermost("write") & (table.file == table.files.index(row["path"]))
        if row["path"] in table.files
        else table.file < 0
    )
    took = facts.seconds_of(rows) or facts.seconds_of(facts.writes)
    if not facts.worth(took, 0.01):
        return None
    boxes = row["io_domains"] or row["boxes"]
    parts = [len({box["start"][axis] for box in boxes}) for axis in range(len(row["shape"]))]
    grid = 1
    for length, chunk in zip(row["shape"], row["chunks"]):
        grid *= -(-length // chunk)
    share = min(1.0, row["cut_chunks"] / grid)
    text = (
        f"{row['text']}. A rank that writes a part of a chunk has to wait for the others, and a compressed chunk is "
        "read, inflated, changed and deflated again. If chunks end where the domains end, each belongs to one rank."
    )
    if facts.traced.uses_sverdrup and len(parts) >= 2:
        lines, language = f"format: netcdf4\nchunks.layout: {parts[-1]},{parts[-2]}\n", "yaml"
    else:
        sizes = ", ".join(str(-(-length // part)) for length, part in zip(row["shape"], parts))
        lines = f"const size_t chunks[] = {{{sizes}}};\nnc_def_var_chunking(file, variable, NC_CHUNKED, chunks);\n"
        language = "c"
    evidence = [
        (f"{row['cut_chunks']} of {grid} chunks of {row['variable']} hold data of several domains", "layout"),
        (f"writing took {seconds(took)}", "variables"),
    ]
    return Advice("Let chunks follow the domains", text, took, (0.0, took * share), lines, language, evidence)
