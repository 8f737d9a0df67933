"""The accessor of xarray: writes a dataset whose parts the ranks hold."""

from __future__ import annotations

import os
import warnings
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from mpi4py import MPI
from xarray import Dataset, register_dataset_accessor
from xarray.backends.common import NONE_VAR_NAME

import sverdrup
from sverdrup.library.storage import has_blosc, without_effect
from sverdrup.xarray.encoding import Encoded, encoded_together
from sverdrup.xarray.existing import Existing, Target, existing, target
from sverdrup.xarray.storage import without_blosc
from sverdrup.xarray.streaming import Put, stream

_FILL = "_FillValue"
Places = Mapping[str, tuple[int, int]]


@register_dataset_accessor("sverdrup")  # type: ignore[no-untyped-call]
class Accessor:
    """`dataset.sverdrup`."""

    def __init__(self, dataset: Dataset) -> None:
        self._dataset = dataset

    def write(
        self,
        path: str | os.PathLike[str],
        parts: Places | None = None,
        *,
        comm: MPI.Comm | None = None,
        context: sverdrup.Context | None = None,
        unlimited: str | Iterable[str] | None = None,
        encoding: Mapping[Any, Mapping[str, Any]] | None = None,
        mode: str | None = None,
        append_dim: str | None = None,
        region: Mapping[str, slice] | None = None,
        **options: Any,
    ) -> None:
        """Collective. `parts`: for each dimension that is divided among the ranks, the start of this rank's part and
        the length of the dimension in the dataset of all ranks. Variables without such a dimension are the same on
        every rank, and rank 0 writes them. Attributes, times, packing, fill values, booleans and text are encoded as
        `to_netcdf` does for classic files.

        `mode`: "w" makes a new file, "w-" only where there is none, "a" adds variables to a file, and replaces the
        values of existing ones, "r+" does only the latter. `append_dim`: the dataset is added behind the existing
        records; `region`: the slices of the file's dimensions that it fills. `encoding`: as of `to_netcdf`;
        an unsupported word is an error, and a warning if it comes from the source file.
        `unlimited`: by default, of the dataset's encoding.

        Values in memory are written in one call, in the order of the file; dask's values follow in calls of 64 MiB
        of each rank, or of one of its chunks. `options`: keys of the configuration. `context`: one that has begun,
        in place of `comm` and `options`; its servers or threads write while the program goes on."""
        to = target(mode, append_dim, region)
        plan = _Plan(self._dataset, os.fsdecode(path), dict(parts or {}), _unlimited(self._dataset, unlimited, to), to)
        if context is not None:
            if comm is not None or options:
                raise TypeError("a context has its communicator and its options: pass it alone")
            if to.mode in ("a", "r+"):
                context.flush()
            there = plan.look(context.comm)
            encoded, _, _ = plan.encode(context.comm, there, encoding)
            plan.put(context, encoded, there)
            return
        of_all = MPI.COMM_WORLD if comm is None else comm
        there = plan.look(of_all)
        encoded, held, cells = plan.encode(of_all, there, encoding)
        with sverdrup.Context(comm, **{"summary.table?": False}, **options) as io:  # no line for each dataset
            lost = io.comm.allreduce(held) < cells if io.is_model else held > 0
            if io.is_model and not lost:
                plan.put(io, encoded, there)
        if lost:
            raise sverdrup.LayoutError(
                f"file '{plan.path}': ranks that serve hold parts of the dataset. "
                "Begin the context first, divide the dataset among its ranks, and pass the context"
            )


def _unlimited(dataset: Dataset, given: str | Iterable[str] | None, to: Target) -> set[str]:
    """The dimensions that are unlimited in a new file: those of the dataset's encoding, unless some are passed."""
    names = dataset.encoding.get("unlimited_dims") or () if given is None else given
    own = {names} if isinstance(names, str) else {str(name) for name in names}
    if unknown := own - {str(dim) for dim in dataset.dims}:
        where = "dataset.encoding" if given is None else "unlimited"
        text = f"Unlimited dimension(s) {unknown!r} declared in '{where}', but not part of current dataset dimensions"
        if given is not None:
            raise ValueError(text)
        warnings.warn(text, UserWarning, stacklevel=3)
    return (own - unknown) | ({to.append_dim} if to.append_dim is not None else set())


def _name(name: Any) -> str:
    """A variable's, as xarray writes and reads it."""
    return NONE_VAR_NAME if name is None else str(name)


@dataclass(frozen=True)
class _Plan:
    """The dataset and its target."""

    dataset: Dataset
    path: str
    places: Places
    unlimited: set[str]
    to: Target

    def look(self, comm: MPI.Comm) -> Existing | None:
        """Collective. The contents of the file to which the dataset is added."""
        if self.to.mode in ("w", "w-"):
            return None
        return existing(self.path, comm, needed=self.to.needs_file())

    def encode(
        self, comm: MPI.Comm, there: Existing | None, encoding: Mapping[Any, Mapping[str, Any]] | None
    ) -> tuple[Encoded, int, int]:
        """Collective."""

        def prepare() -> Encoded:
            self.to.check(self.dataset, self.places, there)
            given = dict(encoding or {})
            alike = {} if there is None else there.encoded_alike(self.dataset)
            for name in given:
                if name in alike:
                    raise ValueError(f"encoding: the file has variable '{name}' already, whose encoding stays as it is")
            room = {} if there is None else there.room(self.dataset)
            return Encoded(self.dataset, given | alike, self.lengths(), room)

        return encoded_together(prepare, self.places, comm, self.path)

    def lengths(self) -> dict[Any, int | None]:
        """The lengths of dimensions in a new file; None for unlimited ones."""
        whole = {dim: self.places.get(str(dim), (0, length))[1] for dim, length in self.dataset.sizes.items()}
        return {dim: None if str(dim) in self.unlimited else length for dim, length in whole.items()}

    def put(self, io: sverdrup.Context, encoded: Encoded, there: Existing | None) -> None:
        """Collective."""
        if there is None:
            with io.create(self.path, clobber=self.to.mode != "w-") as file:
                self._define(file, encoded, encoded.variables)
                file.enddef()
                self._lengthen(file, encoded)
                stream(file, self._puts(file, encoded, None), io.comm)
            return
        with io.open(self.path, "a") as file:
            if self.to.mode == "a" and not self.to.region:
                self._redefine(file, encoded, there)
            stream(file, self._puts(file, encoded, there), io.comm)

    def _redefine(self, file: sverdrup.File, encoded: Encoded, there: Existing) -> None:
        """Adds the variables that the file does not have. The attributes of the file are the dataset's, too; where
        records are added, they stay."""
        new = {name: variable for name, variable in encoded.variables.items() if _name(name) not in there.dims}
        if not new and self.to.append_dim is not None:
            return
        file.redef()
        self._define(file, encoded, new)
        file.enddef()

    def _define(self, file: sverdrup.File, encoded: Encoded, variables: Mapping[Any, Any]) -> None:
        file.attributes.update(encoded.attributes)
        for name, variable in variables.items():
            dims = [str(dim) for dim in variable.dims]
            for dim, length in zip(dims, variable.shape, strict=True):
                if dim not in file.dimensions:
                    file.def_dim(dim, None if dim in self.unlimited else self.places.get(dim, (0, length))[1])
            if idle := without_effect(file.format, encoded.passed.get(name, {})):
                raise sverdrup.ArgumentError(
                    f"file '{self.path}', variable '{name}': encoding {idle[0]} is not possible: {idle[1]}"
                )
            words = encoded.storage[name]
            if name not in encoded.passed and not has_blosc(file.format):
                words = without_blosc(words)
            own = dict(variable.attrs)
            dtype = "i1" if variable.dtype.kind == "b" else variable.dtype
            made = file.def_var(_name(name), dtype, dims, fill=own.pop(_FILL, None), **words)
            made.attributes.update(own)

    def _lengthen(self, file: sverdrup.File, encoded: Encoded) -> None:
        """Collective. Gives unlimited dimensions other than that of the records their length: a call for several
        variables does not. Rank 0 puts the last cell of a variable, which gets its value later."""
        for name, variable in encoded.variables.items():
            dims = [str(dim) for dim in variable.dims]
            ends = [self.places.get(dim, (0, length))[1] for dim, length in zip(dims, variable.shape, strict=True)]
            others = self.unlimited - {file.record_dimension}
            short = [dim in others and file.dimensions[dim] < end for dim, end in zip(dims, ends, strict=True)]
            if all(ends) and any(short):
                last = [end - 1 for end in ends] if file.context.rank == 0 else None
                file[_name(name)].put_vara(last, np.zeros((1,) * len(dims), variable.dtype))

    def _puts(self, file: sverdrup.File, encoded: Encoded, there: Existing | None) -> list[Put]:
        """The puts of this rank into the file."""
        puts = []
        for name, variable in encoded.variables.items():
            dims = [str(dim) for dim in variable.dims]
            if file.context.rank == 0 or any(dim in self.places for dim in dims):
                start = [self.places.get(dim, (0, 0))[0] + self.to.start(dim, there) for dim in dims]
                puts.append(Put(file[_name(name)], start, variable))
        return puts
