"""The accessor of xarray: writes a dataset whose parts the ranks hold."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any

import numpy as np
from mpi4py import MPI
from xarray import Dataset, conventions, register_dataset_accessor

import sverdrup

_FILL = "_FillValue"


def _characters(name: str, values: Any) -> tuple[Any, str | None]:
    """Text as an array of characters with a dimension more, and the name of that dimension; other values as they
    are."""
    values = np.asarray(values)
    if values.dtype.kind in "OU":
        values = np.char.encode(values.astype(str), "utf-8")
    if values.dtype.kind != "S" or values.dtype.itemsize == 1:
        return values, None
    length = values.dtype.itemsize
    return np.ascontiguousarray(values).view("S1").reshape(*values.shape, length), f"string{length}"


@register_dataset_accessor("sverdrup")  # type: ignore[no-untyped-call]
class Accessor:
    """`dataset.sverdrup`."""

    def __init__(self, dataset: Dataset) -> None:
        self._dataset = dataset

    def write(
        self,
        path: str | os.PathLike[str],
        parts: Mapping[str, tuple[int, int]] | None = None,
        *,
        comm: MPI.Comm | None = None,
        context: sverdrup.Context | None = None,
        unlimited: str | None = None,
        **options: Any,
    ) -> None:
        """Collective. `parts`: for each dimension that is divided among the ranks, where this rank's part starts and
        how long the dimension is in the file. Variables without such a dimension are the same on every rank, and rank 0
        writes them. Attributes, times, packing and fill values are encoded as `to_netcdf` does. All variables are
        written in one call, in the order of the file. `options`: keys of the configuration. `context`: one that has
        begun, in place of `comm` and `options`; its servers or threads write while the program goes on."""
        encoded, attributes = conventions.cf_encoder(*conventions.encode_dataset_coordinates(self._dataset))
        places = dict(parts or {})

        def put(io: sverdrup.Context) -> None:
            with io.create(path) as file:
                file.mput_vara(_defined(file, encoded, attributes, places, unlimited))

        if context is not None:
            if comm is not None or options:
                raise TypeError("a context has its communicator and its options: pass it alone")
            put(context)
            return
        held = sum(values.size for values in encoded.values() if any(str(dim) in places for dim in values.dims))
        of_all = (MPI.COMM_WORLD if comm is None else comm).allreduce(held)
        with sverdrup.Context(comm, **options) as io:
            lost = io.comm.allreduce(held) < of_all if io.is_model else held > 0
            if io.is_model and not lost:
                put(io)
        if lost:
            raise sverdrup.LayoutError(
                f"file '{os.fspath(path)}': ranks that serve hold parts of the dataset. "
                "Begin the context first, divide the dataset among its ranks, and pass the context"
            )


def _defined(
    file: sverdrup.File,
    encoded: Mapping[Any, Any],
    attributes: Mapping[Any, Any],
    places: Mapping[str, tuple[int, int]],
    unlimited: str | None,
) -> list[tuple[sverdrup.Variable, list[int], Any]]:
    """Defines the file; what this rank puts into it."""
    puts = []
    file.attributes.update({str(name): value for name, value in attributes.items()})
    for name, variable in encoded.items():
        values, characters = _characters(name, variable.values)
        dims = [str(dim) for dim in variable.dims] + ([] if characters is None else [characters])
        for dim, length in zip(dims, values.shape, strict=True):
            if dim not in file.dimensions:
                file.def_dim(dim, None if dim == unlimited else places.get(dim, (0, length))[1])
        own = {str(key): value for key, value in variable.attrs.items()}
        made = file.def_var(str(name), values.dtype, dims, fill=own.pop(_FILL, None), **own)
        if file.context.rank == 0 or any(dim in places for dim in dims):
            puts.append((made, [places.get(dim, (0, 0))[0] for dim in dims], values))
    file.enddef()
    return puts
