"""sv-trace on programs without MPI. The records are those of strace, also of processes that fork, run
others, or are killed. SV_BUILD: the build's folder."""
import collections
import json
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import tempfile
import unittest

import strace_run
from sverdrup import programs
from sverdrup.trace import Run, layout

BUILD = os.environ["SV_BUILD"]
BIN, CALLS = BUILD + "/bin", BUILD + "/tests/trace_calls"
LIBRARY, SHIM = BUILD + "/lib/libsv_trace.so", BUILD + "/lib/libsv_shim.so"
ENVIRONMENT = {name: value for name, value in os.environ.items() if not name.startswith("SV_TRACE")}


def counts(run, function=strace_run.system_call):
    """{(function, path): [calls, bytes]}"""
    found = collections.defaultdict(lambda: [0, 0])
    for process in run.processes:
        for total, path, file in zip(process.totals, *process.total_places()[:2]):
            layer, name = process.functions[process.path_function[path]]
            if layer == "posix":
                entry = found[function(name), process.files[file]]
                entry[0] += int(total["calls"])
                entry[1] += int(total["bytes"])
    return dict(found)


class Traced(unittest.TestCase):
    maxDiff = None

    def setUp(self):
        place = tempfile.TemporaryDirectory()
        self.addCleanup(place.cleanup)
        self.folder = pathlib.Path(place.name).resolve() / "run"
        self.folder.mkdir()
        self.traces = self.folder.parent / "traces"

    def trace(self, *command, options=(), status=0, **environment):
        """The stderr of sv-trace, and the run."""
        done = subprocess.run([BIN + "/sv-trace", "-o", self.traces, *options, "--", *command], cwd=self.folder,
                              text=True, capture_output=True, timeout=60, env={**ENVIRONMENT, **environment})
        self.assertEqual(done.returncode, status, done.stderr)
        return done.stderr, Run(self.traces)

    def of_file(self, run, name):
        """{function: [calls, bytes]} of a file."""
        path = str(self.folder / name)
        return {function: numbers for (function, file), numbers in counts(run, str).items() if file == path}


STRACES = shutil.which("strace") and subprocess.run(["strace", "-o", "/dev/null", "true"]).returncode == 0


class Calls(Traced):
    @unittest.skipUnless(STRACES, "strace cannot be used here")
    def test_every_variant_agrees_with_strace(self):
        environment = {"LD_PRELOAD": LIBRARY, "SV_TRACE_DIRECTORY": str(self.traces)}
        expected = strace_run.count([CALLS, "variants"], self.folder, environment)
        run = Run(self.traces)
        self.assertEqual(counts(run), expected)
        functions = {name for process in run.processes for _, name in process.functions}
        for name in ("open open64 openat openat64 creat creat64 __open_2 __open64_2 __openat_2 __openat64_2 "
                     "read __read_chk pread pread64 __pread_chk __pread64_chk readv preadv preadv64 preadv2 "
                     "preadv64v2 write pwrite pwrite64 writev pwritev pwritev64 pwritev2 pwritev64v2 fsync "
                     "fdatasync ftruncate ftruncate64 close rename renameat renameat2 fallocate "
                     "posix_fallocate copy_file_range sendfile aio_read aio_write").split():
            self.assertIn(name, functions)
        renamed = [note.content for note in run.processes[0].notes if note.content["kind"] == "rename"]
        self.assertEqual([pathlib.Path(note["to"]).name for note in renamed], ["copy2", "copy3", "copy4"])

    @unittest.skipUnless(STRACES, "strace cannot be used here")
    def test_descriptors_are_followed(self):
        environment = {"LD_PRELOAD": LIBRARY, "SV_TRACE_DIRECTORY": str(self.traces)}
        expected = strace_run.count([CALLS, "descriptors"], self.folder, environment)
        run = Run(self.traces)
        found = counts(run)
        # The C library opens the file of mkstemp() by itself.
        made = {key for key in expected if key[0] == "openat" and "/made-" in key[1]}
        self.assertEqual(len(made), 1)
        self.assertEqual(found, {key: numbers for key, numbers in expected.items() if key not in made})
        process = run.processes[0]
        events = process.events()
        writes = [int(offset) for offset, path, file in zip(events.offset, events.path, events.file)
                  if process.functions[process.path_function[path]][1] == "write" and
                  process.files[file].endswith("/a")]
        self.assertEqual(writes, [0, 10, 20, 30, 40, -1])

    @unittest.skipUnless(STRACES, "strace cannot be used here")
    def test_no_call_costs_a_system_call_more(self):
        def system_calls(times, **environment):
            log = self.folder.parent / "log"
            assignments = [word for name, value in environment.items() for word in ("-E", f"{name}={value}")]
            subprocess.run(["strace", "-f", "-o", log, *assignments, CALLS, "loop", str(times)], cwd=self.folder,
                           check=True, timeout=60, env=ENVIRONMENT)
            return len(log.read_text().splitlines())

        self.traces.mkdir()
        traced = {"LD_PRELOAD": LIBRARY, "SV_TRACE_DIRECTORY": str(self.traces)}
        for environment in {}, traced:
            self.assertEqual(system_calls(300, **environment) - system_calls(100, **environment), 200 * 6)

    def test_threads(self):
        _, run = self.trace(CALLS, "threads")
        for name in "t0", "t1", "t2", "t3":
            self.assertEqual(self.of_file(run, name), {"open": [1, 0], "write": [100, 1000], "close": [1, 0]})

    def test_forks(self):
        _, run = self.trace(CALLS, "forks")
        forked = [process for process in run.processes if process.forked]
        self.assertEqual([process.ended for process in run.processes], [True] * 4)
        self.assertEqual(len(forked), 2)
        self.assertEqual({process.parent_pid for process in forked}, {run.processes[0].pid})
        self.assertEqual(self.of_file(run, "parent"), {"open": [1, 0], "write": [3, 60], "close": [1, 0]})
        self.assertEqual(self.of_file(run, "before")["write"], [100, 1000])
        self.assertEqual(self.of_file(run, "loop")["pwrite"], [5, 500])
        pids = collections.Counter(process.pid for process in run.processes)
        self.assertEqual(sorted(pids.values()), [1, 1, 2])  # one ran another program

    def test_vfork(self):
        _, run = self.trace(CALLS, "vforks")
        self.assertEqual(self.of_file(run, "parent"), {"open": [1, 0], "write": [2, 40], "close": [1, 0]})
        self.assertEqual(self.of_file(run, "other"), {"open": [1, 0], "write": [1, 40], "close": [1, 0]})
        self.assertEqual(self.of_file(run, "loop")["pwrite"], [5, 500])


class Programs(Traced):
    def test_programs_of_the_system(self):
        (self.folder / "from").write_bytes(bytes(5000))
        _, run = self.trace("sh", "-c", "cp from to && dd if=from of=parts bs=1000 2>/dev/null && cat <from >catted")
        self.assertEqual(self.of_file(run, "parts")["write"], [5, 5000])
        self.assertEqual(self.of_file(run, "from")["read"][1], 5000)
        written = self.of_file(run, "to")
        self.assertEqual(sum(numbers[1] for numbers in written.values()), 5000, written)
        self.assertEqual(sum(numbers[1] for numbers in self.of_file(run, "catted").values()), 5000)

    def test_a_program_with_the_cxx_library(self):
        _, run = self.trace(BUILD + "/tests/trace_call_once")
        self.assertEqual(self.of_file(run, "once")["fopen"][0], 1)

    def test_python(self):
        code = ("import os, subprocess\nwith open('out', 'wb') as f: f.write(bytes(100000)); f.flush()\n"
                "subprocess.run(['cat', 'out'], stdout=open('copy', 'wb'), check=True)")
        _, run = self.trace(sys.executable, "-c", code)
        self.assertEqual(self.of_file(run, "out")["write"], [1, 100000])
        files = {file for process in run.processes for file in process.files if file}
        self.assertFalse([file for file in files if file.endswith((".py", ".pyc", ".so")) or file.startswith("/usr/")])

    def test_only_files_that_were_asked_for(self):
        _, run = self.trace(CALLS, "forks", options=["--files", "lo*", "*/nothing/*"])
        files = {file for process in run.processes for file in process.files if file}
        self.assertEqual(files, {str(self.folder / "loop")})

    def test_data_below_the_folders_of_the_system(self):
        _, run = self.trace("cat", "/usr/no-such-folder/etopo5.nc", "/usr/no-such-folder/words", status=1)
        files = {file for process in run.processes for file in process.files if file}
        self.assertEqual(files, {"/usr/no-such-folder/etopo5.nc"})

    def test_scratch_files_have_the_name_they_were_opened_under(self):
        (self.folder / "from").write_bytes(bytes(5000))
        _, run = self.trace("sh", "-c", "exec 3>scratch && rm scratch && dd if=from bs=1000 1>&3 2>/dev/null")
        files = {file for process in run.processes for file in process.files if file}
        self.assertEqual(files, {str(self.folder / "from"), str(self.folder / "scratch")})
        self.assertEqual(self.of_file(run, "scratch")["write"], [5, 5000])

    def test_the_cores_that_a_process_may_use(self):
        cores = sorted(os.sched_getaffinity(0))
        for mine in cores[-1:], cores:
            allowed = ",".join(map(str, mine))
            _, run = self.trace("taskset", "-c", allowed, CALLS, "loop", "1", options=["--force"])
            [reported] = [note.content["may_use"] for note in run.processes[-1].notes if note.content["kind"] == "cores"]
            parts = [list(map(int, part.split("-"))) for part in reported.split(",")]
            self.assertEqual([core for first, *last in parts for core in range(first, (last or [first])[0] + 1)], mine)

    def test_killed_in_a_call(self):
        # The shim is called by the tracer's write, and kills the process at the 31st.
        text, run = self.trace(CALLS, "loop", "100", status=128 + signal.SIGKILL, LD_PRELOAD=SHIM, SV_INJECT="kill@31",
                               SV_INJECT_DIR=str(self.folder))
        process = run.processes[0]
        self.assertFalse(process.ended)
        self.assertIn("1 process did not end by itself", text)
        self.assertEqual(self.of_file(run, "loop"), {"open": [1, 0], "pwrite": [15, 1500], "pread": [15, 1500],
                                                     "write": [15, 1500], "close": [15, 0]})
        self.assertEqual(len(process.events().path), 61)
        [going_on] = process.open_calls
        self.assertEqual(process.functions[process.path_function[going_on.path]], ("posix", "pwrite"))
        self.assertEqual(process.files[going_on.file], str(self.folder / "loop"))

    def test_a_full_disk_does_not_harm_the_program(self):
        done = subprocess.run(["sh", "-c", f'ulimit -f 512; exec "{CALLS}" loop 3'], cwd=self.folder,
                              capture_output=True, text=True, timeout=60,
                              env={**ENVIRONMENT, "LD_PRELOAD": LIBRARY, "SV_TRACE_DIRECTORY": str(self.traces)})
        self.assertEqual(done.returncode, 0)
        reported = r"^sv-trace: process \d+ is not traced: a trace file in '.*' needs \d+ bytes.*\n$"
        self.assertRegex(done.stderr, reported)
        self.assertEqual(list(self.traces.iterdir()), [])


class Command(Traced):
    def run_command(self, *words):
        return subprocess.run([BIN + "/sv-trace", *words], cwd=self.folder, capture_output=True, text=True, timeout=60,
                              env=ENVIRONMENT)

    def test_exit_status_and_last_line(self):
        text, _ = self.trace("sh", "-c", "echo a >out; exit 7", status=7)
        self.assertRegex(text, "1 process, [1-9][0-9]* calls, in " + str(self.traces))

    def test_folder_with_content_is_refused(self):
        self.trace(CALLS, "loop", "1")
        (self.traces / "mine").write_text("kept")
        refused = self.run_command("-o", self.traces, "--", "true")
        self.assertEqual(refused.returncode, 1)
        self.assertIn("is not empty. Remove it, or say --force", refused.stderr)
        _, run = self.trace(CALLS, "loop", "2", options=["--force"])
        self.assertEqual(self.of_file(run, "loop")["write"], [2, 200])
        self.assertEqual((self.traces / "mine").read_text(), "kept")
        os.mkfifo(self.traces / "pipe.svtrace")  # no process writes it, and it is not waited for
        self.assertIn("nothing was recorded", self.run_command("-o", self.traces, "--force", "--", "true").stderr)

    def test_names_and_mistakes(self):
        self.assertEqual(self.run_command("--", CALLS, "loop", "1").returncode, 0)
        self.assertTrue(list((self.folder / "trace_calls.svtrace").glob("*.svtrace")))
        missing = self.run_command("-o", "x", "--", "no-such-program")
        self.assertEqual(missing.returncode, 127)
        self.assertIn("'no-such-program' cannot be started", missing.stderr)
        self.assertFalse((self.folder / "x").exists())
        self.assertNotEqual(self.run_command("-o", "y").returncode, 0)
        self.assertIn("nothing was recorded", self.run_command("-o", "z", "--", "true").stderr)
        (self.folder / "far" / "away").mkdir(parents=True)
        (self.folder / "link").symlink_to("far/away")
        self.run_command("-o", "link/../t", "--", CALLS, "loop", "1")
        self.assertTrue(list((self.folder / "far" / "t").glob("*.svtrace")))

    def test_report_is_made(self):
        fake = self.folder / "sverdrup"
        fake.write_text('#!/bin/sh\n[ "$1" = report ] && echo "$2" >"$4"\n')
        fake.chmod(0o755)
        page = self.folder.parent / "page with blanks.html"
        path = f"{self.folder}:{os.environ['PATH']}"
        text, _ = self.trace(CALLS, "loop", "1", options=["--report", str(page)], PATH=path)
        self.assertTrue(page.exists(), text)

    def test_layout_is_what_the_reader_believes(self):
        reported = json.loads(self.run_command("--layout").stdout)
        self.assertEqual(tuple(reported["sections"]), tuple(layout.SECTIONS))
        for name, struct in reported["structs"].items():
            if name == "ArgumentSlot":  # words
                continue
            dtype = getattr(layout, name.upper())
            self.assertEqual(dtype.itemsize, struct["bytes"], name)
            for field, (offset, size) in struct["fields"].items():
                kind, at = dtype.fields[field][:2]
                self.assertEqual((at, kind.itemsize), (offset, size), f"{name}.{field}")

    @unittest.skipUnless(shutil.which("mpiexec"), "no launcher")
    def test_ranks_are_told_by_the_launcher(self):
        _, run = self.trace(*programs.launched(None, 2, [CALLS, "loop", "4"]))
        self.assertEqual([(process.rank, process.ranks) for process in sorted(run.processes, key=lambda p: p.rank)],
                         [(0, 2), (1, 2)])
        self.assertEqual(self.of_file(run, "loop")["write"], [8, 800])
