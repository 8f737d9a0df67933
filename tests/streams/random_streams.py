"""Random configurations of streams, against NumPy and with kills: for streams_test.py."""
import os
import random
import shlex
import sys

import reference
from comparing import compare, periods
from model_run import Clock, contents, fail, fresh, interrupted, run_well, same

ON_GRID = ["temp", "sst", "ice", "wind"]
STATIONS = [(35, 50), (-29, -80), (35, 31)]

# By the keys of a stream, the part of a field on the grid, and of the one on the curvilinear grid. Longitudes are 30,
# 90, ... 330; the first box crosses 0.
SPACES = {
    "box: {lon: [-100, 40], lat: [60, -20]}": (reference.cells([2, 3, 4], [4, 5, 0]), None),
    "box: {X: [80, 400]}": (reference.cells(slice(None), [1, 2, 3, 4, 5, 0]), reference.curved_box(80, 400)),
    'slices: {lat: "1:6:2", X: 3}': (reference.cells([1, 3, 5], [3]), None),
    "stations: {a: [35, 50], b: [-29, -80], c: [35, 31]}": (
        reference.stations([(4, 0), (0, 5), (4, 0)]), reference.curved_stations(STATIONS)),
}
LEVELS = [(5, 12, 30, 41.25), (0, 17.5, 54.9, 55, 60), (50,)]


PERIODS = {
    "6 hours": lambda date: date.hour % 6 == 0,
    "12 hours": lambda date: date.hour % 12 == 0,
    "day": lambda date: date.hour == 0,
    "month": lambda date: date.hour == 0 and date.day == 1,
    "3 months": lambda date: date.hour == 0 and date.day == 1 and date.month % 3 == 1,
}


def random_field(rng, field, is_instant, part):
    """The keys of a field, and the arguments of compare() for it."""
    operation = "instant" if is_instant else rng.choice(reference.OPERATIONS)
    on_grid, more, condition, levels = field in ON_GRID, "", None, None
    if on_grid and part is None and rng.random() < 0.3:
        part, more = reference.reduced(1), ", reduce: {mean: lon}"
    elif on_grid and part is None and rng.random() < 0.2:
        numbers = reference.constants()
        part = reference.reduced(2, numbers["basin"], numbers["area"])
        more = ", reduce: {mean: [X, Y], regions: basin, weights: area}"
    if field in ("temp", "wind") and rng.random() < 0.3:
        condition = rng.choice([("ice", 0), ("basin", 0), ("area", 0.3)])
        more += f", where: {condition[0]} > {condition[1]}"
    if field == "temp" and rng.random() < 0.3:
        levels = rng.choice(LEVELS)
        more += f", levels: {list(levels)}"
    parts_of_day = 4 if operation == "mean" and rng.random() < 0.5 else None
    named = f"diurnal:{parts_of_day}" if parts_of_day else operation
    return f"{{name: v_{field}, operation: '{named}'{more}}}", (field, operation, part, condition, parts_of_day, levels)


def random_config(rng):
    """A configuration, and for each stream template, fields and the test of the end of a period."""
    text, streams = "streams:\n  state: \"restart/%Y%m%dT%H%M%S.nc\"\n", []
    for number in range(rng.randint(1, 4)):
        kind = rng.choice(list(PERIODS))
        template = f"s{number}_" + rng.choice(["%Y", "%Y-%m", "%Y%m%d"]) + ".nc"
        is_instant = rng.random() < 0.25
        fields = {}
        chosen = rng.sample(list(reference.NUMBERS), rng.randint(1, len(reference.NUMBERS)))
        whole = ("", (None, None))
        keys, (part, curved) = rng.choice([whole, *SPACES.items()]) if set(chosen) & set(ON_GRID) else whole
        text += f"  s{number}:\n    file: \"{template}\"\n    frequency: {kind}\n    {keys}\n    fields:\n"
        for field in chosen:
            own_part = part if field in ON_GRID else curved if field == "tri" else None
            own_keys, fields[f"v_{field}"] = random_field(rng, field, is_instant, own_part)
            text += f"      {field}: {own_keys}\n"
        if rng.random() < 0.3:
            text += "      area: {name: v_area}\n"
        streams.append((template, fields, PERIODS[kind]))
    return text, streams


def random_clock(rng):
    calendar = rng.choice(["noleap", "360_day", "standard", "proleptic_gregorian", "all_leap", "julian"])
    day = rng.choice([[21600] * 4, [10800] * 8, [3600, 7200, 10800] * 4, [43200 // 4] * 8])
    start = rng.choice([(2000, 2, 27), (1999, 12, 28), (1900, 2, 26), (1582, 10, 2), (2004, 3, 30, 12)])
    return Clock(calendar, start, day * rng.randint(3, 7))


def for_seeds(first, count, make):
    """Goes on after a failure, and prints the command that repeats it."""
    failed = 0
    for seed in range(first, first + count):
        try:
            print(f"seed {seed}: {make(random.Random(seed))}", flush=True)
        except SystemExit as error:
            failed += 1
            print(f"seed {seed}: {error}\n  repeat: {shlex.join([*sys.argv[:4], str(seed), '1'])}", flush=True)
    if failed:
        fail(f"{failed} of {count} failed")


def compare_random(rng):
    text, streams = random_config(rng)
    clock = random_clock(rng)
    folders, many = [], rng.choice([2, 3, 5, 8])
    for ranks in (1, many):
        folders.append(fresh(f"ranks{len(folders)}", text))
        run_well(folders[-1], clock, ranks)
    for template, fields, is_end in streams:
        if any(True for _ in periods(clock, is_end)):
            compare(folders[0], clock, template, fields, is_end)
    same(contents(folders[0]), contents(folders[1]), f"1 and {many} ranks")
    return f"{clock.calendar}, {len(clock.seconds)} steps, {many} ranks"


def place_run(rng):
    """Chooses how the files are written, and on how many nodes. Returns the number of all ranks, and a description."""
    ranks, servers = rng.choice([1, 2, 5, 8, 16]), rng.choice([0, 0, 1, 3])
    how = f"servers:{servers}" if servers else rng.choice(["none", "threads"])
    total, nodes = ranks + servers, rng.choice([1, 4])
    os.environ["SV_ASYNC"] = how
    os.environ["SV_TESTING_RANKS_PER_NODE"] = str(-(-total // nodes))
    return total, f"{ranks} ranks, {how}, nodes: {nodes}"


def leave_place():
    for name in ("SV_ASYNC", "SV_TESTING_RANKS_PER_NODE"):
        os.environ.pop(name, None)


def compare_everywhere(rng):
    """One rank against NumPy; and the same bytes in three other places."""
    text, streams = random_config(rng)
    clock = random_clock(rng)
    leave_place()
    one = fresh("one", text)
    run_well(one, clock)
    for template, fields, is_end in streams:
        if any(True for _ in periods(clock, is_end)):
            compare(one, clock, template, fields, is_end)
    places = []
    for _ in range(3):
        total, place = place_run(rng)
        other = fresh("other", text)
        run_well(other, clock, total)
        same(contents(one), contents(other), place)
        places.append(place)
    leave_place()
    return f"{clock.calendar}, {len(clock.seconds)} steps; " + "; ".join(places)


def compare_killed(rng):
    text, _ = random_config(rng)
    clock = random_clock(rng)
    whole, folder = fresh("whole", text), fresh("killed", text)
    for each in (whole, folder):
        (each / "restart").mkdir()
    leave_place()
    run_well(whole, clock)
    last = len(clock.seconds)
    stops = sorted(rng.sample(range(2, last), 3))
    saves = sorted(rng.sample(range(1, last), rng.randint(2, 6)))
    kills = [(step, rng.choice(["before", "within", "unended", "after"])) for step in stops]
    how = rng.choice(["none", "threads", "servers:1"])
    os.environ["SV_ASYNC"] = how
    interrupted(folder, clock, kills, saves, [rng.choice([1, 2, 3, 5]) + how.count(":") for _ in range(4)])
    leave_place()
    same(contents(whole), contents(folder), "a run and one that was killed")
    return f"{how}, kills at {kills}, saved at {saves}"


