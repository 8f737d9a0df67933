"""Runs of the test model of streams, and the files that they leave: for streams_test.py, whose arguments name the case,
the model and the launcher."""
import datetime
import pathlib
import shutil
import subprocess
import sys

import cftime

CASE, MODEL, MPIRUN = sys.argv[1:4]
EVENTS = {"none": 0, "save": 1, "before": 2, "within": 3, "unended": 4, "after": 5}
LATER = 1000


def fail(text):
    sys.exit(f"streams.{CASE}: {text}")


def check(holds, text):
    if not holds:
        fail(text)


class Clock:
    """The dates of a run, with the length of its steps in seconds."""

    def __init__(self, calendar, start, seconds):
        self.calendar, self.seconds = calendar, seconds
        self.dates = [cftime.datetime(*start, calendar=calendar)]
        for each in seconds:
            self.dates.append(self.dates[-1] + datetime.timedelta(seconds=each))

    def write(self, path, begin=0, end=None, events=None):
        """The steps from begin to end; events by step: a name of EVENTS, or microseconds until a kill."""
        lines = []
        for step in range(begin, len(self.dates) if end is None else end + 1):
            d = self.dates[step]
            event = (events or {}).get(step, "none")
            event = event + LATER if isinstance(event, int) else EVENTS[event]
            lines.append(f"{d.year} {d.month} {d.day} {d.hour} {d.minute} {d.second} {step} {event}\n")
        pathlib.Path(path).write_text("".join(lines))


def run(folder, clock, ranks=1, *, begin=0, continues=0, configs=("streams.yaml",), is_killed=False,
        limit=100, **dates):
    """Returns what the model has printed: errors of the library. `is_killed`: True, False, or None: perhaps."""
    clock.write(folder / "dates", begin, **dates)
    step = clock.seconds[0] if len(set(clock.seconds)) == 1 else 0
    command = [MPIRUN, str(ranks), MODEL, "dates", clock.calendar, str(step), str(continues), *configs]
    done = subprocess.run(command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=limit)
    text = done.stdout.decode(errors="replace")
    check(is_killed is None or is_killed != (done.returncode == 0),
          f"in {folder}: {' '.join(command)} ended with {done.returncode}: {text}")
    return text


def run_well(folder, clock, ranks=1, **more):
    text = run(folder, clock, ranks, **more)
    check(more.get("is_killed", False) is not False or "status" not in text, f"in {folder}: {text}")
    return text


def fresh(name, config, model_stream=None):
    """A folder with a configuration, and perhaps a stream of the model: its name and keys."""
    folder = pathlib.Path(name).absolute()
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    write_config(folder / "streams.yaml", config, model_stream)
    return folder


def write_config(path, config, model_stream=None):
    path.write_text(config)
    if model_stream is not None:
        path.with_name(path.name + ".model").write_text("\n".join(model_stream))


def contents(folder):
    return {path.name: path.read_bytes() for path in sorted(folder.glob("*.nc"))}


def same(one, other, what):
    check(sorted(one) == sorted(other), f"{what}: files {sorted(one)} and {sorted(other)}")
    for name, data in one.items():
        check(data == other[name], f"{what}: {name} differs")


def saved_in(folder):
    """The step from which a run can continue: its save has returned."""
    path = folder / "saved"
    return int(path.read_text().split()[-1]) if path.exists() else 0


def interrupted(folder, clock, stops, saves, ranks):
    """Runs with kills. `stops`: step and event of each kill; `saves`: steps that are saved, besides those before a kill
    after some microseconds. Returns the number of kills."""
    killed, last = 0, len(clock.dates) - 1
    for (step, event), n in zip([*stops, (last, "none")], ranks):
        begin = saved_in(folder)
        timed = isinstance(event, int)
        events = {each: "save" for each in saves if begin < each <= step and each != step} | {step: event}
        if begin < step and step in saves and event == "none":
            events[step] = "save"
        end = last if timed else step
        if begin < end:
            printed = run_well(folder, clock, n, begin=begin, end=end, events=events, continues=int(begin > 0),
                               limit=600, is_killed=None if timed else event != "none")
            killed += "signal 9" in printed
    return killed
