"""The workloads of many variables of sv-bench, on small cases: combining_test.py MPIEXEC PROGRAM."""
import unittest

from bench import Bench

QUICK = ("--repeat", "2", "--set", "transport.window=1MiB")
RECORDS = {"sverdrup.step", "sverdrup.combined", "sverdrup.per_variable", "pnetcdf.per_variable", "pnetcdf.iput_record",
           "pnetcdf.iput_all", "floor", "floor.window"}
COMBINING = {f"{library}.{way}" for library in ("sverdrup", "pnetcdf") for way in ("per_variable", "explicit", "implicit")}
COMBINING.add("floor.window")


class Combining(Bench):
    def check(self, found, names):
        """All of them ran, with the right values, or said why not."""
        entries, missing = self.entries(found, names, ("pnetcdf.",))
        for name, entry in entries.items():
            reads = name.startswith("read.")
            if reads or not missing:
                self.assertIs(entry["verified"], True, name)
            self.assertEqual(set(entry["phases"]), {"open", "read" if reads else "write", "close"}, name)
            self.assertLessEqual(entry["phases"]["open"], entry["seconds"]["max"], name)
            if not reads:
                self.assertGreaterEqual(entry["bytes"], found["case"]["bytes"], name)
        return entries

    def test_records(self):
        found = self.results(5, "--vars", "3", "--records", "4", "--block", "7x6", "--layout", "5x1", *QUICK, command="records")
        self.assertEqual(found["case"]["bytes"], 3 * 4 * 7 * 6 * 5 * 8)
        entries = self.check(found, RECORDS)
        self.assertEqual(entries["floor"]["writes"], 4)
        self.assertEqual(entries["floor"]["messages"], 4 * (5 - 1))
        self.assertEqual(entries["floor.window"]["writes"], 4)
        self.assertGreaterEqual(entries["sverdrup.per_variable"]["writes"], 12)
        self.assertLess(entries["sverdrup.step"]["writes"], 12)
        self.assertLess(entries["sverdrup.combined"]["writes"], entries["sverdrup.step"]["writes"])

    def test_fixed_variables_on_a_curve(self):
        found = self.results(3, "--vars", "3", "--records", "2", "--block", "10x6", "--fixed", "--ownership", "curve", *QUICK,
                             command="records")
        self.assertEqual(found["case"]["bytes"], 3 * 2 * 10 * 6 * 3 * 8)
        self.assertEqual(self.check(found, RECORDS)["floor"]["writes"], 2)

    def test_coll_perf_over_records(self):
        found = self.results(4, "--block", "5", "--vars", "3", "--kind", "record", "--write", "--read", *QUICK, command="coll_perf")
        self.assertEqual(found["case"]["bytes"], 3 * 5**3 * 4 * 4)
        entries = self.check(found, COMBINING | {"read." + name for name in COMBINING})
        self.assertEqual((entries["floor.window"]["writes"], entries["read.floor.window"]["reads"]), (1, 1))

    def test_flash_leaves_the_guard_cells_in_memory(self):
        found = self.results(3, "--blocks", "3", *QUICK, command="flash")
        self.assertEqual(found["case"]["bytes"], 24 * 9 * 8**3 * 8)
        self.check(found, COMBINING)
        found = self.results(2, "--blocks", "2", "--file", "corner", *QUICK, command="flash")
        self.assertEqual(found["case"]["bytes"], 4 * 3 * 9**3 * 4)
        self.check(found, COMBINING)

    def test_single_cells(self):
        for order in ("cyclic", "shuffled"):
            found = self.results(3, "--segments", "40", "--vars", "2", "--order", order, *QUICK, command="segments")
            entries = {entry["name"]: entry for entry in found["results"]}
            self.assertLessEqual({"sverdrup", "read.sverdrup"}, set(entries))
            for name, entry in entries.items():
                self.assertEqual((len(entry["post_ns"]), len(entry["wait_ns"])), (2, 2), name)
                self.assertGreater(min(entry["post_ns"] + entry["wait_ns"]), 0, name)

    def test_bad_requests_are_refused_once(self):
        for command, arguments, words in (("records", ["--layout", "3x1"], "needs 3 ranks"), ("flash", ["--blocks", "1"], "--blocks")):
            done = self.bench(2, *arguments, command=command)
            self.assertNotEqual(done.returncode, 0, arguments)
            self.assertEqual(done.stderr.count(words), 1, done.stderr)


unittest.main(verbosity=1)
