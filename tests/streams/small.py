"""Streams from Python, with the files of small.f90."""
import numpy as np
import sverdrup
from mpi4py import MPI

comm = MPI.COMM_WORLD
NX, NY = 4, 3
with sverdrup.Context(comm) as io:
    start, count = sverdrup.block(NY, comm.size, comm.rank)
    grid = io.decomp((NY, NX), (start, 0), (count, NX))
    lon = sverdrup.StreamAxis("lon", values=[30, 60, 90, 120], units="degrees_east")
    lat = sverdrup.StreamAxis("lat", NY)
    with sverdrup.Streams(io, "streams.yaml") as streams:
        area = np.arange(NX * start, NX * (start + count), dtype="f8").reshape(count, NX)
        streams.static_field("area", area, [lat, lon], grid, units="m2")
        streams.define("model", {"file": "model.nc", "frequency": "1 day", "operation": "max", "fields": ["sst"]})
        sst = streams.field("sst", "f4", [lat, lon], grid, units="K", fill_value=-1, cell_measures="area: area")
        heat = streams.field("heat", "f8")
        streams.begin((2001, 1, 1, 0, 0, 0), calendar="noleap", step_seconds=3600)
        for hour in range(1, 49):
            date = (2001, 1, 1 + hour // 24, hour % 24, 0, 0)
            block = np.full((count, NX), hour, "f4")
            if start == 0:
                block[0, 0] = -1
            if sst.wanted(date):
                sst.send(date, block)
            assert not heat.wanted(date)
            io.end_step()
        streams.save(date)
        try:
            sst.send((2001, 1, 3, 1, 0, 0), block.astype("f8"))
            raise AssertionError("values of another type are accepted")
        except sverdrup.TypesError:
            pass
