"""`sverdrup streams`: the plan of a run, refusals, and FMS's diag_table as streams."""

import json
import sys
from pathlib import Path

import pytest
import yaml

sys.path.insert(0, str(Path(__file__).parents[2] / "python"))

from sverdrup.cli import main  # noqa: E402

FIELDS = """
calendar: noleap
begin: 2001-01-16
step_seconds: 3600
axes:
  lev: {values: [5, 15, 25], units: m, axis: Z}
  lat: {length: 180}
  lon: {length: 360}
fields:
  temp: {axes: [lev, lat, lon], file_type: float, fill_value: 1e20}
  sst: {axes: [lat, lon], type: float, units: K, cell_measures: "area: area"}
  area: {axes: [lat, lon], static: true}
"""
CONFIG = """
streams:
  daily:
    file: "ocean_%Y-%m.nc"
    frequency: 24 hours
    fields: [temp: {operation: mean, slices: {lev: "0:2"}}, sst: {operation: variance, name: sst_variance}]
  snapshots:
    file: "snap_%Y%m%d.nc"
    frequency: 12 hours
    fields: [sst]
"""


@pytest.fixture
def folder(tmp_path, monkeypatch):
    (tmp_path / "fields.yaml").write_text(FIELDS)
    (tmp_path / "c.yaml").write_text(CONFIG)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def plan(*more, end="2001-03-01"):
    return main(["streams", "c.yaml", "--fields", "fields.yaml", "--end", end, *more])


def test_the_plan_has_files_records_sizes_and_memory(folder, capsys):
    assert plan("--json") == 0
    made = json.loads(capsys.readouterr().out)
    daily, snapshots = made["streams"]
    files = [(file["name"], file["records"]) for file in daily["files"]]
    assert files == [("ocean_2001-01.nc", 16), ("ocean_2001-02.nc", 28)]
    temp, sst, area = daily["variables"]
    assert daily["fixed_bytes"] == area["bytes"] == 180 * 360 * 8 and area["operation"] == ""
    assert temp["dims"] == {"lev": 2, "lat": 180, "lon": 360} and temp["bytes"] == 2 * 180 * 360 * 4
    assert sst["bytes"] == 180 * 360 * 4 and daily["record_bytes"] == temp["bytes"] + sst["bytes"] + 3 * 8
    assert temp["memory_bytes"] == 2 * 180 * 360 * 16 and daily["frequency"] == "1 day"
    assert len(snapshots["files"]) == 45 and snapshots["memory_bytes"] == 0  # the last one is at the end of the run
    assert sum(snapshots["calendar"]) == 88 and len(snapshots["calendar"]) == 60


def test_the_tables_have_a_line_for_each_stream_and_a_calendar(folder, capsys):
    assert plan() == 0
    text = capsys.readouterr().out
    row = next(line for line in text.splitlines() if line.startswith("daily"))
    assert row.split()[:5] == ["daily", "1", "day", "44", "2"]
    assert "ocean_2001-01.nc ... ocean_2001-02.nc" in text and "variance of sst" in text
    assert text.splitlines()[-2].startswith("daily       |") and text.splitlines()[-2].count("|") == 2


def test_the_plan_becomes_a_case_and_a_picture(folder, capsys):
    assert plan() == 0
    text = capsys.readouterr().out
    assert plan("--describe", "case.json", "--ranks", "16", "--svg", "calendar.svg") == 0
    assert capsys.readouterr().out == text
    case = json.loads((folder / "case.json").read_text())
    first = case["files"][0]
    assert case["ranks"] == 16 and case["steps"] == 44 * 24 and first["after"] == [24 * day for day in range(1, 17)]
    area = {"shape": [180, 360], "type": "double", "count": 1, "records": 0}
    assert first["variables"][2] == area and first["variables"][0]["records"] == 16
    picture = (folder / "calendar.svg").read_text()
    assert picture.count("<rect") == 47 and "snap_20010201.nc: 2 records" in picture
    assert plan("--step", "0", "--describe", "case.json") == 1 and "--step" in capsys.readouterr().err


@pytest.mark.parametrize(
    "old, new, words",
    [
        ("[sst]", "[salt]", ["c.yaml:10", "'salt'", "temp, sst"]),
        ("12 hours", "90 minutes", ["c.yaml:7", "not a multiple of the step of 3600 seconds"]),
        ("snap_%Y%m%d.nc", "ocean_%Y-%m.nc", ["have the same file"]),
        ("variance", "median", ["bad value 'median'", "mean, min"]),
    ],
)
def test_it_refuses_what_the_run_would_refuse(folder, capsys, old, new, words):
    (folder / "c.yaml").write_text(CONFIG.replace(old, new))
    assert plan() == 1
    error = capsys.readouterr().err
    assert all(word in error for word in words), error


def test_wrong_lists_of_fields_and_dates(folder, capsys):
    assert plan(end="2001-01-01") == 1 and "Give a later --end" in capsys.readouterr().err
    assert plan(end="2001-02-30") == 1 and "no date 2001-02-30" in capsys.readouterr().err
    (folder / "fields.yaml").write_text(FIELDS.replace("lat, lon], type", "lat, x], type"))
    assert plan() == 1 and "fields.yaml:11: there is no axis 'x'" in capsys.readouterr().err
    assert main(["streams", "c.yaml"]) == 2


LINES = """"a test of FMS"
1979 1 1 0 0 0
# files
"atmos_daily%4yr%2mo",  24, "hours", 1, "days", "time", 1, "months"
"atmos_8xdaily", 3, "hours", 1, "hours", "Time"
"static", -1, "months", 1, "days", "time",
'ocean%4yr%3dy', 1, "days", 1, "months", "time", 10, "days", "1979 1 7 0 0 0", 5, "years"

 "moist", "precip", "pr", "atmos_daily%4yr%2mo", "all", .true., "none", 2
 "dynamics", "ps", "ps", "atmos_daily%4yr%2mo", "all", "max", "none", 1,
 "dynamics", "ucomp", "ua", "atmos_8xdaily", "all", .false., "5 259.5 -59.5 59.5 -1 -1", 2
 "dynamics", "vcomp", "va", "atmos_8xdaily", "all", "diurnal24", "none", 4
 "dynamics", "tsq", "tsq", "atmos_8xdaily", "all", "pow2", "none", 2
 "dynamics", "zsurf", "zsurf", "static", "all", .false., "none", 2
 "ocean_mod", "temp", "temp", "ocean%4yr%3dy", "all", rms, "none", 2
 "ocean_mod", "salt", "salt", "null", "all", .true., "none", 2
"""


def convert(folder, capsys, text):
    (folder / "table").write_text(text)
    assert main(["streams", "--from-diag-table", "table"]) == 0
    done = capsys.readouterr()
    return yaml.safe_load(done.out)["streams"], done.err


def test_diag_table_becomes_streams(folder, capsys):
    streams, notes = convert(folder, capsys, LINES)
    assert list(streams) == ["atmos_daily", "atmos_8xdaily_instant", "atmos_8xdaily", "ocean"]
    daily = streams["atmos_daily"]
    assert daily["file"] == "atmos_daily_%Y_%m.nc" and daily["frequency"] == "24 hours"
    assert daily["time_units"] == "days since 1979-01-01 00:00:00" and daily["attributes"] == {"title": "a test of FMS"}
    assert daily["fields"] == [
        {"precip": {"operation": "mean", "name": "pr", "type": "float"}},
        {"ps": {"operation": "max", "type": "double"}},
    ]
    assert streams["atmos_8xdaily_instant"]["fields"][0]["ucomp"]["box"] == {"X": [5, 259.5], "Y": [-59.5, 59.5]}
    assert streams["atmos_8xdaily"]["fields"] == [{"vcomp": {"operation": "diurnal:24", "name": "va", "type": "float"}}]
    assert streams["ocean"]["file"] == "ocean_%Y_%j.nc" and streams["ocean"]["time_units"].startswith("days since")
    for words in ("'static': output at the end", "there is no operation 'pow2'", "one for each year", "not packed",
                  "start time and duration", "10 days", "unit of time is days, not months", "*_instant"):  # fmt: skip
        assert words in notes, (words, notes)
    assert "salt" not in json.dumps(streams) + notes and "atmos_daily" not in notes


YAML = """
title: test
base_date: 2 1 1 0 0 0
diag_files:
- file_name: wild%4yr%2mo%2dy%2hr
  freq: 6 hours
  time_units: hours
  unlimdim: time
  new_file_freq: 6 hours
  start_time: 2 1 1 0 0 0
  file_duration: 12 hours
  varlist:
  - {module: ocean, var_name: sst, out_name: t, reduction: average, kind: r4, zbounds: 1 100}
  global_meta:
  - {is_a_file: true}
- file_name: normal
  freq: 24 days, 1 days
  time_units: hours
  unlimdim: records
  reduction: min
  kind: r8
  module: ocean
  varlist:
  - {var_name: sst, long_name: S S T, attributes: [{do_sst: .true.}]}
  - {var_name: sss, write_var: false}
  sub_region:
  - {grid_type: latlon, corner1: "-80, 0", corner2: "-80, 75", corner3: "-60, 0", corner4: "-60, 75"}
- file_name: other
  freq: 0
  time_units: hours
  unlimdim: time
  varlist:
  - {module: ice, var_name: sst, reduction: none, kind: r4}
  sub_region:
  - {grid_type: indices, tile: 1, corner1: "10, 15", corner2: "20, 15", corner3: "10, 25", corner4: "20, 25"}
"""


def test_diag_table_yaml_becomes_streams(folder, capsys):
    streams, notes = convert(folder, capsys, YAML)
    wild, normal, other = (streams[name] for name in ("wild", "normal", "other"))
    assert wild["file"] == "wild_%Y_%m_%d_%H.nc" and wild["attributes"] == {"title": "test", "is_a_file": True}
    assert wild["fields"] == [{"sst": {"operation": "mean", "name": "t", "type": "float", "box": {"Z": [1, 100]}}}]
    assert normal["box"] == {"X": [-80, -60], "Y": [0, 75]} and normal["frequency"] == "24 days"
    attributes = {"do_sst": ".true.", "long_name": "S S T"}
    assert normal["fields"] == [{"sst": {"operation": "min", "type": "double", "attributes": attributes}}]
    assert other["slices"] == {"X": "9:20", "Y": "14:25"} and other["frequency"] == "1 step"
    for words in ("not its middle", "first one", "not records", "write_var", "is one of modules ice, ocean"):
        assert words in notes, (words, notes)


@pytest.mark.parametrize(
    "text, words",
    [
        ("title\n1 1 1 0 0\n", "line 2: the base date has not six numbers"),
        ('t\n1 1 1 0 0 0\n"m", "f", "o", "nowhere", "all", .true., "none", 2\n', "line 3: there is no file 'nowhere'"),
        ("t\n1 1 1 0 0 0\na, b\n", "line 3: a file has 6 words"),
        ("title: a\nbase_date: 1 1 1 0 0 0\ndiag_files:\n- freq: 1 days\n", "no key 'file_name'"),
    ],
)
def test_tables_that_are_wrong(folder, capsys, text, words):
    (folder / "table").write_text(text)
    assert main(["streams", "--from-diag-table", "table"]) == 1
    assert words in capsys.readouterr().err
