"""Advises to compress with less effort, where compressing takes longer than writing."""

import numpy as np

from sverdrup.analysis.advice.advice import Advice
from sverdrup.analysis.facts import Facts
from sverdrup.analysis.language import lines_for
from sverdrup.analysis.words import percent, seconds


def detect(facts: Facts) -> Advice | None:
    traced, table = facts.traced, facts.table
    if not facts.compressing.any():
        return None
    own = np.zeros(len(traced.ranks))
    for at, (index, process) in enumerate(zip(traced.run.rank_index, traced.run.processes)):
        if index < 0 or process.is_library:
            continue
        names = [process.functions[f] for f in process.path_function]
        moving = np.array([layer == "netcdf" and ("put_var" in name or "close" in name) for layer, name in names])
        own[index] += table.self_ns(at)[moving].sum() / 1e9
    took = float(own.max())
    written = float(facts.write_seconds.max(initial=0))
    if not facts.worth(took) or took < written:
        return None
    rank = int(traced.ranks[own.argmax()])
    text = (
        f"Rank {rank} spent {seconds(took)} inside netCDF itself, which compressed the data, and the slowest rank "
        f"spent {seconds(written)} writing. Level 1 with shuffle takes a third to a half of the time of higher levels "
        "and makes files a few per cent larger. Several ranks, or servers, can compress at the same time."
    )
    evidence = [(f"{percent(took / facts.seconds)} of the run is the library's own time, without writes", "flow")]
    if traced.uses_sverdrup:
        lines, language = "format: netcdf4\ncompression: deflate:1\ncompression.shuffle: true\n", "yaml"
    else:
        lines, language = lines_for("deflate", traced)
    return Advice("Compress with less effort", text, took, (0.0, took * 0.6), lines, language, evidence)
