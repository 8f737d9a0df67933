"""sv-bench mom5 and cmaq, on small cases: models_test.py MPIEXEC PROGRAM."""
import json
import unittest

from bench import Bench, by_name

QUICK = ("--repeat", "1", "--set", "transport.window=1MiB")
MOM5 = {"gather", "pnetcdf", "pnetcdf.domains", "pnetcdf.domains.pread", "sverdrup.serial", "sverdrup.per_pe", "sverdrup.per_domain",
        "sverdrup.domains", "sverdrup.auto", "sverdrup.auto.pread"}
CMAQ = {"pnetcdf", "pnetcdf.row", "pnetcdf.column", "sverdrup.auto", "sverdrup.row", "sverdrup.column", "sverdrup.shared"}


class Models(Bench):
    def check(self, found, names):
        """All of them ran, with the right values, or said why not; returns them by name."""
        entries = by_name(found)
        missing = {entry["name"] for entry in found["missing"]}
        self.assertEqual(set(entries) | missing, names)
        self.assertTrue(all(name.startswith(("gather", "pnetcdf")) for name in missing), missing)
        for name, entry in entries.items():
            if not missing:
                self.assertIs(entry["verified"], True, name)
                self.assertGreaterEqual(entry["bytes"], found["case"]["bytes"], name)
        return entries

    def test_the_ocean_model(self):
        found = self.results(4, "--scale", "10000", "--steps", "2", "--layout", "2x2", "--io-layout", "1x2", "--compute", "2ms", *QUICK,
                             command="mom5")
        case = found["case"]
        self.assertEqual(case["shape"], [50, 11, 14])
        self.assertEqual(case["diagnostic_bytes"], 2 * 5 * 50 * 11 * 14 * 4)
        self.assertEqual(case["restart_bytes"], (19 * 50 + 8) * 11 * 14 * 8)
        self.assertEqual(case["bytes"], case["diagnostic_bytes"] + case["restart_bytes"])
        entries = self.check(found, MOM5)
        for name, entry in entries.items():
            phases = entry["phases"]
            for phase in ("open", "read", "write", "close"):
                self.assertGreater(phases[phase], 0, (name, phase))
                self.assertLess(phases[phase], phases["total"], (name, phase))
            self.assertGreaterEqual(phases["compute"], 2 * 0.002, name)
            if "gather" in entries:
                self.assertAlmostEqual(entry["write_speedup"], entries["gather"]["phases"]["write"] / phases["write"])

    def test_what_it_would_write(self):
        path = self.directory / "case.json"
        done = self.bench(2, "--scale", "10000", "--steps", "3", "--set", "testing.ranks_per_node=1", "--describe", path, command="mom5")
        self.assertEqual((done.returncode, done.stdout), (0, ""), done.stderr)
        case = json.loads(path.read_text())
        self.assertEqual((case["workload"], case["ranks"], case["layout"], case["ranks_per_node"], case["steps"]), ("mom5", 2, [1, 2], 1, 3))
        read, diagnostics, *restarts = case["files"]
        self.assertTrue(read["reads"])
        self.assertEqual(diagnostics["variables"], [{"shape": [50, 11, 14], "type": "float", "count": 5, "records": 3}])
        self.assertEqual(sum(variable["count"] for file in restarts for variable in file["variables"]), 27)
        refused = self.bench(1, "--describe", path, command="flash")
        self.assertIn("flash cannot be described", refused.stderr)

    def results_or_skip(self, ranks, *arguments, command):
        """As results(), but a library that a whole run needs may be absent."""
        path = self.directory / "results.json"
        done = self.bench(ranks, "--json", path, *arguments, command=command)
        if "not compiled" in done.stderr:
            self.skipTest(done.stderr)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertEqual(list((self.directory / "files").iterdir()), [])
        return json.loads(path.read_text())

    def test_its_chunks(self):
        found = self.results_or_skip(3, "--scale", "10000", "--steps", "1", "--layout", "3x1", "--chunks", "3x5,1x1", "--only",
                                     "sverdrup.netcdf4*", *QUICK, command="mom5")
        entries = by_name(found)
        self.assertEqual(set(entries), {"sverdrup.netcdf4", "sverdrup.netcdf4.3x5", "sverdrup.netcdf4.1x1"})
        self.assertTrue(all(entry["verified"] in (True, None) for entry in entries.values()))
        self.assertGreater(entries["sverdrup.netcdf4.3x5"]["writes"], entries["sverdrup.netcdf4.1x1"]["writes"])

    def test_the_air_quality_model(self):
        found = self.results_or_skip(4, "--scale", "100", "--species", "4", "--steps", "2", "--layout", "2x2", *QUICK, command="cmaq")
        self.assertEqual(found["case"]["bytes"], 2 * 4 * 35 * 13 * 9 * 4)
        entries = self.check(found, CMAQ | {"gather"})
        one = 4 * 35 * 4  # bytes of a column of air
        self.assertEqual({name: (entry["writers"], entry["bytes_per_writer"]) for name, entry in entries.items() if name.startswith("sv")},
                         {"sverdrup.auto": (None, None), "sverdrup.row": (2, 9 * 7 * one), "sverdrup.column": (2, 5 * 13 * one),
                          "sverdrup.shared": (4, 5 * 7 * one)})
        for name, entry in entries.items():
            self.assertGreater(entry["phases"]["read"], 0, name)
            saved = entry["relative_performance"]["gather"]
            gathered = entries["gather"]["output_seconds"]
            self.assertAlmostEqual(saved, 100 * (gathered - entry["output_seconds"]) / gathered)

    def test_with_servers(self):
        small = ("--scale", "400", "--steps", "2", "--set", "async.memory=4MiB", "--only", "sverdrup.servers,sverdrup.auto", *QUICK)
        entries = by_name(self.results_or_skip(3, *small, "--servers", "1", command="mom5"))
        self.assertEqual(set(entries), {"sverdrup.servers", "sverdrup.auto"})
        self.assertGreater(entries["sverdrup.servers"]["phases"]["read"], 0)
        found = self.results_or_skip(3, *small, "--species", "2", "--set", "async=servers:1", command="cmaq")
        self.assertEqual(found["case"]["servers"], 1)
        for entry in (*entries.values(), *found["results"]):
            self.assertIn(entry["verified"], (True, None), entry["name"])
        self.assertEqual([entry["name"] for entry in found["results"]], ["sverdrup.auto", "sverdrup.servers"])

    def test_its_stripes(self):
        names = {name + end for name in CMAQ for end in (".stripes2x1", ".stripes5x4")} | {"gather"}
        found = self.results_or_skip(3, "--scale", "400", "--species", "2", "--layout", "1x3", "--stripes", "2x1,5x4", *QUICK, command="cmaq")
        entries = self.check(found, names)
        if "pnetcdf.stripes5x4" in entries:
            self.assertEqual(entries["pnetcdf.stripes5x4"]["relative_performance"]["pnetcdf"], 0)

    def test_bad_requests_are_refused_once(self):
        for command, arguments, words in (("mom5", ["--io-layout", "3x1", "--layout", "2x1"], "more I/O domains than ranks"),
                                          ("mom5", ["--resolution", "0.1", "--scale", "1", "--steps", "288"], "take a larger --scale"),
                                          ("cmaq", ["--stripes", "7"], "count x MiB")):
            done = self.bench(2, *arguments, command=command)
            self.assertNotEqual(done.returncode, 0, arguments)
            self.assertEqual(done.stderr.count(words), 1, done.stderr)


unittest.main(verbosity=1)
