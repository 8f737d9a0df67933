"""Every rank writes a file of its own with netCDF4-python (serial), and reads it again."""

import os

import netCDF4
import numpy

rank = os.environ.get("OMPI_COMM_WORLD_RANK", os.environ.get("PMI_RANK", "0"))
with netCDF4.Dataset(f"python.{rank}.nc", "w") as file:
    file.createDimension("time", None)
    file.createDimension("x", 100)
    temp = file.createVariable("temp", "f8", ("time", "x"))
    temp.units = "K"
    for step in range(3):
        temp[step, :] = numpy.full(100, step)
with netCDF4.Dataset(f"python.{rank}.nc") as file:
    assert file["temp"][2, 99] == 2
