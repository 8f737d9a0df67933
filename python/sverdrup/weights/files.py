"""Files of weights in ESMF's form."""

from typing import Any

import numpy as np
from scipy.io import netcdf_file

from sverdrup.weights.grids import Array, Grid
from sverdrup.weights.methods import METHODS, overlaps


def write(path: str, source: Grid, target: Grid, method: str) -> int:
    """Returns the number of weights."""
    make, text = METHODS[method]
    weights = make(source, target).tocsr()
    weights.eliminate_zeros()
    weights.sort_indices()
    links = weights.tocoo()
    with netcdf_file(path, "w", version=2) as file:
        file.title, file.map_method = "weights of sverdrup weights", text
        file.normalization = "fracarea" if method == "conservative" else "none"
        file.createDimension("n_s", links.nnz)
        for name, values in (("S", links.data), ("row", links.row + 1), ("col", links.col + 1)):
            _put(file, name, values, ("n_s",))
        areas = overlaps(source, target) if method == "conservative" else None
        for side, word, grid, axis in (("a", "src", source, 0), ("b", "dst", target, 1)):
            file.createDimension(f"n_{side}", len(grid.lat))
            file.createDimension(f"{word}_grid_rank", len(grid.shape))
            _put(file, f"{word}_grid_dims", np.array(grid.shape[::-1]), (f"{word}_grid_rank",))
            _put(file, f"yc_{side}", grid.lat, (f"n_{side}",), "degrees")
            _put(file, f"xc_{side}", grid.lon, (f"n_{side}",), "degrees")
            if grid.edges is not None:
                _put_corners(file, side, *grid.edges)
            if areas is not None:
                area = _areas(grid)
                _put(file, f"area_{side}", area, (f"n_{side}",))
                _put(file, f"frac_{side}", areas.sum(axis=axis).A1 / area, (f"n_{side}",))
    return int(links.nnz)


def _put(file: Any, name: str, values: Any, dims: tuple[str, ...], units: str = "") -> None:
    variable = file.createVariable(name, "f8" if values.dtype.kind == "f" else "i4", dims)
    variable[:] = values
    if units:
        variable.units = units


def _put_corners(file: Any, side: str, rows: Array, columns: Array) -> None:
    """Counterclockwise, from the south-west."""
    file.createDimension(f"nv_{side}", 4)
    dims = (f"n_{side}", f"nv_{side}")
    _put(file, f"yv_{side}", np.repeat(rows[:, [0, 0, 1, 1]], len(columns), axis=0), dims, "degrees")
    _put(file, f"xv_{side}", np.tile(columns[:, [0, 1, 1, 0]], (len(rows), 1)), dims, "degrees")


def _areas(grid: Grid) -> Array:
    assert grid.edges is not None
    height, width = np.diff(np.sin(np.deg2rad(grid.edges[0]))), np.deg2rad(np.diff(grid.edges[1]))
    return (height * width.T).ravel()
