"""Writes what a probe measured as text for the terminal, and as rows for its page."""

from collections.abc import Sequence

from sverdrup.page import units

NAMES = {
    "cores_per_node": "cores per node",
    "pack_bytes_per_second": "packing, one core",
    "memory_bytes_per_second": "packing, all cores of a node",
    "message_seconds": "latency of a message",
    "message_bytes_per_second": "messages",
    "agreement_seconds": "agreement, one rank",
    "agreement_seconds_per_rank": "… each further rank",
    "writer_bytes_per_second": "one writer",
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
    "deflate_bytes_per_second": "deflate, one core",
    "deflate_ratio": "size after deflate",
    "write_depth": "large writes at a time",
    "direct_io": "… past the page cache",
    "synced_write_depth": "… to the disk, at a time",
    "synced_direct_io": "… to the disk, past the page cache",
    "band": "band",
}


def shown(value: float, unit: str) -> str:
    """A value as people read it; unit: as sv-probe tells it."""
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
        made.append((NAMES.get(key["name"], key["name"]), shown(key["value"], key["unit"]), ends, key["how"]))
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
