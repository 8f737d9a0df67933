"""Sverdrup in Python: parallel netCDF output and input for Earth-system models.

    with sverdrup.Context(comm) as io, io.create("ocean.nc") as file:
        file.def_dim("x", 4)
        v = file.def_var("v", "f8", ["x"], units="m")
        file.enddef()
        v[...] = [1, 2, 3, 4]

docs/python.md describes it. The names of `sverdrup.library`, for programs that read and write, stand here, too, and are
loaded when the first of them is used, because they need the compiled part. `sverdrup.xarray` is for xarray. The rest
are the tools, the packages behind the command `sverdrup` (cli.py), which do without the library. The report is made in
three stages: `trace` reads trace files, `analysis` computes the report from them, `page` draws it. The other commands
have a package each: `probe` and `tune`."""

import importlib
import importlib.util
import pkgutil
import sys
from typing import TYPE_CHECKING, Any

__version__ = "0.1.0"
__path__ = pkgutil.extend_path(__path__, __name__)  # the compiled part of a build lies in a folder of its own
_LIBRARY = frozenset(
    """
    AccessError ArgumentError Blocks ConfigurationError Context Cost Decomp DefinitionError DeviceError Error
    ExistsError File FormatError InUseError InternalError LayoutError Level LimitError MpiError NoMemoryError
    NoSpaceError NotCompiledError NotFoundError OrderError PeerError Points RangeError RanksError StorageError
    StreamAxis StreamField Streams TypesError UnsupportedError Variable WaitedTooLongError block serve version
    """.split()
)

__all__ = sorted(_LIBRARY)

if TYPE_CHECKING:
    from sverdrup.library import *  # noqa: F401, F403


def __getattr__(name: str) -> Any:
    if name not in _LIBRARY:  # a package of the tools, perhaps, which Python then looks for
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    try:
        library = importlib.import_module("sverdrup.library")
    except ModuleNotFoundError as error:
        if error.name == "sverdrup._core":
            text = f"sverdrup.{name}: this copy of Sverdrup has no library for Python, only its tools (docs/python.md)"
            raise AttributeError(text) from error
        raise
    return getattr(library, name)


def __dir__() -> list[str]:
    """All public names, loaded or not, for completion and `help`; without the compiled part, only the tools."""
    has_library = importlib.util.find_spec("sverdrup._core") is not None or "sverdrup.library" in sys.modules
    shown = {*globals(), *(_LIBRARY if has_library else ())}
    return sorted(shown - {"Any", "TYPE_CHECKING", "importlib", "pkgutil", "sys"})
