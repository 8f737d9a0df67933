"""Reads the lengths and encodings of a file that a dataset is added to (mode "a" or "r+", append_dim, region), and
checks that the dataset fits. Added values get the file's encodings, so that they mean the same. Called by the
accessor; writes nothing."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from mpi4py import MPI
from xarray import Dataset, Variable, conventions

import sverdrup
from sverdrup.library.names import nearest
from sverdrup.xarray.reading import attributes_of

_OF_A_FILE = ("dtype", "units", "calendar", "scale_factor", "add_offset", "_FillValue", "missing_value", "_Unsigned",
              "_Encoding", "char_dim_name")  # fmt: skip


@dataclass(frozen=True)
class Existing:
    """Lengths of dimensions, and for each variable its dimensions and its encoding."""

    sizes: dict[str, int]
    record_dimension: str | None
    dims: dict[str, tuple[str, ...]]
    encodings: dict[str, dict[str, Any]]

    def encoded_alike(self, dataset: Dataset) -> dict[Hashable, dict[str, Any]]:
        """The encodings of the dataset's variables that the file has."""
        return {name: dict(self.encodings[str(name)]) for name in dataset.variables if str(name) in self.encodings}

    def room(self, dataset: Dataset) -> dict[Hashable, int]:
        """The characters of each text in the file, where the dataset has one of that name."""
        texts = [(name, self.dims.get(str(name), ()), each.ndim) for name, each in dataset.variables.items()]
        return {name: self.sizes[dims[-1]] for name, dims, ndim in texts if len(dims) == ndim + 1}


def _encoding(variable: sverdrup.Variable) -> dict[str, Any]:
    """As xarray decodes the variable, of which no value is read; times that it cannot decode are numbers."""
    raw = Variable(variable.dimensions, np.zeros((0,) * variable.ndim, variable.dtype), attributes_of(variable))
    try:
        decoded = conventions.decode_cf_variable(variable.name, raw, decode_timedelta=True).encoding
    except (OverflowError, ValueError):
        decoded = conventions.decode_cf_variable(variable.name, raw, decode_times=False).encoding
    encoding = {key: value for key, value in decoded.items() if key in _OF_A_FILE}
    return {"dtype": variable.dtype, "_FillValue": None, **encoding}


def _look(path: str) -> Existing:
    with sverdrup.Context(MPI.COMM_SELF) as io, io.open(path) as file:
        variables = file.variables
        return Existing(
            dict(file.dimensions),
            file.record_dimension,
            {name: variable.dimensions for name, variable in variables.items()},
            {name: _encoding(variable) for name, variable in variables.items()},
        )


def existing(path: str, comm: MPI.Comm, *, needed: bool) -> Existing | None:
    """Collective. Rank 0 opens the file. Returns None where there is no file; if it is `needed`, raises
    FileNotFoundError on every rank."""
    found: Existing | Exception | None = None
    if comm.rank == 0:
        try:
            found = _look(path)
        except FileNotFoundError as reason:
            found = reason if needed else None
        except Exception as reason:
            found = reason
    found = comm.bcast(found)
    if isinstance(found, Exception):
        raise found
    return found


@dataclass(frozen=True)
class Target:
    """Where the dataset goes. `append_dim`: the dimension that becomes longer; `region`: the cells of the file, for
    each dimension."""

    mode: str
    append_dim: str | None
    region: Mapping[str, slice]

    def needs_file(self) -> bool:
        return self.mode == "r+" or bool(self.region)

    def check(self, dataset: Dataset, parts: Mapping[str, tuple[int, int]], there: Existing | None) -> None:
        """Local; raises ValueError for variables that cannot be added."""
        for dim in self.region:
            if dim not in dataset.dims:
                raise ValueError(f"region: the dataset has no dimension '{dim}'{nearest(dim, map(str, dataset.dims))}")
        if self.append_dim is not None and self.append_dim not in dataset.dims:
            near = nearest(self.append_dim, map(str, dataset.dims))
            raise ValueError(f"append_dim: the dataset has no dimension '{self.append_dim}'{near}")
        if there is None:
            return
        if self.append_dim is not None and self.append_dim != there.record_dimension:
            own = there.record_dimension
            has = f"The file's record dimension is '{own}'" if own else "The file has no record dimension"
            raise ValueError(f"append_dim: '{self.append_dim}' has a fixed length in the file. {has}")
        for name, variable in dataset.variables.items():
            self._check_variable(str(name), variable, parts, there)

    def _check_variable(
        self, name: str, variable: Variable, parts: Mapping[str, tuple[int, int]], there: Existing
    ) -> None:
        is_new = name not in there.dims
        if is_new and (self.mode == "r+" or self.region):
            raise ValueError(f"the file has no variable '{name}'{nearest(name, there.dims)}. Add it with mode='a'")
        dims = tuple(str(dim) for dim in variable.dims)
        if not is_new and there.dims[name][: len(dims)] != dims:  # text has another dimension, of characters
            raise ValueError(f"variable '{name}' has the dimensions {dims}, and in the file {there.dims[name]}")
        for dim, held in zip(dims, variable.shape, strict=True):
            length = parts.get(dim, (0, held))[1]
            if dim in self.region:
                start, stop, step = self.region[dim].indices(there.sizes.get(dim, 0))
                if step != 1 or stop - start != length:
                    of = f"of '{dim}', which has {there.sizes.get(dim)}"
                    raise ValueError(f"region: {self.region[dim]} for {length} cells {of}")
            elif dim != self.append_dim and there.sizes.get(dim, length) != length:
                raise ValueError(
                    f"Unable to update size for existing dimension '{dim}' ({length} != {there.sizes[dim]}). "
                    "Pass append_dim or region"
                )

    def start(self, dim: str, there: Existing | None) -> int:
        """The index along a dimension of the file at which the dataset starts."""
        if there is None:
            return 0
        if dim in self.region:
            return self.region[dim].indices(there.sizes[dim])[0]
        return there.sizes[dim] if dim == self.append_dim else 0


def target(mode: str | None, append_dim: str | None, region: Mapping[str, slice] | None) -> Target:
    """Raises ValueError for arguments that do not go together."""
    modes = ("w", "w-", "a", "r+")
    own = mode or ("r+" if region else "a" if append_dim is not None else "w")
    if own not in modes:
        raise ValueError(f"mode {own!r}: it is one of {', '.join(map(repr, modes))}")
    if append_dim is not None and own not in ("a", "r+"):
        raise ValueError(f"append_dim needs mode='a', and the mode is {own!r}")
    if region and own not in ("a", "r+"):
        raise ValueError(f"region needs mode='r+', and the mode is {own!r}")
    for dim, each in (region or {}).items():
        if not isinstance(each, slice):
            raise TypeError(f"region: {each!r} of '{dim}' is a {type(each).__name__}, where a slice is expected")
        if dim == append_dim:
            raise ValueError(f"'{dim}' is append_dim, and in region, too")
    return Target(own, append_dim, dict(region or {}))
