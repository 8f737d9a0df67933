#!/usr/bin/env python3
"""check_order.py INDEX CURVE ...: pairs of files, whose cells stand in the order of their indices and along a curve.

Every value of the second must be that of the first at the place in `cell_order`, and neighbours be closer.
"""
import sys

import netCDF4
import numpy as np


def check(index_path, curve_path):
    with netCDF4.Dataset(index_path) as index, netCDF4.Dataset(curve_path) as curve:
        order = curve["cell_order"]
        assert order.sverdrup_order == "cell"
        order = np.asarray(order[:])
        assert np.array_equal(np.sort(order), np.arange(len(order))), "no permutation"
        assert not np.array_equal(order, np.arange(len(order))), "the order of the indices"
        fields = [name for name in curve.variables if "cell" in curve[name].dimensions and name != "cell_order"]
        assert len(fields) > 10
        for name in fields:
            axis = curve[name].dimensions.index("cell")
            ours, theirs = np.ma.filled(curve[name][:]), np.ma.filled(index[name][:])
            assert np.array_equal(ours, np.take(theirs, order, axis)), name


for pair in zip(sys.argv[1::2], sys.argv[2::2]):
    check(*pair)
