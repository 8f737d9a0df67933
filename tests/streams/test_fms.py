"""FMS's own tests of its diag_manager as scenarios: their tables become streams, a model sends what FMS's programs
test_reduction_methods and test_diag_diurnal send, and the files have the values that FMS's check_time_* programs ask
for. Other than there:

- `IOnASphere` is never sent. FMS writes missing values; we refuse a field that is not sent, so it is left out.
- `var2c` is on corners, and in no table; `var2missing` has to fail in FMS.
- FMS takes a sample for the time of its date. Ours is the mean of the step that ends there, so the hours of the diurnal
  test are sent one step later.
- FMS divides regional files by rank; ours are one file. `pow` is no operation here.
"""

from pathlib import Path

import netCDF4
import numpy as np
import pytest
import sverdrup
import yaml
from mpi4py import MPI
from sverdrup.streams.diag_table import convert

HERE = Path(__file__).parent
NX, NY, NZ, NW = 96, 96, 5, 2
MISSING = -666.0
I, J, K = np.arange(1, NX + 1), np.arange(1, NY + 1)[:, None], np.arange(1, NZ + 1)[:, None, None]
DATA = np.broadcast_to(I * 1000.0 + J * 10.0 + K, (NW, NZ, NY, NX))  # init_buffer of FMS


def config_of(name):
    text, _ = convert((HERE / "fms" / f"{name}.yaml").read_text(), name)
    streams = yaml.safe_load(text)["streams"]
    for stream in streams.values():
        stream["fields"] = [each for each in stream["fields"] if "IOnASphere" not in each]
    return streams


def run(folder, monkeypatch, configs, dates, values_at):
    """One run with all streams. values_at(step): of var4; the others are parts of it, var0 one that is never masked."""
    monkeypatch.chdir(folder)
    streams = {name: stream for each in configs for name, stream in each.items()}
    (folder / "streams.yaml").write_text(yaml.safe_dump({"streams": streams}))
    axes = [sverdrup.StreamAxis(name, values=np.arange(1.0, n + 1), axis=name.upper() if name != "w" else "")
            for name, n in (("w", NW), ("z", NZ), ("y", NY), ("x", NX))]
    with sverdrup.Context(MPI.COMM_SELF) as io:
        grid = io.decomp((NY, NX), (0, 0), (NY, NX))
        with sverdrup.Streams(io, "streams.yaml") as streams:
            fields = [streams.field(f"var{n}", "f8", axes[4 - n:], grid if n > 1 else None, fill_value=MISSING)
                      for n in range(5)]
            streams.begin((2, 1, 1, 0, 0, 0), calendar="julian", step_seconds=3600)
            for step, date in enumerate(dates, 1):
                values = values_at(step)
                for field, part in zip(fields, (values[0, 0, 1, 1], values[0, 0, 0], values[0, 0], values[0], values)):
                    field.send(date, part)
                io.end_step()


def hours(count):
    return [(2, 1 + h // 744, 1 + h % 744 // 24, h % 24, 0, 0) for h in range(1, count + 1)]


def read(path, name):
    with netCDF4.Dataset(path) as file:
        file.set_auto_maskandscale(False)
        assert file[name].dtype == "f4" and file[name]._FillValue == MISSING
        return file[name][:]


EXPECTED = {  # by the hours of a record, in hundredths
    "avg": lambda whole, steps: whole + steps.sum() / 6.0 / 100,
    "rms": lambda whole, steps: whole + steps.sum() / 6.0 / 100,
    "sum": lambda whole, steps: 6 * whole + steps.sum() / 100, "min": lambda whole, steps: whole + steps[0] / 100,
    "max": lambda whole, steps: whole + steps[-1] / 100, "none": lambda whole, steps: whole + steps[-1] / 100,
}  # fmt: skip


@pytest.mark.parametrize("is_masked", [False, True])
def test_reduction_methods(tmp_path, monkeypatch, is_masked):
    mask = np.zeros(DATA.shape, bool)
    mask[:, 0, 0, 0] = is_masked
    run(tmp_path, monkeypatch, [config_of(name) for name in EXPECTED], hours(48),
        lambda step: np.where(mask, MISSING, DATA + step / 100))
    for name, of in EXPECTED.items():
        whole, regional = f"test_{name}_0002.nc", f"test_{name}_regional_0002.nc"
        for record in range(8):
            steps = np.arange(6 * record + 1, 6 * record + 7)
            wanted = np.where(mask, MISSING, of(DATA, steps)).astype("f4")
            for variable, part in ((1, wanted[0, 0, 0]), (2, wanted[0, 0]), (3, wanted[0]), (4, wanted)):
                found = read(whole, f"var{variable}_{name}")[record]
                assert np.array_equal(found, part), (name, variable, record)
            found = read(regional, f"var3_{name}")[record]
            assert np.array_equal(found, wanted[0, 1:3, 77:81, 77:81]), (name, "regional", record)
            levels = [v for v in netCDF4.Dataset(f"test_{name}_0002_part1.nc").variables if v.startswith("var3_Z")]
            assert np.array_equal(read(f"test_{name}_0002_part1.nc", levels[0])[record], wanted[0, 1:3]), (name, record)
            assert read(whole, f"var0_{name}")[record] == np.float32(of(DATA[0, 0, 1, 1], steps))


def test_diurnal(tmp_path, monkeypatch):
    """One month of FMS's three; the value is the hour."""
    blocks = [np.full(DATA.shape, float(hour)) for hour in range(24)]
    run(tmp_path, monkeypatch, [config_of("diurnal")], hours(744), lambda step: blocks[(step - 1) % 24])
    for path, name in [("test_diurnal_0002.nc", f"var{n}") for n in range(1, 5)] + [
            ("test_diurnal_regional_0002.nc", "var3_diurnal")]:
        found = read(path, name)
        assert found.shape[:2] == (1, 3)
        for part, hour in enumerate((3.5, 11.5, 19.5)):  # sums of the hours of each part, over their number
            assert (found[0, part] == hour).all(), (name, part)


def test_anchors():
    assert [name for name in config_of("anchors")] == ["test_none", "test_none_part1", "test_none_regional"]
