"""Weights between two grids: a sparse matrix of target cells by source cells."""

from typing import Any

import numpy as np
from scipy import sparse
from scipy.spatial import KDTree

from sverdrup.weights import WeightsError
from sverdrup.weights.grids import Array, Grid


def conservative(source: Grid, target: Grid) -> Any:
    """Shares of each target cell's covered area: exact for cells between parallels and meridians."""
    if source.edges is None or target.edges is None:
        raise WeightsError(
            "conservative weights are made between grids with axes of longitudes and latitudes. "
            "Use --method nearest, or ESMF_RegridWeightGen or cdo gencon for these grids"
        )
    areas = overlaps(source, target)
    return sparse.diags(1 / np.maximum(areas.sum(axis=1).A1, np.finfo("f8").tiny)) @ areas


def overlaps(source: Grid, target: Grid) -> Any:
    """The common areas of cells on the sphere of radius 1."""
    assert source.edges is not None and target.edges is not None
    rows = _common(*(np.sin(np.deg2rad(grid.edges[0])) for grid in (target, source) if grid.edges is not None))
    shifts = (sparse.csr_matrix(_common(np.deg2rad(target.edges[1] + turn), np.deg2rad(source.edges[1])))
              for turn in (-360.0, 0.0, 360.0))  # fmt: skip
    return sparse.kron(sparse.csr_matrix(rows), sum(shifts), format="csr")


def _common(one: Array, other: Array) -> Array:
    """The lengths that two lists of ranges have in common."""
    low = np.maximum(one[:, None, 0], other[None, :, 0])
    return np.maximum(np.minimum(one[:, None, 1], other[None, :, 1]) - low, 0)


def bilinear(source: Grid, target: Grid) -> Any:
    """Between the four centres around each target centre; beyond the outermost rows, on these."""
    if source.axes is None:
        raise WeightsError(
            "bilinear weights are made from grids with axes of longitudes and latitudes. "
            "Use --method nearest, or ESMF_RegridWeightGen or cdo genbil for this grid"
        )
    lat, lon = source.axes
    order = np.argsort(lat)
    south, share = _between(lat[order], np.clip(target.lat, lat.min(), lat.max()))
    rows = order[np.minimum(np.stack([south, south + 1]), len(lat) - 1)], np.stack([1 - share, share])
    start = np.argsort(lon % 360)
    circle = (lon % 360)[start]
    circle = np.append(circle, circle[0] + 360)
    west, share = _between(circle, (target.lon - circle[0]) % 360 + circle[0])
    is_gap = np.diff(circle)[west] > 1.5 * np.median(np.diff(circle))  # the source does not go around
    columns = start[np.stack([west, west + 1]) % len(lon)], np.stack([1 - share, share])
    cells = np.arange(len(target.lat))
    made = sparse.csr_matrix((len(cells), len(source.lat)))
    for row, row_weight in zip(*rows, strict=True):
        for column, column_weight in zip(*columns, strict=True):
            weight = np.where(is_gap, 0, row_weight * column_weight)
            made = made + sparse.csr_matrix((weight, (cells, row * len(lon) + column)), shape=made.shape)
    return made


def _between(ascending: Array, values: Array) -> tuple[Any, Array]:
    """The place below each value, and the share of the one above."""
    if len(ascending) < 2:
        return np.zeros(len(values), int), np.zeros(len(values))
    at = np.clip(np.searchsorted(ascending, values, side="right") - 1, 0, len(ascending) - 2)
    return at, (values - ascending[at]) / (ascending[at + 1] - ascending[at])


def nearest(source: Grid, target: Grid) -> Any:
    """The nearest source centre on the sphere."""
    places = np.flatnonzero(np.isfinite(source.lon + source.lat))
    found = places[KDTree(_on_sphere(source)[places]).query(_on_sphere(target))[1]]
    ones = np.ones(len(found))
    return sparse.csr_matrix((ones, (np.arange(len(found)), found)), shape=(len(found), len(source.lat)))


def _on_sphere(grid: Grid) -> Array:
    lon, lat = np.deg2rad(grid.lon), np.deg2rad(grid.lat)
    return np.stack([np.cos(lat) * np.cos(lon), np.cos(lat) * np.sin(lon), np.sin(lat)], axis=1)


METHODS = {
    "conservative": (conservative, "Conservative remapping"),
    "bilinear": (bilinear, "Bilinear remapping"),
    "nearest": (nearest, "Nearest source to destination"),
}
