#!/usr/bin/env python3
"""check_files.py OUTPUT GRID: whether the output is an ocean on the mesh of the grid (UGRID 1.0)."""
import sys

import netCDF4
import numpy as np

RANGES = {  # of wet cells
    "eta": (-5, 5), "sst": (-5, 35), "sss": (30, 40), "ubar": (-2, 2), "vbar": (-2, 2), "mld": (1, 6000),
    "temp": (-5, 35), "salt": (30, 40), "u": (-3, 3), "v": (-3, 3), "w": (-0.01, 0.01),
}

with netCDF4.Dataset(sys.argv[1]) as out, netCDF4.Dataset(sys.argv[2]) as grid:
    mesh = out["mesh"]
    assert mesh.cf_role == "mesh_topology" and mesh.topology_dimension == 2
    order = np.asarray(out["cell_order"][:])
    faces = out[mesh.face_node_connectivity]
    assert faces.start_index == 0 and np.array_equal(faces[:], grid["face_nodes"][:][order])
    for name, there in zip(mesh.node_coordinates.split(), ("node_lon", "node_lat")):
        assert np.array_equal(out[name][:], grid[there][:]), name
    for name in mesh.face_coordinates.split():
        assert np.array_equal(out[name][:], grid[name][:][order]), name
    wet = (np.asarray(grid["ocean"][:]) == 1)[order] & (np.asarray(out["lat"][:]) < 86)
    assert len(out["time"]) == 2
    for name, (low, high) in RANGES.items():
        field = out[name]
        assert field.mesh == "mesh" and field.location == "face", name
        values = field[:].reshape(2, -1, len(order))
        assert np.array_equal(~np.ma.getmaskarray(values[1, 0]), wet), f"{name}: land is not where it should be"
        assert low <= values.min() and values.max() <= high, f"{name}: {values.min()} to {values.max()}"
        assert values[:, 0].std() > 0, f"{name} is even"
    assert not np.ma.allclose(out["temp"][0], out["temp"][1], rtol=0, atol=1e-6)
