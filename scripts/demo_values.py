#!/usr/bin/env python3
"""Reads the demonstration's file with netCDF-C through Python and checks that it is an ocean: demo_values.py FILE."""
import sys

import netCDF4
import numpy as np


def expect(condition, what):
    if not condition:
        sys.exit(f"demo_values: {what}")


def main(path):
    with netCDF4.Dataset(path) as data:
        times = data["time"][:]
        expect(len(times) > 0 and np.all(np.diff(times) > 0), "times do not grow")
        for name, low, high in [("sst", -4, 36), ("sss", 2, 45), ("temp", -4, 36), ("salt", 2, 45), ("u", -3, 3),
                                ("v", -3, 3), ("psi", -3e8, 3e8), ("age", 0, float(times[-1]) + 1e-3)]:
            values = data[name][:]
            expect(np.ma.count(values) > 0, f"{name} is empty")
            expect(np.all(np.isfinite(values.compressed())), f"{name} has values that are not finite")
            expect(low <= values.min() and values.max() <= high, f"{name} is out of [{low}, {high}]")
            wet = np.ma.count(values[0])
            expect(all(np.ma.count(record) == wet for record in values), f"{name}: the coast moves")
        share = np.ma.count(data["sst"][0]) / data["sst"][0].size
        expect(0.55 < share < 0.75, f"{share:.0%} of the cells are sea")
        expect(np.array_equal(data["sst"][:].filled(0), data["temp"][:, 0].filled(0)), "sst is not the top of temp")
    print(f"{path}: {len(times)} records, values of all variables in their ranges")


if __name__ == "__main__":
    main(sys.argv[1])
