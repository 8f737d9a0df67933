import numpy as np
from mpi4py import MPI

import sverdrup

comm, nx, ny = MPI.COMM_WORLD, 72, 36
with sverdrup.Context(comm) as io:
    js, nj = sverdrup.block(ny, comm.size, comm.rank)  # this rank computes the rows js ... js + nj - 1
    grid = io.decomp((ny, nx), (js, 0), (nj, nx), halo=[1, 0])
    t = np.zeros(grid.extent, "f4")  # and has a halo of one row on either side

    with io.create("ocean20.nc") as file:
        file.def_dim("lon", nx)
        file.def_dim("lat", ny)
        file.def_dim("time", None)
        sst = file.def_var("sst", "f4", ["time", "lat", "lon"], units="degC")
        file.enddef()
        for n in range(3):
            rows = np.arange(js, js + nj)
            t[grid.interior] = (28.5 - abs(2 * rows - ny + 1) + n + 1)[:, None]  # an ocean, of sorts
            sst.put(t, grid, record=n)
            io.end_step()  # commits the record
