"""Puts the values of a dataset into a file: those in memory first, in one call, then those that dask computes, in calls
of a limited size. A rank holds no more computed values than one call has: BATCH_BYTES, or one of dask's chunks if that
is larger. Called by the accessor."""

from __future__ import annotations

import importlib
import itertools
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from mpi4py import MPI
from xarray import Variable

import sverdrup

BATCH_BYTES = 64 * 2**20


@dataclass(frozen=True)
class Put:
    """The values of this rank for a variable of the file, and the index at which they start."""

    made: sverdrup.Variable
    start: list[int]
    values: Variable


def _blocks(put: Put) -> Iterator[Put]:
    """One for each chunk of dask."""
    edges = [list(itertools.accumulate(lengths, initial=0)) for lengths in put.values.chunks or ()]
    for place in itertools.product(*(itertools.pairwise(each) for each in edges)):
        part = put.values[tuple(slice(low, high) for low, high in place)]
        yield Put(put.made, [at + low for at, (low, _) in zip(put.start, place, strict=True)], part)


def _batches(puts: list[Put]) -> Iterator[list[Put]]:
    yield [put for put in puts if put.values.chunks is None]
    batch: list[Put] = []
    for block in itertools.chain.from_iterable(_blocks(put) for put in puts if put.values.chunks is not None):
        if batch and sum(each.values.nbytes for each in batch) + block.values.nbytes > BATCH_BYTES:
            yield batch
            batch = []
        batch.append(block)
    if batch:
        yield batch


def _computed(batch: list[Put]) -> list[tuple[sverdrup.Variable, list[int], Any]]:
    """The values of a batch. Dask computes them together, so that it computes common inputs once."""
    if any(put.values.chunks is not None for put in batch):
        values = importlib.import_module("dask").compute(*[put.values.data for put in batch])
    else:
        values = [put.values.values for put in batch]
    return [(put.made, put.start, own) for put, own in zip(batch, values, strict=True)]


def stream(file: sverdrup.File, puts: list[Put], comm: MPI.Comm) -> None:
    """Collective; the ranks may have different numbers of batches."""
    own = list(_batches(puts))
    for n in range(comm.allreduce(len(own), MPI.MAX)):
        file.mput_vara(_computed(own[n]) if n < len(own) else [])
