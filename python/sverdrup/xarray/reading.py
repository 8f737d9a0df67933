"""The engine "sverdrup" of xarray. Values are read when they are asked for: by each rank alone (the default, so that
dask may read in any order, in threads and in other processes), or by all ranks of a communicator together, which must
then ask for the same variables in the same order, each for its own part."""

from __future__ import annotations

import os
from collections.abc import Iterable
from inspect import signature
from typing import Any

import numpy as np
from mpi4py import MPI
from xarray import Dataset, Variable
from xarray.backends import AbstractDataStore, BackendArray, BackendEntrypoint, StoreBackendEntrypoint
from xarray.backends.file_manager import FileManager
from xarray.core import indexing
from xarray.core.utils import close_on_error

import sverdrup
from sverdrup.library.groups import Group, own_name
from sverdrup.library.indexing import selection
from sverdrup.xarray import storage
from sverdrup.xarray.opened import LOCK, manager_of, reading

_FILL = "_FillValue"


class Values(BackendArray):
    """A variable that is not read yet. Its file may be closed and opened again before it is."""

    def __init__(self, manager: FileManager[Any], variable: sverdrup.Variable) -> None:
        self._manager = manager
        self._name = variable.name
        self.shape = variable.shape
        self.dtype = variable.dtype

    def __getitem__(self, key: indexing.ExplicitIndexer) -> Any:
        return indexing.explicit_indexing_adapter(key, self.shape, indexing.IndexingSupport.BASIC, self._read)

    def _read(self, key: tuple[Any, ...]) -> Any:
        """`key`: a number or a slice for each dimension."""
        if not self.shape:
            with reading(self._manager) as file:
                return file[self._name].get_var()
        part = selection(key, self.shape)
        with reading(self._manager) as file:
            return part.of_file(file[self._name].get_vara(part.start, part.count, part.stride))


def attributes_of(variable: sverdrup.Variable) -> dict[str, Any]:
    """A fill value of characters is one, as xarray compares it with the values."""
    attributes = dict(variable.attributes)
    fill = attributes.get(_FILL)
    if variable.dtype.kind == "S" and isinstance(fill, str):
        attributes[_FILL] = np.bytes_(fill.encode("utf-8", "surrogateescape"))
    return attributes


class Store(AbstractDataStore):
    """A file as xarray asks for it."""

    def __init__(self, path: str, comm: MPI.Comm | None, options: dict[str, Any], group: str = "") -> None:
        self._group = group
        with LOCK:
            self._manager = manager_of(path, comm, options)
        self.get_dimensions()  # opens it

    def _of(self, file: sverdrup.File) -> Group:
        return file.groups[self._group] if self._group else Group(file, 0)

    def get_variables(self) -> dict[str, Variable]:
        with reading(self._manager) as file:
            found = self._of(file).variables
            return {name: self._variable(file.path, variable) for name, variable in found.items()}

    def _variable(self, path: str, variable: sverdrup.Variable) -> Variable:
        dims = tuple(own_name(name) for name in variable.dimensions)
        encoding: dict[str, Any] = {"original_shape": variable.shape, "source": path}
        if not variable.has_strings:
            encoding["dtype"] = variable.dtype
        encoding |= storage.of_file(variable)
        if "chunksizes" in encoding:
            encoding["preferred_chunks"] = dict(zip(dims, encoding["chunksizes"], strict=True))
        data = indexing.LazilyIndexedArray(Values(self._manager, variable))
        return Variable(dims, data, attributes_of(variable), encoding)

    def get_attrs(self) -> dict[str, Any]:
        with reading(self._manager) as file:
            return dict(self._of(file).attributes)

    def get_dimensions(self) -> dict[str, int]:
        with reading(self._manager) as file:
            return self._of(file).dimensions

    def get_encoding(self) -> dict[str, Any]:
        with reading(self._manager) as file:
            records = file.record_dimension
        return {"unlimited_dims": set() if records is None else {own_name(records)}}

    def close(self) -> None:
        """Collective over the communicator, where ranks read together."""
        with LOCK:
            self._manager.close(needs_lock=False)


class Backend(BackendEntrypoint):
    """`group`: the group whose variables are read, as "ocean/deep"; by default the outermost one. `comm`: the ranks
    that read together; by default this rank alone. `options`: keys of the configuration."""

    description = "Files of Sverdrup and any other CDF files, sets of pieces, and growing files, also in parallel"
    url = "https://docs.xarray.dev/en/stable/internals/how-to-add-new-backend.html"

    def open_dataset(  # type: ignore[override]
        self,
        filename_or_obj: str | os.PathLike[str],
        *,
        mask_and_scale: bool = True,
        decode_times: bool = True,
        concat_characters: bool = True,
        decode_coords: bool = True,
        drop_variables: str | Iterable[str] | None = None,
        use_cftime: bool | None = None,
        decode_timedelta: bool | None = None,
        group: str | None = None,
        comm: MPI.Comm | None = None,
        options: dict[str, Any] | None = None,
    ) -> Dataset:
        path = os.path.abspath(os.path.expanduser(os.fsdecode(filename_or_obj)))
        store = Store(path, comm, options or {}, (group or "").strip("/"))
        given = {"use_cftime": use_cftime, "decode_timedelta": decode_timedelta}
        with close_on_error(store):
            return StoreBackendEntrypoint().open_dataset(
                store,
                mask_and_scale=mask_and_scale,
                decode_times=decode_times,
                concat_characters=concat_characters,
                decode_coords=decode_coords,
                drop_variables=drop_variables,
                **{name: value for name, value in given.items() if value is not None},
            )

    # xarray passes decode_cf on to those that stand here.
    open_dataset_parameters = tuple(signature(open_dataset).parameters)[1:]

    def guess_can_open(self, filename_or_obj: Any) -> bool:
        return False  # only when it is asked for: opening may be collective
