"""`sverdrup information`: fields whose informative bits are known, and the configuration that it prints."""

import sys
from pathlib import Path

import numpy as np
import pytest
import yaml

netCDF4 = pytest.importorskip("netCDF4")
sys.path.insert(0, str(Path(__file__).parents[2] / "python"))

from sverdrup.cli import main  # noqa: E402
from sverdrup.information import kept_bits, of_bits  # noqa: E402


def field(bits, dtype="f4", shape=(64, 512), seed=1):
    """Values from 1 to 2: the first `bits` of the mantissa are equal in eight neighbours of the last axis, and random
    otherwise; those after them are random everywhere."""
    rng = np.random.default_rng(seed)
    mantissa = 23 if dtype == "f4" else 52
    held = np.repeat(rng.integers(0, 1 << bits, (*shape[:-1], shape[-1] // 8), dtype="u8"), 8, axis=-1)
    rest = rng.integers(0, 1 << (mantissa - bits), shape, dtype="u8")
    exponent = np.uint64(127 if dtype == "f4" else 1023) << np.uint64(mantissa)
    words = exponent | held << np.uint64(mantissa - bits) | rest
    return words.astype("u4" if dtype == "f4" else "u8").view(dtype)


@pytest.mark.parametrize(("bits", "dtype"), [(1, "f4"), (7, "f4"), (15, "f4"), (7, "f8"), (30, "f8")])
def test_known_bits(bits, dtype):
    information = of_bits(field(bits, dtype), 1)
    first = len(information) - (23 if dtype == "f4" else 52)
    assert np.all(information[:first] == 0)  # sign and exponent are constant
    # Neighbours are equal in 7 of 8 pairs, and by chance in half of the others.
    same = 7 / 8 + 1 / 16
    expected = 1 + same * np.log2(same) + (1 - same) * np.log2(1 - same)
    assert np.allclose(information[first : first + bits], expected, atol=0.02)
    assert information[first + bits :].max() < 1e-3
    assert kept_bits(information, 0.999) == bits
    assert kept_bits(information, 0.5) in (bits // 2, bits // 2 + 1)


def test_axis_and_masked_values():
    values = field(9)
    assert kept_bits(of_bits(values.T, 0), 0.999) == 9
    masked = np.ma.masked_where(np.random.default_rng(2).random(values.shape) < 0.3, values)
    masked.data[masked.mask] = -1e20
    values[0, :] = np.inf
    assert kept_bits(of_bits(masked, 1), 0.999) == kept_bits(of_bits(values, 1), 0.999) == 9
    assert np.all(of_bits(np.ma.masked_all((3, 4), "f4"), 1) == 0)
    assert kept_bits(np.zeros(32), 0.99) == 1


def test_the_command(tmp_path, capsys):
    path = str(tmp_path / "in.nc")
    with netCDF4.Dataset(path, "w") as file:
        for name, length in (("time", None), ("y", 64), ("x", 512)):
            file.createDimension(name, length)
        file.createVariable("x", "f4", ("x",))[:] = np.arange(512)
        file.createVariable("lon", "f8", ("y", "x"))[:] = field(3, "f8")
        file.createVariable("number", "i4", ("y", "x"))[:] = 1
        temp = file.createVariable("temp", "f4", ("time", "y", "x"))
        temp.coordinates = "lon"
        for record in range(4):
            temp[record] = field(20 if record == 3 else 6, seed=record)
        file.createVariable("depth", "f8", ("y", "x"))[:] = field(12, "f8")
    assert main(["information", path, "--keep", "0.999"]) == 0
    found = yaml.safe_load(capsys.readouterr().out)["variables"]
    assert found == {name: {"compression": {"quantize": f"bitround:{bits}"}} for name, bits in (("temp", 6), ("depth", 12))}
    with netCDF4.Dataset(path, "w"):
        pass
    assert main(["information", path]) == 1
    assert "it has no floats over space" in capsys.readouterr().err
    assert main(["information", str(tmp_path / "none.nc")]) == 1
    with pytest.raises(SystemExit):
        main(["information", path, "--keep", "1.5"])
