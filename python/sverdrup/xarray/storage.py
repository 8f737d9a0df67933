"""Selects the words about storage (compression, chunks) from the encodings of variables, as keywords for File.def_var,
which takes or refuses them. Called by the accessor; local."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from xarray import Variable

import sverdrup
from sverdrup.library.keywords import OTHERS
from sverdrup.library.names import nearest
from sverdrup.library.storage import WORDS

# Words that xarray's coders obey, or that describe the file a variable was read from.
_NOT_STORAGE = frozenset(
    """
    _FillValue _Encoding _Unsigned add_offset calendar char_dim_name coordinates dtype grid_mapping missing_value
    original_shape preferred_chunks scale_factor source units unlimited_dims
    """.split()
)
_NOTHING_ASKED = ("native", "contiguous")
_BLOSC = "blosc_"
_PLAIN: dict[str, dict[str, Any]] = {"zlib": {"zlib": True}, "zstd": {"compression": "zstd"}}
_STORAGE = WORDS | OTHERS


def _asks(value: Any) -> bool:
    """False, 0 and None are in the encodings of variables that were read, and ask for nothing."""
    nothing = value is None or (isinstance(value, int | str) and value in (0, "", *_NOTHING_ASKED))
    return not nothing


def _asked(encoding: Mapping[str, Any]) -> dict[str, Any]:
    """The words that ask for something; of a compressed variable, also those that switch a part of it off."""
    asked = {word: value for word, value in encoding.items() if word in _STORAGE and _asks(value)}
    parts = ("complevel", "shuffle") if asked.keys() & {"compression", "zlib"} else ()
    return asked | {word: encoding[word] for word in parts if encoding.get(word) is not None}


def of_file(variable: sverdrup.Variable) -> dict[str, Any]:
    """The encoding of a variable that was read, in the words that def_var and `to_netcdf` take."""
    filters = variable.filters()
    found: dict[str, Any] = {word: True for word in ("shuffle", "fletcher32") if filters[word]}
    if codec := next((each for each in ("zlib", "zstd") if filters[each]), None):
        found |= {"complevel": filters["complevel"], "shuffle": filters["shuffle"]}
        found |= {"compression": _BLOSC + codec} if filters["blosc"] else _PLAIN[codec]
    if (chunks := variable.chunks) is not None:
        found["chunksizes"] = chunks
    return found


def without_blosc(words: Mapping[str, Any]) -> dict[str, Any]:
    """The same for files of a format that does not have Blosc: its codec alone."""
    return {word: str(own).removeprefix(_BLOSC) if word == "compression" else own for word, own in words.items()}


def given(name: Any, encoding: Mapping[str, Any]) -> dict[str, Any]:
    """The keywords of def_var for an encoding that the caller of the accessor passes. Raises ValueError for an
    unknown word; def_var rejects unsupported ones."""
    for word in encoding:
        if word not in _STORAGE | _NOT_STORAGE:
            near = nearest(word, _STORAGE | _NOT_STORAGE)
            raise ValueError(f"variable '{name}': unexpected encoding '{word}'{near}")
    return _asked(encoding)


def _chunks_fit(variable: Variable, sizes: Any, lengths: Mapping[Any, int | None]) -> bool:
    """Whether chunks of a file that the variable was read from suit its shape in the new file."""
    shape = tuple(lengths[dim] for dim in variable.dims)
    original = variable.encoding.get("original_shape", shape)
    alike = [length is None or length == before for length, before in zip(shape, original, strict=False)]
    small = [length is None or size <= length for length, size in zip(shape, sizes, strict=False)]
    return len(original) == len(sizes) == len(shape) and all(alike) and all(small)


def inherited(
    variables: Mapping[Any, Variable], lengths: Mapping[Any, int | None]
) -> tuple[dict[Any, dict[str, Any]], str]:
    """The same for the encodings that variables have from a file that they were read from, and a warning that names
    what def_var cannot do; empty if there is nothing. `lengths`: of the dimensions in the new file; None for unlimited
    ones. Chunks of another shape are not asked for; every rank decides alike."""
    taken: dict[Any, dict[str, Any]] = {}
    left: dict[str, list[str]] = {}
    for name, variable in variables.items():
        words = _asked(variable.encoding)
        if "chunksizes" in words and not _chunks_fit(variable, words["chunksizes"], lengths):
            del words["chunksizes"]
        words.pop("contiguous", None)
        taken[name] = {word: value for word, value in words.items() if word in WORDS}
        for word in words.keys() - WORDS:
            left.setdefault(word, []).append(str(name))
    each = "; ".join(f"{word} ({', '.join(names)})" for word, names in sorted(left.items()))
    remedy = "Remove them with drop_encoding()"
    return taken, f"encodings that are not obeyed: {each}. {remedy}" if left else ""
