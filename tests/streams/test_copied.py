"""sv-copy --streams: streams from existing files, against NumPy, with the same bytes for any number of ranks."""

import os
import subprocess
from pathlib import Path

import pytest

netCDF4 = pytest.importorskip("netCDF4")
import numpy as np  # noqa: E402

DAYS, NZ, NY, NX = 59, 3, 7, 12
CONFIG = """
streams:
  monthly:
    file: "monthly.nc"
    frequency: 1 month
    operation: mean
    fields: ["*"]
  ice:
    file: "ice.nc"
    frequency: 1 month
    operation: mean
    where: "ice > 0.5"
    fields: [temp]
"""


@pytest.fixture(autouse=True)
def in_folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


def sv_copy(ranks, *arguments, expected=0):
    Path("streams.yaml").write_text(CONFIG)
    done = subprocess.run([os.environ["SV_MPIRUN"], str(ranks), os.environ["SV_COPY"], "--streams", "streams.yaml",
                           *arguments], capture_output=True, text=True, timeout=60)  # fmt: skip
    assert done.returncode == expected, done.stdout + done.stderr
    return done.stdout + done.stderr


def values():
    """Packed temperatures, of which some are missing; ice; a series."""
    rng = np.random.default_rng(5)
    temp = np.ma.array(rng.integers(-500, 500, (DAYS, NZ, NY, NX)) * 0.01 + 10)
    temp[rng.random(temp.shape) < 0.1] = np.ma.masked
    return temp, rng.random((DAYS, NY, NX)), rng.random(DAYS)


def write(path, days, bounds=True):
    """A file of some days, on a curvilinear grid. The record dimension has a length of its own."""
    temp, ice, heat = values()
    with netCDF4.Dataset(path, "w") as file:
        for name, length in {"time": len(days), "z": NZ, "y": NY, "x": NX, "two": 2, "corner": 4}.items():
            file.createDimension(name, length)
        time = file.createVariable("time", "f8", ("time",))
        time.setncatts({"units": "hours since 2001-01-01", "calendar": "noleap"})
        time[:] = 24.0 * np.array(days) + 12
        if bounds:
            time.bounds = "time_bnds"
            file.createVariable("time_bnds", "f8", ("time", "two"))[:] = np.stack([time[:] - 12, time[:] + 12], 1)
        z = file.createVariable("z", "f4", ("z",))
        z.setncatts({"units": "m", "positive": "down"})
        z[:] = [5, 15, 25]
        for name, units in {"lon": "degrees_east", "lat": "degrees_north"}.items():
            at = file.createVariable(name, "f8", ("y", "x"))
            at.setncatts({"units": units, "bounds": name + "_corners"})
            at[:] = np.arange(NY * NX).reshape(NY, NX)
            file.createVariable(name + "_corners", "f8", ("y", "x", "corner"))[:] = at[:][..., None] + np.arange(4)
        file.createVariable("label", "S1", ("two",))
        packed = file.createVariable("temp", "i2", ("time", "z", "y", "x"), fill_value=-32767)
        packed.setncatts({"scale_factor": 0.01, "add_offset": 10.0, "units": "degC", "coordinates": "lon lat time"})
        packed[:] = temp[days]
        file.createVariable("ice", "f8", ("time", "y", "x"))[:] = ice[days]
        file.createVariable("heat", "f8", ("time",))[:] = heat[days]


def close(found, wanted):
    assert np.array_equal(np.ma.getmaskarray(found), np.ma.getmaskarray(wanted))
    assert np.ma.allclose(found, wanted, rtol=1e-14, atol=0)


def test_means_of_files():
    write("one.nc", list(range(20)))
    write("two.nc", list(range(20, DAYS)))
    found = []
    for ranks in (1, 3):
        text = sv_copy(ranks, "one.nc", "two.nc")
        assert "59 records of 2 files" in text
        found.append({name: Path(name).read_bytes() for name in ("monthly.nc", "ice.nc")})
    assert found[0] == found[1]
    temp, ice, heat = values()
    months = [slice(0, 31), slice(31, 59)]
    with netCDF4.Dataset("monthly.nc") as file:
        close(file["temp"][:], np.ma.stack([temp[month].mean(0) for month in months]))
        close(file["ice"][:], np.stack([ice[month].mean(0) for month in months]))
        close(file["heat"][:], np.stack([heat[month].mean() for month in months]))
        assert file["temp"].coordinates == "lon lat" and file["lon"].bounds == "lon_corners"
        assert np.array_equal(file["lat_corners"][:][1, 2], [14, 15, 16, 17])
        assert file["z"].positive == "down" and list(file["z"][:]) == [5, 15, 25]
        assert file["time_bnds"][:].tolist() == [[36865, 36896], [36896, 36924]] and file["time"].calendar == "noleap"
    with netCDF4.Dataset("ice.nc") as file:
        where = np.repeat((ice > 0.5)[:, None], NZ, 1)
        selected = np.ma.masked_where(~where, temp)
        close(file["temp"][:], np.ma.stack([selected[month].mean(0) for month in months]))


def test_times_without_bounds():
    write("one.nc", list(range(DAYS)), bounds=False)
    assert "not a multiple of the step" in sv_copy(1, "one.nc", expected=1)
    sv_copy(2, "--times", "middle", "one.nc")
    with netCDF4.Dataset("monthly.nc") as file:
        close(file["heat"][:], np.stack([values()[2][month].mean() for month in (slice(0, 31), slice(31, 59))]))


@pytest.mark.parametrize(("units", "hour"), [("days since 2001-1-1", 0), ("hours since 2001-01-01T12:00:00Z", 12),
                                             ("d since 2001-01-01 6:0:0.0 UTC", 6), ("seconds since 2001-01-01 03:00", 3)])
def test_units_of_time(units, hour):
    write("one.nc", [0, 1], bounds=False)
    with netCDF4.Dataset("one.nc", "a") as file:
        seconds = {"d": 86400, "h": 3600, "s": 1}[units[0]]
        file["time"].setncatts({"units": units, "calendar": "NOLEAP"})
        file["time"][:] = np.array([86400, 172800]) / seconds
    Path("steps.yaml").write_text("streams: {steps: {file: steps.nc, frequency: 1 step, fields: [heat]}}\n")
    subprocess.run([os.environ["SV_COPY"], "--streams", "steps.yaml", "one.nc"], timeout=60, check=True)
    with netCDF4.Dataset("steps.nc") as file:
        assert file["time"][:].tolist() == [36866 + hour / 24, 36867 + hour / 24]
        assert np.array_equal(file["heat"][:], values()[2][:2])


@pytest.mark.parametrize("units", ["months since 2001-01-01", "days since 2001-01-01 00:00:00 +01:00", "days since 0:00",
                                   "days since 2001-01-01 00:00:00.5"])  # fmt: skip
def test_units_that_are_refused(units):
    write("one.nc", [0, 1])
    with netCDF4.Dataset("one.nc", "a") as file:
        file["time"].units = units
    assert f"bad time_units '{units}'" in sv_copy(1, "one.nc", expected=1)


def test_refusals():
    write("one.nc", [0, 1, 2])
    write("two.nc", [2, 3])
    write("single.nc", [0], bounds=False)
    write("uneven.nc", [0, 1, 3], bounds=False)
    with netCDF4.Dataset("timeless.nc", "w") as file:
        file.createDimension("x", 2)
        file.createVariable("x", "f8", ("x",))
    assert "'two.nc' begins before the end of the file before it" in sv_copy(2, "one.nc", "two.nc", expected=1)
    assert "the length of its step is unknown" in sv_copy(2, "single.nc", expected=1)
    assert "are not at equal distances" in sv_copy(1, "--times", "middle", "uneven.nc", expected=1)
    assert "'timeless.nc' has no coordinate of time" in sv_copy(1, "timeless.nc", expected=1)
    with netCDF4.Dataset("two.nc", "a") as file:
        file["time_bnds"][:] += 48
        file.renameVariable("ice", "frost")
    assert "'two.nc' has no variable 'ice' like that of 'one.nc'" in sv_copy(2, "one.nc", "two.nc", expected=1)
    write("three.nc", [3, 4])
    with netCDF4.Dataset("three.nc", "a") as file:
        file["temp"].delncattr("scale_factor")
        file["temp"].delncattr("add_offset")
    assert "'three.nc' has no variable 'temp' like that of 'one.nc'" in sv_copy(1, "one.nc", "three.nc", expected=1)
