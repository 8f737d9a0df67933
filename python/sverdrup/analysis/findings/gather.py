"""One rank that writes with a serial library what it gathered from all."""

import numpy as np

from sverdrup.analysis.facts import Facts
from sverdrup.analysis.findings.finding import Finding
from sverdrup.analysis.words import percent, seconds, size


def detect(facts: Facts) -> Finding | None:
    model, table = facts.model, facts.table
    total = float(facts.written.sum())
    if len(model.ranks) < 2 or model.uses_sverdrup or total < 1 << 20 or facts.written.max() < 0.95 * total:
        return None
    parallel = np.unique(table.file[table.is_layer("mpi_io", "pnetcdf")])
    serial = facts.writes & ~np.isin(table.file, parallel)
    if int(table.bytes[serial].sum()) < 0.5 * total or not table.is_layer("netcdf").any():
        return None
    writer = int(facts.written.argmax())
    rank, took = int(model.ranks[writer]), float(model.io_seconds[writer])
    if not facts.worth(took):
        return None
    copying = total / len(model.ranks) / 1e9
    text = (
        f"Rank {rank} wrote {percent(facts.written.max() / total)} of all bytes through a serial library: "
        f"{seconds(took)} in which the other {len(model.ranks) - 1} ranks have nothing to do but wait, outside of "
        "I/O calls, where the tracer does not see them. Gathering comes on top. Where each rank puts its own part, "
        "there is no gathering, and servers write while all compute."
    )
    lines = ("sv_def_decomp(io, 2, shape, start, count, NULL, NULL, 0, &mine);  /* once: who owns what */\n"
             "sv_put(file, variable, mine, record, SV_FLOAT, part, NULL);        /* on every rank */\n")  # fmt: skip
    evidence = [
        (f"rank {rank} wrote {size(facts.written.max())} of {size(total)}", "files"),
        (f"no other rank was in I/O calls for more than {seconds(_second(facts))}", "balance"),
    ]
    return Finding(
        "Write from all ranks instead of gathering to one", text, took, (took / 2, took - copying), lines, "c", evidence
    )


def _second(facts: Facts) -> float:
    ordered = sorted(facts.model.io_seconds.tolist())
    return ordered[-2]
