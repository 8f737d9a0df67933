"""Streams: streams_test.py CASE MODEL MPIRUN [ARGUMENT...], in a folder of its own. `languages` takes one program a
language. Cases that are no tests: campaign, kills and states, with a first seed and a number of runs."""
import fractions
import json
import os
import shutil
import subprocess
import sys

import netCDF4
import numpy
import random_streams
import reference
from comparing import compare
from model_run import CASE, MPIRUN, Clock, Run, check, contents, fresh, interrupted, launch, launch_well, run, run_well, same
from random_streams import ON_GRID, PLACES, SPACES, STATIONS, write_masks

# ---- the cases

ALL = """
streams:
  means:
    file: "means_%Y-%m.nc"
    frequency: 1 day
    operation: mean
    attributes: {title: daily means, answer: 42}
    fields: [temp, sst, ice, heat, runoff, wind, tri, deep, area]
""" + "".join(f"""
  {operation}:
    file: "{operation}_%Y.nc"
    frequency: 12 hours
    fields:
      "*": {{operation: {operation}, name: "*_{operation}"}}
""" for operation in reference.OPERATIONS) + """
  now:
    file: "now_%Y%m%d.nc"
    frequency: 6 hours
    fields: ["t*", heat: {type: float}]
  levels:
    file: "levels_%Y.nc"
    frequency: 12 hours
    operation: mean
    slices: {lev: "1:6:2"}
    fields: [temp, wind]
  level:
    file: "level_%Y.nc"
    frequency: 6 hours
    fields: [sst, temp: {slices: {lev: 4}}]
  months:
    file: "months_%Y.nc"
    frequency: month
    operation: max
    fields: {"s?t": {name: sst_max, attributes: {comment: "7"}}, temp: {chunks: [1, 2, 3, 6], compression: {codec: "deflate:1", shuffle: true}}}
"""
FIELDS = list(reference.NUMBERS)


def levels(chosen):
    return lambda found, valid: (found[chosen], valid[chosen])


def compare_all(folder, clock):
    def days(date):
        return date.hour == 0 and date.minute == 0

    compare(folder, clock, "means_%Y-%m.nc", {name: (name, "mean") for name in FIELDS}, days)
    for operation in reference.OPERATIONS:
        compare(folder, clock, f"{operation}_%Y.nc", {f"{name}_{operation}": (name, operation) for name in FIELDS},
                lambda date: date.hour % 12 == 0)
    compare(folder, clock, "now_%Y%m%d.nc", {"temp": ("temp", "instant")}, lambda date: date.hour % 6 == 0)
    halves, quarters = (lambda date: date.hour % 12 == 0), (lambda date: date.hour % 6 == 0)
    fields = {"temp": ("temp", "mean", levels(slice(1, 6, 2))), "wind": ("wind", "mean")}
    compare(folder, clock, "levels_%Y.nc", fields, halves)
    fields = {"temp": ("temp", "instant", levels(slice(4, 5))), "sst": ("sst", "instant")}
    compare(folder, clock, "level_%Y.nc", fields, quarters)
    compare(folder, clock, "months_%Y.nc", {"sst_max": ("sst", "max"), "temp": ("temp", "max")},
            lambda date: days(date) and date.day == 1)


def compare_plan(folder, clock):
    """sv-streams lists the files that there are, by the list of fields that the run wrote."""
    if "SV_TEST_PLANNER" not in os.environ:
        return
    end = clock.dates[-1].strftime("%Y-%m-%dT%H:%M:%S")
    command = [os.environ["SV_TEST_PLANNER"], "streams.yaml", "--fields", "fields.yaml", "--end", end]
    plan = json.loads(subprocess.run(command, cwd=folder, check=True, stdout=subprocess.PIPE, timeout=50).stdout)
    planned = {file["name"]: (file["records"], stream) for stream in plan["streams"] for file in stream["files"]}
    check(sorted(planned) == sorted(contents(folder)), f"files that are planned: {sorted(planned)}")
    for name, (records, stream) in planned.items():
        with netCDF4.Dataset(folder / name) as file:
            check(len(file.dimensions["time"]) == records, f"{name}: {records} records are planned")
            for variable in stream["variables"]:
                found = {dim: len(file.dimensions[dim]) for dim in file[variable["name"]].dimensions if dim != "time"}
                check(found == variable["dims"], f"{name}: {variable['name']} has {found}, not {variable['dims']}")


def case_operations():
    """Every operation on every field, against NumPy; the same bytes for other numbers of ranks, and with servers."""
    clock = Clock("noleap", (2000, 2, 27), [10800, 7200, 3600, 21600] * 8)
    folder = fresh("ranks1", ALL)
    os.environ["SV_STREAM_FIELDS"] = "fields.yaml"
    run_well(folder, clock)
    del os.environ["SV_STREAM_FIELDS"]
    compare_all(folder, clock)
    compare_plan(folder, clock)
    with netCDF4.Dataset(folder / "means_2000-02.nc") as file:
        found = (file.title, file.answer, file.Conventions)
        check(found == ("daily means", 42, "CF-1.11"), f"attributes of the file: {found}")
        check(file["temp"].standard_name == "sea_water_temperature" and file["temp"].units == "K", "attributes of temp")
        check(file["lat"][0] == -75 and file["lat_bnds"][0, 1] == -60 and file["lev"].positive == "down", "coordinates")
    with netCDF4.Dataset(folder / "levels_2000.nc") as file:
        check(list(file["lev"][:]) == [15, 35, 55], "coordinates of a slice")
    with netCDF4.Dataset(folder / "variance_2000.nc") as file:
        check(file["wind_variance"].units == "(m s-1)2", "units of a variance")
    with netCDF4.Dataset(folder / "months_2000.nc") as file:
        check(file["sst_max"].comment == "7", "a text that looks like a number")
    others = [Run(fresh(how, ALL), clock, options=(f"async={how}",)) for how in ("threads", "servers:1")]
    launch_well(5, *others)
    for other in others:
        same(contents(folder), contents(other.folder), f"one rank, and {other.options}")


RESTART = """
streams:
  state: "restart/%Y%m%dT%H%M%S.nc"
  sums:
    file: "sums_%Y-%m.nc"
    frequency: 1 day
    fields:
      - temp: {operation: mean}
      - wind: {operation: variance}
      - "*": {operation: range, name: "*_range"}
      - sst: {operation: count, name: n}
  steps:
    file: "steps_%Y.nc"
    frequency: 6 steps
    operation: mean
    fields: [sst, heat]
  months:
    file: "months_%Y.nc"
    frequency: 1 month
    operation: first
    fields: [ice, runoff]
"""


def case_restart():
    """Runs that are killed at each kind of moment, and continued by other numbers of ranks, write the same bytes."""
    clock = Clock("360_day", (1999, 12, 29, 6), [10800] * 28)
    os.environ["SV_TEST_SPARSE"] = "1"
    whole = fresh("whole", RESTART)
    (whole / "restart").mkdir()
    run_well(whole, clock, 2, events={len(clock.dates) - 1: "save"})
    check(len(list((whole / "restart").iterdir())) == 1, "the state of the last step")
    folder = fresh("killed", RESTART)
    (folder / "restart").mkdir()
    stops = [(7, "before"), (11, "within"), (18, "unended"), (24, "after")]
    interrupted(folder, clock, stops, (4, 9, 13, 20, 28), (3, 1, 5, 2, 4))
    same(contents(whole), contents(folder), "a run and one that was killed")
    same(contents(whole / "restart"), {name: data for name, data in contents(folder / "restart").items()
                                       if name in contents(whole / "restart")}, "the states")
    text = run(folder, clock, 2, begin=5, end=6)
    check("nothing was saved at this date" in text and text.count("status 8") == 2, text)


REFUSED = [
    ("a: {file: x_%Y.nc, frequency: 1 day, fields: [salt]}", [":3", "'salt'", "temp, sst"]),
    ("a: {file: x_%Y.nc, frequency: 1 day, fields: ['q*']}", [":3", "'q*'"]),
    ("a: {file: x_%Y.nc, frequency: 1 dya, fields: [sst]}", [":3", "bad frequency '1 dya'"]),
    ("a: {file: x_%Y.nc, frequency: 1 day, fields: [sst], operaton: mean}", ["unknown key 'operaton'", "operation"]),
    ("a: {file: x_%Y.nc, frequency: 1 day, fields: [{sst: {operation: median}}]}", ["bad value 'median'", "mean, min"]),
    ("state: x.nc", ["'x.nc' has no date field"]),
    ("a: {file: x_%Y.nc, frequency: 1 day, fields: [sst]}\n  b: {file: x_%Y.nc, frequency: 2 days, fields: [ice]}",
     [":4", "'a' and 'b' have the same file"]),
    ("a: {file: x_%Y.nc, frequency: 1 day, operation: mean, fields: [ice: {type: int}]}", ["'mean' is no integer"]),
    ("a: {file: x_%Y.nc, frequency: 1 day, fields: [sst, ice: {operation: max}]}", ["a record has one time"]),
    ("a: {file: x_%Y.nc, frequency: 1 day, fields: [sst, ice: {name: sst}]}", ["two variables 'sst'"]),
    ("a: {file: x_%Y.nc, frequency: 1 day, fields: [sst: {name: lat}]}", ["'lat' is that of a coordinate"]),
    ("a: {file: x_%Y.nc, frequency: 7 steps, fields: [sst]}", ["whose length varies"]),
    ("a: {file: x_%Y.nc, frequency: 1 day, fields: [temp: {type: short}]}", ["fill value", "does not fit"]),
    ("a: {file: x_%Y.nc, frequency: 1 day, slices: {lev: '2:'}, fields: [temp]}", [":3", "bad slice '2:'"]),
    ("a: {file: x_%Y.nc, frequency: 1 day, slices: {lev: '2:7'}, fields: [temp]}", ["ends at 7", "6 cells"]),
    ("a: {file: x_%Y.nc, frequency: 1 day, slices: {lat: 9}, fields: [temp]}", ["ends at 10", "6 cells"]),
    ("a: {file: x_%Y.nc, frequency: 1 day, box: {lat: [80, 85]}, fields: [temp]}", [":3", "no cell of axis 'lat'"]),
    ("a: {file: x_%Y.nc, frequency: 1 day, box: {lat: 80}, fields: [temp]}", [":3", "not two numbers"]),
    ("a: {file: x_%Y.nc, frequency: 1 day, box: {lat: [0, 50]}, slices: {lat: 2}, fields: [temp]}", ["selected twice"]),
    ("a: {file: x_%Y.nc, frequency: 1 day, box: {river: [0, 50]}, fields: [runoff]}", ["has no coordinates"]),
    ("a: {file: x_%Y.nc, frequency: 1 day, fields: [sst, ice: {box: {lat: [0, 90]}}]}", ["another slice of axis 'lat'"]),
    ("a: {file: x_%Y.nc, frequency: 1 day, fields: [sst, ice: {stations: {x: [0, 0]}}]}", ["need a coordinate 'lat'"]),
    ("a: {file: x_%Y.nc, frequency: 1 day, stations: {x: [0, 0]}, fields: [runoff]}", ["stations, but no field on a grid"]),
    ("a: {file: x_%Y.nc, frequency: 1 day, fields: [sst: {reduce: {mean: lev}}]}", ["no axis 'lev' to reduce"]),
    ("a: {file: x_%Y.nc, frequency: 1 day, fields: [sst: {reduce: {median: lat}}]}", ["unknown key 'median'"]),
    ("a: {file: x_%Y.nc, frequency: 1 day, fields: [sst: {reduce: {sum: lat, regions: masks}}]}",
     ["'masks' is no field without time", "FILE:VARIABLE"]),
    ("a: {file: x_%Y.nc, frequency: 1 day, fields: [sst: {reduce: {sum: lat, weights: nav_lon}}]}",
     ["is not over the grid"]),
    ("a: {file: x_%Y.nc, frequency: 1 day, fields: [area]}", [":3", "only fields without time"]),
    ("a: {file: x_%Y.nc, frequency: 1 day, fields: [sst, area: {operation: mean}]}", [":3", "has no time"]),
    ("a: {file: x_%Y.nc, frequency: 1 day, fields: [temp, sst: {name: area}]}", ["two variables 'area'"]),
    ("a: {file: x_%Y.nc, frequency: 1 day, box: {X: [10, 20], Y: [80, 85]}, fields: [tri]}", [":3", "lies in the box"]),
    ("a: {file: x_%Y.nc, frequency: 1 day, levels: [], fields: [temp]}", [":3", "no list of numbers"]),
    ("a: {file: x_%Y.nc, frequency: 1 day, levels: [10], fields: [sst]}", ["no field with a vertical axis"]),
    ("a: {file: x_%Y.nc, frequency: 1 day, levels: [30], fields: [deep]}", [":3", "'deep'", "own some of the levels", "Give each rank"]),
    ("a: {file: x_%Y.nc, frequency: 1 day, levels: [10], slices: {lev: 2}, fields: [temp]}", ["selected twice"]),
    ("a: {file: x_%Y.nc, frequency: 1 day, fields: [sst: {reduce: {sum: lat, regions: 'no.nc:x'}}]}", ["no.nc"]),
    ("a: {file: x_%Y.nc, frequency: 1 day, fields: [sst: {where: ice}]}", [":3", "no condition"]),
    ("a: {file: x_%Y.nc, frequency: 1 day, fields: [sst: {where: 'fog > 1'}]}", ["the model does not declare"]),
    ("a: {file: x_%Y.nc, frequency: 1 day, fields: [sst: {where: 'runoff > 1'}]}", ["is on another grid"]),
    ("a: {file: x_%Y.nc, frequency: 1 day, operation: mean, fields: [sst: {where: 'ice > 1'}]}", ["sent at 2001-01-01 02:00", "'ice' first"]),
    ("a: {file: x_%Y.nc, frequency: 1 day, operation: 'diurnal:1', fields: [sst]}", ["bad value 'diurnal:1'", "diurnal:24"]),
    ("a: {file: x_%Y.nc, frequency: 1 day, slices: {lev: 2}, fields: [sst]}", ["no field with the axis 'lev'"]),
    ("a: {file: x_%Y.nc, frequency: 1 day, fields: [sst: {slices: {lev: 2}}]}", ["has no axis 'lev'"]),
    ("a: {file: x_%Y.nc, frequency: 1 day, fields: [sst: {scalars: {h: {value: 2}}}, ice: {scalars: {h: {value: 3}}}]}", [":3", "another 'h'"]),
]


def case_refuses():
    """Refusals on all ranks, with place and remedy, before there is a file."""
    clock = Clock("standard", (2001, 1, 1), [7200, 3600, 7200])
    folder = fresh("refused", "")
    names = [f"{number}.yaml" for number in range(len(REFUSED))]
    for name, (config, _) in zip(names, REFUSED):
        (folder / name).write_text(f"\nstreams:\n  {config}\n")
    run(folder, clock, 2, configs=[*names, "none.yaml"])
    printed = "".join((folder / f"messages.{rank}").read_text() for rank in range(2))
    for name, (config, texts) in zip(names, REFUSED):
        lines = [line for line in printed.splitlines() if line.startswith(f"{name}: status")]
        check(len(lines) == 2, f"{config} is not refused on two ranks: {printed}")
        for each in texts:
            check(all(each in line for line in lines), f"{config}: the message has no {each!r}: {lines}")
    check(printed.count("none.yaml: status 8") == 2, f"a missing file: {printed}")
    check(not list(folder.glob("*.nc*")), f"there are files: {list(folder.glob('*.nc*'))}")
    hourly = "streams:\n  a: {file: x_%Y.nc, frequency: 1 hour, operation: mean, fields: [sst]}\n"
    both = "streams:\n  a: {file: x_%Y.nc, frequency: 1 step, operation: mean, fields: [sst, heat]}\n"
    even = Clock("standard", (2001, 1, 1), [7200, 7200])
    os.environ["SV_TEST_SPARSE"] = "1"
    # Two lengths of steps; then the next record, the end of the run, and a restart, after which the model ends.
    runs = [Run(fresh("varying", hourly), clock), Run(fresh("even", hourly), even), Run(fresh("sparse", both), even),
            Run(fresh("ends", both), even, end=1), Run(fresh("saves", both), even, end=1, events={1: "save"})]
    printed = launch(1, *runs, is_killed=True)
    for text in ("crosses the end of a period", "is not a multiple of the step"):
        check(printed.count(text) == 1, f"{text}: {printed}")
    check(printed.count("'heat' of stream 'a' was not sent at 2001-01-01 02:00") == 3, f"a field that is missing: {printed}")


CDO = {"mean": "timselmean", "min": "timselmin", "max": "timselmax", "sum": "timselsum", "range": "timselrange"}


SPACE = """
streams:
""" + "".join(f"""
  s{number}: {{file: "s{number}_%Y.nc", frequency: 12 hours, operation: mean, {keys}, fields: [temp, sst, ice, wind, heat, tri]}}
  i{number}: {{file: "i{number}_%Y.nc", frequency: 12 hours, {keys}, fields: [temp, ice]}}
""" for number, keys in enumerate(SPACES)) + """
  reduced:
    file: "reduced_%Y.nc"
    frequency: 12 hours
    operation: mean
    fields:
      - temp: {reduce: {mean: lon}}
      - wind: {reduce: {mean: [lat, lon]}}
      - ice: {operation: max, reduce: {sum: [lat, lon]}}
      - temp: {reduce: {mean: [X, Y], regions: "masks.nc:basin", weights: "masks.nc:area"}, name: temp_regions}
      - sst: {operation: sum, reduce: {sum: [lat, lon], weights: "masks.nc:area"}}
      - runoff: {reduce: {sum: river}}
  day:
    file: "day_%Y.nc"
    frequency: 1 month
    operation: diurnal:4
    fields: [temp, runoff, sst, wind: {reduce: {mean: lon}}]
  curved:
    file: "curved.nc"
    frequency: 12 hours
    operation: mean
    box: {X: [60, 160], Y: [-50, 40]}
    fields: [tri, temp: {levels: [5, 12, 40, 54.5, 60], where: "basin > 0", reduce: {mean: lon}}]
  levels:
    file: "levels_%Y.nc"
    frequency: 6 hours
    levels: [5, 12, 40, 54.5, 60]
    fields: [temp, area: {name: cells}, basin]
  model:
    file: "model_%Y.nc"
    frequency: 12 hours
    operation: mean
    fields: [wind, temp: {reduce: {mean: [X, Y], regions: basin, weights: area}}]
  there:
    file: "there_%Y.nc"
    frequency: 6 hours
    fields: [ice: {where: "ice > 500", operation: count, stations: {a: [35, 50], b: [-29, -80]}}]
  where:
    file: "where_%Y.nc"
    frequency: 6 hours
    operation: mean
    fields:
      - temp: {where: "ice > 0"}
      - wind: {where: "ice > 0", operation: max}
      - sst: {where: "sst > 100", operation: diurnal:2}
      - temp: {where: "ice > 0", reduce: {mean: lon}, name: temp_lon}
"""


def compare_space(folder, clock, basin, area):
    def halves(date):
        return date.hour % 12 == 0

    for number, (part, curved) in enumerate(SPACES.values()):
        fields = {name: (name, "mean", part) for name in ON_GRID}
        fields |= {"heat": ("heat", "mean"), "tri": ("tri", "mean", curved)}
        compare(folder, clock, f"s{number}_%Y.nc", fields, halves)
        compare(folder, clock, f"i{number}_%Y.nc", {name: (name, "instant", part) for name in ("temp", "ice")}, halves)
    compare(folder, clock, "reduced_%Y.nc", {
        "temp": ("temp", "mean", reference.reduced((-1,))),
        "wind": ("wind", "mean", reference.reduced((-2, -1))),
        "ice": ("ice", "max", reference.reduced((-2, -1), is_sum=True)),
        "temp_regions": ("temp", "mean", reference.reduced((-2, -1), basin, area)),
        "sst": ("sst", "sum", reference.reduced((-2, -1), None, area, True)),
        "runoff": ("runoff", "mean", reference.reduced((-1,), is_sum=True)),
    }, halves)  # fmt: skip
    zonal = reference.reduced((-1,))
    compare(folder, clock, "day_%Y.nc", {
        "temp": ("temp", "mean", None, None, 4), "runoff": ("runoff", "mean", None, None, 4),
        "sst": ("sst", "mean", None, None, 4), "wind": ("wind", "mean", zonal, None, 4),
    }, lambda date: date.hour == 0 and date.day == 1)  # fmt: skip
    levels = (5, 12, 40, 54.5, 60)
    compare(folder, clock, "curved.nc", {
        "tri": ("tri", "mean", reference.curved_box(60, 160, -50, 40)),
        "temp": ("temp", "mean", lambda found, valid: zonal(*reference.cells([1, 2, 3], [1, 2])(found, valid)),
                 ("basin", ">", 0), None, levels),
    }, halves)  # fmt: skip
    compare(folder, clock, "levels_%Y.nc", {"temp": ("temp", "instant", None, None, None, levels)},
            lambda date: date.hour % 6 == 0)
    fields = {"wind": ("wind", "mean"), "temp": ("temp", "mean", reference.reduced((-2, -1), basin, area))}
    compare(folder, clock, "model_%Y.nc", fields, halves)
    compare(folder, clock, "there_%Y.nc", {"ice": ("ice", "count", reference.stations([(4, 0), (0, 5)]), ("ice", ">", 500))},
            lambda date: date.hour % 6 == 0)
    compare(folder, clock, "where_%Y.nc", {
        "temp": ("temp", "mean", None, ("ice", ">", 0)), "wind": ("wind", "max", None, ("ice", ">", 0)),
        "sst": ("sst", "mean", None, ("sst", ">", 100), 2),
        "temp_lon": ("temp", "mean", zonal, ("ice", ">", 0)),
    }, lambda date: date.hour % 6 == 0)  # fmt: skip


def compare_constants(folder):
    """Fields without time, once in each file, with the attributes that name them."""
    wanted = reference.constants()
    with netCDF4.Dataset(folder / "curved.nc") as file:
        box = reference.curved_box(60, 160, -50, 40)
        for name in ("nav_lon", "nav_lat"):
            values = numpy.ma.filled(file[name][:].astype("f8"), numpy.nan)
            check(numpy.array_equal(values, box(wanted[name], wanted[name])[0], equal_nan=True), f"{name} in a box")
            check(file[name].dimensions == ("j", "i"), f"dimensions of {name}")
        check(file["tri"].coordinates == "nav_lon nav_lat" and "area" not in file.variables, "attributes of a box")
        check(list(file["lev"][:]) == [5, 12, 40, 54.5, 60] and file["lev"].positive == "down", "levels")
    with netCDF4.Dataset(folder / "levels_2000.nc") as file:
        check(numpy.array_equal(file["cells"][:], wanted["area"]) and file["basin"].dtype == "i1", "areas of cells")
        check(file["temp"].cell_measures == "area: cells" and file["temp"].ancillary_variables == "basin", "names")
    with netCDF4.Dataset(folder / "model_2000.nc") as file:
        check(file["height"][:] == 10 and file["wind"].coordinates == "height", "a scalar coordinate")
        check("area" not in file.variables, "areas of a field without cells")
    with netCDF4.Dataset(folder / "s3_2000.nc") as file:
        check(file["tri"].coordinates == "station_name nav_lon nav_lat", "coordinates of stations")
        lats = reference.curved_stations(STATIONS)(wanted["nav_lat"], wanted["nav_lat"])[0]
        check(numpy.array_equal(file["nav_lat"][:], lats), "latitudes of stations")


def case_space():
    """Boxes, stations, zonal means, regions, parts of the day and conditions, against NumPy; the same bytes for other
    numbers of ranks, with servers, and after a kill."""
    clock = Clock("noleap", (2000, 2, 27), [10800, 7200, 3600, 21600] * 8)
    folder = fresh("ranks1", SPACE)
    basin, area = write_masks(folder)
    run_well(folder, clock)
    compare_space(folder, clock, basin, area)
    with netCDF4.Dataset(folder / "s0_2000.nc") as file:
        check(list(file["lon"][:]) == [-90, -30, 30] and list(file["lat"][:]) == [-15, 15, 45], "coordinates of a box")
        check(file["lat_bnds"][2, 1] == 60, "bounds of a box")
    with netCDF4.Dataset(folder / "s3_2000.nc") as file:
        check(list(file["lat"][:]) == [45, -75, 45] and list(file["lon"][:]) == [30, 330, 30], "coordinates of stations")
        check(list(netCDF4.chartostring(file["station_name"][:])) == ["a", "b", "c"], "names of stations")
        check(file["temp"].coordinates == "lat lon station_name" and file["temp"].dimensions[2] == "station", "stations")
    with netCDF4.Dataset(folder / "reduced_2000.nc") as file:
        check(file["temp"].cell_methods == "time: mean lon: mean", "cell_methods of a zonal mean")
        check(file["temp_regions"].dimensions == ("time", "region", "lev") and list(file["region"][:]) == [1, 2], "regions")
        check("lat: lon: mean (comment: over regions of basin" in file["temp_regions"].cell_methods, "cell_methods")
    with netCDF4.Dataset(folder / "day_2000.nc") as file:
        check(list(file["time_of_day_4"][:]) == [3, 9, 15, 21], "times of the day")
    compare_constants(folder)
    others = [Run(fresh(how, SPACE), clock, options=(f"async={how}",)) for how in ("threads", "servers:1")]
    for other in others:
        write_masks(other.folder)
    launch_well(7, *others)
    for other in others:
        same(contents(folder), contents(other.folder), f"one rank, and {other.options}")
    text = SPACE.replace("streams:", 'streams:\n  state: "restart/%Y%m%dT%H%M%S.nc"', 1)
    killed = fresh("killed", text)
    write_masks(killed)
    (killed / "restart").mkdir()
    interrupted(killed, clock, [(7, "before"), (18, "within")], (5, 13), (3, 5, 2))
    series = {name: data for name, data in contents(folder).items() if name != "curved.nc"}  # the file of one run
    same(series, {name: data for name, data in contents(killed).items() if name in series}, "a run and a killed one")
    printed = run(killed, clock, 2, begin=13, end=14)
    check(printed.count("'curved.nc', which exists") == 2, f"the file of an earlier run is replaced: {printed}")


LEVELS = [5, 12.1, 17.3, 30, 41.25, 54.9, 55, 60]


def compare_with_exact(folder):
    """Interpolated values are the nearest ones of their type to the exact ones. CDO, which rounds the weights of levels
    to single precision, has the same missing values."""
    with netCDF4.Dataset(folder / "all_2001.nc") as file:
        values, levels = file["temp"][:], [fractions.Fraction(each) for each in file["lev"][:].tolist()]
    with netCDF4.Dataset(folder / "intlevel_2001.nc") as ours, netCDF4.Dataset(folder / "cdo.nc") as theirs:
        found, cdo = ours["temp"][:], theirs["temp"][:]
    check(numpy.array_equal(numpy.ma.getmaskarray(found), numpy.ma.getmaskarray(cdo)), "missing values of levels")
    apart = {"Sverdrup": 0.0, "CDO": 0.0}
    for place in zip(*numpy.nonzero(~numpy.ma.getmaskarray(found))):
        time, number, *cell = place
        level = fractions.Fraction(LEVELS[number])
        upper = next(k for k, each in enumerate(levels) if each >= level)
        above, below = (values[(time, k, *cell)] for k in (upper, max(upper - 1, 0)))
        if numpy.ma.is_masked(above) or numpy.ma.is_masked(below) or levels[upper] == level:
            continue  # a value itself
        weight = (level - levels[upper - 1]) / (levels[upper] - levels[upper - 1])
        exact = fractions.Fraction(float(below)) * (1 - weight) + fractions.Fraction(float(above)) * weight
        unit = float(numpy.spacing(numpy.abs(numpy.float32(float(exact)))))
        for name, value in (("Sverdrup", found[place]), ("CDO", cdo[place])):
            apart[name] = max(apart[name], abs(float(fractions.Fraction(float(value)) - exact)) / unit)
    print(f"from exact levels, in units in the last place of float: {apart}")
    check(0 < apart["Sverdrup"] <= 0.51, f"levels are {apart} units in the last place from exact ones")


def case_cdo():
    """CDO makes the same of instant values, to 2 units in the last place; levels are compared with exact ones."""
    if shutil.which("cdo") is None:
        print("there is no cdo")
        sys.exit(77)
    fields = "fields: [temp, sst, wind]"
    text = f"streams:\n  all: {{file: all_%Y.nc, frequency: 1 step, type: double, {fields}}}\n"
    for name in CDO:
        text += f"  {name}: {{file: {name}_%Y.nc, frequency: 1 day, operation: {name}, {fields}}}\n"
    text += f"  zonmean: {{file: zonmean_%Y.nc, frequency: 1 step, type: float, fields: [temp: {{reduce: {{mean: lon}}}}]}}\n"
    levels = ",".join(str(each) for each in LEVELS)
    text += f"  intlevel: {{file: intlevel_%Y.nc, frequency: 1 step, levels: [{levels}], fields: [temp]}}\n"
    text += f"  box: {{file: box_%Y.nc, frequency: 1 step, type: double, box: {{lon: [-100, 40], lat: [-20, 60]}}, {fields}}}\n"
    folder = fresh("cdo", text)
    clock = Clock("noleap", (2001, 3, 1), [10800] * 24)
    run_well(folder, clock, 2)
    operators = {name: f"{operator},8" for name, operator in CDO.items()}
    operators |= {"intlevel": f"intlevel,{levels}", "zonmean": "zonmean", "box": "sellonlatbox,-100,40,-20,60"}
    for name, operator in operators.items():
        command = ["cdo", "-s", "-O", operator, "all_2001.nc", "cdo.nc"]
        subprocess.run(command, cwd=folder, check=True, timeout=50)
        if name == "intlevel":
            compare_with_exact(folder)
            continue
        with netCDF4.Dataset(folder / f"{name}_2001.nc") as ours, netCDF4.Dataset(folder / "cdo.nc") as theirs:
            for variable in ("temp",) if name == "zonmean" else ("temp", "sst", "wind"):
                one, other = ours[variable][:], theirs[variable][:]
                other = other[..., 0] if name == "zonmean" else other
                check(len(one) in (3, 24) and one.shape == other.shape, f"{operator} {variable}: shapes")
                check(numpy.array_equal(numpy.ma.getmaskarray(one), numpy.ma.getmaskarray(other)),
                      f"{operator} {variable}: missing values")
                unit = numpy.spacing(numpy.abs(one.filled(1)).astype(one.dtype))
                off = numpy.ma.abs(one.astype("f8") - other) / unit
                check(off.max() <= 2, f"{operator} {variable} is {off.max()} units in the last place off")


def case_languages():
    """The same program in C++, Fortran and Python writes the same files."""
    config = "streams:\n  daily: {file: daily_%Y.nc, frequency: 1 day, operation: mean, fields: [sst]}\n"
    found = []
    for number, program in enumerate(sys.argv[4:]):
        folder = fresh(f"language{number}", config)
        command = [MPIRUN, "2", *program.split()]
        done = subprocess.run(command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=50)
        text = done.stdout.decode(errors="replace")
        check(done.returncode == 0, f"{program} ended with {done.returncode}: {text}")
        found.append(contents(folder))
    with netCDF4.Dataset("language0/daily_2001.nc") as file:
        wanted = numpy.ma.masked_all((2, 3, 4), "f4")
        wanted[:] = numpy.array([12.5, 36.5])[:, None, None]
        wanted[:, 0, 0] = numpy.ma.masked
        check(numpy.array_equal(file["sst"][:].filled(-2), wanted.filled(-2)), f"the means: {file['sst'][:]}")
        check(file["sst"].dimensions == ("time", "lat", "lon") and "lat" not in file.variables, "the axes")
        check(list(file["lon"][:]) == [30, 60, 90, 120], "the coordinate")
    with netCDF4.Dataset("language0/model.nc") as file:
        check(numpy.array_equal(file["area"][:], numpy.arange(12).reshape(3, 4)), "a field without time")
        check(file["sst"].cell_measures == "area: area", "an attribute that names a field")
        check(list(file["sst"][:, 2, 3]) == [24, 48], "a stream of the model")
    for other in found[1:]:
        same(found[0], other, "two languages")


# ---- campaigns


def case_random():
    """Random configurations against NumPy, and the same bytes with threads on two nodes, and with a server."""
    random_streams.compare_everywhere(0, 2, [(3, "threads", 2), (2, "servers:1", 1)])


def case_campaign(first, count, *ranks):
    """So many random configurations, in all places, or in those of these numbers of ranks."""
    random_streams.compare_everywhere(first, count, [place for place in PLACES if not ranks or place[0] in ranks])


def case_kills(first, count):
    """Runs with kills at random moments, of random configurations, with saves at random steps."""
    random_streams.for_seeds(first, count, random_streams.compare_killed)


def case_states(first, count):
    """Runs that continue from states in which a kill at a random operation leaves the files."""
    random_streams.for_seeds(first, count, random_streams.compare_states)


globals()[f"case_{CASE}"](*(int(each) for each in sys.argv[4:] if CASE != "languages"))
