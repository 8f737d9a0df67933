"""The structures of a trace file as numpy types. They are those of src/trace/format.hpp; all numbers are
little-endian."""

import numpy as np

MAGIC = b"SVTRACE1"
VERSION = 1
TRACER, LIBRARY = 1, 2

LAYERS = {1: "sverdrup", 2: "netcdf", 3: "pnetcdf", 4: "mpi_io", 5: "mpi", 6: "posix", 7: "step"}
LAYER_NUMBERS = {name: number for number, name in LAYERS.items()}

ENDED, FORKED, INITIALIZED_MPI = 1, 2, 4  # Header.flags

SECTIONS = ("functions", "paths", "files", "variables", "text", "notes", "totals", "path_totals", "threads", "ring")
SIZE_CLASSES = 32
DEEPEST = 24
NO_CALLER = 0
LOST_CALLER = 0xFFFFFFFF
NO_THREAD = 0xFFFF

SECTION = np.dtype([(name, "<i8") for name in ("offset_bytes", "capacity", "entry_bytes", "used", "lost")])
HEADER = np.dtype(
    [
        ("magic", "S8"),
        ("version", "<u4"),
        ("header_bytes", "<u4"),
        ("file_bytes", "<i8"),
        ("producer", "<u4"),
        ("flags", "<u4"),
        ("start_realtime_ns", "<i8"),
        ("start_monotonic_ns", "<i8"),
        ("end_ns", "<i8"),
        ("latest_ns", "<i8"),
        ("mpi_start_ns", "<i8"),
        ("mpi_end_ns", "<i8"),
        ("pid", "<i4"),
        ("parent_pid", "<i4"),
        ("rank", "<i4"),
        ("ranks", "<i4"),
        ("host", "S64"),
        ("program", "S256"),
        ("sections", SECTION, (len(SECTIONS),)),
    ]
)
FUNCTION = np.dtype([("layer", "<u4"), ("name", "S60")])
PATH = np.dtype([("caller", "<u4"), ("function", "<u4")])
FILE = np.dtype([("text_offset", "<i8"), ("text_bytes", "<i8")])
VARIABLE = np.dtype([("file", "<u4"), ("id", "<i4"), ("text_offset", "<i8"), ("text_bytes", "<i8")])
NOTE = np.dtype(
    [("time_ns", "<i8"), ("text_offset", "<i8"), ("text_bytes", "<i8"), ("complete", "<u4"), ("file", "<u4")]
)
TOTAL = np.dtype(
    [
        ("key", "<u8"),
        ("calls", "<i8"),
        ("errors", "<i8"),
        ("bytes", "<i8"),
        ("ns", "<i8"),
        ("most_ns", "<i8"),
        ("first_ns", "<i8"),
        ("last_ns", "<i8"),
        ("sizes", "<u4", (SIZE_CLASSES,)),
    ]
)
FRAME = np.dtype([("path", "<u4"), ("file", "<u4"), ("variable", "<u4"), ("reserved", "<u4"), ("start_ns", "<i8")])
THREAD = np.dtype([("tid", "<i4"), ("depth", "<i4"), ("frames", FRAME, (DEEPEST,))])
SLOT = np.dtype(
    [
        ("ticket", "<i8"),
        ("start_ns", "<i8"),
        ("duration_ns", "<i8"),
        ("bytes", "<i8"),
        ("offset", "<i8"),
        ("path", "<u4"),
        ("file", "<u4"),
        ("variable", "<u4"),
        ("thread", "<u2"),
        ("slots", "u1"),
        ("failed", "i1"),
        ("reserved", "<i8"),
    ]
)
TEXT = np.dtype("u1")

ENTRIES = dict(zip(SECTIONS, (FUNCTION, PATH, FILE, VARIABLE, TEXT, NOTE, TOTAL, TOTAL, THREAD, SLOT)))

# Numbers of arguments' kinds, in the order of format.hpp.
ARGUMENTS = (
    "none", "start", "count", "stride", "imap", "mode", "hints", "datatype", "requests", "fill", "length", "chunks",
    "collective", "communicator", "peer", "step", "record", "status", "dims",
)  # fmt: skip
