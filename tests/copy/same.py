"""Equality of two netCDF files: dimensions, variables, attributes with their types and order, and every byte of values.
Used by tests; as a program, `same.py A B` names the first difference and fails."""
import sys

import netCDF4
import numpy


def _attributes(owner):
    return [(name, numpy.asarray(owner.getncattr(name)).dtype.str, numpy.asarray(owner.getncattr(name)).tolist())
            for name in owner.ncattrs()]


def _nan_safe(value):
    return str(value)


def difference(first, second):
    """The differences, in words; "" if there are none."""
    with netCDF4.Dataset(first) as one, netCDF4.Dataset(second) as other:
        for data in (one, other):
            data.set_auto_maskandscale(False)
            data.set_auto_chartostring(False)
        dims = [[(d.name, len(d), d.isunlimited()) for d in data.dimensions.values()] for data in (one, other)]
        if dims[0] != dims[1]:
            return f"dimensions {dims[0]} and {dims[1]}"
        if _nan_safe(_attributes(one)) != _nan_safe(_attributes(other)):
            return f"global attributes {_attributes(one)} and {_attributes(other)}"
        if list(one.variables) != list(other.variables):
            return f"variables {list(one.variables)} and {list(other.variables)}"
        for name in one.variables:
            a, b = one.variables[name], other.variables[name]
            if (a.dtype, a.dimensions) != (b.dtype, b.dimensions):
                return f"'{name}': {a.dtype} {a.dimensions} and {b.dtype} {b.dimensions}"
            if _nan_safe(_attributes(a)) != _nan_safe(_attributes(b)):
                return f"'{name}': attributes {_attributes(a)} and {_attributes(b)}"
            if numpy.asarray(a[...]).tobytes() != numpy.asarray(b[...]).tobytes():
                return f"values of '{name}'"
    return ""


if __name__ == "__main__":
    sys.exit(difference(sys.argv[1], sys.argv[2]) or 0)
