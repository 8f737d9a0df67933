"""How a variable is stored in netCDF-4 files and Zarr groups, in the words of netCDF4-python. File.def_var asks for it,
and Variable reports it. Local calls."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, TypedDict

from sverdrup import _core
from sverdrup.library.errors import ArgumentError
from sverdrup.library.integers import here

_ENDIAN = {"native": 0, "little": 1, "big": 2}
_QUANTIZE = {"BitGroom": 1, "GranularBitRound": 2, "BitRound": 3}
_BOUNDS = {"absolute_error": 1, "relative_error": 2, "information": 3}
_ENCODERS = {"sz3": 32024, "zfp": 32013}
_BLOSC, _BLOSC_CODECS = 32001, {"blosc_zlib": 4, "blosc_zstd": 5}
_CODECS = ("zlib", "zstd", *_BLOSC_CODECS)
_CHOICES = {"compression": _CODECS, "quantize_mode": tuple(_QUANTIZE), "endian": tuple(_ENDIAN),
            "error_encoder": tuple(_ENCODERS)}


class Storage(TypedDict, total=False):
    """The words for storage; the configuration sets absent ones."""

    compression: str | None  # "zlib", "zstd", or of Zarr "blosc_zlib", "blosc_zstd"
    zlib: bool  # as compression="zlib"
    complevel: int  # 4 if absent
    shuffle: bool  # True if absent; in Zarr, only Blosc shuffles
    fletcher32: bool
    contiguous: bool
    chunksizes: Sequence[int] | None  # cells in each dimension
    significant_digits: int | None  # of quantize_mode; with "BitRound" bits
    quantize_mode: str  # "BitGroom" (if absent), "GranularBitRound" or "BitRound"
    absolute_error: float | None  # the largest error of a value; each chunk is checked
    relative_error: float | None
    information: float | None  # the share of the information of the values that is kept, such as 0.99
    error_encoder: str  # "sz3" or "zfp": HDF5's plug-in encodes values within absolute_error
    endian: str  # "native", "little" or "big"


WORDS = frozenset(Storage.__annotations__)
# The others qualify one of these.
_CHANGES = WORDS - {"contiguous", "complevel", "shuffle", "quantize_mode", "error_encoder"}
_CDF, _ZARR = (0, 1, 2, 5), 10  # 0: the library will choose one of these
_NONE_IN_CDF = "CDF files have neither chunks nor filters. Pass the format 'netcdf4' or 'zarr'"
_NO_SHUFFLE = "in Zarr only Blosc shuffles. Pass the compression 'blosc_zlib' or 'blosc_zstd'"


def taken_from(words: Mapping[str, Any], place: str) -> dict[str, Any]:
    """Those about storage. Raises ArgumentError for a value that its word does not have, before the file has the
    variable. `place`: file and variable, for the text."""
    taken = {word: value for word, value in words.items() if word in WORDS}
    for word, known in _CHOICES.items():
        given = taken.get(word, known[0])
        if given not in known and not (word == "compression" and not given):
            raise ArgumentError(f"{place}{word} is {given!r}. Pass one of {', '.join(map(repr, known))}")
    return taken


def _compress(handle: int, var: int, kind: str, level: int, shuffle: bool) -> None:
    if kind == "zlib":
        _core.def_var_deflate(handle, var, int(shuffle), level)
    elif kind == "zstd":
        _core.def_var_deflate(handle, var, int(shuffle), 0)
        _core.def_var_zstandard(handle, var, level)
    else:
        _core.def_var_filter(handle, var, _BLOSC, [level, int(shuffle), _BLOSC_CODECS[kind]])


def _compressor(storage: Mapping[str, Any]) -> str | None:
    return storage.get("compression") or ("zlib" if storage.get("zlib") else None)


def _shuffles(file_format: int, kind: str) -> bool:
    return file_format != _ZARR or kind in _BLOSC_CODECS


def ask(handle: int, var: int, storage: Storage, located: str) -> None:
    """Asks for the storage of a variable that has just been defined, after `taken_from`. The library refuses
    numbers."""
    kind = _compressor(storage)
    if storage.get("contiguous"):
        _core.def_var_chunking(handle, var, None)
    if (sizes := storage.get("chunksizes")) is not None:
        _core.def_var_chunking(handle, var, [here(each, "a chunk size", located) for each in sizes])
    if kind is not None:
        level = here(storage.get("complevel", 4), "complevel", located)
        shuffles = _shuffles(int(_core.inq_format(handle)), kind)
        _compress(handle, var, kind, level, shuffles and storage.get("shuffle", True))
    if storage.get("fletcher32"):
        _core.def_var_fletcher32(handle, var, 1)
    if (digits := storage.get("significant_digits")) is not None:
        mode = _QUANTIZE[storage.get("quantize_mode", "BitGroom")]
        _core.def_var_quantize(handle, var, mode, here(digits, "significant_digits", located))
    for word, number in _BOUNDS.items():
        if (bound := storage.get(word)) is not None:
            _core.def_var_error_bound(handle, var, number, float(bound))
    if (encoder := storage.get("error_encoder")) is not None:
        _core.def_var_filter(handle, var, _ENCODERS[encoder], [])
    if (endian := storage.get("endian", "native")) != "native":
        _core.def_var_endian(handle, var, _ENDIAN[endian])


def has_blosc(file_format: int) -> bool:
    """Whether files of this format (File.format) can be compressed with Blosc."""
    return file_format == _ZARR


def without_effect(file_format: int, storage: Mapping[str, Any]) -> tuple[str, str] | None:
    """The words that a file of this format (File.format) does not obey, joined, and why; None if it obeys all."""
    if file_format in _CDF:
        idle = [word for word in storage if word in _CHANGES and storage[word] not in (None, False, "", "native")]
        return (", ".join(idle), _NONE_IN_CDF) if idle else None
    kind = _compressor(storage)
    if kind is None or not storage.get("shuffle") or _shuffles(file_format, kind):
        return None
    return "shuffle", _NO_SHUFFLE


def filters(handle: int, var: int) -> dict[str, Any]:
    """As netCDF4.Variable.filters."""
    shuffle, level = _core.inq_var_deflate(handle, var)
    zstd = _core.inq_var_zstandard(handle, var)
    ids = _core.inq_var_filter_ids(handle, var)
    return {
        "zlib": level > 0,
        "zstd": zstd > 0,
        "blosc": _BLOSC in ids,
        "shuffle": bool(shuffle),
        "complevel": level or zstd,
        "fletcher32": bool(_core.inq_var_fletcher32(handle, var)),
    }


def quantization(handle: int, var: int) -> tuple[int, str] | None:
    """As netCDF4.Variable.quantization: significant digits or bits, and the mode."""
    number, digits = _core.inq_var_quantize(handle, var)
    return next(((digits, mode) for mode, each in _QUANTIZE.items() if each == number), None)


def error_bound(handle: int, var: int) -> tuple[str, float, float] | None:
    """"absolute", "relative" or "information", the bound or share, and the largest error, which is relative with a
    share."""
    number, bound, largest = _core.inq_var_error_bound(handle, var)
    kinds = {each: word.removesuffix("_error") for word, each in _BOUNDS.items()}
    return (kinds[number], bound, largest) if number in kinds else None


def endian(handle: int, var: int) -> str:
    """As netCDF4.Variable.endian."""
    number = _core.inq_var_endian(handle, var)
    return next(word for word, each in _ENDIAN.items() if each == number)
