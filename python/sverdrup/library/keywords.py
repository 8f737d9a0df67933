"""Refuses keywords of File.def_var that would become attributes though the caller means something else: misspelt
parameters, and words of other libraries. Called by File.def_var; xarray's accessor uses the list of words."""

from __future__ import annotations

import difflib
from collections.abc import Iterable

from sverdrup.library.errors import ArgumentError
from sverdrup.library.storage import WORDS

_OTHER_NAMES = {"fill_value": "fill", "dims": "dimensions", "datatype": "dtype"}
# Words of netCDF4-python, h5py, xarray and zarr-python for storage that File.def_var does not have.
OTHERS = frozenset(
    """
    blosc blosc_shuffle bzip2 chunk_cache chunks compression_opts compressor compressors deflate filters
    least_significant_digit quantize serializer shards szip szip_coding szip_pixels_per_block zstd
    """.split()
)


def refuse_others(attributes: Iterable[str], parameters: Iterable[str], place: str) -> None:
    """Raises ArgumentError for a keyword that looks like a parameter of the call, or like one of another library.
    `place`: file and variable, for the text."""
    known = [*parameters, *WORDS]
    for name in attributes:
        other = [_OTHER_NAMES[name]] if name in _OTHER_NAMES else difflib.get_close_matches(name, known, 1, 0.8)
        remedy = f"variable.attributes['{name}'] = ... sets an attribute of this name"
        if other:
            raise ArgumentError(f"{place}def_var has no '{name}'. Use '{other[0]}'; {remedy}")
        if name in OTHERS:
            raise ArgumentError(f"{place}def_var has no '{name}'. Use one of {', '.join(sorted(WORDS))}; {remedy}")
