"""A model that sends surface values of a small grid, for cmip7_test.py: cmip7_model.py FIRST LAST SAVE UNITS. Its days
FIRST to LAST - 1 of a year of 365 days are daily steps, and it saves its streams after the days SAVE (a list, or none).
The streams are those of SV_CONFIG."""

import sys

import numpy as np
import sverdrup
from mpi4py import MPI

FIRST, LAST = int(sys.argv[1]), int(sys.argv[2])
SAVES = [int(day) for day in sys.argv[3].split(",") if day]
UNITS = sys.argv[4]
NX, NY = 12, 7
MONTHS = np.cumsum([0, 31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31])


def date_of(day):
    month = int(np.searchsorted(MONTHS, day % 365, "right"))
    return (1850 + day // 365, month, int(day % 365 - MONTHS[month - 1]) + 1, 0, 0, 0)


def axis(name, letter, units, standard_name, edges):
    return sverdrup.StreamAxis(name, values=(edges[1:] + edges[:-1]) / 2, bounds=np.stack([edges[:-1], edges[1:]], 1),
                               units=units, standard_name=standard_name, axis=letter)


comm = MPI.COMM_WORLD
with sverdrup.Context(comm) as io:
    start, count = sverdrup.block(NY, comm.size, comm.rank)
    grid = io.decomp((NY, NX), (start, 0), (count, NX))
    x = axis("x", "X", "degrees_east", "longitude", np.linspace(0.0, 360, NX + 1))
    y = axis("y", "Y", "degrees_north", "latitude", np.linspace(-90.0, 90, NY + 1))
    cells = np.arange(NX * start, NX * (start + count), dtype="f8").reshape(count, NX)
    with sverdrup.Streams(io, None) as streams:
        streams.static_field("depth", cells, [y, x], grid, units="m")
        air = streams.field("t2m", "f8", [y, x], grid, file_type="f4", units=UNITS, fill_value=1e20,
                            ancillary_variables="depth")
        streams.begin(date_of(FIRST), calendar="noleap", step_seconds=86400, continues=FIRST > 0)
        for day in range(FIRST, LAST):
            date = date_of(day + 1)
            air.send(date, 280 + cells + day)
            io.end_step()
            if day + 1 in SAVES:
                streams.save(date)
