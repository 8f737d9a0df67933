"""The bits that the variables of a file need."""

from collections.abc import Iterator
from typing import Any

import numpy as np

from sverdrup.information import InformationError, kept_bits, of_bits


def _is_data(file: Any, name: str) -> bool:
    """Floats over space that are no coordinates of others."""
    variable = file[name]
    named = {word for each in file.variables.values() for attribute in ("bounds", "climatology", "coordinates")
             for word in str(getattr(each, attribute, "")).split()}  # fmt: skip
    return variable.dtype in (np.float32, np.float64) and name not in variable.dimensions and name not in named


def _first_records(file: Any, variable: Any, records: int) -> tuple[Any, int]:
    """Values, and the number of the first axis that is no record."""
    dimension = variable.dimensions[0] if variable.dimensions else ""
    units = str(getattr(file.variables.get(dimension), "units", ""))
    if dimension and (file.dimensions[dimension].isunlimited() or " since " in units):
        return variable[:records], 1
    return variable[...], 0


def needed_bits(path: str, share: float, records: int) -> Iterator[tuple[str, int, int]]:
    """Name, bits that are kept, and all bits of the mantissa. The axis along which neighbours share most information
    counts."""
    try:
        import netCDF4
    except ImportError as error:
        raise InformationError("the Python package netCDF4 is missing. Install it: pip install netCDF4") from error
    with netCDF4.Dataset(path) as file:
        for name in file.variables:
            if not _is_data(file, name):
                continue
            values, first = _first_records(file, file[name], records)
            axes = [axis for axis in range(first, values.ndim) if values.shape[axis] > 1 and values.size > 0]
            if axes:
                most = max((of_bits(values, axis) for axis in axes), key=np.sum)
                yield name, kept_bits(most, share), 23 if values.dtype == np.float32 else 52
