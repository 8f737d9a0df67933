"""Waves on a sphere, on cells without rows and columns: the linear shallow water equations on a cube that is blown up
to a sphere, by finite volumes, each rank with the cells of a slab across its six faces. waves.f90 writes the same."""

import numpy as np
from mpi4py import MPI

import sverdrup

N, STEPS, EVERY = 24, 120, 12  # cells along an edge of the cube (even); steps, and between records
RADIUS, DT, G, DEPTH = 6.4e6, 400.0, 10.0, 4000.0


def places(cells):
    """Where cells are on the cube: three integers from -N to N, one of which is -N or N (the face)."""
    face, j, i = cells // (N * N), cells // N % N, cells % N
    axis, at = face // 2, np.empty((cells.size, 3), np.int64)
    rows = np.arange(cells.size)
    at[rows, axis] = (2 * (face % 2) - 1) * N
    at[rows, (axis + 1) % 3] = 2 * i + 1 - N
    at[rows, (axis + 2) % 3] = 2 * j + 1 - N
    return at


def numbers(at):
    """The inverse of places."""
    axis, rows = np.argmax(np.abs(at), axis=1), np.arange(len(at))
    i, j = (at[rows, (axis + 1) % 3] + N - 1) // 2, (at[rows, (axis + 2) % 3] + N - 1) // 2
    return ((2 * axis + (at[rows, axis] > 0)) * N + j) * N + i


def moved(at, steps):
    """The places so many steps from these, in two directions each, over the edges of the cube."""
    axis, rows, to = np.argmax(np.abs(at), axis=1), np.arange(len(at)), at.copy()
    across = (axis + 1 + steps // 2) % 3
    to[rows, across] += 4 * (steps % 2) - 2
    over = np.abs(to[rows, across]) > N
    to[rows[over], across[over]] = np.sign(to[rows[over], across[over]]) * N
    to[rows[over], axis[over]] = np.sign(at[rows[over], axis[over]]) * (N - 1)
    return to


def on_sphere(at):
    p = at / N
    return p / np.sqrt((p[:, 0] * p[:, 0] + p[:, 1] * p[:, 1]) + p[:, 2] * p[:, 2])[:, None]


def apart(a, b):
    d = a - b
    return RADIUS * np.sqrt((d[:, 0] * d[:, 0] + d[:, 1] * d[:, 1]) + d[:, 2] * d[:, 2])


def owners(cells, ranks):
    return (places(cells)[:, 0] + N) * ranks // (2 * N + 1)


class Mesh:
    """The cells of this rank, `mine`, and behind them in each array the neighbouring cells of other ranks, `ghosts`."""

    def __init__(self, comm):
        everything = np.arange(6 * N * N)
        self.comm, self.mine = comm, everything[owners(everything, comm.size) == comm.rank]
        at = places(self.mine)
        beside = [moved(at, np.full(self.mine.size, side)) for side in range(4)]
        neighbours = np.stack([numbers(there) for there in beside], axis=1)
        theirs = owners(neighbours.ravel(), comm.size).reshape(neighbours.shape)
        self.ghosts = np.unique(neighbours[theirs != comm.rank])
        known = np.concatenate([self.mine, self.ghosts])
        order = np.argsort(known)
        self.beside = order[np.searchsorted(known, neighbours, sorter=order)]
        # The cells that ranks exchange: both sides have the same cells in the same order.
        self.sends = {r: np.flatnonzero((theirs == r).any(axis=1)) for r in np.unique(theirs) if r != comm.rank}
        of_ghosts = owners(self.ghosts, comm.size)
        self.receives = {r: self.mine.size + np.flatnonzero(of_ghosts == r) for r in self.sends}
        self.centre = on_sphere(at)
        self.distance = np.stack([apart(self.centre, on_sphere(there)) for there in beside], axis=1)
        self.width, self.area = self.edges(at)

    def edges(self, at):
        """The lengths of the four edges, and the area that they enclose: two triangles, by their heights."""
        axis, rows = np.argmax(np.abs(at), axis=1), np.arange(len(at))
        corners = []
        for di, dj in ((-1, -1), (1, -1), (1, 1), (-1, 1)):
            corner = at.copy()
            corner[rows, (axis + 1) % 3] += di
            corner[rows, (axis + 2) % 3] += dj
            corners.append(on_sphere(corner))
        south, east, north, west = (apart(corners[k], corners[(k + 1) % 4]) for k in range(4))
        area = 0.25 * (south + north) * (east + west)
        return np.stack([west, east, south, north], axis=1), area

    def exchange(self, field):
        """Fills the ghosts of a field."""
        rooms = {rank: np.empty(at.size) for rank, at in self.receives.items()}
        waiting = [self.comm.Irecv(room, rank) for rank, room in rooms.items()]
        waiting += [self.comm.Isend(field[at], rank) for rank, at in self.sends.items()]
        MPI.Request.Waitall(waiting)
        for rank, at in self.receives.items():
            field[at] = rooms[rank]


def model(io):
    mesh = Mesh(io.comm)
    own = slice(mesh.mine.size)
    cells = io.points(6 * N * N, mesh.mine)
    h = np.zeros(mesh.mine.size + mesh.ghosts.size)  # surface height; u: speeds out of each cell through its edges
    u = np.zeros((mesh.mine.size, 4))
    x, y, z = mesh.centre.T
    h[own] = 1 / (1 + 20 * (((x - 0.6) * (x - 0.6) + (y - 0.48) * (y - 0.48)) + (z - 0.64) * (z - 0.64)))
    mesh.exchange(h)

    with io.create("waves.nc") as file:
        file.def_dim("cell", 6 * N * N)
        file.def_dim("time", None)
        for name in "xyz":
            file.def_var(name, "f8", ["cell"])
        file.def_var("h", "f4", ["time", "cell"], units="m")
        file.def_var("energy", "f4", ["time", "cell"], units="m2 s-2")
        file.enddef()
        for name, centre in (("x", x), ("y", y), ("z", z)):
            file[name].put(centre, cells)  # every third number of an array: read in place
        for step in range(STEPS):
            u -= DT * G * (h[mesh.beside] - h[own, None]) / mesh.distance
            flow = u * mesh.width
            h[own] -= DT * DEPTH * ((flow[:, 0] + flow[:, 1]) + (flow[:, 2] + flow[:, 3])) / mesh.area
            mesh.exchange(h)
            if (step + 1) % EVERY == 0:
                square = u * u
                energy = 0.25 * ((square[:, 0] + square[:, 1]) + (square[:, 2] + square[:, 3]))
                file["h"].put(h[own], cells, record=step // EVERY)
                file["energy"].put(energy, cells, record=step // EVERY)
                io.end_step()


with sverdrup.Context() as io:
    if io.is_model:  # with SV_ASYNC=servers:1 a rank writes meanwhile, with SV_ASYNC=threads a thread of each
        model(io)
