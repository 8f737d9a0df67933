"""A process with Sverdrup and with libraries of PyPI that bring their own netCDF-C and HDF5, imported in either order,
also under sv-run."""

import importlib.util
import subprocess
import sys
from pathlib import Path

import pytest

import sverdrup.library

SCRIPT = Path(__file__).with_name("beside_others.py")
OTHERS = [name for name in ("netCDF4", "h5py", "zarr") if importlib.util.find_spec(name)]
SV_RUN = Path(sverdrup._core.__file__).parents[2] / "bin/sv-run"


@pytest.mark.parametrize("before", [[], ["sv-run"]], ids=["plain", "sv-run"])
@pytest.mark.parametrize("first", ["sverdrup", "others"])
def test_in_either_order_of_import(comm, tmp_path, first, before, own_job):
    if comm.size > 1:
        pytest.skip("one process")
    if len(OTHERS) < 2:
        pytest.skip(f"of netCDF4, h5py and zarr this Python has {OTHERS}: pip install netCDF4 h5py zarr")
    if before and not SV_RUN.exists():
        pytest.skip("sv-run is not built")
    order = ["sverdrup", *OTHERS] if first == "sverdrup" else [*OTHERS, "sverdrup"]
    start = [str(SV_RUN), "-q"] if before else []
    command = [*start, sys.executable, "-X", "faulthandler", str(SCRIPT), *order]
    done = subprocess.run(command, env=own_job, cwd=tmp_path, capture_output=True, text=True, timeout=100)
    assert done.returncode == 0, done.stdout + done.stderr
    assert f"imported as {', '.join(order)}" in done.stdout
