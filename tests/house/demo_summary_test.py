#!/usr/bin/env python3
"""The end of the demonstration names only programs that are there: scripts/demo_summary.py with some programs, and with none."""
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

SCRIPT = pathlib.Path(__file__).resolve().parent.parent.parent / "scripts" / "demo_summary.py"
PHASES = "open", "read_meta", "read", "write", "close", "total"
SUMMARY = {
    "ranks": 8, "nodes": 1, "transport": "window", "transport_reason": "one node", "writes": 3, "reads": 2,
    "bytes": {"written": 5000, "read": 12}, "phases": {name: {"max": 0.5} for name in PHASES},
    "files": [{"path": "examples/demo/ocean.nc", "format": "cdf2", "bytes": 5000, "records": 4, "outcome": "published",
               "route": "ranges", "writers": 1, "reason": "one node"}]}


class Ends(unittest.TestCase):
    def reported(self, *programs, modules=()):
        with tempfile.TemporaryDirectory() as folder:
            place = pathlib.Path(folder)
            (place / "summary.json").write_text(json.dumps(SUMMARY))
            for name in programs:
                (place / name).write_text("#!/bin/sh\n")
                (place / name).chmod(0o755)
            for name in modules:
                (place / f"{name}.py").write_text("")
            done = subprocess.run([sys.executable, "-S", SCRIPT, place / "summary.json", "examples/demo/ocean.nc", "no.png"], check=True,
                                  text=True, capture_output=True, env={**os.environ, "PATH": folder, "PYTHONPATH": folder})
            return done.stdout

    def test_nothing_is_there(self):
        reported = self.reported()
        self.assertIn("examples/demo/ocean.nc, cdf2, 5.0 kB", reported)
        for name in "ncdump", "ncview", "xarray", "netCDF4", "Look at it":
            self.assertNotIn(name, reported)

    def test_what_is_there_is_named(self):
        self.assertIn("Look at it: ncdump -h examples/demo/ocean.nc\n", self.reported("ncdump"))
        self.assertIn("ncdump -h examples/demo/ocean.nc or ncview examples/demo/ocean.nc\n", self.reported("ncview", "ncdump"))
        reported = self.reported("ncdump", modules=["netCDF4"])
        self.assertIn(f"or netCDF4.Dataset('examples/demo/ocean.nc') in {sys.executable}\n", reported)
        self.assertNotIn("xarray", reported)


if __name__ == "__main__":
    unittest.main()
