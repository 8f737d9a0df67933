"""The values of tests/streams/model.c, and the operations over time in NumPy."""
import math
import operator

import numpy

LEV, LAT, LON, RIVERS = 6, 6, 6, 23
NUMBERS = {"temp": 0, "sst": 1, "ice": 2, "heat": 3, "runoff": 4, "wind": 5, "tri": 6, "deep": 7}
SHAPES = {"temp": (LEV, LAT, LON), "heat": (), "runoff": (RIVERS,), "deep": (LEV, LAT, LON)}
MEMORY = {"temp": "f8", "sst": "f4", "ice": "i4", "heat": "f8", "runoff": "f8", "wind": "f4", "tri": "f4", "deep": "f4"}
FILE = {"temp": "f4", "sst": "f4", "ice": "i4", "heat": "f8", "runoff": "f8", "wind": "f8", "tri": "f4", "deep": "f4"}
MISSING = {"temp": 1e20, "ice": -9999, "wind": numpy.nan, "deep": float(numpy.float32(1e20))}
REAL = {"mean", "rms", "variance"}
OPERATIONS = ["mean", "min", "max", "sum", "range", "rms", "variance", "first", "last", "count"]
COMPARISONS = {
    ">": operator.gt, ">=": operator.ge, "<": operator.lt, "<=": operator.le, "==": operator.eq, "!=": operator.ne,
}
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
    """Values of a field, and where they are valid and a condition holds: the name of a field, a comparison and a
    number. `levels`: to which values are interpolated."""
    found, valid = values(field, step)
    if condition is not None:
        on, on_valid = (constants()[condition[0]], True) if condition[0] in constants() else values(condition[0], step)
        valid = valid & on_valid & ~numpy.isnan(on) & COMPARISONS[condition[1]](on, condition[2])
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


def cells(lat, lon, lev=None):
    """The part of these rows and columns, in this order, and of these levels."""

    def part(found, valid):
        cut = [each if lev is None or each.ndim < 3 else each[lev] for each in (found, valid)]
        return tuple(each[..., lat, :][..., lon] for each in cut)

    return part


def on_axis(values, low, high, is_circular):
    """The cells in a box, in the order in which they are written."""
    if not is_circular:
        return [i for i, value in enumerate(values) if min(low, high) <= value <= max(low, high)]
    if high - low >= 360:
        return list(range(len(values)))
    width = high - low if high >= low else high - low + 360
    found = [i for i, value in enumerate(values) if (value - low) % 360 <= width]
    return sorted(found, key=lambda i: (values[i] - low) % 360)


def stations(places):
    rows, columns = zip(*places)
    return lambda found, valid: tuple(each[..., rows, columns] for each in (found, valid))


def nearest(values, coordinate, is_circular):
    apart = numpy.abs(numpy.array(values, "f8") - coordinate)
    return int(numpy.argmin(numpy.minimum(apart % 360, -apart % 360) if is_circular else apart))


def shortest_arc(columns, of):
    """The fewest columns that follow one another on a circle of so many, and contain these."""
    arcs = [[(begin + i) % of for i in range(length)] for length in range(1, of + 1) for begin in range(of)
            if begin + length <= of or length < of]
    arcs.sort(key=lambda arc: (len(arc), arc[0] > arc[-1], arc[0]))
    return next(arc for arc in arcs if columns <= set(arc))


def curved_cells(west, east, south=-90, north=90):
    """Rows and columns of the curvilinear grid that contain all cells within the box; None: there are none."""
    lon, lat = constants()["nav_lon"], constants()["nav_lat"]
    width = east - west if east >= west else east - west + 360
    within = ((lon - west) % 360 <= width) & (lat >= min(south, north)) & (lat <= max(south, north))
    within |= (width >= 360) & ~numpy.isnan(lon) & (lat >= min(south, north)) & (lat <= max(south, north))
    rows, columns = numpy.nonzero(within)
    if rows.size == 0:
        return None
    return list(range(rows.min(), rows.max() + 1)), shortest_arc(set(columns.tolist()), LON)


def curved_box(west, east, south=-90, north=90):
    return cells(*curved_cells(west, east, south, north))


def curved_stations(places):
    """The nearest cells there, by longitude and latitude."""
    lon, lat = numpy.deg2rad(constants()["nav_lon"]), numpy.deg2rad(constants()["nav_lat"])
    found = []
    for x, y in places:
        x, y = math.radians(x), math.radians(y)
        apart = numpy.sin((lat - y) / 2) ** 2 + numpy.cos(lat) * math.cos(y) * numpy.sin((lon - x) / 2) ** 2
        found.append(numpy.unravel_index(numpy.nanargmin(apart), apart.shape))
    return stations(found)


def reduced(axes, regions=None, weights=None, is_sum=False, within=None):
    """Over these axes, counted from the last one (-1); exact sums. `regions`: the numbers of cells, a result for each
    from 1. `within`: the part that is reduced."""

    def part(found, valid):
        x, good = within(found, valid) if within else (found, valid)
        cut = [each if each is None or not within else within(each, each)[0] for each in (weights, regions)]
        w, of = (numpy.broadcast_to(1.0 if each is None else each, x.shape) for each in cut)
        numbers = [1] if regions is None else range(1, cut[1].max() + 1)
        last = range(x.ndim - len(axes), x.ndim)
        moved = [numpy.moveaxis(each, axes, last) for each in (x, good, w, of)]
        x, good, w, of = (each.reshape(*each.shape[:last[0]], -1) for each in moved)
        made, some = numpy.zeros((len(numbers), *x.shape[:-1])), numpy.zeros((len(numbers), *x.shape[:-1]), bool)
        for place in numpy.ndindex(made.shape):
            at = place[1:]
            take = good[at] & (of[at] == numbers[place[0]])
            some[place] = take.any()
            if take.any():
                made[place] = math.fsum((x[at] * w[at])[take]) / (1.0 if is_sum else math.fsum(w[at][take]))
        return (made[0], some[0]) if regions is None else (made, some)

    return part


def file_type(operation, field):
    if operation == "count":
        return "i4"
    return "f8" if operation in REAL and FILE[field] == "i4" else FILE[field]
