"""Converts the table of FMS's diag_manager into the section `streams:`. It reads both forms: the lines of diag_table,
and diag_table.yaml, as NOAA-GFDL/FMS describes them in diag_manager/diag_table.F90 and diag_yaml_format.md."""

import csv
import re
from dataclasses import dataclass, field
from typing import Any

from sverdrup.streams import StreamsError

_DATE = {"yr": "%Y", "mo": "%m", "dy": "%d", "hr": "%H", "mi": "%M", "sc": "%S"}
_SPANS = {"yr": "years", "mo": "months", "dy": "days", "hr": "hours", "mi": "minutes", "sc": "seconds"}
_OPERATIONS = {
    ".true.": "mean", "true": "mean", "average": "mean", "avg": "mean", "mean": "mean", ".false.": "instant",
    "false": "instant", "none": "instant", "min": "min", "max": "max", "sum": "sum", "rms": "rms",
}  # fmt: skip
_TYPES = {"1": "double", "2": "float", "r4": "float", "r8": "double", "i4": "int", "i8": "int64"}


@dataclass
class _Field:
    module: str
    name: str
    output: str
    reduction: str
    kind: str
    keys: dict[str, Any] = field(default_factory=dict)  # more keys of the stream's field


@dataclass
class _File:
    name: str
    frequency: str  # "6 hours", "0", "-1"
    time_units: str
    new_file: str = ""  # how often a new one begins
    keys: dict[str, Any] = field(default_factory=dict)  # more keys of the stream
    fields: list[_Field] = field(default_factory=list)


class _Table:
    def __init__(self) -> None:
        self.title = ""
        self.base_date: list[int] = []
        self.files: dict[str, _File] = {}
        self.notes: list[str] = []

    def note(self, text: str) -> None:
        if text not in self.notes:
            self.notes.append(text)

    def set_base_date(self, numbers: list[str]) -> None:
        self.base_date = [int(number) for number in numbers]
        if len(self.base_date) != 6:
            raise ValueError("the base date has not six numbers")


def _box(numbers: list[float]) -> dict[str, Any]:
    """Of pairs for X, Y and Z; a pair of -1 is the whole axis."""
    pairs = zip("XYZ", numbers[0::2], numbers[1::2])
    return {axis: [low, high] for axis, low, high in pairs if not low == high == -1}


# ---- the lines of diag_table


def _words(line: str) -> list[str]:
    """The words between commas, without quotes and empty ones at the end."""
    words = [word.strip().strip("'\"").strip() for word in next(csv.reader([line], skipinitialspace=True))]
    while words and not words[-1]:
        words.pop()
    return words


def _file_of(words: list[str], table: _Table) -> None:
    name, frequency, unit, _, time_units, time_name = words[:6]
    made = _File(name, f"{frequency} {unit}" if int(frequency) > 0 else frequency, time_units)
    if time_name.lower() != "time":
        table.note(f"file '{name}': the time axis is named time, not {time_name}")
    if len(words) >= 8:
        made.new_file = f"{words[6]} {words[7]}"
    if len(words) >= 9:
        table.note(f"file '{name}': start time and duration; the stream writes during the whole run")
    table.files[name] = made


def _field_of(words: list[str], table: _Table) -> None:
    module, name, output, file, _, reduction, region, packing = words[:8]
    if file.lower() == "null":
        return
    if file not in table.files:
        raise ValueError(f"there is no file '{file}' before this line")
    made = _Field(module, name, output, reduction.lower(), packing)
    if region.lower() not in ("none", ""):
        made.keys["box"] = _box([float(each) for each in re.split(r"[\s,]+", region.strip())])
    if packing in ("4", "8"):
        table.note(f"field '{name}' of file '{file}': values are not packed into short integers")
        made.kind = "2"
    table.files[file].fields.append(made)


def _read_lines(text: str, table: _Table) -> None:
    lines = [(number, line.strip()) for number, line in enumerate(text.splitlines(), 1)]
    lines = [(number, line) for number, line in lines if line and not line.startswith("#")]
    for place, (number, line) in enumerate(lines):
        try:
            if place == 0:
                table.title = line.strip("'\" ")
                continue
            if place == 1:
                table.set_base_date(line.split("#")[0].replace(",", " ").split())
                continue
            words = _words(line)
            is_file = len(words) >= 6 and re.fullmatch(r"-?\d+", words[1]) is not None
            if not is_file and len(words) < 8:
                raise ValueError("a file has 6 words or more, and a field 8")
            (_file_of if is_file else _field_of)(words, table)
        except ValueError as error:
            raise StreamsError(f"line {number}: {error}. Compare it with FMS's description of diag_table") from error


# ---- diag_table.yaml


def _first(value: Any, what: str, table: _Table) -> str:
    """Of a list of timings ("6 hours, 3 hours")."""
    several = [each.strip() for each in str(value).split(",")]
    if len(several) > 1:
        table.note(f"{what}: of the timings '{value}', the stream has the first one")
    return several[0]


def _tidied(value: Any) -> Any:
    """Without keys that have no value, and with lists (of anchors) in lists as one."""
    if isinstance(value, dict):
        parts = {key: _tidied(each) for key, each in value.items()}
        return {key: each for key, each in parts.items() if each is not None and each != {} and each != []}
    if not isinstance(value, list):
        return value
    made: list[Any] = []
    for each in map(_tidied, value):
        made += each if isinstance(each, list) else [each] if each not in (None, {}) else []
    return made


def _attributes(given: Any) -> dict[str, Any]:
    return {name: value for each in given or [] for name, value in each.items()}


def _region_of(regions: list[dict[str, Any]], what: str, table: _Table) -> dict[str, Any]:
    region = regions[0]
    corners = [[float(each) for each in re.split(r"[\s,]+", str(region[f"corner{i}"]).strip())] for i in range(1, 5)]
    x, y = zip(*corners)
    if len(set(x)) > 2 or len(set(y)) > 2:
        table.note(f"{what}: the region has other sides than grid lines; the stream has the box around it")
    if region["grid_type"] == "latlon":
        return {"box": _box([min(x), max(x), min(y), max(y)])}
    if int(region.get("tile", 1)) != 1:
        table.note(f"{what}: the region is on tile {region['tile']}")
    sides = (("X", x), ("Y", y))
    return {"slices": {axis: f"{int(min(each)) - 1}:{int(max(each))}" for axis, each in sides}}  # FMS counts from 1


def _yaml_field(given: dict[str, Any], file: dict[str, Any], table: _Table) -> _Field | None:
    name = str(given["var_name"])
    what = f"field '{name}' of file '{file['file_name']}'"
    if given.get("write_var", True) is False:
        table.note(f"{what}: it is not written (write_var)")
        return None
    usual = {key: str(given.get(key, file.get(key, ""))) for key in ("module", "reduction", "kind")}
    made = _Field(
        usual["module"],
        name,
        str(given.get("out_name", given.get("output_name", name))),
        usual["reduction"].lower(),
        usual["kind"],
    )
    attributes = _attributes(given.get("attributes"))
    if "long_name" in given:
        attributes["long_name"] = given["long_name"]
    if attributes:
        made.keys["attributes"] = attributes
    if "zbounds" in given:
        made.keys["box"] = {"Z": [float(each) for each in re.split(r"[\s,]+", str(given["zbounds"]).strip())]}
    return made


def _yaml_file(given: dict[str, Any], table: _Table) -> None:
    name = str(given["file_name"])
    what = f"file '{name}'"
    if given.get("write_file", True) is False:
        table.note(f"{what}: it is not written (write_file)")
        return
    frequency = _first(given["freq"], what, table)
    made = _File(name, frequency if not frequency.startswith("-") else "-1", str(given["time_units"]))
    if str(given.get("unlimdim", "time")).lower() != "time":
        table.note(f"{what}: the time axis is named time, not {given['unlimdim']}")
    if "new_file_freq" in given:
        made.new_file = _first(given["new_file_freq"], what, table)
        if given.get("filename_time", "middle") != "begin":
            place = given.get("filename_time", "middle")
            table.note(f"{what}: names have the beginning of the first record, not its {place}")
    if "start_time" in given:
        table.note(f"{what}: start time and duration; the stream writes during the whole run")
    if given.get("is_ocean"):
        table.note(f"{what}: is_ocean; the ocean and the atmosphere read configurations of their own")
    if attributes := _attributes(given.get("global_meta")):
        made.keys["attributes"] = attributes
    if region := given.get("sub_region"):
        made.keys |= _region_of(region, what, table)
    fields = [_yaml_field(each, given, table) for each in given.get("varlist") or []]
    made.fields = [each for each in fields if each is not None]
    for each in made.fields:
        if "box" in each.keys:  # it replaces the stream's
            each.keys["box"] = made.keys.get("box", {}) | each.keys["box"]
    table.files[name] = made


def _read_yaml(document: dict[str, Any], table: _Table) -> None:
    try:
        table.title = str(document.get("title", ""))
        table.set_base_date(str(document.get("base_date", "")).replace(",", " ").split())
        for each in document.get("diag_files", []):
            _yaml_file(each, table)
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        cause = f"a file or field has no key {error}" if isinstance(error, KeyError) else str(error)
        raise StreamsError(f"{cause}. Compare it with FMS's description of diag_table.yaml") from error


# ---- streams


def _date_name(file: _File, table: _Table) -> str:
    """The template of the file's names: FMS writes _0001_01 for %4yr%2mo, and the day of the year without a month."""
    parts = re.findall(r"%\d+(yr|mo|dy|hr|mi|sc)", file.name)
    if not parts:
        table.note(f"file '{file.name}': one file for the whole run; the stream has one for each year")
        return file.name + "_%Y.nc"
    dates = {**_DATE, "dy": "%d" if "mo" in parts else "%j"}
    if file.new_file and file.new_file.lower().rstrip("s") != f"1 {_SPANS[parts[-1]]}".rstrip("s"):
        table.note(f"file '{file.name}': a new file after {file.new_file}; the stream begins one when the name changes")
    return re.sub(r"%\d+(yr|mo|dy|hr|mi|sc)", lambda match: "_" + dates[match[1]], file.name) + ".nc"


def _operation(given: _Field, what: str, table: _Table) -> str | None:
    if given.reduction.startswith("diurnal") and given.reduction[7:].isdigit():
        return f"diurnal:{int(given.reduction[7:])}"
    if given.reduction not in _OPERATIONS:
        table.note(f"{what}: there is no operation '{given.reduction}'; the field is left out")
        return None
    return _OPERATIONS[given.reduction]


def _time_units(file: _File, table: _Table) -> str | None:
    units = file.time_units.lower()
    if units not in ("days", "hours", "minutes", "seconds"):
        table.note(f"file '{file.name}': the unit of time is days, not {units}")
        units = "days"
    if not table.base_date or table.base_date[1] == 0:
        table.note("the base date is no date of a calendar; times are since 1900")
        return None
    y, *rest = table.base_date
    return "{} since {:04}-{:02}-{:02} {:02}:{:02}:{:02}".format(units, y, *rest)


def _stream_fields(file: _File, table: _Table) -> dict[str, list[Any]]:
    """The fields by the end of their stream's name. Instant values and others are apart, since a record has one time;
    and so are parts of fields, since a stream has one part of each axis."""
    kinds: dict[bool, list[tuple[str, dict[str, Any]]]] = {}
    for each in file.fields:
        operation = _operation(each, f"field '{each.name}' of file '{file.name}'", table)
        if operation is None:
            continue
        keys = {"operation": operation, "name": each.output, "type": _TYPES.get(each.kind), **each.keys}
        kept = {key: value for key, value in keys.items() if value and (key, value) != ("name", each.name)}
        kinds.setdefault(operation == "instant", []).append((each.name, kept))
    if len(kinds) > 1:
        table.note(f"file '{file.name}': instant values are in a stream and files of their own, *_instant")
    made: dict[str, list[Any]] = {}
    for is_instant, fields in kinds.items():
        boxes: list[Any] = []
        for name, keys in sorted(fields, key=lambda field: "box" in field[1]):
            if keys.get("box") not in boxes:
                boxes.append(keys.get("box"))
            part = boxes.index(keys.get("box"))
            end = ("_instant" if is_instant and len(kinds) > 1 else "") + (f"_part{part}" if part else "")
            made.setdefault(end, []).append({name: keys})
        if len(boxes) > 1:
            table.note(f"file '{file.name}': parts of fields are in streams and files of their own, *_part1 ...")
    return made


def _streams(table: _Table) -> dict[str, Any]:
    made: dict[str, Any] = {}
    for file in table.files.values():
        if file.frequency.startswith("-"):
            table.note(f"file '{file.name}': output at the end of the run only; there is no such stream")
            continue
        template = _date_name(file, table)
        stream = {"file": template, "frequency": "1 step" if file.frequency.split()[0] == "0" else file.frequency}
        if units := _time_units(file, table):
            stream["time_units"] = units
        keys = dict(file.keys)
        if table.title:
            keys["attributes"] = {"title": table.title, **keys.get("attributes", {})}
        name = re.sub(r"\W+", "_", re.sub(r"%\d+[a-z]{2}", "", file.name)).strip("_")
        for end, fields in _stream_fields(file, table).items():
            made[name + end] = {**stream, "file": f"{template.removesuffix('.nc')}{end}.nc", **keys, "fields": fields}
    return made


def _note_modules(table: _Table) -> None:
    modules: dict[str, set[str]] = {}
    for file in table.files.values():
        for each in file.fields:
            modules.setdefault(each.name, set()).add(each.module)
    for name, several in modules.items():
        if len(several) > 1:
            listed = ", ".join(sorted(several))
            table.note(f"field '{name}' is one of modules {listed}; a stream knows fields by name alone")


def convert(text: str, path: str) -> tuple[str, list[str]]:
    """The section `streams:`, and sentences about what it lacks. Raises StreamsError."""
    import yaml

    table = _Table()
    try:
        document = yaml.safe_load(text)
    except yaml.YAMLError:
        document = None
    try:
        if isinstance(document, dict) and "diag_files" in document:
            _read_yaml(_tidied(document), table)
        else:
            _read_lines(text, table)
    except StreamsError as error:
        raise StreamsError(f"{path}: {error}") from error
    _note_modules(table)
    return yaml.safe_dump({"streams": _streams(table)}, sort_keys=False, width=120), table.notes
