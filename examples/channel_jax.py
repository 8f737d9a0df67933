"""The channel of channel.py with steps that JAX compiles. Its arrays are put as they are, also from a device; the file
has the values of channel.py's, except for the rounding of sums that the compiler reorders."""

import jax
import jax.numpy as jnp
import numpy as np
from mpi4py import MPI

import sverdrup

NX, NY, STEPS, EVERY = 96, 64, 120, 12
DX, DT, G, DEPTH, F0, BETA = 2.0e4, 120.0, 10.0, 400.0, 1.0e-4, 2.0e-11
HERE = (slice(1, -1), slice(1, -1))
jax.config.update("jax_enable_x64", True)


def at(a, dj, di):
    """The cells of this rank, seen from the neighbour at that distance."""
    return a[1 + dj : a.shape[0] - 1 + dj, 1 + di : a.shape[1] - 1 + di]


@jax.jit
def heights(h, u, v):
    return h.at[HERE].add(-DT * DEPTH * ((at(u, 0, 0) - at(u, 0, -1)) + (at(v, 0, 0) - at(v, -1, 0))) / DX)


@jax.jit
def eastward(h, u, v, f):
    mean = 0.25 * (at(v, 0, 0) + at(v, 0, 1) + at(v, -1, 0) + at(v, -1, 1))
    return u.at[HERE].add(DT * (f * mean - G * (at(h, 0, 1) - at(h, 0, 0)) / DX))


@jax.jit
def northward(h, u, v, f, is_water):
    mean = 0.25 * (at(u, 0, 0) + at(u, 0, -1) + at(u, 1, 0) + at(u, 1, -1))
    return v.at[HERE].add(-DT * (f * mean + G * (at(h, 1, 0) - at(h, 0, 0)) / DX)) * is_water


def exchanged(a, cart):
    """With its halo filled, through the host. At a wall it stays 0."""
    for axis, shift in ((0, 1), (0, -1), (1, 1), (1, -1)):
        source, target = cart.Shift(axis, shift)
        edge, halo = (-2, 0) if shift > 0 else (1, -1)
        sent = np.ascontiguousarray(jnp.moveaxis(a, axis, 0)[edge])
        received = np.array(jnp.moveaxis(a, axis, 0)[halo])
        cart.Sendrecv(sent, target, 0, received, source, 0)
        a = a.at[halo].set(received) if axis == 0 else a.at[:, halo].set(received)
    return a


def model(io):
    cart = io.comm.Create_cart(MPI.Compute_dims(io.size, 2), periods=[False, True])
    parts = [sverdrup.block(n, p, k) for n, p, k in zip((NY, NX), cart.dims, cart.coords, strict=True)]
    (js, nj), (i0, ni) = parts
    grid = io.decomp((NY, NX), (js, i0), (nj, ni), halo=1)
    j, i = jnp.arange(js, js + nj)[:, None], jnp.arange(i0, i0 + ni)[None, :]
    u = v = jnp.zeros(grid.extent)
    h = u.at[HERE].set(1 / (1 + ((i - 30.0) ** 2 + (j - 24.0) ** 2) / 16))  # a hump of a metre
    f_u, f_v = F0 + BETA * DX * j, F0 + BETA * DX * (j + 0.5)
    is_water = jnp.ones(grid.extent)
    if js + nj == NY:
        is_water = is_water.at[-2].set(0)  # the northern wall
    h = exchanged(h, cart)

    with io.create("channel.nc") as file:
        for name, length in (("x", NX), ("y", NY), ("time", None)):
            file.def_dim(name, length)
        for name, units in (("h", "m"), ("u", "m s-1"), ("v", "m s-1")):
            file.def_var(name, "f4", ["time", "y", "x"], units=units)
        file.enddef()
        for step in range(STEPS):
            h = exchanged(heights(h, u, v), cart)
            u = exchanged(eastward(h, u, v, f_u), cart)
            v = exchanged(northward(h, u, v, f_v, is_water), cart)
            if (step + 1) % EVERY == 0:
                for name, field in (("h", h), ("u", u), ("v", v)):
                    file[name].put(field, grid, record=step // EVERY)
                io.end_step()
    cart.Free()


with sverdrup.Context() as io:
    if io.is_model:
        model(io)
