"""sv-bench points and macom, on small cases: points_test.py MPIEXEC PROGRAM."""
import unittest

from bench import Bench

PLAIN = {"sverdrup.direct", "sverdrup.primaries", "sverdrup.block", "pnetcdf.reorder", "pnetcdf.varn", "floor"}
STUDY = {f"pnetcdf.{way}" for way in ("off", "combined", "reorder", "both", "off.each", "combined.each")} | {"sverdrup.both", "floor"}
PARTS = {"open", "collect", "reorder", "scatter", "output"}
QUICK = ("--repeat", "1", "--set", "transport.window=1MiB")


class Points(Bench):
    COMMAND = "points"

    def check(self, found, names):
        """All of them ran, with the right values, or said why not; returns them by name."""
        entries, missing = self.entries(found, names)
        for name, entry in entries.items():
            if not name.startswith("no_output") and not missing:
                self.assertIs(entry["verified"], True, name)
                self.assertGreaterEqual(entry["bytes"], found["case"]["bytes"], name)
        return entries

    def test_every_method(self):
        found = self.results(5, "--cells", "1003", "--levels", "3", "--vars-1d", "2", "--steps", "2", "--ownership", "random",
                             "--workers", "2", "--primaries", "2", *QUICK)
        self.assertEqual(found["case"]["bytes"], 2 * (2 + 3) * 1003 * 8)
        entries = self.check(found, PLAIN)
        for name in ("sverdrup.direct", "sverdrup.primaries"):
            self.assertLess(0, entries[name]["setup_seconds"])
            self.assertLess(0, entries[name]["bytes_per_cell"])
        self.assertEqual(entries["floor"]["to_floor"], {"min": 1, "median": 1, "max": 1})
        self.assertAlmostEqual(entries["sverdrup.direct"]["to_block"]["median"],
                               entries["sverdrup.direct"]["rounds"][0] / entries["sverdrup.block"]["rounds"][0])

    def test_ownership_and_types(self):
        found = self.results(3, "--cells", "700", "--levels", "2", "--ownership", "runs", "--type", "float", *QUICK)
        self.assertIn(found["case"]["runs"], range(3, 12))  # of 64 cells, some of which meet
        self.check(found, PLAIN)
        done = self.bench(4, "--cells", "4000", "--ownership", "metis", *QUICK)
        if done.returncode != 0:
            self.assertIn("not compiled", done.stderr)

    def test_the_study(self):
        for partition in ("cells", "levels", "ranges"):
            found = self.results(4, "--study", "--cells", "515", "--levels", "3", "--ownership", "runs", "--partition", partition,
                                 "--workers", "2" if partition == "cells" else "4", *QUICK)
            entries = self.check(found, STUDY)
            for name in STUDY & set(entries):
                if name != "floor":
                    self.assertLessEqual(PARTS, set(entries[name]["parts"]), name)

    def test_the_model_of_the_paper(self):
        case = ("--scale", "20000", "--levels", "3", "--ownership", "runs", "--step", "1ms", "--set", "async.memory=4MiB", *QUICK)
        found = self.results(5, "--servers", "2", "--steps", "4", "--outputs", "2", *case, command="macom")
        self.assertEqual(found["case"]["bytes"], 2 * (6 + 5 * 3) * 287 * 8)
        alone = {"no_output", "pnetcdf", "pnetcdf.varn"}
        entries = self.check(found, alone | {name + ".all_ranks" for name in alone} | {"sverdrup.no_servers", "sverdrup.servers"})
        for name, entry in entries.items():
            self.assertLess(0, entry["communication"], name)
            self.assertGreaterEqual(entry["compute"]["mean"], 0.004 * (3 / 5 if name.endswith(".all_ranks") else 1), name)
            self.assertAlmostEqual(entry["output"], entry["open"] + entry["blocked"]["median"] + entry["drain"])
        served = entries["sverdrup.servers"]
        self.assertAlmostEqual(served["hidden"], 1 - served["blocked"]["median"] / served["server_output_seconds"])
        found = self.results(4, "--hidden", "--servers", "2", "--outputs", "2", "--vars-1d", "1", "--vars-2d", "1", *case,
                             command="macom")
        self.check(found, {f"sverdrup.servers.{k}" for k in range(1, 11)})
        found = self.results(2, "--servers", "0", "--steps", "4", "--outputs", "2", *case, command="macom")
        self.check(found, alone | {"sverdrup.no_servers"})

    def test_bad_requests_are_refused_once(self):
        for command, arguments, words in (("points", ["--cells", "1"], "at least one for each rank"),
                                          ("macom", ["--servers", "2"], "leaves no clients"),
                                          ("macom", ["--servers", "0", "--hidden"], "give --servers 1 or more")):
            done = self.bench(2, *arguments, command=command)
            self.assertNotEqual(done.returncode, 0, arguments)
            self.assertEqual(done.stderr.count(words), 1, done.stderr)


unittest.main(verbosity=1)
