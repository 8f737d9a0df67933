"""The encoding of a dataset in a file, by xarray's own coders: times, masks, packing, booleans, text. Each rank encodes
its part; the ranks agree on the common properties of the parts."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from mpi4py import MPI
from xarray import Dataset, Variable, conventions
from xarray.backends.common import WritableCFDataStore
from xarray.coding.strings import CharacterArrayCoder, EncodedStringCoder, ensure_fixed_length_bytes

from sverdrup.library.errors import error_of
from sverdrup.library.names import missing
from sverdrup.xarray import storage

_UNICODE, _BYTES = "unicode", "bytes"


class _Encoder(WritableCFDataStore):
    """Encodes variables as for a classic netCDF file, up to the characters of text, whose number the ranks agree on."""

    def encode_variable(self, v: Variable, name: Any = None) -> Variable:
        if v.encoding.get("dtype") is str:  # as read from a file of netCDF-4's strings
            v = v.copy(deep=False)
            v.encoding = {key: value for key, value in v.encoding.items() if key != "dtype"}
        return ensure_fixed_length_bytes(EncodedStringCoder(allows_unicode=False).encode(v, name=name))


@dataclass(frozen=True)
class Part:
    """A rank's report on its part of the dataset."""

    cells: int  # of variables that are divided among the ranks
    text: dict[Any, tuple[str, int]]  # of variables of text: which kind, and the longest one
    failure: str | None


def _is_open(variable: Variable) -> bool:
    """Whether the values could be text as well as numbers: objects of which none is there."""
    return variable.dtype.kind == "O" and bool(variable.isnull().all())


def _text(variables: Mapping[Any, Variable]) -> dict[Any, tuple[str, int]]:
    return {
        name: (_UNICODE if "_Encoding" in variable.attrs else _BYTES, max(variable.dtype.itemsize, 1))
        for name, variable in variables.items()
        if variable.dtype.kind == "S"
    }


class Encoded:
    """The variables and the attributes of a file."""

    variables: dict[Any, Variable]
    attributes: dict[Any, Any]
    storage: dict[Any, dict[str, Any]]  # keywords of File.def_var
    passed: dict[Any, dict[str, Any]]  # of these, what the caller asks for
    warning: str  # of encodings that are not obeyed; the same on every rank

    def __init__(
        self,
        dataset: Dataset,
        encoding: Mapping[Any, Mapping[str, Any]],
        lengths: Mapping[Any, int | None],
        room: Mapping[Any, int],
    ) -> None:
        """Local. `encoding`: for each variable, what counts in place of its own; `lengths`: of the dimensions in the
        file, None for unlimited ones; `room`: how many characters a file has already for a text. Raises what xarray's
        encoders raise."""
        self._room = room
        for name in dataset.variables:
            if not isinstance(name, str | None):
                raise TypeError(f"Invalid name {name!r} of a variable: it must be a string or None")
            if name == "":
                raise ValueError(f"Invalid name {name!r} of a variable: the string must be length 1 or greater")
        self._given, attributes = conventions.encode_dataset_coordinates(dataset)
        for name, words in encoding.items():
            if name not in self._given:
                raise missing("encoding", "variable", name, map(str, self._given))
            self._given[name].encoding = words  # type: ignore[assignment]
        own = {name: variable for name, variable in self._given.items() if name not in encoding}
        self.passed = {name: storage.given(name, words) for name, words in encoding.items()}
        taken, self.warning = storage.inherited(own, lengths)
        self.storage = taken | self.passed
        self._open = {name for name, variable in self._given.items() if _is_open(variable)}
        self.variables, self.attributes = _Encoder().encode(self._given, attributes)

    def part(self, divided: Mapping[str, Any]) -> Part:
        cells = sum(each.size for each in self.variables.values() if any(str(dim) in divided for dim in each.dims))
        own = {name: variable for name, variable in self.variables.items() if name not in self._open}
        return Part(cells, _text(own), None)

    def agree(self, parts: list[Part]) -> None:
        """Makes characters of text: as many for each as the longest of all ranks has. A variable without values on
        this rank is text if it is text on another rank."""
        text: dict[Any, tuple[str, int]] = {}
        for part in parts:
            for name, (kind, width) in part.text.items():
                text[name] = kind, max(width, text.get(name, (kind, 0))[1])
        for name, (kind, width) in text.items():
            if name not in self.variables:  # the ranks define different things, which enddef reports
                continue
            if name in self._open:
                empty = self._given[name].copy(data=np.full(self._given[name].shape, "" if kind == _UNICODE else b""))
                self.variables[name] = _Encoder().encode({name: empty}, {})[0][name]
            if self._room.get(name, width) < width:
                has = f"and the file has {self._room[name]} for a text"
                raise ValueError(f"variable '{name}': {width} characters, {has}")
            width = self._room.get(name, width)
            variable = self.variables[name]
            if variable.dtype.kind == "S":
                wide = variable.copy(data=variable.data.astype(f"S{width}"))
                self.variables[name] = CharacterArrayCoder().encode(wide, name=name)


def encoded_together(
    prepare: Callable[[], Encoded], divided: Mapping[str, Any], comm: MPI.Comm, path: str
) -> tuple[Encoded, int, int]:
    """Collective. The result of `prepare` for the dataset of this rank, and the cells of this rank and of all ranks in
    divided variables. A rank that cannot encode its part raises its own exception, and the others an ArgumentError with
    its text."""
    encoded: Encoded | None = None
    failure: Exception | None = None
    try:
        encoded = prepare()
        part = encoded.part(divided)
    except Exception as reason:  # any exception of the caller's data
        failure = reason
        part = Part(0, {}, f"{type(reason).__name__}: {reason}")
    parts = comm.allgather(part)
    _raise_together([each.failure for each in parts], failure, path)
    assert encoded is not None
    if encoded.warning and comm.rank == 0:
        warnings.warn(encoded.warning, UserWarning, stacklevel=4)
    try:
        encoded.agree(parts)
    except Exception as reason:
        failure = reason
    text = None if failure is None else f"{type(failure).__name__}: {failure}"
    _raise_together(comm.allgather(text), failure, path)
    return encoded, part.cells, sum(each.cells for each in parts)


def _raise_together(texts: list[str | None], failure: Exception | None, path: str) -> None:
    """Where a rank has a failure; `texts`: of all ranks."""
    if failure is not None:
        raise failure
    for rank, text in enumerate(texts):
        if text is not None:
            cause = f"the dataset of this rank cannot be encoded: {text}"
            raise error_of(1, f"file '{path}', rank {rank}: {cause}. See its traceback", True)
