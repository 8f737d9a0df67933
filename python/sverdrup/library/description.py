"""The description of a variable: the base of the other parts of Variable. Local calls."""

from __future__ import annotations

from math import prod
from typing import Any

import numpy as np

from sverdrup import _core
from sverdrup.library import listing, storage
from sverdrup.library.arrays import Array, dtype_of
from sverdrup.library.attributes import Attributed, Attributes
from sverdrup.library.names import text
from sverdrup.library.owners import FileBase

STRING = 12  # SV_STRING


class Described(Attributed):
    """Name, type, dimensions, attributes."""

    __slots__ = ("_slab", "file", "first_axis", "id")

    def __init__(self, file: FileBase, var: int) -> None:
        self.file = file
        self.id = var
        self.first_axis: int | None = None
        self._slab: tuple[int, ...] | None = None

    @property
    def name(self) -> str:
        return str(_core.inq_var(self.file.handle, self.id)[0])

    @property
    def dtype(self) -> np.dtype[Any]:
        """Of strings, object, as xarray has it."""
        number = _core.inq_var(self.file.handle, self.id)[1]
        return np.dtype(object) if number == STRING else dtype_of(number)

    @property
    def has_strings(self) -> bool:
        """Whether its values are strings of any length (netCDF-4, Zarr)."""
        return bool(_core.inq_var(self.file.handle, self.id)[1] == STRING)

    @property
    def dimensions(self) -> tuple[str, ...]:
        return tuple(_core.inq_dim(self.file.handle, dim)[0] for dim in _core.inq_var(self.file.handle, self.id)[2])

    @property
    def shape(self) -> tuple[int, ...]:
        return tuple(_core.inq_dim(self.file.handle, dim)[1] for dim in _core.inq_var(self.file.handle, self.id)[2])

    @property
    def ndim(self) -> int:
        return len(_core.inq_var(self.file.handle, self.id)[2])

    @property
    def size(self) -> int:
        """The number of its cells."""
        return prod(self.shape)

    @property
    def has_records(self) -> bool:
        dims, record_dim = _core.inq_var(self.file.handle, self.id)[2], _core.inq(self.file.handle)[3]
        return bool(dims) and dims[0] == record_dim

    @property
    def slab(self) -> tuple[int, ...]:
        """The shape without the record dimension."""
        if self._slab is None:
            self._slab = self.shape[1:] if self.has_records else self.shape
        return self._slab

    @property
    def enum(self) -> dict[str, int]:
        """The names of its integers and their values: of an enumeration, or of flag_meanings and flag_values. Empty
        if they have none."""
        return {str(name): int(value) for name, value in _core.inq_var_enum(self.file.handle, self.id)[1]}

    @property
    def enum_name(self) -> str:
        """The name of the enumeration (netCDF-4); empty if attributes hold the names of its integers, or there are
        none."""
        return str(_core.inq_var_enum(self.file.handle, self.id)[0])

    @property
    def attributes(self) -> Attributes:
        return Attributes(self.file, self.id)

    @property
    def packing(self) -> bool:
        """Whether puts and gets pack and unpack (scale_factor, add_offset); the same on every rank."""
        return bool(_core.inq_packing(self.file.handle, self.id))

    @packing.setter
    def packing(self, on: bool) -> None:
        _core.use_packing(self.file.handle, self.id, bool(on))

    @property
    def default_type(self) -> int:
        return 6 if self.packing else int(_core.inq_var(self.file.handle, self.id)[1])

    @property
    def chunks(self) -> tuple[int, ...] | None:
        """The cells of a chunk in each dimension; None if the variable is not stored in chunks, or the store does not
        report them. After enddef."""
        lengths = _core.inq_var_chunking(self.file.handle, self.id)
        return None if lengths is None else tuple(lengths)

    def filters(self) -> dict[str, Any]:
        """Compression, shuffle and checksums, as netCDF4.Variable.filters."""
        return storage.filters(self.file.handle, self.id)

    def quantization(self) -> tuple[int, str] | None:
        """The significant digits (or bits) that are kept, and the mode; None if all are."""
        return storage.quantization(self.file.handle, self.id)

    def error_bound(self) -> tuple[str, float, float] | None:
        """"absolute" or "relative", the bound of the error of each value, and the largest error that the file states;
        or "information", the share that is kept, and the largest relative error. None without these."""
        return storage.error_bound(self.file.handle, self.id)

    def endian(self) -> str:
        """The order of bytes in the file: "native", "little" or "big"."""
        return storage.endian(self.file.handle, self.id)

    @property
    def filled(self) -> bool:
        """Whether cells that no rank writes get the fill value (netCDF-4: also in files of other programs)."""
        return not _core.inq_var_nofill(self.file.handle, self.id)

    def fill_value(self) -> Any:
        """The value of cells that no rank writes, in the variable's type."""
        if self.has_strings:
            return self.attributes.get("_FillValue", "")
        value: Array = np.zeros(1, self.dtype)
        _core.inq_fill(self.file.handle, self.id, value)
        return value[0]

    def missing(self) -> Any:
        """The value of a put for a cell without a value: NaN where it packs."""
        return np.float64(np.nan) if self.packing else self.fill_value()

    def _is_closed(self) -> bool:
        return self.file.closed

    def rename(self, name: str) -> None:
        new = text(name, f"file '{self.file.path}', variable '{self.name}': its new name")
        _core.rename_var(self.file.handle, self.id, new)

    def __repr__(self) -> str:
        if self.file.closed:
            return f"<sverdrup.Variable {self.id} of {self.file!r}>"
        sizes = ", ".join(f"{dim}={length}" for dim, length in zip(self.dimensions, self.shape, strict=True))
        first = f"<sverdrup.Variable {self.name}({sizes}) of {self.dtype}>"
        return "\n".join([first, *listing.attributes(self.name, self.attributes)])
