"""Writes what a probe measured as text for the terminal, and as rows for its page."""

import re
from collections.abc import Sequence

from sverdrup.page import units

NAMES = {
    "cores_per_node": "cores per node",
    "pack_bytes_per_second": "packing, one core",
    "memory_bytes_per_second": "packing, all cores of a node",
    "core_turn_seconds": "a turn of a rank on its core",
    "message_seconds": "latency of a message",
    "message_bytes_per_second": "messages",
    "agreement_seconds": "agreement, one rank",
    "agreement_seconds_per_rank": "… each further rank",
    "writer_bytes_per_second": "one writer",
    "writer_core_part": "… on a core, part of its time",
    "storage_bytes_per_second": "all writers",
    "write_seconds": "a write call",
    "lock_seconds": "handing over a stripe",
    "stripe_bytes": "stripe",
    "targets": "targets",
    "target_bytes_per_second": "one target",
    "put_seconds": "an empty put, one rank",
    "put_seconds_per_rank": "… each further rank",
    "open_seconds": "opening a file, one rank",
    "open_seconds_per_rank": "… each further rank",
    "burst_bytes": "burst",
    "sustained_bytes_per_second": "rate after the burst",
    "read_bytes_per_second": "one reader",
    "storage_read_bytes_per_second": "all readers",
    "read_seconds": "a read call of 4 KiB",
    "read_row_seconds": "a row that netCDF reads",
    "netcdf4_file_seconds": "a netCDF-4 file",
    "netcdf4_variable_seconds": "… each variable",
    "write_depth": "large writes at a time",
    "direct_io": "… past the page cache",
    "synced_write_depth": "… to the disk, at a time",
    "synced_direct_io": "… to the disk, past the page cache",
    "band": "band",
}


_CODEC = re.compile(r"codec_([a-z]+)_(\d+)_(.+)")
_OF_CODEC = {
    "bytes_per_second": "compressing, one core",
    "node_bytes_per_second": "… all cores of a node",
    "read_bytes_per_second": "… reading, one core",
    "node_read_bytes_per_second": "… reading, all cores",
    "ratio": "… size",
}


def name_of(key: str) -> str:
    """A key of the profile in words."""
    codec = _CODEC.fullmatch(key)
    if codec is None or codec[3] not in _OF_CODEC:
        return NAMES.get(key, key)
    words = _OF_CODEC[codec[3]]
    return words if words.startswith("…") else f"{codec[1]} {codec[2]}, {words}"


def shown(value: float, unit: str) -> str:
    """A value with a readable unit; unit: the one of sv-probe."""
    if unit == "bytes/s":
        return units.rate(value)
    if unit == "bytes":
        return units.binary(value)
    return units.seconds(value) if unit == "s" else f"{value:.3g}"


def rows(measured: dict) -> list[tuple[str, str, str, str]]:
    """(name, value, least to largest sample or "", how) of each key."""
    made = []
    for key in measured["keys"]:
        samples: Sequence[float] = key["samples"]
        ends = f"{shown(min(samples), key['unit'])} to {shown(max(samples), key['unit'])}" if samples else ""
        made.append((name_of(key["name"]), shown(key["value"], key["unit"]), ends, key["how"]))
    return made


def text(measured: dict) -> str:
    """A table for a terminal."""
    lines = [(name, value, ends) for name, value, ends, _ in rows(measured)]
    wide = [max(len(line[column]) for line in lines) for column in range(2)]
    return "".join(f"{name:<{wide[0]}}  {value:>{wide[1]}}  {ends}".rstrip() + "\n" for name, value, ends in lines)


def burst(measured: dict) -> str:
    """A sentence on how long storage keeps its rate."""
    value = {key["name"]: key["value"] for key in measured["keys"]}
    blocks = measured["burst"]["bytes_per_second"]
    if "burst_bytes" in value:
        after = units.rate(value["sustained_bytes_per_second"])
        return f"After {units.binary(value['burst_bytes'])} the rate fell to {after}."
    if not blocks:
        return "How long the rate lasts was not measured."
    written = units.binary(len(blocks) * measured["burst"]["block_bytes"])
    return f"The rate lasted for all of the {written} that were written."
