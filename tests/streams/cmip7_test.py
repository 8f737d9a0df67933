"""Streams in the form of CMIP7: cmip7_test.py MPIRUN SV_COPY, in a folder of its own. The tables are small ones of the
test."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import netCDF4
import yaml

HERE = Path(__file__).parent
MPIRUN, COPY = sys.argv[1:]
YEARS = (0, 425)  # days: 14 months
DATASET = """\
dataset:
  experiment_id: piControl
  institution_id: SV
  source_id: SV-1
  variant_label: r1i1p1f2
  grid_label: g1
  nominal_resolution: 2500 km
  license_id: CC0-1.0
  version: v20261130
file_period: 1 year
compression: deflate:1
variables:
  tas_tavg-h2m-hxy-u: {field: t2m, frequency: mon}
"""
AXIS = {"bounds_values": "", "generic_level_name": "", "must_have_bounds": "yes", "positive": "", "requested": "",
        "stored_direction": "increasing", "value": "", "long_name": ""}  # fmt: skip
REQUIRED = """Conventions activity_id area_label branded_variable branding_suffix creation_date data_specs_version
drs_specs experiment_id forcing_index frequency grid_label horizontal_label initialization_index institution_id
license_id mip_era nominal_resolution physics_index product realization_index realm region source_id temporal_label
tracking_id variable_id variant_label vertical_label""".split()


def coordinate(out_name, axis, units, standard_name, **more):
    return AXIS | {"out_name": out_name, "axis": axis, "units": units, "standard_name": standard_name} | more


VOCABULARY = {
    "required_global_attributes": REQUIRED, "mip_era": "CMIP7", "drs_specs": "MIP-DRS7",
    "data_specs_version": "MIP-DS7.1.0.0", "tracking_prefix": "hdl:21.14107", "Conventions": ["CF-1.11"],
    "institution_id": {"SV": "Sverdrup"}, "source_id": {"SV-1": {"source": "SV-1: a model"}},
    "experiment_id": {"piControl": {"activity_id": ["CMIP"], "description": "control", "parent_experiment_id": []}},
    "license": {"license_id": {"CC0-1.0": {"license_type": "CC0", "license_url": "https://x"}},
                "license_template": "<license_id>; data of <institution_id> (<license_url>)"},
    "nominal_resolution": ["100 km", "2500 km"], "frequency": {"mon": "", "day": ""}, "region": {"glb": ""},
    "grid_label": {"g1": ""}, "forcing_index": ["^f[[:digit:]]\\{1,\\}$"],
}  # fmt: skip
TAS = {"cell_methods": "area: time: mean", "comment": "", "dimensions": ["longitude", "latitude", "time", "height2m"],
       "long_name": "Near-Surface Air Temperature", "out_name": "tas", "positive": "",
       "standard_name": "air_temperature", "units": "K"}  # fmt: skip
TABLES = {
    "cmor-cvs": {"CV": VOCABULARY},
    "CMIP7_coordinate": {"axis_entry": {
        "longitude": coordinate("lon", "X", "degrees_east", "longitude"),
        "latitude": coordinate("lat", "Y", "degrees_north", "latitude"),
        "time": coordinate("time", "T", "days since ?", "time"),
        "height2m": coordinate("height", "Z", "m", "height", value="2.", positive="up", must_have_bounds="no"),
    }},
    "CMIP7_cell_measures": {"cell_measures": {"atmos.tas.tavg-h2m-hxy-u.mon.glb": "area: areacella"}},
    "CMIP7_long_name_overrides": {"long_name_overrides": {}},
}  # fmt: skip


def check(holds, what):
    if not holds:
        sys.exit(f"wrong: {what}")


def run(*command, expected=0, **variables):
    done = subprocess.run(command, env=os.environ | variables, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          text=True, timeout=50)  # fmt: skip
    check(done.returncode == expected, f"{' '.join(command)} ended with {done.returncode}: {done.stdout}")
    return done.stdout


def model(ranks, days, saves="", units="K", expected=0, **variables):
    command = [sys.executable, str(HERE / "cmip7_model.py"), *map(str, days), saves, units]
    return run(MPIRUN, str(ranks), *command, expected=expected, SOURCE_DATE_EPOCH="1700000000", **variables)


def prepare(dataset, expected=0):
    Path("dataset.yaml").write_text(dataset)
    return run(sys.executable, "-m", "sverdrup", "cmip7", "dataset.yaml", "--tables", "tables", "--fields", "fields.yaml",
               "--make-folders", expected=expected)  # fmt: skip


def files_of(*runs):
    """The files of runs of the model, as bytes by name; they are moved away."""
    shutil.rmtree("MIP-DRS7", ignore_errors=True)
    Path("sverdrup.yaml").write_text(prepare(DATASET))
    for ranks, days, saves in runs:
        model(ranks, days, saves, SV_CONFIG="sverdrup.yaml")
    return {path.name: path.read_bytes() for path in Path("MIP-DRS7").rglob("*") if path.is_file()}


def contents(files):
    """Attributes and values. How chunks are ordered in a file depends on the number of ranks."""
    found = {}
    for name, data in files.items():
        with netCDF4.Dataset("in memory", memory=data) as file:
            file.set_auto_maskandscale(False)
            found[name] = {None: file.__dict__}
            for key, variable in file.variables.items():
                texts = {attribute: str(value) for attribute, value in variable.__dict__.items()}
                found[name][key] = (variable.dimensions, variable.dtype, texts, variable[...].tobytes())
    return found


def name(span):
    return f"tas_tavg-h2m-hxy-u_mon_glb_g1_SV-1_piControl_r1i1p1f2_{span}.nc"


def check_file(path):
    program = os.path.join(os.path.dirname(sys.executable), "check_cmip7_packing")
    check("PASS" in run(sys.executable, program, path), "check_cmip7_packing")
    with netCDF4.Dataset(path) as file:
        tas = file["tas"]
        check(tas.dimensions == ("time", "lat", "lon") and tas.dtype == "f4", "the variable")
        check((tas.units, tas.cell_methods, tas.cell_measures) == ("K", "area: time: mean", "area: areacella"), "attributes")
        check(tas.missing_value.dtype == "f4" and "ancillary_variables" not in tas.ncattrs(), "attributes of values")
        check(tas.coordinates == "height" and file["height"][...] == 2 and file["height"].positive == "up", "the height")
        check(set(file.variables) == {"time", "time_bnds", "lat", "lat_bnds", "lon", "lon_bnds", "height", "tas"}, "variables")
        check(file.creation_date == "2023-11-14T22:13:20Z" and file.forcing_index == "f2", "global attributes")
        check(file.license == "CC0-1.0; data of SV (https://x)" and file.external_variables == "areacella", "license")
        return file.tracking_id


def check_keys():
    keys = "frequency: [mon, day], long_name: Air at 2 m"
    streams = yaml.safe_load(prepare(DATASET.replace("frequency: mon", keys)))["streams"]
    check(sorted(streams) == [f"tas_tavg-h2m-hxy-u_{each}" for each in ("day", "mon")], f"the frequencies: {list(streams)}")
    names = {stream["fields"][0]["t2m"]["attributes"]["long_name"] for stream in streams.values()}
    check(names == {"Air at 2 m"}, f"the long name: {names}")


def check_refusals():
    said = prepare(DATASET.replace("  nominal_resolution: 2500 km\n", ""), expected=1)
    check("dataset.yaml:2: 'nominal_resolution' is missing" in said and "Give 100 km, 2500 km" in said, said)
    said = prepare(DATASET.replace("grid_label: g1", "grid_label: g7"), expected=1)
    check("dataset.yaml:6: grid_label 'g7' is not in the vocabularies" in said, said)
    fields = Path("fields.yaml").read_text()
    Path("fields.yaml").write_text(fields.replace('"K"', '"degC"'))
    said = prepare(DATASET, expected=1)
    check("dataset.yaml:13: field 't2m' has the units 'degC'" in said, said)
    Path("fields.yaml").write_text(fields)
    said = model(1, YEARS, units="degC", expected=1, SV_CONFIG="sverdrup.yaml")
    check("has the units 'degC', but 'K' are required" in said, said)


def check_copied(alone):
    """sv-copy makes the same files from a plain file of daily means, and its list of fields."""
    daily = "streams: {daily: {file: daily.nc, frequency: 1 day, operation: mean, type: double, fields: [t2m]}}\n"
    Path("daily.yaml").write_text(daily)
    Path("none.yaml").write_text("streams: {}\n")
    Path("daily.nc").unlink(missing_ok=True)
    model(3, YEARS, SV_CONFIG="daily.yaml")
    run(MPIRUN, "2", COPY, "--streams", "none.yaml", "daily.nc", SV_STREAM_FIELDS="fields.yaml")
    shutil.rmtree("MIP-DRS7")
    Path("sverdrup.yaml").write_text(prepare(DATASET))
    run(MPIRUN, "2", COPY, "--streams", "sverdrup.yaml", "daily.nc", SOURCE_DATE_EPOCH="1700000000")
    made = {path.name: path.read_bytes() for path in Path("MIP-DRS7").rglob("*") if path.is_file()}
    check(contents(made) == contents(alone), "sv-copy makes other files than the model")


def main():
    shutil.rmtree("tables", ignore_errors=True)
    Path("tables").mkdir()
    realms = ("aerosol", "atmos", "atmosChem", "land", "landIce", "ocean", "ocnBgchem", "seaIce")
    empty = {f"CMIP7_{realm}": {"variable_entry": {}} for realm in realms}
    for key, table in (empty | TABLES | {"CMIP7_atmos": {"variable_entry": {"tas_tavg-h2m-hxy-u": TAS}}}).items():
        Path("tables", f"{key}.json").write_text(json.dumps(table))
    model(1, (0, 0), SV_STREAM_FIELDS="fields.yaml")

    alone = files_of((1, YEARS, ""))
    check(sorted(alone) == [name("185001-185012"), name("185101-185102")], f"the names: {sorted(alone)}")
    paths = sorted(str(path) for path in Path("MIP-DRS7").rglob("*.nc"))
    folder = "MIP-DRS7/CMIP7/CMIP/SV/SV-1/piControl/r1i1p1f2/glb/mon/tas/tavg-h2m-hxy-u/g1/v20261130"
    check(os.path.dirname(paths[0]) == folder, f"the folder: {paths[0]}")
    ids = [check_file(path) for path in paths]
    check(ids[0] != ids[1] and all(each.startswith("hdl:21.14107/") for each in ids), f"the identifiers: {ids}")
    # A saved state ends a file, in the middle of a month too; a run that continues begins the next one.
    saved = files_of((3, YEARS, "100"))
    check(sorted(saved) == [name(span) for span in ("185001-185003", "185004-185012", "185101-185102")], f"{sorted(saved)}")
    check(files_of((3, (0, 100), "100"), (3, (100, YEARS[1]), "")) == saved, "a run in two parts has other bytes")
    check(contents(files_of((3, YEARS, ""))) == contents(alone), "three ranks write other values or attributes")
    check_copied(alone)
    check_keys()
    check_refusals()


main()
