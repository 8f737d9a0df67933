"""The global attributes of a dataset's files."""

import re
from typing import Any

from sverdrup.cmip7.dataset import Keys
from sverdrup.cmip7.tables import Tables, Variable

_OF_PARENT = (
    "branch_time_in_child", "branch_time_in_parent", "parent_activity_id", "parent_experiment_id", "parent_mip_era",
    "parent_source_id", "parent_time_units", "parent_variant_label",
)  # fmt: skip


def _described(tables: Tables, given: Keys) -> dict[str, Any]:
    """The texts that explain identifiers of the dataset."""
    words = tables.vocabulary
    made: dict[str, Any] = {}
    if given.get("institution_id") in words["institution_id"]:
        made["institution"] = words["institution_id"][given["institution_id"]]
    if given.get("source_id") in words["source_id"]:
        made["source"] = words["source_id"][given["source_id"]]["source"]
    experiment = words["experiment_id"].get(given.get("experiment_id"))
    if experiment is not None:
        made["experiment"] = experiment["description"]
        if len(experiment["activity_id"]) == 1:
            made["activity_id"] = experiment["activity_id"][0]
    if given.get("license_id") in words["license"]["license_id"]:
        terms = dict(words["license"]["license_id"][given["license_id"]], **given)
        made["license"] = re.sub(
            r"<(\w+)>", lambda match: str(terms.get(match.group(1), "")), words["license"]["license_template"]
        )
    return made


def _labels(variable: Variable, frequency: str) -> dict[str, str]:
    temporal, vertical, horizontal, area = variable.suffix.split("-")
    return {
        "branded_variable": variable.branded, "branding_suffix": variable.suffix, "variable_id": variable.name,
        "temporal_label": temporal, "vertical_label": vertical, "horizontal_label": horizontal, "area_label": area,
        "realm": variable.realm, "frequency": frequency,
    }  # fmt: skip


def _indices(given: Keys) -> dict[str, str]:
    label = str(given.get("variant_label", ""))
    parts = re.fullmatch(r"(r\d+)(i\d+[a-e]?)(p\d+)(f\d+)", label)
    if parts is None:
        raise given.wrong("variant_label", f"bad variant_label '{label}'", "Give, for example, r1i1p1f1")
    names = ("realization_index", "initialization_index", "physics_index", "forcing_index")
    return dict(zip(names, parts.groups()))


def cell_measures(tables: Tables, keys: Keys, compound: str) -> str:
    """`keys`: of the variable."""
    text = keys.get("cell_measures", tables.cell_measures(compound))
    if text is None:
        raise keys.wrong("", f"'cell_measures' is missing, which the request leaves to the modeller for {compound}",
                         "Give, for example, 'area: areacello', or an empty text")  # fmt: skip
    return str(text)


def global_attributes(tables: Tables, given: Keys, variable: Variable, frequency: str) -> dict[str, Any]:
    """Raises Cmip7Error where the vocabularies require another attribute, or another value."""
    words = tables.vocabulary
    made: dict[str, Any] = {
        "Conventions": "CF-1.11", "region": "glb", "mip_era": words["mip_era"], "drs_specs": words["drs_specs"],
        "data_specs_version": words["data_specs_version"], "product": "model-output",
        "creation_date": "{now}", "tracking_id": words["tracking_prefix"] + "/{uuid}",
    }  # fmt: skip
    made |= _described(tables, given) | {key: value for key, value in given.items() if key != "version"}
    made |= _indices(given) | _labels(variable, frequency)
    made.setdefault("title", f"{variable.entry['long_name']} of {made.get('source_id')}, {made.get('experiment_id')}")
    made.setdefault("history", "{now}: written by the model through Sverdrup")
    experiment = words["experiment_id"].get(made.get("experiment_id"), {})
    required = list(words["required_global_attributes"])
    if [each for each in experiment.get("parent_experiment_id", []) if each]:
        required += _OF_PARENT
    for name in required:
        if made.get(name, "") == "":
            raise given.wrong(name, f"'{name}' is missing, which the vocabularies require", tables.examples(name))
    for name, value in made.items():
        if name not in ("creation_date", "tracking_id", "license") and not tables.permits(name, str(value)):
            raise given.wrong(name, f"{name} '{value}' is not in the vocabularies", tables.examples(name))
    if made["activity_id"] not in experiment["activity_id"]:
        remedy = "Give " + " or ".join(experiment["activity_id"])
        raise given.wrong("activity_id", f"experiment {made['experiment_id']} is not of {made['activity_id']}", remedy)
    return made
