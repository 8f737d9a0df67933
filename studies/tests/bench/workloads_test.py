"""Every workload of sv-bench at its smallest takes the same options and prints the same: workloads_test.py MPIEXEC PROGRAM."""
import concurrent.futures
import json
import subprocess
import unittest

from bench import MPIEXEC, PROGRAM, Bench, by_name

LOOP = ("--servers", "0", "--compute", "1ms")
CASES = {
    "field": ("--shape", "2x8x6"),
    "records": ("--vars", "2", "--records", "2", "--block", "3x4"),
    "coll_perf": ("--block", "3", "--vars", "2", "--write"),
    "flash": ("--blocks", "2"),
    "overlap": ("--steps", "2", "--bytes", "10kB", *LOOP),
    "cfio_throughput": ("--servers", "1", "--variables", "2", "--scale", "65536"),
    "cfio_loop": ("--servers", "0", "--variables", "2", "--scale", "65536", "--loops", "2"),
    "points": ("--cells", "300", "--levels", "2", "--ownership", "runs"),
    "macom": ("--servers", "1", "--scale", "20000", "--levels", "2", "--ownership", "runs", "--steps", "2", "--outputs", "2",
              "--step", "1ms"),
    "mom5": ("--scale", "10000", "--steps", "1"),
    "cmaq": ("--scale", "400", "--species", "2", "--steps", "1"),
    "pop": ("--scale", "100000", "--steps", "10", *LOOP),
    "cice": ("--scale", "100000", "--days", "1", *LOOP),
    "licom": ("--scale", "100000", "--days", "1", *LOOP),
    "replay": ("--records", "2"),
    "small": ("--vars", "3", "--attributes", "2", "--shape", "2x4"),
}
OURS = "sverdrup,sverdrup.auto,sverdrup.direct,sverdrup.step,sverdrup.implicit,sverdrup.no_servers"
COMMON = ("--repeat", "2", "--device", "1GB/s", "--set", "transport.window=1MiB")
RESULT = {"name", "seconds", "rounds", "cold_seconds", "bytes", "writes", "messages", "verified", "phases"}
CASE = {"ranks", "bytes", "directory", "device", "repeat", "settings"}
HEADER = "netcdf a { dimensions: t = UNLIMITED ; y = 6 ; x = 5 ; variables: float v(t, y, x) ; }"


class Workloads(Bench):
    def run_one(self, name):
        place = self.directory / name
        place.mkdir()
        arguments = list(CASES[name])
        if name == "replay":
            (place / "header.cdl").write_text(HEADER)
            arguments.append(place / "header.cdl")
        only = "sverdrup.no_servers" if name == "overlap" else OURS  # which has sverdrup.auto, too
        done = subprocess.run([MPIEXEC, "2", PROGRAM, name, *arguments, *COMMON, "--only", only, "--dir", place / "files", "--json",
                               place / "results.json"], capture_output=True, text=True, timeout=100)
        if "not compiled" in done.stderr:
            return None
        self.assertEqual(done.returncode, 0, (name, done.stdout + done.stderr))
        self.assertEqual(list((place / "files").iterdir()), [], name)
        return json.loads((place / "results.json").read_text())

    def test_all_take_the_same_options_and_tell_the_same(self):
        with concurrent.futures.ThreadPoolExecutor(2) as pool:  # mostly waiting
            for name, found in zip(CASES, pool.map(self.run_one, CASES)):
                if found is None:
                    continue
                self.assertEqual(set(found), {"benchmark", "case", "environment", "reference", "results", "missing"}, name)
                self.assertEqual(found["benchmark"], name)
                self.assertLessEqual(CASE, set(found["case"]), name)
                self.assertEqual((found["case"]["repeat"], found["case"]["device"]), (2, "1GB/s"), name)
                self.assertEqual(found["case"]["settings"], ["transport.window=1MiB"], name)
                self.assertEqual(set(found["reference"]), {"name", "drift"}, name)
                self.assertEqual(len(found["results"]), 1, (name, [entry["name"] for entry in found["results"]]))
                entry = found["results"][0]
                self.assertLessEqual(RESULT, set(entry), name)
                self.assertIn(entry["verified"], (True, None), name)
                self.assertEqual(len(entry["rounds"]), 2, name)
                if name != "field":  # which does not distinguish them
                    self.assertLessEqual({"open", "write", "close"}, set(entry["phases"]), name)
                self.assertGreaterEqual(entry["bytes"], found["case"]["bytes"], name)

    def test_small_things_of_every_kind(self):
        writers = {f"{who}.{how}" for who, hows in (("sverdrup", ("per_variable", "step")), ("pnetcdf", ("per_variable", "iput_record")))
                   for how in hows} | {"gather", "gather.confirmed"}
        sizes = {"variables": ("--vars", "3"), "files": ("--files", "2", "--vars", "2"), "appends": ("--records", "3"),
                 "open": ("--vars", "3")}
        for kind, size in sizes.items():
            found = self.results(2, "--kind", kind, *size, "--shape", "2x4", "--repeat", "1", command="small")
            names = {"read.sverdrup", "read.pnetcdf", "read.netcdf"} if kind == "open" else writers
            more = {"files": {"sverdrup.context_each"}, "variables": {"floor"}, "appends": {"floor"}}
            entries, missing = self.entries(found, names | more.get(kind, set()),
                                            ("pnetcdf", "netcdf", "gather"))
            for name, entry in entries.items():
                self.assertIs(entry["verified"], None if missing else True, (kind, name))
            self.assertEqual(found["case"]["bytes"], {"variables": 3, "files": 4, "appends": 3, "open": 3}[kind] * 8 * 8)


class Subsets(Bench):
    def test_parts_of_a_file(self):
        """Of 4 records of 13 x 22 cells: the first 11 columns, every other cell, or a cell of each of 3 ranks."""
        for kind, reads in (("half", 4 * 13), ("strided", 4 * 6), ("series", 4 * 3)):
            found = self.results(3, "--kind", kind, "--records", "4", "--shape", "13x22", "--layout", "1x3", "--repeat", "2",
                                 command="subsets")
            entries = by_name(found)
            missing = {entry["name"] for entry in found["missing"]}
            self.assertEqual(set(entries) | missing, {"read." + name for name in ("sverdrup", "pnetcdf", "netcdf", "pread")})
            for name, entry in entries.items():
                self.assertIs(entry["verified"], True, f"{kind}, {name}")
            self.assertEqual(entries["read.pread"]["reads"], reads, kind)


unittest.main(verbosity=1)
