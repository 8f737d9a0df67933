"""studies/scripts/race and its table: race_test.py MPIEXEC PROGRAM."""
import pathlib
import subprocess
import sys
import unittest

from bench import PROGRAM

SCRIPTS = pathlib.Path(__file__).resolve().parents[2] / "scripts"
sys.path.insert(0, str(SCRIPTS))
import race_table
from race_cases import CASES, Case, Pair, Place


def results(**rounds):
    return {"results": [{"name": name.replace("_", "."), "rounds": times, "seconds": {"median": sorted(times)[len(times) // 2]}}
                        for name, times in rounds.items()]}


class Race(unittest.TestCase):
    CASE, PLACE = Case("field", 2, (), ()), Place("memory")
    PAIR = Pair("write", "sverdrup.auto", ("pnetcdf*", "gather"), "floor")

    def row(self, **rounds):
        return race_table.row_of(self.CASE, self.PLACE, self.PAIR, results(**rounds))

    def test_the_fastest_of_the_others_counts(self):
        row = self.row(sverdrup_auto=[2, 2, 2], pnetcdf_iput=[4, 4, 4], pnetcdf=[8, 8, 8], gather=[5, 5, 5], floor=[1, 1, 1])
        self.assertEqual((row.other, row.ratio, row.floor, row.noise, row.verdict), ("pnetcdf.iput", 0.5, 2, 0, "ahead"))

    def test_what_did_not_run_is_no_row(self):
        self.assertIsNone(self.row(sverdrup_auto=[1]))
        self.assertIsNone(self.row(pnetcdf=[1], floor=[1]))

    def test_a_loss_within_the_noise_is_even(self):
        self.assertEqual(self.row(sverdrup_auto=[1.1, 1.1, 1.1], pnetcdf=[1, 1, 1]).verdict, "BEHIND")
        self.assertEqual(self.row(sverdrup_auto=[0.8, 1.1, 1.4], pnetcdf=[1, 1, 1]).verdict, "even")

    def test_the_worst_stands_first_beside_the_last_race(self):
        rows = [self.row(sverdrup_auto=[1, 1], pnetcdf=[2, 2]), self.row(sverdrup_auto=[3, 3], gather=[2, 2])]
        rows[1].what = "read"
        earlier = [self.row(sverdrup_auto=[1, 1], pnetcdf=[4, 4])]
        lines = race_table.text_of(race_table.with_earlier(rows, earlier)).splitlines()[2:]
        self.assertIn("| read |", lines[0])
        self.assertIn("| 1.50 |", lines[0])
        self.assertIn("| 0.50 | ±0.00 | - | 0.25 | ahead |", lines[1])
        self.assertEqual(race_table.summary_of(rows), "2 comparisons: ahead in 1, even in 0, behind in 1")

    def test_memory_stands_beside_the_time(self):
        measured = {"results": [{"name": name, "memory": {"peak_bytes_beyond": peak * 2**20, "pool_bytes": 2**26}}
                                for name, peak in (("sverdrup.auto", 3), ("pnetcdf", 5), ("gather", 7))]}
        row = race_table.with_memory(self.row(sverdrup_auto=[1], gather=[2]), measured)
        self.assertEqual((row.memory, row.other_memory), (3, 7))
        self.assertTrue(race_table.text_of([row]).splitlines()[2].endswith("| ahead | 3.0 | 7.0 |"))

    def test_the_overview_has_a_line_for_each_case(self):
        rows = [self.row(sverdrup_auto=[1], pnetcdf=[2]), self.row(sverdrup_auto=[3, 3], pnetcdf=[2, 2])]
        rows[1].place = "disk, fsync"
        for some in (rows, rows[::-1]):  # a race in one place adds its rows before those of the last one
            self.assertEqual(race_table.overview_of(some).splitlines()[0], "| case | what | memory | disk, fsync |")
        self.assertEqual(race_table.overview_of(rows).splitlines()[2], "| field | write | 0.50 | **1.50** |")

    def test_every_case_is_one_of_sv_bench(self):
        reported = subprocess.run([PROGRAM, "--help"], capture_output=True, text=True, timeout=60).stdout
        for case in CASES:
            self.assertIn(f"\n  {case.command} ", reported)
        self.assertEqual(len({case.name for case in CASES}), len(CASES))

    def test_one_case_is_run_and_kept(self):
        build = pathlib.Path(PROGRAM).resolve().parents[1]
        done = subprocess.run([SCRIPTS / "race", "--build", build, "--short", "--repeat", "2", "--only", "small open, 1 rank"],
                              capture_output=True, text=True, timeout=100)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        if "2 comparisons" in done.stdout:
            self.assertIn("| small open, 1 rank | 500 MB/s | read |", (build / "race/short.md").read_text())
        else:  # neither PnetCDF nor netCDF-C was compiled
            self.assertIn("0 comparisons", done.stdout)


unittest.main(verbosity=1)
