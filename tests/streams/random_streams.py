"""Random configurations of streams, against NumPy and with kills: for streams_test.py."""
import dataclasses
import itertools
import os
import pathlib
import random
import shlex
import shutil
import subprocess
import sys
import time

import cftime
import netCDF4
import numpy
import reference
from comparing import EPOCH, compare, periods
from model_run import MODEL, Clock, Run, Stopped, contents, fail, fresh, interrupted, launch, launch_well, run_well, same, saved_in

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
SLICE = 50  # configurations of a launch


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
    text = "streams:\n  state: \"state_%Y%m%dT%H%M%S.nc\"\n"
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


def report(text, seed):
    """A failure, with the command that repeats it."""
    print(f"seed {seed}: {text}\n  repeat: {shlex.join([*sys.argv[:4], str(seed), '1'])}", flush=True)


def for_seeds(first, count, make):
    """Continues after a failure."""
    failed = 0
    for seed in range(first, first + count):
        try:
            print(f"seed {seed}: {make(random.Random(seed))}", flush=True)
        except (SystemExit, subprocess.SubprocessError, LookupError, ValueError, OSError) as error:
            failed += 1
            report(error, seed)
    if failed:
        fail(f"{failed} of {count} failed")


def folder_of(name, config):
    folder = fresh(name, config.text, config.model_stream)
    write_masks(folder)
    return folder


# ---- many configurations in many places


class Case:
    """A random configuration, made by one rank, and the files that it wrote."""

    def __init__(self, seed):
        rng = random.Random(seed)
        self.seed, self.clock = seed, random_clock(rng)
        self.config = random_config(rng, self.clock)
        self.inputs = folder_of(f"inputs{seed}", self.config)
        self.files = None

    def run(self, number, place):
        """In a folder of its own; `number`: of the place."""
        ranks, how, nodes = place
        options = f"async={how}", f"testing.ranks_per_node={-(-total_of(place) // nodes)}"
        folder = self.inputs.with_name(f"place{number}.{self.seed}")
        shutil.copytree(self.inputs, folder, copy_function=os.link)
        return Run(folder, self.clock, options=options)

    def compare(self, folder, place):
        """With NumPy, and then with the files that it found equal."""
        if self.files is None:
            for stream in self.config.streams:
                stream.compare(folder, self.clock)
            self.files = contents(folder)
        same(self.files, contents(folder), f"one rank and {place}")


def total_of(place):
    ranks, how, _ = place
    return ranks + (int(how[-1]) if how.startswith("servers") else 0)


def compare_in(total, places, cases):
    """In all of these places, whose ranks and servers are as many, by one launch; by another one after a failure.
    Returns the number of failures."""
    left = [(case, place, case.run(number, place)) for number, place in enumerate(places) for case in cases]
    failed = 0
    while left:
        try:
            text = launch(total, *(run for _, _, run in left))
            done, stopped = len(left), None
            if "status" in text:
                failed += 1
                print(text, flush=True)
        except Stopped as stop:
            done, stopped = stop.number, stop
        for case, place, run in left[:done]:
            try:
                case.compare(run.folder, place)
            except (SystemExit, LookupError, ValueError, OSError) as error:
                failed += 1
                report(error, case.seed)
            shutil.rmtree(run.folder)
        if stopped is not None:
            failed += 1
            report(stopped, left[done][0].seed)
            shutil.rmtree(left[done][2].folder)
        left = left[done + (stopped is not None):]
    return failed


def compare_everywhere(first, count, places):
    """Configurations by one rank against NumPy, and the same bytes in all places."""
    failed, runs, begin = 0, 0, time.monotonic()
    for slice_first in range(first, first + count, SLICE):
        cases = [Case(seed) for seed in range(slice_first, min(slice_first + SLICE, first + count))]
        failed += compare_in(1, [(1, "none", 1)], cases)
        cases = [case for case in cases if case.files is not None]
        for total, group in itertools.groupby(sorted(places, key=total_of), total_of):
            of_total = list(group)
            failed += compare_in(total, of_total, cases)
            runs += len(cases) * len(of_total)
        for case in cases:
            shutil.rmtree(case.inputs)
        print(f"seeds {slice_first} to {cases[-1].seed}: {sum(len(case.config.streams) for case in cases)} streams; "
              f"until now {runs} runs, {failed} failed, {time.monotonic() - begin:.0f} s", flush=True)
    if failed:
        fail(f"{failed} of {runs} failed")


# ---- kills


def random_kills(rng, last, count):
    """Steps and events of kills: at certain moments of a step, or after some time."""
    moments = ["before", "within", "unended", "after"]
    stops = sorted(rng.randint(2, last - 1) for _ in range(count))
    return [(step, int(10 ** rng.uniform(1.5, 5)) if rng.random() < 0.4 else rng.choice(moments)) for step in stops]


class KilledRuns:
    """A random configuration, the folder of a whole run, and how others are killed and continued."""

    def __init__(self, rng, kills):
        self.clock = random_clock(rng)
        self.config = random_config(rng, self.clock, most=6)
        last = len(self.clock.seconds)
        self.stops = random_kills(rng, last, kills)
        self.saves = sorted(rng.sample(range(1, last), rng.randint(2, last // 3)))
        self.how = rng.choice(["none", "threads", "servers:1"])
        self.ranks = [rng.choice([1, 2, 3, 5]) + self.how.count(":") for _ in range(kills + 1)]
        self.whole = folder_of("whole", self.config)
        run_well(self.whole, self.clock)

    def kill(self, folder, environment=None):
        options = (f"async={self.how}",)
        killed = interrupted(folder, self.clock, self.stops, self.saves, self.ranks, options, environment)
        self.compare(folder)
        return f"{killed} kills, {self.how}, {self.ranks} ranks, at {self.stops}, saved at {self.saves}"

    def compare(self, folder):
        same(contents(self.whole), contents(folder), f"a run and {folder.name}")


def compare_killed(rng, kills=9):
    made = KilledRuns(rng, kills)
    return made.kill(folder_of("killed", made.config))


def compare_states(rng, count=100):
    """Continues, in one launch for each number of ranks, from the states in which kills at random operations leave the
    files of a run (tests/crash), which has been killed itself."""
    made = KilledRuns(rng, 1)
    folder = folder_of("recorded", made.config)
    build, log = pathlib.Path(MODEL).parents[1], folder.with_name("log")
    log.write_bytes(b"")
    folder.with_name("log.lock").write_bytes(bytes(4096))
    story = made.kill(folder, {"LD_PRELOAD": str(build / "lib/libcrash_recorder.so"), "CRASH_DIR": str(folder),
                               "CRASH_LOG": str(log)})
    states = folder.with_name("states")
    shutil.rmtree(states, ignore_errors=True)
    subprocess.run([build / "tests/crash_states", log, states, str(count), str(rng.getrandbits(32))], check=True)
    runs, continued = {ranks: [] for ranks in (1, 2, 3, 5)}, 0
    for state in sorted(states.iterdir()):
        for name in ("streams.yaml", "streams.yaml.model", "masks.nc"):
            if (made.whole / name).exists():
                os.link(made.whole / name, state / name)
        begin, ranks = saved_in(state), rng.choice(list(runs))
        continued += begin > 0
        how = rng.choice(["none", "threads", "servers:1"][:3 if ranks > 1 else 2])
        runs[ranks].append(Run(state, made.clock, begin, options=(f"async={how}",)))
    for ranks, of_ranks in runs.items():
        if of_ranks:
            launch_well(ranks, *of_ranks)
        for run in of_ranks:
            made.compare(run.folder)
    return f"{sum(map(len, runs.values()))} states, {continued} after a save; {story}"
