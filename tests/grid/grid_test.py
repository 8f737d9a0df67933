"""sv-grid as a program: grid_test.py CASE SV_GRID MPIRUN [PROGRAM], in a folder of its own."""
import pathlib
import shutil
import subprocess
import sys
import xml.etree.ElementTree

import netCDF4
import numpy

CASE, SV_GRID, MPIRUN = sys.argv[1:4]
PROGRAM = sys.argv[4] if len(sys.argv) > 4 else None  # the case's program besides sv-grid
RADIUS = 6371000.0


def fail(text):
    sys.exit(f"grid.{CASE}: {text}")


def check(holds, text):
    if not holds:
        fail(text)


def run(*arguments, ranks=1, wanted=0, program=SV_GRID):
    command = ([MPIRUN, str(ranks)] if ranks > 1 else []) + [program, *arguments]
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=50)
    text = done.stdout.decode(errors="replace")
    check(done.returncode == wanted, f"{' '.join(command)} ended with {done.returncode}: {text}")
    return text


def write_source(path, longitudes, latitudes, values, name="height", axes=("degrees_east", "degrees_north"), **attributes):
    """A topography, or another variable by its attributes; names of coordinates have no meaning."""
    with netCDF4.Dataset(path, "w", format="NETCDF3_CLASSIC") as file:
        for dim, points, unit in (("a", longitudes, axes[0]), ("b", latitudes, axes[1])):
            file.createDimension(dim, len(points))
            file.createVariable("of_" + dim, "f8", (dim,))[:] = points
            file["of_" + dim].units = unit
        variable = file.createVariable(name, "f4", ("b", "a"), fill_value=attributes.pop("_FillValue", None))
        variable.setncatts(attributes)
        variable[:] = values


def random_heights(ny, nx, seed):
    """Continents of a few points across; between -5000 and 5000 m."""
    random = numpy.random.default_rng(seed)
    coarse = random.uniform(-5000, 4000, (ny // 3 + 1, nx // 3 + 1))
    return numpy.kron(coarse, numpy.ones((3, 3)))[:ny, :nx]


class Grid:
    """All of a file, checked for the properties of every file."""

    def __init__(self, path):
        self.path = path
        with netCDF4.Dataset(path) as file:
            file.set_auto_mask(False)
            self.attributes = {name: file.getncattr(name) for name in file.ncattrs()}
            self.numbers = {name: {att: v.getncattr(att) for att in v.ncattrs()} for name, v in file.variables.items()}
            self.values = {name: v[...] for name, v in file.variables.items()}
        self.check_metadata()
        self.check_neighbours()
        self.check_sizes()
        self.check_owners()

    def __getitem__(self, name):
        return self.values[name]

    def check_metadata(self):
        cells = len(self["lon"])
        check(self.attributes["Conventions"] == "CF-1.11 UGRID-1.0", "Conventions")
        check(self.attributes["kept_cells"] == cells, "kept_cells is not the number of cells")
        check(self.attributes["ocean_cells"] == self["ocean"].sum(), "ocean_cells is not the number of ocean cells")
        check(self.attributes["full_cells"] == numpy.prod(self.attributes["grid_shape"]), "full_cells")
        mesh = self.numbers["mesh"]
        check(mesh["cf_role"] == "mesh_topology" and mesh["topology_dimension"] == 2, "the mesh")
        for att in ("node_coordinates", "face_coordinates", "face_node_connectivity", "face_face_connectivity"):
            check(all(name in self.values for name in mesh[att].split()), f"mesh:{att} names what is not there")
        check(((self["depth"] > 0) == (self["ocean"] == 1)).all(), "depth and ocean differ")
        check(len(numpy.unique(self["full_index"])) == cells, "a full index comes twice")

    def check_neighbours(self):
        """Symmetric; exactly the two nodes of the common edge are shared, in opposite order."""
        neighbours, nodes = self["neighbours"], self["face_nodes"]
        check(neighbours.max() < len(neighbours) and neighbours.min() >= -1, "a neighbour out of range")
        check(sorted(numpy.unique(nodes)) == list(range(len(self["node_lon"]))), "nodes that no cell has")
        for edge in range(4):
            cells = numpy.flatnonzero(neighbours[:, edge] >= 0)
            others = neighbours[cells, edge]
            back = neighbours[others] == cells[:, None]
            check((back.sum(axis=1) == 1).all(), "neighbours are not symmetric")
            other_edge = back.argmax(axis=1)
            check((nodes[cells, edge] == nodes[others, (other_edge + 1) % 4]).all() and
                  (nodes[cells, (edge + 1) % 4] == nodes[others, other_edge]).all(), "an edge is not that of the neighbour")
            shared = (nodes[cells][:, :, None] == nodes[others][:, None, :]).sum(axis=(1, 2))
            check((shared == 2).all(), "neighbours share other than two nodes")
            for size in ("distance", "edge_length"):
                check(numpy.allclose(self[size][cells, edge], self[size][others, other_edge]), f"{size} is not symmetric")
        check(((self["distance"] > 0) == (neighbours >= 0)).all(), "distances to no neighbour, or 0 to one")

    def vectors(self, prefix=""):
        lon, lat = numpy.radians(self[prefix + "lon"]), numpy.radians(self[prefix + "lat"])
        return numpy.stack([numpy.cos(lat) * numpy.cos(lon), numpy.cos(lat) * numpy.sin(lon), numpy.sin(lat)], axis=-1)

    def check_sizes(self):
        """Corners turn counter-clockwise around the centre; areas are those of flat quadrilaterals, nearly."""
        corners, centres = self.vectors("node_")[self["face_nodes"]], self.vectors()
        turns = numpy.cross(corners - centres[:, None], numpy.roll(corners, -1, axis=1) - centres[:, None])
        turning = (turns * centres[:, None]).sum(axis=-1)
        check((turning > -1e-12).all(), "corners do not turn counter-clockwise")
        ratio = turning.sum(axis=1) / 2 * RADIUS**2 / self["area"]
        check(ratio.min() > 0.8 and ratio.max() < 1.1, f"areas are {ratio.min()} to {ratio.max()} of the flat ones")
        chords = numpy.linalg.norm(corners - numpy.roll(corners, -1, axis=1), axis=-1) * RADIUS
        check((self["edge_length"] >= chords * (1 - 1e-9) - 1e-3).all(), "an edge is shorter than its chord")
        check((self["edge_length"] <= chords * 1.2 + 1e-3).all(), "an edge is much longer than its chord")

    def check_owners(self):
        for name in [name for name in self.values if name.startswith("owner_")]:
            ranks, owner, neighbours = self.numbers[name]["ranks"], self[name], self["neighbours"]
            check(name == f"owner_{ranks}", f"{name} is for {ranks} ranks")
            check(sorted(numpy.unique(owner)) == list(range(ranks)), f"{name}: ranks without cells, or that are not there")
            there = neighbours >= 0
            cut = (there & (owner[neighbours] != owner[:, None])).sum() // 2
            check(self.numbers[name]["edge_cut"] == cut, f"{name}: the edge cut is {cut}")

    def imbalance(self, ranks, weights):
        sums = numpy.bincount(self[f"owner_{ranks}"], weights)
        return sums.max() * ranks / weights.sum()

    def ocean(self):
        return set(self["full_index"][self["ocean"] == 1].tolist())


def whole_world(kind, size):
    """The grid without land: all cells; their areas are the sphere."""
    write_source("water.nc", numpy.arange(0, 360, 10), numpy.arange(-90, 91, 10), -1000.0)
    run("water.nc", "whole.nc", kind, size, "--force", "--quiet")
    whole = Grid("whole.nc")
    check(whole.attributes["kept_cells"] == whole.attributes["full_cells"], "water was removed")
    check((whole["full_index"] == numpy.arange(len(whole["full_index"]))).all(), "full indices are not in order")
    check(abs(whole["area"].sum() / (4 * numpy.pi * RADIUS**2) - 1) < 1e-12, "areas do not add up to the sphere")
    return whole


def check_kept(grid, whole):
    """Exactly the ocean and its neighbours, by the neighbours of the whole world."""
    ocean = grid.ocean()
    wanted = ocean | {other for cell in ocean for other in whole["neighbours"][cell].tolist() if other >= 0}
    check(set(grid["full_index"].tolist()) == wanted, "what is kept is not ocean and its neighbours")
    check((grid["lon"] == whole["lon"][grid["full_index"]]).all(), "cells have moved")


def lonlat():
    nx, ny = 30, 18
    whole = whole_world("--lonlat", f"{nx}x{ny}")
    check((whole["neighbours"] < 0).sum() == 2 * nx, "more or less than the poles have no neighbour")
    heights = random_heights(ny, nx, 1)
    write_source("points.nc", (numpy.arange(nx) + 0.5) * 360 / nx, -90 + (numpy.arange(ny) + 0.5) * 180 / ny, heights)
    text = run("points.nc", "grid.nc", "--lonlat", f"{nx}x{ny}", "--ranks", "1,4,16,200", "--picture", "grid.svg", "--force")
    grid = Grid("grid.nc")
    check(grid.ocean() == set(numpy.flatnonzero(heights.ravel() < 0).tolist()), "ocean is not where the source is below 0")
    check(numpy.allclose(grid["depth"], numpy.maximum(-heights.ravel()[grid["full_index"]], 0)), "depths")
    check_kept(grid, whole)
    for ranks in (1, 4, 16, 200):
        imbalance = grid.imbalance(ranks, numpy.ones(len(grid["lon"])))
        check(abs(imbalance - grid.numbers[f"owner_{ranks}"]["imbalance"]) < 1e-9, f"the imbalance of {ranks} is {imbalance}")
    check(grid.imbalance(4, numpy.ones(len(grid["lon"]))) < 1.1, "four ranks are not balanced")
    check(f"{len(grid['lon'])}" in text and "METIS" in text, f"the table does not tell the cells kept: {text}")
    check(xml.etree.ElementTree.parse("grid.svg").getroot().tag.endswith("svg"), "the picture is no SVG")
    run("points.nc", "three.nc", "--lonlat", f"{nx}x{ny}", "--ranks", "1,4,16,200", "--force", "-q", ranks=3)
    check(pathlib.Path("three.nc").read_bytes() == pathlib.Path("grid.nc").read_bytes(), "three ranks write another file")
    if shutil.which("cdo"):
        area = subprocess.run(["cdo", "-s", "outputf,%.15g", "-fldsum", "-selname,area", "grid.nc"], capture_output=True,
                              check=True, text=True).stdout
        check(abs(float(area) / grid["area"].sum() - 1) < 1e-9, f"cdo finds another area: {area}")


def cubed_sphere():
    n = 12
    whole = whole_world("--cubed-sphere", str(n))
    check((whole["neighbours"] >= 0).all(), "a cell of the cube has no neighbour")
    check(len(whole["node_lon"]) == 6 * n * n + 2, "nodes of faces that meet are not joined")
    latitudes = numpy.linspace(-89.5, 89.5, 180)
    write_source("slope.nc", numpy.arange(0.5, 360), latitudes, -(1000 + 10 * latitudes)[:, None])
    run("slope.nc", "slope_grid.nc", "--cubed-sphere", str(n), "--force", "--quiet")
    slope = Grid("slope_grid.nc")
    away = abs(slope["depth"] - (1000 + 10 * slope["lat"])).max()
    check(away < 20, f"a cell is {away} m deeper or shallower than its place")
    heights = random_heights(30, 60, 2)
    write_source("points.nc", numpy.arange(-180, 180, 6), numpy.linspace(-87, 87, 30), heights)
    run("points.nc", "full.nc", "--cubed-sphere", str(n), "--ranks", "7", "--level-tops", "0,1000,2000,4000", "--force", "-q",
        "--picture", "full.svg")
    run("points.nc", "curve.nc", "--cubed-sphere", str(n), "--order", "curve", "--force", "-q")
    full, curve = Grid("full.nc"), Grid("curve.nc")
    check_kept(full, whole)
    weights = numpy.maximum((full["depth"][:, None] > [0, 1000, 2000, 4000]).sum(axis=1), 1)
    check(abs(full.imbalance(7, weights) - full.numbers["owner_7"]["imbalance"]) < 1e-9, "the imbalance of levels")
    order = numpy.argsort(curve["full_index"])
    check((curve["full_index"][order] == full["full_index"]).all(), "the order of cells changes which are kept")
    check((curve["area"][order] == full["area"]).all(), "the order of cells changes areas")
    jumps = numpy.linalg.norm(numpy.diff(curve.vectors(), axis=0), axis=1)
    straight = numpy.linalg.norm(numpy.diff(full.vectors(), axis=0), axis=1)
    check(jumps.mean() < straight.mean(), "cells along the curve are no closer to each other")


def sources():
    """Coarser sources, masks, depths, missing values, reversed coordinates, and several variables in a file."""
    lon, lat = numpy.arange(-170, 190, 20.0), numpy.arange(80, -90, -20.0)
    wet = numpy.zeros((len(lat), len(lon)), bool)
    wet[2:5, 3:9] = wet[6, 12] = True
    write_source("mask.nc", lon, lat, wet, "wet")
    write_source("depth.nc", lon, lat, numpy.where(wet, 250.0, -9.0), "floor", positive="down")
    write_source("missing.nc", lon, lat, numpy.where(wet, 250.0, 1e20), "floor", _FillValue=1e20,
                 standard_name="sea_floor_depth_below_geoid", units="m")
    run("mask.nc", "of_mask.nc", "--mask", "--mask-depth", "250", "--lonlat", "36x18", "--force", "-q")
    run("depth.nc", "of_depth.nc", "--lonlat", "36x18", "--force", "-q")
    run("missing.nc", "of_missing.nc", "--lonlat", "36x18", "--force", "-q")
    grids = [Grid(f"of_{name}.nc") for name in ("mask", "depth", "missing")]
    i, j = numpy.arange(36), numpy.arange(18)
    nearest = wet[::-1][numpy.ix_(j // 2, (i + 18) % 36 // 2)]
    for grid in grids:
        check(grid.ocean() == set(numpy.flatnonzero(nearest).tolist()), f"{grid.path}: ocean is not as at the nearest point")
        check(set(grid["depth"][grid["ocean"] == 1].tolist()) == {250.0}, f"{grid.path}: depths")


def refuses():
    write_source("land.nc", numpy.arange(0, 360, 10), numpy.arange(-85, 90, 10), 100.0)
    write_source("plain.nc", numpy.arange(0, 360, 10), numpy.arange(-85, 90, 10), -100.0, axes=("1", "1"))
    write_source("odd.nc", numpy.arange(0, 360, 10), numpy.arange(-85, 901, 10), -100.0)
    with netCDF4.Dataset("land.nc", "a") as file:
        file.renameVariable("height", "z")
        file.createVariable("other", "f4", ("b", "a"))
    pathlib.Path("there.nc").touch()
    for words, code, arguments in [
            ("no grid", 2, ["plain.nc", "out.nc"]),
            ("is no size", 2, ["plain.nc", "out.nc", "--lonlat", "9x"]),
            ("exists", 1, ["plain.nc", "there.nc", "--lonlat", "9x9"]),
            ("--picture", 2, ["plain.nc", "out.nc", "--lonlat", "9x9", "--picture", "x.svg"])]:
        text = run(*arguments, wanted=code)
        check(words in text, f"{arguments} says {text!r}, without {words!r}")
    text = run("land.nc", "out.nc", "--variable", "z", "--cubed-sphere", "3", wanted=1, ranks=3)
    check(text.count("has no ocean") == 1, f"the error is not reported once: {text}")
    run(program=PROGRAM, ranks=2)
    check(not list(pathlib.Path().glob("out*")), "an error left a file")
    check(len(Grid("good.nc")["lon"]) == 54, "the grid that is right is wrong")


def fortran():
    write_source("points.nc", numpy.arange(0, 360, 6), numpy.linspace(-87, 87, 30), random_heights(30, 60, 3))
    run("points.nc", "of_fortran.nc", program=PROGRAM, ranks=2)
    run("points.nc", "of_program.nc", "--cubed-sphere", "12", "--order", "curve", "--ranks", "5,3", "--level-tops",
        "0,100,1000", "--force", "-q")
    Grid("of_program.nc")
    same = pathlib.Path("of_fortran.nc").read_bytes() == pathlib.Path("of_program.nc").read_bytes()
    check(same, "the program and the Fortran interface write different files")


{"lonlat": lonlat, "cubed_sphere": cubed_sphere, "sources": sources, "refuses": refuses, "fortran": fortran}[CASE]()
