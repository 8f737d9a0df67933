"""Common code of the tests of sv-bench: FILE_test.py MPIEXEC PROGRAM."""
import json
import pathlib
import subprocess
import sys
import tempfile
import unittest

PROGRAM = sys.argv.pop()
MPIEXEC = sys.argv.pop()


class Bench(unittest.TestCase):
    COMMAND = "field"

    def setUp(self):
        place = tempfile.TemporaryDirectory()
        self.addCleanup(place.cleanup)
        self.directory = pathlib.Path(place.name)

    def bench(self, ranks, *arguments, command=None):
        return subprocess.run([MPIEXEC, str(ranks), PROGRAM, command or self.COMMAND, "--dir", self.directory / "files",
                               *arguments], capture_output=True, text=True, timeout=100)

    def results(self, ranks, *arguments, command=None):
        """The JSON of a successful run, which left nothing behind."""
        path = self.directory / "results.json"
        done = self.bench(ranks, "--json", path, *arguments, command=command)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertEqual(list((self.directory / "files").iterdir()), [])
        return json.loads(path.read_text())

    def entries(self, found, names, optional=("pnetcdf",)):
        """The results by name, and the reasons of methods that did not run: only those with one of `optional` in their name may."""
        entries = by_name(found)
        missing = {entry["name"] for entry in found["missing"]}
        self.assertEqual(set(entries) | missing, names)
        self.assertTrue(all(any(part in name for part in optional) for name in missing), missing)
        return entries, missing


def by_name(found):
    return {entry["name"]: entry for entry in found["results"]}
