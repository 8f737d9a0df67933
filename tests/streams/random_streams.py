"""Random configurations of streams, against NumPy and with kills: for streams_test.py."""
import dataclasses
import itertools
import os
import random
import shlex
import subprocess
import sys

import cftime
import netCDF4
import numpy
import reference
from comparing import EPOCH, compare, periods
from model_run import Clock, contents, fail, fresh, interrupted, run_well, same, write_config

ON_GRID = ["temp", "sst", "ice", "wind"]
GRID = [*ON_GRID, "deep"]  # the last with levels on several ranks
STATIONS = [(35, 50), (-29, -80), (35, 31)]
AXES = {"lev": [5, 15, 25, 35, 45, 55], "lat": [-75, -45, -15, 15, 45, 75], "lon": [30, 90, 150, 210, 270, 330]}

# By the keys of a stream, the part of a field on the grid, and of the one on the curvilinear grid. Longitudes are 30,
# 90, ... 330; the first box crosses 0.
SPACES = {
    "box: {lon: [-100, 40], lat: [60, -20]}": (reference.cells([2, 3, 4], [4, 5, 0]), None),
    "box: {X: [80, 400]}": (reference.cells(slice(None), [1, 2, 3, 4, 5, 0]), reference.curved_box(80, 400)),
    'slices: {lat: "1:6:2", X: 3}': (reference.cells([1, 3, 5], [3]), None),
    "stations: {a: [35, 50], b: [-29, -80], c: [35, 31]}": (
        reference.stations([(4, 0), (0, 5), (4, 0)]), reference.curved_stations(STATIONS)),
}
OTHER_EPOCH = "hours since 1995-03-01 06:00:00"
PLACES = [(ranks, how, nodes) for ranks in (1, 2, 5, 8, 16) for how in ("none", "threads", "servers:1", "servers:3")
          for nodes in (1, 4)]
CONFIGURATIONS = 25  # of one run of the model
PLACES_OF_RUN = int(os.environ.get("PLACES", 8))  # of all; 40 runs in sequence have been in each of them as often


@dataclasses.dataclass
class Part:
    """The selection of a stream: keys, the parts of the fields on each grid, and axes that are cut."""
    keys: str = ""
    grid: object = None
    levels: object = None  # of fields with levels, instead of `grid`
    curved: object = None
    river: object = None
    has_stations: bool = False
    has_levels: bool = False  # a choice of its own

    def of(self, field):
        on_levels = self.levels or self.grid
        parts = {"tri": self.curved, "runoff": self.river, "temp": on_levels, "deep": on_levels, "heat": None}
        return parts.get(field, self.grid)


@dataclasses.dataclass
class Stream:
    name: str
    keys: str  # YAML
    template: str
    fields: dict
    is_end: object
    epoch: str

    def compare(self, folder, clock):
        if any(True for _ in periods(clock, self.is_end)):
            compare(folder, clock, self.template, self.fields, self.is_end, self.epoch)


@dataclasses.dataclass
class Config:
    streams: list
    text: str
    model_stream: tuple  # or None


def random_slice(rng, length):
    """Its text, and its cells."""
    begin = rng.randrange(length)
    if rng.random() < 0.3:
        return str(begin), [begin]
    end, step = rng.randint(begin + 1, length), rng.randint(1, 3)
    return f'"{begin}:{end}"' if step == 1 else f'"{begin}:{end}:{step}"', list(range(begin, end, step))


def random_range(rng, is_circular):
    """A box's two coordinates. On the circle, the second one may also be the smaller one."""
    if not is_circular:
        return [rng.randint(-90, 90), rng.randint(-90, 90)]
    low, width = rng.randint(-200, 400), rng.choice([rng.randint(30, 350), rng.randint(70, 200), 360])
    high = low + width - (360 if width < 360 and rng.random() < 0.4 else 0)
    return [low, high]


def random_stations(rng):
    places = [(rng.randint(-1800, 3600) / 10 + 0.03, rng.randint(-890, 890) / 10 + 0.04)
              for _ in range(rng.randint(1, 5))]
    texts = ", ".join(f"s{i}: [{x}, {y}]" for i, (x, y) in enumerate(places))
    found = [(reference.nearest(AXES["lat"], y, False), reference.nearest(AXES["lon"], x, True)) for x, y in places]
    curved = reference.curved_stations(places)
    return Part(f"stations: {{{texts}}}", reference.stations(found), None, curved, has_stations=True)


def random_box(rng, chosen):
    """Boxes on longitude, latitude or both; and slices of other axes. None: a box without a cell."""
    names = ["X", "Y"] if rng.random() < 0.5 else ["lon", "lat"]
    names = rng.sample(names, rng.randint(1, 2))
    if not set(chosen) & {*GRID, *(["tri"] if "X" in names or "Y" in names else [])}:
        return None
    boxes = {name: random_range(rng, name in ("X", "lon")) for name in names}
    lon, lat = (boxes.get(a, boxes.get(b)) for a, b in (("X", "lon"), ("Y", "lat")))
    columns = list(range(6)) if lon is None else reference.on_axis(AXES["lon"], *lon, True)
    rows = list(range(6)) if lat is None else reference.on_axis(AXES["lat"], *lat, False)
    texts = ", ".join(f"{name}: {box}" for name, box in boxes.items())
    made = Part(f"box: {{{texts}}}", reference.cells(rows, columns))
    if "tri" in chosen and ("X" in names or "Y" in names):
        curved = reference.curved_cells(*(lon or (0, 360)), *(lat or (-90, 90)))
        if curved is None:
            return None
        made.curved = reference.cells(*curved)
    if set(chosen) & {"temp", "deep"} and rng.random() < 0.4:
        text, cells = random_slice(rng, reference.LEV)
        made.keys += f"\n    slices: {{lev: {text}}}"
        made.levels, made.has_levels = reference.cells(rows, columns, cells), True
    return made if rows and columns else None


def random_slices(rng, chosen):
    axes = [axis for axis, fields in {"lev": {"temp", "deep"}, "lat": set(GRID), "X": set(GRID), "river": {"runoff"},
                                      "j": {"tri"}, "i": {"tri"}}.items() if fields & set(chosen)]
    if not axes:
        return Part()
    lengths = {"river": reference.RIVERS}
    given = {axis: random_slice(rng, lengths.get(axis, 6)) for axis in rng.sample(axes, rng.randint(1, len(axes)))}
    cells = {axis: each for axis, (_, each) in given.items()}
    every = slice(None)
    rows, columns = cells.get("lat", every), cells.get("X", every)
    texts = ", ".join(f"{axis}: {text}" for axis, (text, _) in given.items())
    made = Part(f"slices: {{{texts}}}", has_levels="lev" in given)
    made.grid = reference.cells(rows, columns)
    made.levels = reference.cells(rows, columns, cells.get("lev", every))
    made.curved = reference.cells(cells.get("j", every), cells.get("i", every))
    river = cells.get("river", every)
    made.river = lambda found, valid: (found[river], valid[river])
    return made


def random_part(rng, chosen):
    kind = rng.choice(["whole", "box", "box", "slices", "stations"])
    if kind == "stations" and set(chosen) & {*GRID, "tri"}:
        return random_stations(rng)
    if kind == "slices":
        return random_slices(rng, chosen)
    for _ in range(20 if kind == "box" else 0):
        if (made := random_box(rng, chosen)) is not None:
            return made
    return Part()


def random_reduction(rng, field, part):
    """Keys, and the function of values that stands for it; nothing for fields and parts without such axes."""
    axes = {"runoff": [("river", (-1,))], "tri": [("i", (-1,)), ("[j, i]", (-2, -1))], "heat": []}
    on_grid = [("lon", (-1,)), ("X", (-1,)), ("lat", (-2,)), ("[lat, lon]", (-2, -1)), ("[X, Y]", (-2, -1))]
    deep = [("Z", (-3,)), ("[lev, lon]", (-3, -1)), ("[lev, Y, X]", (-3, -2, -1))] if field in ("temp", "deep") else []
    if part.has_stations and field not in ("runoff", "heat") or not axes.get(field, on_grid + deep):
        return "", part.of(field)
    names, numbers = rng.choice(axes.get(field, on_grid + deep))
    is_sum = rng.random() < 0.4
    text, regions, weights = f"{'sum' if is_sum else 'mean'}: {names}", None, None
    source = rng.choice(["", "masks.nc:"])
    if field in ON_GRID and rng.random() < 0.4:
        text, weights = f"{text}, weights: '{source}area'", reference.constants()["area"]
    basin = reference.constants()["basin"]
    has_region = part.of(field) is None or (part.grid(basin, basin)[0] > 0).any()
    if field in ON_GRID and has_region and rng.random() < 0.4:
        text, regions = f"{text}, regions: '{source}basin'", basin
    return f", reduce: {{{text}}}", reference.reduced(numbers, regions, weights, is_sum, part.of(field))


def random_condition(rng, field):
    on = {"temp": ["ice", "basin", "area", "temp"], "wind": ["ice", "basin", "area", "wind"], "ice": ["basin", "ice"],
          "sst": ["basin", "area", "sst"], "tri": ["nav_lat", "nav_lon", "tri"]}.get(field, [field])
    name = rng.choice(on)
    limits = {"basin": [0, 1, 2], "area": [0.3, 0.5, 1], "nav_lat": [-15, 0, 45], "nav_lon": [75, 190]}
    condition = (name, rng.choice(list(reference.COMPARISONS)), rng.choice(limits.get(name, [-120, 0, 310])))
    return f", where: '{' '.join(str(each) for each in condition)}'", condition


def random_field(rng, field, is_instant, part):
    """The keys of a field, and the arguments of compare() for it."""
    operation = "instant" if is_instant else rng.choice(reference.OPERATIONS)
    more, made, condition, levels, kind = "", part.of(field), None, None, None
    if rng.random() < 0.4:
        more, made = random_reduction(rng, field, part)
    if rng.random() < 0.3:
        text, condition = random_condition(rng, field)
        more += text
    if field == "temp" and not part.has_levels and rng.random() < 0.4:
        inner = [round(rng.uniform(4, 57), 2) for _ in range(rng.randint(1, 5))]
        levels = tuple(sorted({*inner, *rng.sample(AXES["lev"], 1)}))
        more += f", levels: {list(levels)}"
    if operation != "count" and rng.random() < 0.2:
        kind = rng.choice(["float", "double"])
        more += f", type: {kind}"
    parts_of_day = rng.choice([2, 4, 24]) if operation == "mean" and rng.random() < 0.5 else None
    named = f"diurnal:{parts_of_day}" if parts_of_day else operation
    arguments = (field, operation, made, condition, parts_of_day, levels, {"float": "f4", "double": "f8"}.get(kind))
    return f"{{name: v_{field}, operation: '{named}'{more}}}", arguments


def random_period(rng, clock, epoch):
    """A frequency, and whether a period ends at a date."""
    if len(set(clock.seconds)) == 1 and rng.random() < 0.2:
        steps = rng.randint(1, 9)
        return f"{steps} steps", lambda date: clock.dates.index(date) % steps == 0
    number, unit = rng.choice([(6, "hours"), (12, "hours"), (18, "hours"), (1, "day"), (2, "days"), (5, "days"),
                               (1, "month"), (2, "months"), (3, "months"), (1, "year")])
    if unit[0] in "my":
        months = 12 if unit == "year" else number
        return f"{number} {unit}", lambda date: date.hour == 0 and date.day == 1 and (date.month - 1) % months == 0
    seconds = number * (3600 if unit == "hours" else 86400)
    since = "seconds " + epoch.split(" ", 1)[1]
    return f"{number} {unit}", lambda date: cftime.date2num(date, since, clock.calendar) % seconds == 0


def random_stream(rng, clock, name):
    epoch = rng.choice([EPOCH, EPOCH, OTHER_EPOCH])
    frequency, is_end = random_period(rng, clock, epoch)
    template = f"{name}_" + rng.choice(["%Y", "%Y-%m", "%Y%m%d", "%Y-%j"]) + ".nc"
    is_instant = rng.random() < 0.25
    chosen = rng.sample(list(reference.NUMBERS), rng.randint(1, len(reference.NUMBERS)))
    part = random_part(rng, chosen)
    part.has_levels = part.has_levels or "deep" in chosen  # levels of 'temp' would be another axis of this name
    keys = f"file: \"{template}\"\n    frequency: {frequency}\n    {part.keys}\n    time_units: {epoch}\n    fields:\n"
    fields = {}
    for field in chosen:
        own_keys, fields[f"v_{field}"] = random_field(rng, field, is_instant, part)
        keys += f"      {field}: {own_keys}\n"
    if rng.random() < 0.3:
        keys += "      area: {name: v_area}\n"
    return Stream(name, keys, template, fields, is_end, epoch)


def random_config(rng, clock, prefix="s", most=4):
    """A configuration. The model itself may define one of the streams."""
    streams = [random_stream(rng, clock, f"{prefix}{number}") for number in range(rng.randint(1, most))]
    of_model = streams[-1] if rng.random() < 0.3 else None
    text = "streams:\n  state: \"restart/%Y%m%dT%H%M%S.nc\"\n"
    text += "".join(f"  {each.name}:\n    {each.keys}" for each in streams if each is not of_model)
    return Config(streams, text, of_model and (of_model.name, f"    {of_model.keys}"))


def random_clock(rng):
    calendar = rng.choice(["noleap", "360_day", "standard", "proleptic_gregorian", "all_leap", "julian"])
    day = rng.choice([[21600] * 4, [10800] * 8, [3600, 7200, 10800] * 4, [43200 // 4] * 8])
    start = rng.choice([(2000, 2, 27), (1999, 12, 28), (1900, 2, 26), (1582, 10, 2), (2004, 3, 30, 12)])
    return Clock(calendar, start, day * rng.randint(3, 7))


def write_masks(folder):
    """Regions 0 to 2 and areas of cells. Returns them."""
    basin, area = reference.constants()["basin"].astype("i4"), reference.constants()["area"]
    with netCDF4.Dataset(folder / "masks.nc", "w", format="NETCDF3_64BIT_OFFSET") as file:
        file.createDimension("lat", 6)
        file.createDimension("lon", 6)
        for name, values in (("basin", basin), ("area", area)):
            file.createVariable(name, values.dtype, ("lat", "lon"))[:] = values
    return basin, area


class Dice(random.Random):
    def __init__(self, seed):
        super().__init__(seed)
        self.number = seed


def for_seeds(first, count, make):
    """Goes on after a failure, and prints the command that repeats it."""
    failed = 0
    for seed in range(first, first + count):
        try:
            print(f"seed {seed}: {make(Dice(seed))}", flush=True)
        except (SystemExit, subprocess.TimeoutExpired, LookupError, ValueError, OSError) as error:
            failed += 1
            print(f"seed {seed}: {error}\n  repeat: {shlex.join([*sys.argv[:4], str(seed), '1'])}", flush=True)
    if failed:
        fail(f"{failed} of {count} failed")


def folder_of(name, config):
    folder = fresh(name, config.text, config.model_stream)
    write_masks(folder)
    return folder


def compare_random(rng):
    clock = random_clock(rng)
    config = random_config(rng, clock)
    folders, many = [], rng.choice([2, 3, 5, 8])
    for ranks in (1, many):
        folders.append(folder_of(f"ranks{len(folders)}", config))
        run_well(folders[-1], clock, ranks)
    for stream in config.streams:
        stream.compare(folders[0], clock)
    same(contents(folders[0]), contents(folders[1]), f"1 and {many} ranks")
    return f"{clock.calendar}, {len(clock.seconds)} steps, {many} ranks"


def put_in(place):
    """How the files are written, and on how many nodes. Returns the number of all ranks."""
    ranks, how, nodes = place
    total = ranks + (int(how[-1]) if how.startswith("servers") else 0)
    os.environ["SV_ASYNC"] = how
    os.environ["SV_TESTING_RANKS_PER_NODE"] = str(-(-total // nodes))
    return total


def leave_place():
    for name in ("SV_ASYNC", "SV_TESTING_RANKS_PER_NODE"):
        os.environ.pop(name, None)


def places_of(seed):
    """In turn; each run has different numbers of ranks."""
    return [PLACES[(seed * PLACES_OF_RUN + number) * 11 % len(PLACES)] for number in range(PLACES_OF_RUN)]


def compare_everywhere(rng):
    """Many configurations in one run: by one rank, against NumPy; and the same bytes in several places."""
    clock, places = random_clock(rng), places_of(rng.number)
    configs = [random_config(rng, clock, f"c{number:02}s") for number in range(CONFIGURATIONS)]
    names = [f"c{number:02}.yaml" for number in range(CONFIGURATIONS)]

    def run_all(name, ranks):
        folder = fresh(name, "")
        write_masks(folder)
        for path, config in zip(names, configs):
            write_config(folder / path, config.text, config.model_stream)
        run_well(folder, clock, ranks, configs=names, limit=900)
        return folder

    leave_place()
    one = run_all("one", 1)
    for stream in itertools.chain(*(config.streams for config in configs)):
        stream.compare(one, clock)
    wanted = contents(one)
    for place in places:
        other = run_all("other", put_in(place))
        same(wanted, contents(other), f"{place[0]} ranks, {place[1]}, nodes: {place[2]}")
    leave_place()
    streams = sum(len(config.streams) for config in configs)
    return f"{clock.calendar}, {len(clock.seconds)} steps, {len(configs)} configurations, {streams} streams; {places}"


def random_kills(rng, last, count):
    """Steps and events of kills: at certain moments of a step, or after some time."""
    moments = ["before", "within", "unended", "after"]
    stops = sorted(rng.randint(2, last - 1) for _ in range(count))
    return [(step, int(10 ** rng.uniform(1.5, 5)) if rng.random() < 0.4 else rng.choice(moments)) for step in stops]


def compare_killed(rng, kills=9):
    clock = random_clock(rng)
    config = random_config(rng, clock, most=6)
    whole, folder = folder_of("whole", config), folder_of("killed", config)
    for each in (whole, folder):
        (each / "restart").mkdir()
    leave_place()
    run_well(whole, clock)
    last = len(clock.seconds)
    stops = random_kills(rng, last, kills)
    saves = sorted(rng.sample(range(1, last), rng.randint(2, last // 3)))
    how = rng.choice(["none", "threads", "servers:1"])
    os.environ["SV_ASYNC"] = how
    ranks = [rng.choice([1, 2, 3, 5]) + how.count(":") for _ in range(kills + 1)]
    killed = interrupted(folder, clock, stops, saves, ranks)
    leave_place()
    same(contents(whole), contents(folder), "a run and one that was killed")
    return f"{killed} kills, {how}, at {stops}, saved at {saves}"
