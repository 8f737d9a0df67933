"""Waves in a channel: shallow water on a beta plane, periodic in x, walls in y. C grid, forward-backward in time
(Mesinger and Arakawa 1976, "Numerical methods used in atmospheric models"). channel.f90 writes the same file."""

import numpy as np
from mpi4py import MPI

import sverdrup

NX, NY, STEPS, EVERY = 96, 64, 120, 12
DX, DT, G, DEPTH, F0, BETA = 2.0e4, 120.0, 10.0, 400.0, 1.0e-4, 2.0e-11
HERE = (slice(1, -1), slice(1, -1))


def at(a, dj, di):
    """The cells of this rank, seen from the neighbour at that distance."""
    return a[1 + dj : a.shape[0] - 1 + dj, 1 + di : a.shape[1] - 1 + di]


def exchange(a, cart):
    """Fills the halo. At a wall it stays 0."""
    for axis, shift in ((0, 1), (0, -1), (1, 1), (1, -1)):
        source, target = cart.Shift(axis, shift)
        edge, halo = (-2, 0) if shift > 0 else (1, -1)
        received = np.moveaxis(a, axis, 0)[halo].copy()
        cart.Sendrecv(np.ascontiguousarray(np.moveaxis(a, axis, 0)[edge]), target, 0, received, source, 0)
        np.moveaxis(a, axis, 0)[halo] = received


def model(io):
    cart = io.comm.Create_cart(MPI.Compute_dims(io.size, 2), periods=[False, True])
    parts = [sverdrup.block(n, p, k) for n, p, k in zip((NY, NX), cart.dims, cart.coords, strict=True)]
    (js, nj), (i0, ni) = parts
    grid = io.decomp((NY, NX), (js, i0), (nj, ni), halo=1)
    h, u, v = (np.zeros(grid.extent) for _ in range(3))
    j, i = np.arange(js, js + nj)[:, None], np.arange(i0, i0 + ni)[None, :]
    h[HERE] = 1 / (1 + ((i - 30.0) ** 2 + (j - 24.0) ** 2) / 16)  # a hump of a metre
    f_u, f_v = F0 + BETA * DX * j, F0 + BETA * DX * (j + 0.5)
    exchange(h, cart)

    with io.create("channel.nc") as file:
        for name, length in (("x", NX), ("y", NY), ("time", None)):
            file.def_dim(name, length)
        fields = {"h": h, "u": u, "v": v}
        for name, units in (("h", "m"), ("u", "m s-1"), ("v", "m s-1")):
            file.def_var(name, "f4", ["time", "y", "x"], units=units)
        file.enddef()
        for step in range(STEPS):
            h[HERE] -= DT * DEPTH * ((at(u, 0, 0) - at(u, 0, -1)) + (at(v, 0, 0) - at(v, -1, 0))) / DX
            exchange(h, cart)
            mean = 0.25 * (((at(v, 0, 0) + at(v, 0, 1)) + at(v, -1, 0)) + at(v, -1, 1))
            u[HERE] += DT * (f_u * mean - G * (at(h, 0, 1) - at(h, 0, 0)) / DX)
            exchange(u, cart)
            mean = 0.25 * (((at(u, 0, 0) + at(u, 0, -1)) + at(u, 1, 0)) + at(u, 1, -1))
            v[HERE] -= DT * (f_v * mean + G * (at(h, 1, 0) - at(h, 0, 0)) / DX)
            if js + nj == NY:
                v[-2] = 0  # the northern wall
            exchange(v, cart)
            if (step + 1) % EVERY == 0:
                for name, field in fields.items():
                    file[name].put(field, grid, record=step // EVERY)  # with its halo, without a copy
                io.end_step()
    cart.Free()


with sverdrup.Context() as io:
    if io.is_model:  # with SV_ASYNC=servers:1, a rank writes while the others compute
        model(io)
