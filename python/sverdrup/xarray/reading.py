"""The engine "sverdrup" of xarray. Values are read when they are asked for: by each rank alone (the default, so that
dask may read in any order), or by all ranks of a communicator together, which must then ask for the same variables in
the same order, each for its own part."""

from __future__ import annotations

import os
import threading
from collections.abc import Iterable
from typing import Any

from mpi4py import MPI
from xarray import Dataset, Variable
from xarray.backends import AbstractDataStore, BackendArray, BackendEntrypoint, StoreBackendEntrypoint
from xarray.core import indexing

import sverdrup

_ONE_AT_A_TIME = threading.Lock()  # a context is not for several threads at once


class Values(BackendArray):
    """A variable that is not read yet."""

    def __init__(self, variable: sverdrup.Variable) -> None:
        self._variable = variable
        self.shape = variable.shape
        self.dtype = variable.dtype

    def __getitem__(self, key: indexing.ExplicitIndexer) -> Any:
        return indexing.explicit_indexing_adapter(key, self.shape, indexing.IndexingSupport.BASIC, self._read)

    def _read(self, key: tuple[Any, ...]) -> Any:
        """`key`: a number or a slice for each dimension."""
        if not self.shape:
            with _ONE_AT_A_TIME:
                return self._variable.get_var()
        start, count, apart, turned = [], [], [], []
        for each, length in zip(key, self.shape, strict=True):
            if not isinstance(each, slice):
                cells = range(int(each), int(each) + 1)
            else:
                cells = range(*each.indices(length))
            step = abs(cells.step)
            first = min(cells[0], cells[-1]) if cells else 0
            start.append(first)
            count.append(len(cells))
            apart.append(step)
            turned.append(slice(None, None, -1) if cells.step < 0 else slice(None))
        with _ONE_AT_A_TIME:
            values = self._variable.get_vara(start, count, None if set(apart) == {1} else apart)
        values = values[tuple(turned)]
        return values[tuple(0 if not isinstance(each, slice) else slice(None) for each in key)]


class Store(AbstractDataStore):
    """An open file with a context of its own."""

    def __init__(self, path: str, comm: MPI.Comm, options: dict[str, Any]) -> None:
        self._context = sverdrup.Context(comm, **options)
        try:
            self._file = self._context.open(path)
        except sverdrup.Error:
            self._context.finalize()
            raise

    def get_variables(self) -> dict[str, Variable]:
        found = {}
        for name, variable in self._file.variables.items():
            encoding = {"dtype": variable.dtype, "original_shape": variable.shape, "source": self._file.path}
            if (chunks := variable.chunks) is not None:
                encoding["chunksizes"] = chunks
                encoding["preferred_chunks"] = dict(zip(variable.dimensions, chunks))
            data = indexing.LazilyIndexedArray(Values(variable))
            found[name] = Variable(variable.dimensions, data, dict(variable.attributes), encoding)
        return found

    def get_attrs(self) -> dict[str, Any]:
        return dict(self._file.attributes)

    def get_dimensions(self) -> dict[str, int]:
        return dict(self._file.dimensions)

    def get_encoding(self) -> dict[str, Any]:
        records = self._file.record_dimension
        return {"unlimited_dims": set() if records is None else {records}}

    def close(self) -> None:
        """Collective over the store's communicator."""
        with _ONE_AT_A_TIME:
            self._file.close()
            self._context.finalize()


class Backend(BackendEntrypoint):
    """`comm`: who reads together; by default this rank alone. `options`: keys of the configuration."""

    description = "Files of Sverdrup and any other CDF files, sets of pieces, and growing files, also in parallel"
    url = "https://docs.xarray.dev/en/stable/internals/how-to-add-new-backend.html"
    open_dataset_parameters = ("filename_or_obj", "drop_variables", "comm", "options")

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
        comm: MPI.Comm | None = None,
        options: dict[str, Any] | None = None,
    ) -> Dataset:
        store = Store(os.fspath(filename_or_obj), MPI.COMM_SELF if comm is None else comm, options or {})
        given = {"use_cftime": use_cftime, "decode_timedelta": decode_timedelta}
        return StoreBackendEntrypoint().open_dataset(
            store,
            mask_and_scale=mask_and_scale,
            decode_times=decode_times,
            concat_characters=concat_characters,
            decode_coords=decode_coords,
            drop_variables=drop_variables,
            **{name: value for name, value in given.items() if value is not None},
        )

    def guess_can_open(self, filename_or_obj: Any) -> bool:
        return False  # only when it is asked for: opening may be collective
