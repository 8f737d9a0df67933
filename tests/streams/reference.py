"""The values of tests/streams/model.c, and the operations over time in NumPy."""
import math

import numpy

LEV, LAT, LON, RIVERS = 6, 6, 6, 23
NUMBERS = {"temp": 0, "sst": 1, "ice": 2, "heat": 3, "runoff": 4, "wind": 5, "tri": 6}
SHAPES = {"temp": (LEV, LAT, LON), "heat": (), "runoff": (RIVERS,)}
MEMORY = {"temp": "f8", "sst": "f4", "ice": "i4", "heat": "f8", "runoff": "f8", "wind": "f4", "tri": "f4"}
FILE = {"temp": "f4", "sst": "f4", "ice": "i4", "heat": "f8", "runoff": "f8", "wind": "f8", "tri": "f4"}
MISSING = {"temp": 1e20, "ice": -9999, "wind": numpy.nan}
REAL = {"mean", "rms", "variance"}
OPERATIONS = ["mean", "min", "max", "sum", "range", "rms", "variance", "first", "last", "count"]
METHODS = {"instant": "point", "min": "minimum", "max": "maximum", "rms": "root_mean_square"}


def values(field, step):
    """Of all cells, as the model sends them, in double precision; and where they are valid."""
    shape = SHAPES.get(field, (LAT, LON))
    cell = numpy.arange(int(numpy.prod(shape)), dtype="u8").reshape(shape)
    with numpy.errstate(over="ignore"):
        mixed = cell * numpy.uint64(2654435761) + numpy.uint64(step * 40503) + numpy.uint64(NUMBERS[field] * 977)
        mixed ^= mixed >> numpy.uint64(13)
        mixed = (mixed * numpy.uint64(0x9E3779B97F4A7C15)) >> numpy.uint64(40)
    found = (mixed % 2001).astype("f8") - 1000 if field == "ice" else (mixed % 1000003).astype("f8") / 997.0 - 400
    valid = numpy.ones(shape, bool)
    if field in MISSING:
        valid = (cell % 17 != 3) & (mixed % 11 != 0)
    return found.astype(MEMORY[field]).astype("f8"), valid


def constants():
    """The fields without time, by name; NaN in the cell without a place."""
    cell = numpy.arange(LAT * LON).reshape(LAT, LON)
    j, i = numpy.divmod(cell, LON)
    return {
        "nav_lon": numpy.where(cell == 0, numpy.nan, (60 * i + 5 * j + 10) % 360),
        "nav_lat": numpy.where(cell == 0, numpy.nan, -75.0 + 30 * j + 2 * i),
        "area": 1.0 / (1 + cell % 7),
        "basin": cell * 7 % 5 % 3,
    }


def interpolated(found, valid, wanted):
    """Between levels, as CDO's intlevel."""
    levels = numpy.array([5.0, 15, 25, 35, 45, 55])
    made = numpy.zeros((len(wanted), *found.shape[1:]))
    some = numpy.zeros(made.shape, bool)
    for number, level in enumerate(wanted):
        if not levels[0] <= level <= levels[-1]:
            continue
        upper = int(numpy.searchsorted(levels, level))
        weight = 1.0 if levels[upper] == level else (level - levels[upper - 1]) / (levels[upper] - levels[upper - 1])
        below, above = max(upper - 1, 0), upper
        has = [valid[below] & (weight < 1), valid[above]]
        made[number] = numpy.where(
            has[0] & has[1], found[below] * (1 - weight) + found[above] * weight,
            numpy.where(has[0], found[below], found[above]))
        some[number] = (has[0] & has[1]) | (has[0] & (1 - weight >= 0.5)) | (has[1] & (weight >= 0.5))
    return made, some


def where(field, step, condition, levels=None):
    """Values of a field, and where they are valid and a condition holds: the name of a field, and the least value.
    `levels`: to which values are interpolated."""
    found, valid = values(field, step)
    if condition is not None and condition[0] in constants():
        valid = valid & (constants()[condition[0]] > condition[1])
    elif condition is not None:
        on, on_valid = values(condition[0], step)
        valid = valid & on_valid & (on > condition[1])
    return (found, valid) if levels is None else interpolated(found, valid, levels)


def result(operation, field, steps, condition=None, levels=None):
    """`steps`: number and seconds of each. Returns the values in double precision, and where they are valid."""
    if not steps:
        shape = where(field, 1, None, levels)[0].shape
        return numpy.zeros(shape), numpy.zeros(shape, bool)
    every = [(*where(field, step, condition, levels), float(seconds)) for step, seconds in steps]
    x = numpy.stack([each[0] for each in every])
    valid = numpy.stack([each[1] for each in every])
    weight = numpy.stack([numpy.where(each[1], each[2], 0.0) for each in every])
    some = valid.any(axis=0)
    with numpy.errstate(invalid="ignore", divide="ignore"):
        total = weight.sum(axis=0)
        mean = (x * weight).sum(axis=0) / total
        made = {
            "instant": x[-1],
            "mean": mean,
            "min": numpy.where(valid, x, numpy.inf).min(axis=0),
            "max": numpy.where(valid, x, -numpy.inf).max(axis=0),
            "sum": numpy.where(valid, x, 0.0).sum(axis=0),
            "rms": numpy.sqrt((x * x * weight).sum(axis=0) / total),
            "variance": (weight * (x - mean) ** 2).sum(axis=0) / total,
            "first": numpy.take_along_axis(x, valid.argmax(axis=0)[None], 0)[0],
            "last": numpy.take_along_axis(x[::-1], valid[::-1].argmax(axis=0)[None], 0)[0],
            "count": valid.sum(axis=0).astype("f8"),
        }
    if operation == "range":
        return made["max"] - made["min"], some
    if operation == "instant":
        return made[operation], valid[-1]
    return made[operation], some | (operation == "count")


# ---- parts of fields, each of values and where they are valid


def cells(lat, lon):
    """The part of these rows and columns, in this order."""

    def part(found, valid):
        return tuple(each[..., lat, :][..., lon] for each in (found, valid))

    return part


def stations(places):
    rows, columns = zip(*places)
    return lambda found, valid: tuple(each[..., rows, columns] for each in (found, valid))


def curved_box(west, east, south=-90, north=90):
    """Rows and columns of the curvilinear grid that contain all cells within the box."""
    lon, lat = constants()["nav_lon"], constants()["nav_lat"]
    within = ((lon - west) % 360 <= east - west) & (lat >= south) & (lat <= north)
    rows, columns = numpy.nonzero(within)
    return cells(slice(rows.min(), rows.max() + 1), slice(columns.min(), columns.max() + 1))


def curved_stations(places):
    """The nearest cells there, by longitude and latitude."""
    lon, lat = numpy.deg2rad(constants()["nav_lon"]), numpy.deg2rad(constants()["nav_lat"])
    found = []
    for x, y in places:
        x, y = math.radians(x), math.radians(y)
        apart = numpy.sin((lat - y) / 2) ** 2 + numpy.cos(lat) * math.cos(y) * numpy.sin((lon - x) / 2) ** 2
        found.append(numpy.unravel_index(numpy.nanargmin(apart), apart.shape))
    return stations(found)


def reduced(axes, regions=None, weights=None, is_sum=False):
    """Over the last axes, so many of them; exact sums. `regions`: the numbers of cells, a result for each from 1."""

    def part(found, valid):
        kept = found.shape[: found.ndim - axes]
        x, good = (each.reshape(*kept, -1) for each in (found, valid))
        w = numpy.ones(x.shape[-1]) if weights is None else weights.ravel()
        numbers = [None] if regions is None else range(1, regions.max() + 1)
        chosen = [numpy.ones(x.shape[-1], bool) if n is None else regions.ravel() == n for n in numbers]
        made = numpy.zeros((len(chosen), *kept))
        some = numpy.zeros((len(chosen), *kept), bool)
        for place in numpy.ndindex(made.shape):
            take = good[place[1:]] & chosen[place[0]]
            some[place] = take.any()
            if take.any():
                over = 1.0 if is_sum else math.fsum(w[take])
                made[place] = math.fsum((x[place[1:]] * w)[take]) / over
        return (made[0], some[0]) if regions is None else (made, some)

    return part


def file_type(operation, field):
    if operation == "count":
        return "i4"
    return "f8" if operation in REAL and FILE[field] == "i4" else FILE[field]
