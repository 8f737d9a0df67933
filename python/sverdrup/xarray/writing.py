"""The accessor of xarray: writes a dataset whose parts the ranks hold."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any

from mpi4py import MPI
from xarray import Dataset, register_dataset_accessor

import sverdrup
from sverdrup.library.storage import WORDS
from sverdrup.xarray.encoding import Encoded, encoded_together

_FILL = "_FillValue"


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
        writes them. Attributes, times, packing, fill values, booleans and text are encoded as `to_netcdf` does for
        classic files. All variables are written in one call, in the order of the file. `options`: keys of the
        configuration. `context`: one that has begun, in place of `comm` and `options`; its servers or threads write
        while the program goes on."""
        places = dict(parts or {})
        name = os.fsdecode(path)

        def put(io: sverdrup.Context, encoded: Encoded) -> None:
            with io.create(path) as file:
                file.mput_vara(_defined(file, encoded, places, unlimited))

        if context is not None:
            if comm is not None or options:
                raise TypeError("a context has its communicator and its options: pass it alone")
            put(context, encoded_together(self._dataset, places, context.comm, name)[0])
            return
        of_all = MPI.COMM_WORLD if comm is None else comm
        encoded, held, cells = encoded_together(self._dataset, places, of_all, name)
        with sverdrup.Context(comm, **options) as io:
            lost = io.comm.allreduce(held) < cells if io.is_model else held > 0
            if io.is_model and not lost:
                put(io, encoded)
        if lost:
            raise sverdrup.LayoutError(
                f"file '{name}': ranks that serve hold parts of the dataset. "
                "Begin the context first, divide the dataset among its ranks, and pass the context"
            )


def _storage(encoding: Mapping[str, Any], shape: list[int], grows: list[bool]) -> dict[str, Any]:
    """What an encoding of xarray says of storage. As in to_netcdf, chunks that do not fit are those of other arrays."""
    asked = {word: value for word, value in encoding.items() if word in WORDS and value is not None}
    sizes = asked.get("chunksizes")
    if sizes is not None:
        fit = [size <= length or free for size, length, free in zip(sizes, shape, grows, strict=False)]
        if len(sizes) != len(shape) or not all(fit):
            del asked["chunksizes"]
    if asked.get("contiguous") and (any(grows) or asked.get("zlib") or asked.get("compression")):
        del asked["contiguous"]
    return asked


def _defined(
    file: sverdrup.File, encoded: Encoded, places: Mapping[str, tuple[int, int]], unlimited: str | None
) -> list[tuple[sverdrup.Variable, list[int], Any]]:
    """Defines the file; returns what this rank puts into it."""
    puts = []
    file.attributes.update({str(name): value for name, value in encoded.attributes.items()})
    for name, variable in encoded.variables.items():
        values = variable.values
        dims = [str(dim) for dim in variable.dims]
        for dim, length in zip(dims, values.shape, strict=True):
            if dim not in file.dimensions:
                file.def_dim(dim, None if dim == unlimited else places.get(dim, (0, length))[1])
        own = {str(key): value for key, value in variable.attrs.items()}
        dtype = "i1" if values.dtype.kind == "b" else values.dtype
        shape = [file.dimensions[dim] for dim in dims]
        stored = _storage(variable.encoding, shape, [dim == unlimited for dim in dims])
        made = file.def_var(str(name), dtype, dims, fill=own.pop(_FILL, None), **stored)
        made.attributes.update(own)
        if file.context.rank == 0 or any(dim in places for dim in dims):
            puts.append((made, [places.get(dim, (0, 0))[0] for dim in dims], values))
    file.enddef()
    return puts
