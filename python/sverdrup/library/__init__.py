"""The library for programs in Python: parallel netCDF output and input, over the C interface. The names stand in
`sverdrup` itself; docs/python.md describes them. Needs NumPy, mpi4py and the compiled part, sverdrup._core."""

from sverdrup.library import builds

builds.choose()

from sverdrup import _core  # noqa: E402: found only now
from sverdrup.library.context import Context, Level, serve  # noqa: E402
from sverdrup.library.decompositions import Blocks, Cost, Decomp, Points, block  # noqa: E402
from sverdrup.library.errors import (  # noqa: E402
    AccessError,
    ArgumentError,
    ConfigurationError,
    DefinitionError,
    DeviceError,
    Error,
    ExistsError,
    FormatError,
    InternalError,
    InUseError,
    LayoutError,
    LimitError,
    MpiError,
    NoMemoryError,
    NoSpaceError,
    NotCompiledError,
    NotFoundError,
    OrderError,
    PeerError,
    RangeError,
    RanksError,
    StorageError,
    TypesError,
    UnsupportedError,
    WaitedTooLongError,
)
from sverdrup.library.file import File  # noqa: E402
from sverdrup.library.streams import StreamAxis, StreamField, Streams  # noqa: E402
from sverdrup.library.variable import Variable  # noqa: E402


def version() -> str:
    """The version of the library and of this package."""
    return str(_core.version())


__all__ = [
    "AccessError",
    "ArgumentError",
    "Blocks",
    "ConfigurationError",
    "Context",
    "Cost",
    "Decomp",
    "DefinitionError",
    "DeviceError",
    "Error",
    "ExistsError",
    "File",
    "FormatError",
    "InUseError",
    "InternalError",
    "LayoutError",
    "Level",
    "LimitError",
    "MpiError",
    "NoMemoryError",
    "NoSpaceError",
    "NotCompiledError",
    "NotFoundError",
    "OrderError",
    "PeerError",
    "Points",
    "RangeError",
    "RanksError",
    "StorageError",
    "StreamAxis",
    "StreamField",
    "Streams",
    "TypesError",
    "UnsupportedError",
    "Variable",
    "WaitedTooLongError",
    "block",
    "serve",
    "version",
]
