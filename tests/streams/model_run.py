"""Runs of the test model of streams, and the files that they leave: for streams_test.py, whose arguments name the case,
the model and the launcher."""
import contextlib
import dataclasses
import datetime
import os
import pathlib
import re
import select
import shutil
import signal
import subprocess
import sys

import cftime

CASE, MODEL, MPIRUN = sys.argv[1:4]
EVENTS = {"none": 0, "save": 1, "before": 2, "within": 3, "unended": 4, "after": 5}
LATER = 1000
IS_CAMPAIGN = CASE in ("campaign", "kills", "states")
LIMIT = 600 if IS_CAMPAIGN else 50  # seconds without a next run, on a machine that may have other work


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


@dataclasses.dataclass
class Run:
    """The steps from begin to end of a run in a folder; it continues an earlier one if it begins later. `options`: of
    sv_init."""
    folder: pathlib.Path
    clock: Clock
    begin: int = 0
    end: int = None
    events: dict = None
    configs: tuple = ("streams.yaml",)
    options: tuple = ()

    def line(self):
        self.clock.write(self.folder / "dates", self.begin, self.end, self.events)
        step = self.clock.seconds[0] if len(set(self.clock.seconds)) == 1 else 0
        words = [self.folder, self.clock.calendar, step, int(self.begin > 0), *self.configs, *self.options]
        return " ".join(str(word) for word in words) + "\n"


class Stopped(SystemExit):
    """A run has failed, or hangs; those before it in the launch have ended."""

    def __init__(self, text, number):
        super().__init__(f"streams.{CASE}: {text}")
        self.number = number


def launch(ranks, *runs, is_killed=False, environment=None):
    """Starts the model once, for all the runs in turn, and returns what it has printed: errors of the library.
    `is_killed`: True, False, or None: perhaps."""
    path = pathlib.Path("runs").absolute()
    path.write_text("".join(run.line() for run in runs))
    command = [MPIRUN, str(ranks), MODEL, str(path)]
    environment = {**os.environ, **(environment or {})}
    with subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT) as job:
        text, hangs = "", ""
        while piece := output_within(job.stdout):
            text += piece
        if piece is None:
            hangs = "hangs:\n" + backtraces(job.pid)
            for process in [*descendants(job.pid), job.pid]:
                with contextlib.suppress(ProcessLookupError):
                    os.kill(process, signal.SIGKILL)
    number = max([0, *(int(each) for each in re.findall(r"^run (\d+)$", text, re.MULTILINE))])
    if hangs or is_killed == (job.returncode == 0):
        words = f"{runs[number].folder}, {ranks} ranks, {' '.join(runs[number].options)}"
        raise Stopped(f"{words}: {hangs or f'ended with {job.returncode}'}: {text[-4000:]}", number)
    return text


def launch_well(ranks, *runs, is_killed=False, **more):
    text = launch(ranks, *runs, is_killed=is_killed, **more)
    check(is_killed is not False or "status" not in text, f"{[str(run.folder) for run in runs]}: {text}")
    return text


def output_within(pipe):
    """The next text of a job; empty at the end; None: nothing comes."""
    if not select.select([pipe], [], [], LIMIT)[0]:
        return None
    return os.read(pipe.fileno(), 1 << 16).decode(errors="replace")


def descendants(process):
    found = []
    for path in pathlib.Path(f"/proc/{process}/task").glob("*/children"):
        for child in path.read_text().split():
            found += [int(child), *descendants(int(child))]
    return found


def backtraces(process):
    """Of all threads of the ranks below a launcher."""
    if shutil.which("gdb") is None:
        return "no gdb"
    text = ""
    for rank in descendants(process):
        if os.path.realpath(f"/proc/{rank}/exe") != os.path.realpath(MODEL):
            continue
        command = ["gdb", "-p", str(rank), "-batch", "-ex", "thread apply all bt"]
        done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, timeout=100, check=False)
        frames = [line for line in done.stdout.decode(errors="replace").splitlines() if line.startswith(("#", "Thread"))]
        text += f"process {rank}:\n" + "\n".join(frames) + "\n"
    return text


def run(folder, clock, ranks=1, *, is_killed=False, **more):
    return launch(ranks, Run(folder, clock, **more), is_killed=is_killed)


def run_well(folder, clock, ranks=1, **more):
    return launch_well(ranks, Run(folder, clock, **more))


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
    return {path.name: path.read_bytes() for path in sorted(folder.glob("*.nc")) if not path.name.startswith("state_")}


def same(one, other, what):
    check(sorted(one) == sorted(other), f"{what}: files {sorted(one)} and {sorted(other)}")
    for name, data in one.items():
        check(data == other[name], f"{what}: {name} differs")


def saved_in(folder):
    """The step from which a run can continue: its save has returned."""
    path = folder / "saved"
    steps = path.read_text().split() if path.exists() else []
    return int(steps[-1]) if steps else 0


def interrupted(folder, clock, stops, saves, ranks, options=(), environment=None):
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
            printed = launch_well(n, Run(folder, clock, begin, end, events, options=options),
                                  is_killed=None if timed else event != "none", environment=environment)
            killed += "signal 9" in printed
    return killed
