"""The streams of a dataset, as a configuration in YAML."""

import datetime
import struct
from typing import Any

import yaml

from sverdrup.cmip7.attributes import cell_measures, global_attributes
from sverdrup.cmip7.axes import coordinates_of
from sverdrup.cmip7.dataset import Keys
from sverdrup.cmip7.tables import Tables, Variable

_FREQUENCIES = {  # of the stream, and the dates in the file's name
    "yr": ("1 year", "%Y"), "mon": ("1 month", "%Y%m"), "day": ("1 day", "%Y%m%d"), "6hr": ("6 hours", "%Y%m%d%H%M"),
    "3hr": ("3 hours", "%Y%m%d%H%M"), "1hr": ("1 hour", "%Y%m%d%H%M"),
}  # fmt: skip
_OPERATIONS = {"tavg": "mean", "tpt": "instant", "tmax": "max", "tmin": "min", "tsum": "sum"}
_MISSING = 1e20


class _Text(str):
    """Quoted, since a stream's attribute is otherwise a number if it looks like one."""


def _quoted(dumper: yaml.SafeDumper, text: _Text) -> yaml.Node:
    return dumper.represent_scalar("tag:yaml.org,2002:str", str(text), style='"')


yaml.SafeDumper.add_representer(_Text, _quoted)


def _as_text(values: dict[str, Any]) -> dict[str, Any]:
    return {key: _Text(value) if isinstance(value, str) else value for key, value in values.items()}


def _same_units(one: str, other: str) -> bool:
    try:
        return one == other or float(one) == float(other)  # 1E-03 and 0.001
    except ValueError:
        return False


def _single(value: Any) -> bytes:
    """A number in single precision, as files have it."""
    return struct.pack("f", float("nan" if value is None else value))


def _field_keys(tables: Tables, keys: Keys, variable: Variable, compound: str, field: dict[str, Any]) -> dict[str, Any]:
    units = str(field.get("units", ""))
    if not _same_units(units, variable.entry["units"]):
        raise keys.wrong("field", f"field '{keys['field']}' has the units '{units}', but {variable.branded} "
                         f"'{variable.entry['units']}'", "Convert the values in the model")  # fmt: skip
    if _single(field.get("fill_value")) != _single(_MISSING):
        raise keys.wrong("field", f"field '{keys['field']}' has the fill value {field.get('fill_value')}",
                         "Declare it with 1e20, the missing value of CMIP7")  # fmt: skip
    attributes = {
        "standard_name": variable.entry["standard_name"],
        "long_name": keys.get("long_name") or tables.long_name(variable, compound),
        "units": variable.entry["units"], "cell_methods": variable.entry["cell_methods"],
        "cell_measures": cell_measures(tables, keys, compound), "comment": variable.entry["comment"],
        "positive": variable.entry["positive"], "ancillary_variables": "",
    }  # fmt: skip
    optional = ("comment", "positive")
    if _is_on_scale(attributes["standard_name"], variable.entry["units"]):
        attributes["units_metadata"] = "temperature: on_scale"  # CF, section 3.1.2
    attributes = {key: text for key, text in attributes.items() if text or key not in optional}
    made: dict[str, Any] = {"name": variable.name, "type": "float", "units": _Text(units)}
    made["attributes"] = _as_text(attributes) | {"missing_value": _MISSING}
    return made


def _is_on_scale(standard_name: str, units: str) -> bool:
    """Whether values are temperatures, or squares of them, and not differences."""
    differences = ("difference", "anomaly", "tendency", "change", "gradient")
    is_difference = any(word in standard_name for word in differences)
    return "temperature" in standard_name and units in ("K", "degC", "K2", "degC2") and not is_difference


def _stream(
    tables: Tables, document: Keys, branded: str, frequency: Any, model: dict[str, Any]
) -> tuple[str, dict[str, Any]]:
    keys, dataset = document.map("variables").map(branded), document.map("dataset")
    variable = tables.variable(branded)
    if variable is None:
        near = tables.like(branded)
        raise keys.wrong("", f"the request has no variable {branded}", "It has " + (", ".join(near) or "no such name"))
    if frequency not in _FREQUENCIES:
        raise keys.wrong("frequency", f"bad frequency '{frequency}'", "Give " + ", ".join(_FREQUENCIES))
    operation = _OPERATIONS.get(variable.suffix.split("-")[0])
    if operation is None:
        raise keys.wrong("", f"streams have no operation for {branded}", "Write it by other means")
    field = model["fields"].get(keys.get("field"))
    if field is None:
        names = ", ".join(model["fields"])
        raise keys.wrong("field", f"the model has no field '{keys.get('field')}'", f"It has {names}")
    attributes = global_attributes(tables, dataset, variable, frequency)
    compound = variable.compound(frequency, attributes["region"])
    measures = cell_measures(tables, keys, compound).split()
    if external := [each for each in measures if not each.endswith(":")]:
        attributes["external_variables"] = " ".join(external)
    axes = {name: model["axes"][name] for name in field.get("axes", [])}
    coordinates = coordinates_of(tables, keys, variable, axes)
    period, date = _FREQUENCIES[frequency]
    field_keys = _field_keys(tables, keys, variable, compound, field)
    if coordinates.scalars:
        field_keys["scalars"] = {
            name: {"value": each["value"], "attributes": _as_text(each["attributes"])}
            for name, each in coordinates.scalars.items()
        }
    folders = [
        "drs_specs", "mip_era", "activity_id", "institution_id", "source_id", "experiment_id", "variant_label",
        "region", "frequency", "variable_id", "branding_suffix", "grid_label",
    ]  # fmt: skip
    names = [
        "variable_id", "branding_suffix", "frequency", "region", "grid_label", "source_id", "experiment_id",
        "variant_label",
    ]  # fmt: skip
    version = str(dataset.get("version", datetime.date.today().strftime("v%Y%m%d")))
    folder = "/".join([str(attributes[each]) for each in folders] + [version])
    name = "_".join([str(attributes[each]) for each in names] + [f"{date}-{{{date}}}.nc"])
    return f"{branded}_{frequency}", {
        "file": f"{folder}/{name}",
        "file_period": str(keys.get("file_period", document.get("file_period", "10 years"))),
        "frequency": period,
        "operation": operation,
        "time_units": str(document.get("time_units", "days since 1850-01-01")),
        "axes": {axis: {**each, "attributes": _as_text(each["attributes"])} for axis, each in coordinates.axes.items()},
        "attributes": _as_text({key: attributes[key] for key in sorted(attributes)}),
        "fields": [{keys["field"]: field_keys}],
    }


def _requested(variables: Keys) -> list[tuple[str, Any]]:
    """Each variable with each of its frequencies: one of them, or a list."""
    made: list[tuple[str, Any]] = []
    for branded in variables:
        keys = variables.map(branded)
        keys.refuse_others(["field", "frequency", "file_period", "cell_measures", "long_name"])
        given = keys.get("frequency")
        made += [(branded, each) for each in (given if isinstance(given, list) else [given])]
    return made


def configuration(tables: Tables, document: Keys, model: dict[str, Any], output: str) -> dict[str, Any]:
    """The sections `files` and `streams`. `output`: the folder of the files. Raises Cmip7Error."""
    document.refuse_others(["dataset", "variables", "file_period", "time_units", "compression"])
    streams = {}
    for branded, frequency in _requested(document.map("variables")):
        name, keys = _stream(tables, document, branded, frequency, model)
        streams[name] = keys | {"file": f"{output}/{keys['file']}" if output else keys["file"]}
    pattern = (f"{output}/" if output else "") + tables.vocabulary["drs_specs"] + "/*"
    storage = {"format": "netcdf4", "compression": document.get("compression", "deflate:4"), "chunks": "auto"}
    return {"files": {pattern: storage}, "streams": streams}


def text_of(made: dict[str, Any]) -> str:
    return yaml.safe_dump(made, sort_keys=False, width=150, allow_unicode=True)
