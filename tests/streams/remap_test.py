"""Remapping in streams: remap_test.py remap MODEL MPIRUN, in a folder of its own. CDO makes the weights, and the results
that are wanted."""
import os
import shutil
import subprocess
import sys

import netCDF4
import numpy
from model_run import Clock, check, contents, fresh, run, run_well, same

FIELDS = ["temp", "sst", "ice", "wind", "deep"]
METHODS = ["con", "bil", "nn"]
CELLS, SHAPE = 45, (5, 9)
MISSING = {"temp", "ice", "wind", "deep"}
CLOCK = Clock("noleap", (2001, 3, 1), [10800] * 16)
STREAM = "  {0}: {{file: {0}_%Y.nc, frequency: 1 day, operation: {1}, type: double, {2} fields: [{3}]}}\n"


def stream(name, keys="", operation="mean", fields=FIELDS):
    return STREAM.format(name, operation, keys and keys + ",", ", ".join(fields))


def cdo(*words):
    subprocess.run(["cdo", "-s", "-O", "-b", "F64", *words], check=True, timeout=50)


def weights_of(path):
    """Weight, target and source of each link of a file of SCRIP's form, counted from 0."""
    with netCDF4.Dataset(path) as file:
        return file["remap_matrix"][:, 0].filled(), file["dst_address"][:] - 1, file["src_address"][:] - 1


def corners():
    """Of the cells of the target: latitudes and longitudes, counterclockwise."""
    lat, lon = numpy.linspace(-90, 90, 5), numpy.arange(9) * 40.0
    edges = numpy.concatenate(([-90], (lat[1:] + lat[:-1]) / 2, [90]))
    south, north = (numpy.repeat(each, 9) for each in (edges[:-1], edges[1:]))
    west, east = (numpy.tile(each, 5) for each in (lon - 20, lon + 20))
    return numpy.stack([south, south, north, north], 1), numpy.stack([west, east, east, west], 1) % 360


def write_esmf(path, links, shape, moved=0.0, **attributes):
    """ESMF's form, in degrees, with its links in another order; `moved`: degrees by which some cells are off their
    column."""
    weight, target, source = links
    order = numpy.random.default_rng(3).permutation(len(weight))
    lat_corners, lon_corners = corners()
    lat, lon = numpy.repeat(numpy.linspace(-90, 90, 5), 9), numpy.tile(numpy.arange(9) * 40.0, 5)
    lon[1::2] += moved
    with netCDF4.Dataset(path, "w", format="NETCDF3_64BIT_OFFSET") as file:
        file.setncatts(attributes)
        for name, length in (("n_a", 36), ("n_b", CELLS), ("n_s", len(weight)), ("nv_b", 4), ("src_grid_rank", 2),
                             ("dst_grid_rank", len(shape))):
            file.createDimension(name, length)
        for name, values, dims in (
            ("S", weight[order], ("n_s",)), ("row", target[order] + 1, ("n_s",)), ("col", source[order] + 1, ("n_s",)),
            ("src_grid_dims", [6, 6], ("src_grid_rank",)), ("dst_grid_dims", shape[::-1], ("dst_grid_rank",)),
            ("yc_b", lat, ("n_b",)), ("xc_b", lon, ("n_b",)),
            ("yv_b", lat_corners, ("n_b", "nv_b")), ("xv_b", lon_corners, ("n_b", "nv_b")),
        ):  # fmt: skip
            kind = "f8" if numpy.asarray(values).dtype.kind == "f" else "i4"
            variable = file.createVariable(name, kind, dims)
            variable[:] = values
            if name[1:] in ("c_b", "v_b"):
                variable.units = "degrees"


def values_of(path, name):
    with netCDF4.Dataset(path) as file:
        return numpy.ma.filled(numpy.ma.masked_invalid(file[name][:].astype("f8")), numpy.nan)


def remapped(values, links, rule):
    """The products by NumPy, with a rule for missing values: 'missing', 'mean' or 'sum'."""
    weight, target, source = links
    rows = values.reshape(*values.shape[:-2], -1)
    made = numpy.full((*rows.shape[:-1], CELLS), numpy.nan)
    for place in numpy.ndindex(rows.shape[:-1]):
        valid = ~numpy.isnan(rows[place])
        total = numpy.bincount(target, weight, CELLS)
        of_valid = numpy.bincount(target, weight * valid[source], CELLS)
        summed = numpy.bincount(target, weight * numpy.where(valid, rows[place], 0)[source], CELLS)
        some = of_valid > (total * (1 - 1e-12) if rule == "missing" else 0)
        with numpy.errstate(invalid="ignore", divide="ignore"):
            made[place][some] = (summed * total / of_valid if rule == "mean" else summed)[some]
    return made


def compare(found, wanted, what):
    found = found.reshape(wanted.shape)
    check(numpy.array_equal(numpy.isnan(found), numpy.isnan(wanted)), f"{what}: missing values")
    with numpy.errstate(invalid="ignore", divide="ignore"):
        off = numpy.nanmax(numpy.abs(found - wanted)) / numpy.nanmax(numpy.abs(wanted))
    check(off <= 1e-12, f"{what} is off by {off}")
    return off


CONFIG = "streams:\n" + stream("own") + "".join(
    stream(name, f"grid: {{weights: ../{name}.nc}}")
    for name in (*METHODS, "esmf", "cells", "curved", "area")
) + stream("highest", "grid: {weights: ../con.nc}", "max") + stream("own_highest", "", "max") + """
  here:
    file: here_%Y.nc
    frequency: 6 hours
    grid: {weights: ../con.nc}
    levels: [10, 30]
    fields: [temp, sst: {grid: own, reduce: {mean: [lat, lon]}}]
  parts:
    file: parts_%Y.nc
    frequency: 1 day
    operation: diurnal:2
    grid: {weights: ../nn.nc}
    fields: [temp: {name: remapped}, sst]
  own_parts: {file: own_parts_%Y.nc, frequency: 1 day, operation: diurnal:2, fields: [temp]}
"""  # fmt: skip


def make_weights():
    folder = fresh("grid", "streams:\n" + stream("own"))
    run_well(folder, CLOCK)
    for method in METHODS:
        cdo(f"gen{method},r9x5", "-selname,sst", "grid/own_2001.nc", f"{method}.nc")
    links = weights_of("con.nc")
    fraction = {"map_method": "Conservative remapping", "normalization": "fracarea"}
    write_esmf("esmf.nc", links, SHAPE, **fraction)
    write_esmf("cells.nc", links, (CELLS,), **fraction)
    write_esmf("curved.nc", links, SHAPE, moved=3.0, **fraction)
    write_esmf("area.nc", links, SHAPE, map_method="Conservative remapping", normalization="destarea")
    return links


def compare_with_cdo(folder):
    worst = 0.0
    for method in METHODS:
        cdo(f"remap{method},r9x5", str(folder / "own_2001.nc"), "cdo.nc")
        links = weights_of(f"{method}.nc")
        for name in FIELDS:
            own, found = (values_of(folder / f"{each}_2001.nc", name) for each in ("own", method))
            theirs = values_of("cdo.nc", name)
            compare(found, remapped(own, links, "mean" if method == "con" else "missing"), f"{method} of {name}")
            if method == "bil" and name in MISSING:
                # CDO also needs sources of weight 0; near the poles, it takes valid cells of the outermost row.
                both = numpy.isnan(found) | numpy.isnan(theirs)
                found, theirs = numpy.where(both, numpy.nan, found), numpy.where(both, numpy.nan, theirs)
            worst = max(worst, compare(found, theirs, f"{method} of {name}, CDO"))
    print(f"worst difference from CDO: {worst}")
    highest = remapped(values_of(folder / "own_highest_2001.nc", "temp"), weights_of("con.nc"), "mean")
    compare(values_of(folder / "highest_2001.nc", "temp"), highest, "the remapped maximum")
    parts = remapped(values_of(folder / "own_parts_2001.nc", "temp"), weights_of("nn.nc"), "missing")
    compare(values_of(folder / "parts_2001.nc", "remapped"), parts, "parts of the day")


def compare_forms(folder, links):
    """Of ESMF's form, with other targets."""
    for name in FIELDS:
        wanted = values_of(folder / "con_2001.nc", name)
        for form in ("esmf", "cells", "curved"):
            found = values_of(folder / f"{form}_2001.nc", name).reshape(wanted.shape)
            check(numpy.array_equal(found, wanted, equal_nan=True), f"{form}: {name}")
        own = values_of(folder / "own_2001.nc", name)
        compare(values_of(folder / "area_2001.nc", name), remapped(own, links, "sum"), f"destarea of {name}")
    lat, lon = numpy.linspace(-90, 90, 5), numpy.arange(9) * 40.0
    for form in ("con", "esmf"):
        with netCDF4.Dataset(folder / f"{form}_2001.nc") as file:
            check(file["temp"].dimensions == ("time", "lev", "lat", "lon"), f"{form}: dimensions")
            check(numpy.array_equal(file["lat"][:], lat) and numpy.array_equal(file["lon"][:], lon), f"{form}: axes")
            check(file["lat"].units == "degrees_north" and file["lon"].axis == "X", f"{form}: attributes")
            check("_FillValue" in file["sst"].ncattrs() and "cell_measures" not in file["temp"].ncattrs(), "attributes")
            check(form == "con" or list(file["lat_bnds"][0]) == [-90, -67.5], f"{form}: bounds")
            check(form == "con" or list(file["lon_bnds"][0]) == [-20, 20], f"{form}: bounds of longitudes")
    with netCDF4.Dataset(folder / "con_2001.nc") as file:
        text = file["temp"].remapping
        check(text.startswith("Conservative remapping") and "con.nc; it changes the integral" in text, text)
        check(abs(float(text.split()[-1])) < 1e-12, text)
    for form, dims in (("cells", ("cell",)), ("curved", ("y", "x"))):
        with netCDF4.Dataset(folder / f"{form}_2001.nc") as file:
            check(file["sst"].dimensions == ("time", *dims) and file["sst"].coordinates == "lat lon", f"{form}: names")
            check(file["lat"].dimensions == dims and file["lat"].bounds == "lat_bnds", f"{form}: latitudes")
            found = [file[name][:].reshape(CELLS, 4) for name in ("lat_bnds", "lon_bnds")]
            check(numpy.array_equal(found, corners()), f"{form}: corners")
            check(file["lon"][:].ravel()[1] == (43 if form == "curved" else 40), f"{form}: longitudes")


REFUSED = [
    ("grid: {weights: ../none.nc}", ["'sst'", "none.nc", "gencon"]),
    ("grid: {weights: own_2001.nc}", ["'sst'", "no variables 'S'", "gencon"]),
    ("grid: {weights: ../beyond.nc}", ["'sst'", "weight 7", "outside of the grids of 36 and 45 cells"]),
    ("grid: {weights: ../turned.nc}", ["'sst'", "begins at longitude", "order of rows"]),
    ("grid: {weights: ../con.nc}, box: {lat: [0, 90]}", ["'sst'", "6 x 6 cells", "have 3 x 6"]),
    ("grid: {weights: ../con.nc}, reduce: {mean: lon}", ["both 'grid' and 'reduce'"]),
    ("grid: {wieghts: ../con.nc}", ["unknown key 'wieghts'"]),
    ("grid: regular", ["'grid'"]),
    ("grid: {weights: ../bic.nc}", ["several weights", "first order"]),
]  # fmt: skip


def refuse():
    shutil.copy("con.nc", "beyond.nc")
    with netCDF4.Dataset("beyond.nc", "a") as file:
        file["src_address"][6] = 37
    shutil.copy("con.nc", "turned.nc")
    with netCDF4.Dataset("turned.nc", "a") as file:
        file["src_grid_center_lat"][:] = -file["src_grid_center_lat"][:]
    cdo("genbic,r9x5", "-selname,sst", "grid/own_2001.nc", "bic.nc")
    names = [f"r{number}.yaml" for number in range(len(REFUSED))]
    folder = fresh("refused", "")
    shutil.copy("ranks1/own_2001.nc", folder)
    for name, (keys, _) in zip(names, REFUSED):
        (folder / name).write_text(f"streams:\n{stream('x', keys, fields=['sst'])}")
    text = run(folder, CLOCK, 2, configs=names, end=8)
    for name, (keys, words) in zip(names, REFUSED):
        lines = [line for line in text.splitlines() if line.startswith(f"{name}: status")]
        check(len(lines) == 2 and all(word in line for word in words for line in lines), f"{keys}: {lines or text}")


def main():
    if shutil.which("cdo") is None:
        print("there is no cdo")
        sys.exit(77)
    links = make_weights()
    folder = fresh("ranks1", CONFIG)
    run_well(folder, CLOCK)
    compare_with_cdo(folder)
    compare_forms(folder, links)
    for ranks, how, of_node in ((2, "none", 1), (8, "threads", 3), (6, "servers:1", 2)):
        os.environ.update(SV_ASYNC=how, SV_TESTING_RANKS_PER_NODE=str(of_node))
        other = fresh(f"ranks{ranks}", CONFIG)
        run_well(other, CLOCK, ranks)
        same(contents(folder), contents(other), f"1 and {ranks} ranks, {how}")
    del os.environ["SV_ASYNC"], os.environ["SV_TESTING_RANKS_PER_NODE"]
    refuse()


main()
