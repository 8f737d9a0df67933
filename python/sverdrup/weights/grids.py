"""Grids: the source, from a file of the model, and targets by name."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from sverdrup.weights import WeightsError

Array = np.ndarray[Any, np.dtype[np.float64]]


@dataclass(frozen=True)
class Grid:
    """Longitudes and latitudes of cells in degrees. `edges`: of the rows and columns of a rectilinear grid."""

    shape: tuple[int, ...]
    lon: Array
    lat: Array
    axes: tuple[Array, Array] | None = None  # latitudes of rows, longitudes of columns
    edges: tuple[Array, Array] | None = None  # of each row, and column: south and north, west and east


def _rectilinear(lat: Array, lon: Array, lat_edges: Array, lon_edges: Array) -> Grid:
    south_north = np.clip(np.sort(lat_edges, axis=1), -90, 90)
    west_east = lon[:, None] + (lon_edges - lon[:, None] + 180) % 360 - 180
    y, x = np.meshgrid(lat, lon, indexing="ij")
    return Grid((len(lat), len(lon)), x.ravel(), y.ravel(), (lat, lon), (south_north, np.sort(west_east, axis=1)))


def _middles(values: Array) -> Array:
    """The edges half way between neighbours."""
    if len(values) < 2:
        raise WeightsError("an axis has one cell and no bounds. Give it bounds")
    between = (values[1:] + values[:-1]) / 2
    edges = np.concatenate(([2 * values[0] - between[0]], between, [2 * values[-1] - between[-1]]))
    return np.stack([edges[:-1], edges[1:]], axis=1)


def _coordinate(file: Any, names: list[str], direction: str) -> Any:
    """The variable with units of degrees in this direction."""
    for name in names:
        units = str(getattr(file.variables.get(name), "units", "")).lower()
        if units in (f"degrees_{direction}", f"degree_{direction}"):
            return file[name]
    raise WeightsError(f"{file.filepath()}: the variable has no coordinate with units degrees_{direction}. Add it")


def _edges(file: Any, coordinate: Any) -> Array:
    bounds = getattr(coordinate, "bounds", None)
    return np.asarray(file[bounds][:], "f8") if bounds in file.variables else _middles(np.asarray(coordinate[:], "f8"))


def source(path: str, name: str) -> Grid:
    """That of a variable. Cells without a place are NaN."""
    try:
        import netCDF4
    except ImportError as error:
        raise WeightsError("the Python package netCDF4 is missing. Install it: pip install netCDF4") from error
    with netCDF4.Dataset(path) as file:
        if name not in file.variables:
            raise WeightsError(f"{path}: there is no variable '{name}'. Name one of {', '.join(file.variables)}")
        variable = file[name]
        names = [*str(getattr(variable, "coordinates", "")).split(), *variable.dimensions]
        lat, lon = (_coordinate(file, names, direction) for direction in ("north", "east"))
        values = [np.ma.filled(np.ma.asarray(each[:], "f8"), np.nan) for each in (lat, lon)]
        if lat.ndim == 1 and lat.dimensions != lon.dimensions:
            return _rectilinear(*values, _edges(file, lat), _edges(file, lon))
        return Grid(lat.shape, values[1].ravel(), values[0].ravel())


def _healpix(nside: int, is_nested: bool) -> Grid:
    """Centres of the cells: Górski and others 2005, "HEALPix: a framework", equations 2 to 9, by ring; and the faces
    of the nested order."""
    n = np.arange(12 * nside * nside, dtype=np.int64)
    if is_nested:
        n = _ring_numbers(nside, n)
    cap, polar = 2 * nside * (nside - 1), 12 * nside * nside
    z, phi = np.empty(len(n)), np.empty(len(n))
    for is_south, at in ((False, n < cap), (True, n >= polar - cap)):
        p = (polar - 1 - n[at]) if is_south else n[at]
        ring = (1 + np.floor(np.sqrt(1 + 2 * p.astype("f8"))).astype("i8")) // 2
        ring -= 2 * ring * (ring - 1) > p
        ring += 2 * ring * (ring + 1) <= p
        place = p - 2 * ring * (ring - 1)
        place = 4 * ring - 1 - place if is_south else place
        z[at] = (1 - ring**2 / (3.0 * nside**2)) * (-1 if is_south else 1)
        phi[at] = (place + 0.5) / ring * 90
    belt = (n >= cap) & (n < polar - cap)
    p = n[belt] - cap
    ring, place = p // (4 * nside) + nside, p % (4 * nside)
    z[belt] = 4 / 3 - 2 * ring / (3.0 * nside)
    phi[belt] = (place + np.where((ring - nside) % 2 == 0, 0.5, 0.0)) / nside * 90
    return Grid((len(n),), phi, np.rad2deg(np.arcsin(z)))


def _ring_numbers(nside: int, nested: Any) -> Any:
    """The numbers by ring of cells in nested order."""
    face, rest = np.divmod(nested, nside * nside)
    x, y = np.zeros_like(rest), np.zeros_like(rest)
    for bit in range(nside.bit_length()):
        x |= (rest >> (2 * bit) & 1) << bit
        y |= (rest >> (2 * bit + 1) & 1) << bit
    row = np.array([2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4])[face]
    column = np.array([1, 3, 5, 7, 0, 2, 4, 6, 1, 3, 5, 7])[face]
    ring = row * nside - x - y - 1
    cells = np.minimum(np.minimum(ring, 4 * nside - ring), nside)  # a quarter of the ring's
    is_shifted = (ring >= nside) & (ring <= 3 * nside) & ((ring - nside) % 2 == 1)
    place = (column * cells + x - y + 1 + is_shifted) // 2
    place = np.where(place > 4 * cells, place - 4 * nside, np.where(place < 1, place + 4 * nside, place)) - 1
    cap, polar = 2 * nside * (nside - 1), 12 * nside * nside
    south = 4 * nside - ring
    beyond_cap = np.where(ring <= 3 * nside, cap + (ring - nside) * 4 * nside, polar - 2 * south * (south + 1))
    return np.where(ring < nside, 2 * ring * (ring - 1), beyond_cap) + place


def target(name: str) -> Grid:
    """`360x180`: regular cells from longitude 0 and latitude -90; `healpix:64` and `healpix:64:ring`."""
    kind, *more = name.split(":")
    if kind == "healpix" and more and more[0].isdigit() and more[1:] in ([], ["ring"], ["nested"]):
        nside = int(more[0])
        if more[1:] != ["ring"] and nside & (nside - 1) != 0 or nside == 0:
            raise WeightsError(f"HEALPix in nested order needs a power of two, not {nside}. Add ':ring'")
        return _healpix(nside, more[1:] != ["ring"])
    numbers = kind.split("x")
    if more or len(numbers) != 2 or not all(each.isdigit() and int(each) > 0 for each in numbers):
        raise WeightsError(f"there is no grid '{name}'. Give NLONxNLAT, such as 360x180, or healpix:NSIDE[:ring]")
    nlon, nlat = (int(each) for each in numbers)
    lon, lat = np.arange(nlon + 1) * (360 / nlon), np.arange(nlat + 1) * (180 / nlat) - 90
    edges = [np.stack([each[:-1], each[1:]], axis=1) for each in (lat, lon)]
    return _rectilinear(edges[0].mean(axis=1), edges[1].mean(axis=1), edges[0], edges[1])
