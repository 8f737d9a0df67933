"""Prints the plan that sv-streams made: tables of streams and variables, and a calendar of the outputs."""

from collections.abc import Iterable, Sequence
from typing import Any

from sverdrup.page import units


def _size(count: float) -> str:
    return units.size(count).replace(units.SPACE, " ")


def _rows(rows: Sequence[Sequence[str]], right: Iterable[int]) -> list[str]:
    """Aligned columns; those of the numbers `right` end with their column."""
    widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]))]
    ends = set(right)
    lines = []
    for row in rows:
        cells = [cell.rjust(w) if i in ends else cell.ljust(w) for i, (cell, w) in enumerate(zip(row, widths))]
        lines.append("  ".join(cells).rstrip())
    return lines


def _records(stream: dict[str, Any]) -> int:
    return sum(file["records"] for file in stream["files"])


def _bytes(stream: dict[str, Any]) -> int:
    """Of all files."""
    return _records(stream) * stream["record_bytes"] + len(stream["files"]) * stream["fixed_bytes"]


def _streams(streams: list[dict[str, Any]]) -> list[str]:
    rows = [["stream", "every", "records", "files", "a record", "all files", "memory"]]
    for each in streams:
        records = _records(each)
        sizes = [_size(each["record_bytes"]), _size(_bytes(each)), _size(each["memory_bytes"])]
        rows.append([each["name"], each["frequency"], str(records), str(len(each["files"])), *sizes])
    total = sum(map(_bytes, streams))
    memory = sum(each["memory_bytes"] for each in streams)
    records, files = sum(map(_records, streams)), sum(len(each["files"]) for each in streams)
    rows.append(["all", "", str(records), str(files), "", _size(total), _size(memory)])
    return _rows(rows, range(2, 7))


def _names(stream: dict[str, Any]) -> str:
    names = [file["name"] for file in stream["files"]]
    if not names:
        return "no period ends within the run"
    return names[0] if len(names) == 1 else f"{names[0]} ... {names[-1]}"


def _variables(stream: dict[str, Any]) -> list[str]:
    rows = []
    for each in stream["variables"]:
        dims = ", ".join(f"{name} {length}" for name, length in each["dims"].items())
        memory = f"memory {_size(each['memory_bytes'])}" if each["memory_bytes"] else ""
        what = f"{each['operation']} of {each['field']}" if each["operation"] else f"{each['field']}, without time"
        rows.append([f"  {each['name']}", what, each["type"], f"({dims})", _size(each["bytes"]), memory])
    return _rows(rows, [4])


def _calendar(plan: dict[str, Any]) -> list[str]:
    """A line for each stream. A column is an equal part of the run."""
    width = max(len(each["name"]) for each in plan["streams"])
    lines = [f"{plan['begin']} to {plan['end']}, records in equal parts of the run (|: a new file, +: 10 or more)"]
    for each in plan["streams"]:
        begins = {file["part"] for file in each["files"]}
        marks = [" " if count == 0 else str(count) if count < 10 else "+" for count in each["calendar"]]
        marks = ["|" if part in begins else mark for part, mark in enumerate(marks)]
        lines.append(f"{each['name'].ljust(width)}  {''.join(marks).rstrip()}")
    return lines


def with_parts(plan: dict[str, Any], parts: int) -> dict[str, Any]:
    """The plan with fewer equal parts of the run, which divide those that it has."""
    streams = []
    for each in plan["streams"]:
        size = len(each["calendar"]) // parts
        calendar = [sum(each["calendar"][part * size : (part + 1) * size]) for part in range(parts)]
        files = [{**file, "part": file["part"] // size} for file in each["files"]]
        streams.append({**each, "calendar": calendar, "files": files})
    return {**plan, "streams": streams}


def text_of(plan: dict[str, Any]) -> str:
    if not plan["streams"]:
        return "The configuration has no streams.\n"
    lines = [*_streams(plan["streams"]), "", "Sizes are before compression. Memory is that of all ranks together.", ""]
    for each in plan["streams"]:
        lines += [f"{each['name']}: {_names(each)}", *_variables(each), ""]
    return "\n".join([*lines, *_calendar(plan)]) + "\n"
