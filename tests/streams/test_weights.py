"""`sverdrup weights`: the same weights as CDO's, the cells of HEALPix, and refusals."""

import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

netCDF4 = pytest.importorskip("netCDF4")
sys.path.insert(0, str(Path(__file__).parents[2] / "python"))

from scipy import sparse  # noqa: E402
from sverdrup.cli import main  # noqa: E402
from sverdrup.weights import grids  # noqa: E402


@pytest.fixture
def source(tmp_path, monkeypatch):
    """A file with 't' on 6 x 8 cells and 'c' on 3 x 4 cells with two-dimensional coordinates."""
    monkeypatch.chdir(tmp_path)
    with netCDF4.Dataset("model.nc", "w", format="NETCDF3_64BIT_OFFSET") as file:
        axes = (("lat", 75 - 30 * np.arange(6), "degrees_north"), ("lon", -161 + 45 * np.arange(8), "degrees_east"))
        for name, values, units in axes:
            file.createDimension(name, len(values))
            file.createVariable(name, "f8", (name,))[:] = values
            file[name].units = units
        file.createVariable("t", "f8", ("lat", "lon"))[:] = np.arange(48).reshape(6, 8)
        for name, length in (("y", 3), ("x", 4)):
            file.createDimension(name, length)
        y, x = np.meshgrid([-50, 0, 50], [0, 90, 180, 270], indexing="ij")
        for name, values, units in (("nav_lat", y + x / 30, "degrees_north"), ("nav_lon", x + y / 5, "degrees_east")):
            file.createVariable(name, "f8", ("y", "x"), fill_value=1e20)[:] = values
            file[name].units = units
            file[name][0, 0] = np.ma.masked
        file.createVariable("c", "f4", ("y", "x")).coordinates = "nav_lat nav_lon"
    return Path("model.nc")


def matrix(path, names, sizes):
    with netCDF4.Dataset(path) as file:
        weight, row, column = (np.ma.filled(file[name][:]).astype("f8").ravel() for name in names)
        shape = tuple(len(file.dimensions[name]) for name in sizes)
    return sparse.csr_matrix((weight, (row - 1, column - 1)), shape=shape)


def ours(path="weights.nc"):
    return matrix(path, ("S", "row", "col"), ("n_b", "n_a"))


@pytest.mark.skipif(shutil.which("cdo") is None, reason="there is no cdo")
@pytest.mark.parametrize("grid", ["7x10", "40x20"])
@pytest.mark.parametrize(("method", "operator"), [("conservative", "con"), ("bilinear", "bil"), ("nearest", "nn")])
def test_weights_are_those_of_cdo(source, grid, method, operator):
    nlon, nlat = (int(each) for each in grid.split("x"))
    Path("grid.txt").write_text(
        f"gridtype = lonlat\nxsize = {nlon}\nysize = {nlat}\nxfirst = {180 / nlon}\nxinc = {360 / nlon}\n"
        f"yfirst = {-90 + 90 / nlat}\nyinc = {180 / nlat}\n"
    )
    assert main(["weights", str(source), "t", grid, "weights.nc", "--method", method]) == 0
    command = ["cdo", "-s", f"gen{operator},grid.txt", "-selname,t", str(source), "cdo.nc"]
    subprocess.run(command, check=True, timeout=50)
    theirs = matrix("cdo.nc", ("remap_matrix", "dst_address", "src_address"), ("dst_grid_size", "src_grid_size"))
    inside = np.abs(grids.target(grid).lat) <= (75 if method == "bilinear" else 90)  # CDO goes on across the poles
    assert abs((ours() - theirs)[inside]).max() < 1e-12


def test_areas_are_conserved(source):
    assert main(["weights", str(source), "t", "40x20", "weights.nc"]) == 0
    with netCDF4.Dataset("weights.nc") as file:
        integral = [(file[f"area_{side}"][:] * file[f"frac_{side}"][:]) for side in "ab"]
        assert file.normalization == "fracarea"
        assert list(file["dst_grid_dims"][:]) == [40, 20]
        assert list(file["xv_b"][0]) == [0, 9, 9, 0]
    assert np.allclose(ours().T @ integral[1], integral[0], rtol=1e-13)
    assert sum(integral[1]) == pytest.approx(4 * np.pi, rel=1e-14)


def test_a_part_of_the_globe_has_no_weights_outside(source):
    with netCDF4.Dataset(source, "a") as file:
        file["lon"][:] = 10 + 5 * np.arange(8)
    assert main(["weights", str(source), "t", "36x18", "weights.nc", "--method", "bilinear"]) == 0
    covered = ours().sum(axis=1).A1.reshape(18, 36)
    assert np.allclose(covered[:, 1:4], 1) and not covered[:, 5:].any()


def test_cells_of_healpix(source):
    """A cell in nested order lies in cell number / 4 of half the nside; both orders have the same cells."""
    fine, coarse = (grids.target(f"healpix:{nside}") for nside in (8, 4))
    ring = grids.target("healpix:8:ring")
    assert sorted(zip(fine.lat.round(9), fine.lon.round(9))) == sorted(zip(ring.lat.round(9), ring.lon.round(9)))
    assert (np.diff(ring.lat) < 1e-9).all()
    north = np.sin(np.deg2rad(fine.lat)).reshape(-1, 4).mean(axis=1)
    assert np.abs(north - np.sin(np.deg2rad(coarse.lat))).max() < 0.03
    assert main(["weights", str(source), "c", "healpix:8", "weights.nc", "--method", "nearest"]) == 0
    assert ours().shape == (768, 12)
    assert ours().sum() == 768
    assert ours()[:, 0].nnz == 0  # it has no place


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["model.nc", "t", "360", "w.nc"], "360x180"),
        (["model.nc", "t", "healpix:6", "w.nc"], "power of two"),
        (["model.nc", "no", "9x5", "w.nc"], "no variable 'no'"),
        (["model.nc", "c", "9x5", "w.nc"], "--method nearest"),
        (["model.nc", "c", "9x5", "w.nc", "--method", "bilinear"], "cdo genbil"),
        (["model.nc", "lat", "9x5", "w.nc"], "degrees_east"),
    ],
)
def test_refusals(source, capsys, arguments, words):
    assert main(["weights", *arguments]) == 1
    assert words in capsys.readouterr().err
