"""Names and numbers in the report: which kind of call a function is, by its name, and how sizes, times and lists of
ranks are written in sentences."""

import re
from functools import lru_cache

LAYER_ORDER = ("sverdrup", "netcdf", "pnetcdf", "mpi_io", "mpi", "posix", "step")
IO_LAYERS = frozenset(("sverdrup", "netcdf", "pnetcdf", "mpi_io", "posix"))

POSIX_READS = frozenset(
    "read __read_chk pread pread64 __pread_chk __pread64_chk readv preadv preadv64 preadv2 preadv64v2 fread "
    "aio_read aio_read64 copy_file_range_from sendfile_from sendfile64_from".split()
)
POSIX_WRITES = frozenset(
    "write pwrite pwrite64 writev pwritev pwritev64 pwritev2 pwritev64v2 fwrite aio_write aio_write64 "
    "copy_file_range sendfile sendfile64".split()
)

# Phases of the library: data on their way to their writers; waits for other ranks, for room in the servers' memory,
# and for answers of servers.
HAND_OVER = ("pack", "reorder", "scatter", "send")
WAITS = ("wait", "wait_memory", "wait_answer")

_CLASSES = (
    ("close", re.compile(r"close|abort")),
    ("open", re.compile(r"(_|^)_?(create|open)|^creat|^fopen|openat")),
    ("meta", re.compile(r"_att|set_(view|size|fill)|(_|^)(end|re)?def|f(data)?sync|ftruncate|rename|read_meta|_sync$")),
    ("read", re.compile(r"get_var|(_|^)(i|m)?get|(_|^|i)read|^sv_read")),
    ("write", re.compile(r"put_var|(_|^)(i|b|m)?put|(_|^|i)(p?write)|_wait|end_step|flush|fill_var")),
)  # fmt: skip


@lru_cache(maxsize=4096)
def kind_of(layer: str, name: str) -> str:
    """open, read, write, close or meta."""
    if layer == "posix":
        if name in POSIX_READS:
            return "read"
        if name in POSIX_WRITES:
            return "write"
    name = name.replace("MPI_File_", "").replace("mpi_file_", "")
    for kind, pattern in _CLASSES:
        if pattern.search(name):
            return kind
    return "meta"


def short(path: str) -> str:
    """The last component of a path."""
    return path.rstrip("/").rsplit("/", 1)[-1] or path


def program_of(run) -> str:
    """The program that most ranks of a trace.Run ran."""
    names = [
        short(p.program) for p, index in zip(run.processes, run.rank_index) if index >= 0 or len(run.processes) == 1
    ]
    return max(set(names), key=names.count) if names else ""


def listed(value) -> list:
    """The list that a note contains; an empty one for other contents."""
    return value if isinstance(value, list) else []


def plural(count: int, noun: str) -> str:
    return f"{count:,} {noun}{'' if count == 1 else 's'}"


def size(count: float) -> str:
    """Bytes, as people say them, in powers of 1000: 1.5 MB."""
    return _scaled(count, 1000, ("bytes", "kB", "MB", "GB", "TB"))


def unit(count: float) -> str:
    """Bytes of stripes and pages, in powers of 1024: 1 MiB."""
    return _scaled(count, 1024, ("bytes", "KiB", "MiB", "GiB", "TiB"))


def _scaled(count: float, step: int, names: tuple[str, ...]) -> str:
    for name in names:
        if count < step or name == names[-1]:
            break
        count /= step
    return f"{count:.0f} {name}" if name == "bytes" or count >= 100 else f"{count:.3g} {name}"


def seconds(value: float) -> str:
    """In three figures at most, as the page shows times, too."""
    if not value:
        return "0 s"
    if value >= 0.9995:
        return f"{value:.3g} s" if value < 999.5 else f"{value:.0f} s"
    return f"{value * 1e3:.3g} ms" if value >= 1e-3 else f"{value * 1e6:.3g} µs"


def percent(share: float) -> str:
    return f"{share * 100:.0f} %" if share >= 0.0995 else f"{share * 100:.2g} %"


def numbers(values) -> str:
    """Numbers with their ranges: 1, 3-5."""
    parts, values = [], sorted(values)
    while values:
        count = 1
        while count < len(values) and values[count] == values[0] + count:
            count += 1
        parts.append(str(values[0]) if count == 1 else f"{values[0]}-{values[count - 1]}")
        values = values[count:]
    return ", ".join(parts)


def printable(text: str) -> str:
    """Text for a terminal: names in files may contain control characters and bytes that are no UTF-8, which are
    printed as "\\x1b"."""
    controls = {chr(code) for code in (*range(0x20), *range(0x7F, 0xA0))} - {"\n", "\t"}
    return "".join(f"\\x{ord(c):02x}" if c in controls or "\ud800" <= c <= "\udfff" else c for c in text)
