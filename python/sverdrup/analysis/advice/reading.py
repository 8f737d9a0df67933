"""Advises to read each byte once and to distribute it, where all ranks read the same bytes."""

import numpy as np

from sverdrup.analysis.advice.advice import Advice
from sverdrup.analysis.facts import Facts
from sverdrup.analysis.places import covered, merged
from sverdrup.analysis.words import POSIX_READS, plural, seconds, short, size

SAME = 0.75  # share of the bytes read, from which on all ranks read the same data


def detect(facts: Facts) -> Advice | None:
    best = None
    if not facts.reads.any() or not facts.worth(facts.seconds_of(facts.reads), 0.01):
        return None
    for file, by_rank in covered(facts.traced, POSIX_READS).items():
        rows = facts.reads & (facts.table.file == file)
        took, sums = facts.seconds_of(rows), sum(int(parts[:, 1].sum()) for parts in by_rank.values())
        everything = np.concatenate(list(by_rank.values()))
        once = int(merged(everything[:, 0], everything[:, 1])[:, 1].sum())
        if (
            sums >= SAME * len(by_rank) * once
            and len(by_rank) >= 2
            and facts.worth(took, 0.01)
            and (best is None or took > best[0])
        ):
            best = took, file, len(by_rank), sums, once
    if best is None:
        return None
    took, file, ranks, sums, once = best
    name = short(facts.table.files[file])
    text = (
        f"{plural(ranks, 'rank')} read {size(sums)} of {name} together: the same {size(once)} {sums / once:.0f} times. "
        f"The slowest rank took {seconds(took)}. If a few ranks read each byte once and distribute it, the file system "
        "has less to do."
    )
    if facts.traced.uses_sverdrup:
        lines, language = "reading: writers\n", "yaml"
    else:
        lines, language = (
            "if (rank == 0) nc_get_var_float(file, variable, values);\nMPI_Bcast(values, count, MPI_FLOAT, 0, comm);\n",
            "c",
        )
    evidence = [(f"{size(sums)} read, of which {size(once)} are different", "files")]
    bounds = (0.0, took * (1 - once / sums))
    return Advice("Read each byte once and distribute it", text, took, bounds, lines, language, evidence)
