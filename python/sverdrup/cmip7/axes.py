"""The axes of a model's field in the form that the request has them."""

from dataclasses import dataclass, field
from typing import Any

from sverdrup.cmip7.dataset import Keys
from sverdrup.cmip7.tables import Tables, Variable

_ATTRIBUTES = ("standard_name", "long_name", "units", "axis", "positive")


@dataclass
class Coordinates:
    axes: dict[str, Any] = field(default_factory=dict)
    scalars: dict[str, Any] = field(default_factory=dict)


def _attributes(entry: dict[str, Any]) -> dict[str, str]:
    return {name: entry[name] for name in _ATTRIBUTES if entry[name]}


def _entry_of(tables: Tables, dimension: str, axes: dict[str, Any]) -> dict[str, Any] | None:
    """Of a generic level, the coordinate whose standard name an axis of the model has."""
    if dimension in tables.coordinates:
        known: dict[str, Any] = tables.coordinates[dimension]
        return known
    names = {axis.get("standard_name") for axis in axes.values()}
    for entry in tables.coordinates.values():
        if entry["generic_level_name"] == dimension and entry["standard_name"] in names:
            made: dict[str, Any] = entry
            return made
    return None


def _check(given: Keys, name: str, axis: dict[str, Any], entry: dict[str, Any]) -> None:
    place = f"axis '{name}' of the model"
    if axis.get("units") != entry["units"]:
        raise given.wrong("field", f"{place} has the units '{axis.get('units')}', but the request {entry['units']}",
                          "Declare the axis in these units")  # fmt: skip
    if entry["must_have_bounds"] == "yes" and "bounds" not in axis:
        raise given.wrong("field", f"{place} has no bounds, which the request demands", "Declare them in the model")
    values = axis.get("values", [])
    if sorted(values, reverse=entry["stored_direction"] == "decreasing") != values:
        raise given.wrong("field", f"{place} is not {entry['stored_direction']}", "Turn it in the model")
    if entry["requested"] and [float(each) for each in entry["requested"]] != values:
        raise given.wrong("field", f"{place} has other values than the request ({' '.join(entry['requested'])})",
                          "Send the field on these levels")  # fmt: skip


def coordinates_of(tables: Tables, given: Keys, variable: Variable, axes: dict[str, Any]) -> Coordinates:
    """`axes`: of the model's field, by name. Raises Cmip7Error where the field lacks one of the request's."""
    made = Coordinates()
    left = dict(axes)
    for dimension in variable.entry["dimensions"]:
        entry = _entry_of(tables, dimension, axes)
        if entry is None:
            problem = f"{variable.branded} needs the axis '{dimension}', which the field does not have"
            raise given.wrong("field", problem, "Send a field with an axis whose standard_name the tables know")
        if entry["axis"] == "T":
            continue
        if entry["value"]:
            keys = {"value": float(entry["value"]), "attributes": _attributes(entry)}
            made.scalars[entry["out_name"]] = keys
            continue
        name = next((name for name, axis in left.items() if axis.get("standard_name") == entry["standard_name"]), None)
        if name is None:
            raise given.wrong("field", f"{variable.branded} needs an axis of {entry['standard_name']}",
                              "Send a field on such an axis; curvilinear grids are not supported")  # fmt: skip
        _check(given, name, left.pop(name), entry)
        made.axes[name] = {"name": entry["out_name"], "attributes": _attributes(entry)}
    if left:
        raise given.wrong("field", f"{variable.branded} has no axis like '{next(iter(left))}' of the field",
                          "Reduce the field, or take another variable of the request")  # fmt: skip
    return made
