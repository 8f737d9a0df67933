"""Keys of the configuration with two names: that of their group stands for the main key of the group. The analysis of
traces needs the whole name, as a summary has it; the tuner the short one, as a file is written."""

_MAIN = {
    "combine": "mode",
    "compression": "codec",
    "chunks": "shape",
    "async": "mode",
    "reading": "ranks",
    "transport": "mode",
    "mpi_io": "implementation",
    "summary": "file",
    "trace": "folder",
    "watchdog": "time",
}
MAIN_KEYS = {group: f"{group}.{key}" for group, key in _MAIN.items()}
_GROUPS = {key: group for group, key in MAIN_KEYS.items()}


def whole_name(key: str) -> str:
    """ "async" is "async.mode"; other names stay."""
    return MAIN_KEYS.get(key, key)


def short_name(key: str) -> str:
    """ "async.mode" is "async"; other names stay."""
    return _GROUPS.get(key, key)
