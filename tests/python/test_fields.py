"""Fields, parts, wholes and regions, from arrays of every kind."""

import array
import sys
import types

import numpy as np
import pytest

import sverdrup


def reversed_rows(values):
    return values[::-1].copy()[::-1]


def every_other(values):
    wide = np.zeros((values.shape[0], 2 * values.shape[1]), values.dtype)
    wide[:, ::2] = values
    return wide[:, ::2]


def member(values):
    """Of a structure of nine bytes: the strides are no multiple of the values' size."""
    pairs = np.zeros(values.shape, dtype=[("flag", "i1"), ("value", values.dtype)])
    pairs["value"] = values
    return pairs["value"]


class WithInterface:
    def __init__(self, values):
        self._kept = values
        self.__array_interface__ = values.__array_interface__


class OnlyDlpack:
    def __init__(self, values):
        self._values = values

    def __dlpack_device__(self):
        return self._values.__dlpack_device__()

    def __dlpack__(self, **words):
        return self._values.__dlpack__(**words)


class OnDevice:
    """An array on a device, which DLPack copies to the host when it is asked to."""

    def __init__(self, values):
        self._values = values
        self.copies = 0

    def __dlpack_device__(self):
        return (2, 0)  # kDLCUDA

    def __dlpack__(self, *, dl_device=None, copy=None, **_):
        assert dl_device == (1, 0) and copy is True
        self.copies += 1
        return self._values.copy().__dlpack__()


class LikeCupy:
    """Memory that only its own calls reach, as CuPy's arrays are: `get` copies out, `set` in. `gone`: how often."""

    __module__ = "cupy.mock"

    def __init__(self, values):
        self._values, self.gone = values.copy(), []
        self.shape, self.dtype = values.shape, values.dtype
        self.__cuda_array_interface__ = {"shape": values.shape, "typestr": values.dtype.str, "data": (0, False)}

    def get(self, out):
        self.gone.append("get")
        out[...] = self._values
        return out

    def set(self, values):
        self.gone.append("set")
        self._values[...] = values


class LikeNumba(LikeCupy):
    """The CUDA array interface and Numba's two calls."""

    __module__ = "numba.mock"

    def copy_to_host(self):
        self.gone.append("get")
        return self._values.copy()

    def copy_to_device(self, values):
        self.set(values)


@pytest.fixture
def cupyx(monkeypatch):
    """The part of CuPy that makes pinned memory, which notes the requests."""
    made = types.ModuleType("cupyx")
    made.asked = []
    made.empty_pinned = lambda shape, dtype: made.asked.append(shape) or np.empty(shape, dtype)
    monkeypatch.setitem(sys.modules, "cupyx", made)
    return made


KINDS = {
    "contiguous": np.ascontiguousarray,
    "fortran": np.asfortranarray,
    "reversed": reversed_rows,
    "spread": every_other,
    "member": member,
    "big_endian": lambda values: values.astype(values.dtype.newbyteorder(">")),
    "read_only": lambda values: np.frombuffer(values.tobytes(), values.dtype).reshape(values.shape),
    "memoryview": lambda values: memoryview(np.ascontiguousarray(values)),
    "list": lambda values: values.tolist(),
    "interface": lambda values: WithInterface(np.asfortranarray(values)),
    "dlpack": lambda values: OnlyDlpack(np.asfortranarray(values)),
    "device": OnDevice,
}


def test_arrays_of_every_kind(file, grid, mine, field, read):
    variables = {kind: file.def_var(kind, "f8", ["lat", "lon"]) for kind in KINDS}
    file.enddef()
    for kind, turned in KINDS.items():
        variables[kind].put(turned(mine), grid)
    file.close()
    for kind in KINDS:
        np.testing.assert_array_equal(read("test_arrays_of_every_kind.nc", kind), field, err_msg=kind)


def test_types(file, grid, mine, field, read):
    kinds = ["i1", "i2", "i4", "f4", "f8", "u1"]
    for kind in kinds:
        file.def_var(f"v_{kind}", kind, ["lat", "lon"])
    half = file.def_var("half", "f4", ["lat", "lon"])
    flag = file.def_var("flag", "i1", ["lat", "lon"])
    masked = file.def_var("masked", "f4", ["lat", "lon"], fill=-5)
    file.enddef()
    for kind in kinds:
        file[f"v_{kind}"].put(np.abs(mine).astype(kind), grid)
    half.put(mine.astype("f2"), grid)
    flag.put(mine > 20, grid)
    masked.put(np.ma.masked_greater(mine, 20), grid)
    file.close()
    for kind in kinds:
        np.testing.assert_array_equal(read("test_types.nc", f"v_{kind}"), field.astype(kind))
    np.testing.assert_array_equal(read("test_types.nc", "half"), field.astype("f2"))
    np.testing.assert_array_equal(read("test_types.nc", "flag"), field > 20)
    np.testing.assert_array_equal(read("test_types.nc", "masked"), np.where(field > 20, -5, field))


def test_masked_cells_are_missing(file, grid, mine, field, read):
    """Of data whose type does not hold the variable's fill value, too, and of packed data."""
    pairs = [("i1", "i4"), ("i4", "f4"), ("f4", "f8"), ("f4", "i4"), ("i8", "i1"), ("f2", "i2"), ("bool", "i2")]
    for own, to in pairs:
        file.def_var(f"{own}_{to}", to, ["lat", "lon"], fill=1e20 if to == "f8" else None)
    file.def_var("packed", "i2", ["lat", "lon"], packing=(0.5, 1.0))
    file.def_var("long", "i8", ["lat", "lon"])
    file.enddef()
    masked = np.ma.masked_greater(np.abs(mine), 20)
    for own, to in pairs:
        file[f"{own}_{to}"].put(masked.astype(own), grid)
    file["packed"].put(masked.astype("i4"), grid)
    with pytest.raises(sverdrup.RangeError, match="no type holds both values of float64 and the fill value"):
        file["long"].put(masked, grid)
    fills = {name: variable.fill_value() for name, variable in file.variables.items()}
    file.close()
    for own, to in pairs:
        got, name = read("test_masked_cells_are_missing.nc", f"{own}_{to}"), f"{own}_{to}"
        np.testing.assert_array_equal(got, np.where(field > 20, fills[name], field.astype(own)), err_msg=name)
    unpacked = read("test_masked_cells_are_missing.nc", "packed")
    np.testing.assert_array_equal(unpacked, np.where(field > 20, fills["packed"] * 0.5 + 1, field))


def test_records_come_back(io, file, grid, mine, field):
    sst = file.def_var("sst", "f4", ["time", "lat", "lon"], units="degC")
    packed = file.def_var("packed", "i2", ["lat", "lon"], packing=(0.5, 1.0))
    scale = file.def_var("scale", "f8")
    levels = file.def_var("levels", "i4", ["lon"])
    file.enddef()
    scale.put_var(2.5)
    levels.put_var(np.arange(10))
    packed.put(mine, grid)
    for n in range(3):
        sst.put(mine + n, grid, record=n)
        io.end_step()
    file.close()
    with io.open("test_records_come_back.nc") as again:
        assert again.records == 3 and again.record_dimension == "time"
        back = again["sst"].get(grid, record=2)
        assert back.dtype == np.float32 and back.shape == grid.extent
        np.testing.assert_array_equal(back[grid.interior], mine[grid.interior] + 2)
        own = np.full(grid.extent, 7.0, order="F")
        assert again["sst"].get(grid, 0, out=own) is own
        np.testing.assert_array_equal(own[grid.interior], mine[grid.interior])
        assert (own[:, :2] == 7).all()
        np.testing.assert_array_equal(again["sst"].get_var(1), field + 1)
        assert again["scale"].get_var() == 2.5
        np.testing.assert_array_equal(again["levels"].get_var(dtype="f8"), np.arange(10))
        part = again["sst"].get_vara([1, 2, 3], [2, 2, 4], [1, 3, 1])
        np.testing.assert_array_equal(part, np.stack([field[2::3, 3:7][:2] + n for n in (1, 2)]))
        again["packed"].packing = True
        np.testing.assert_allclose(again["packed"].get_var(), field)


def test_parts_and_regions(io, file, field, read):
    start, count = sverdrup.block(7, io.size, io.rank)
    part = file.def_var("part", "i4", ["time", "lat", "lon"])
    regions = file.def_var("regions", "f8", ["lat", "lon"])
    values = file.def_var("values", "i4", ["lon"])
    file.enddef()
    rows = field[start : start + count].astype("i4")
    part.put_vara([0, start, 0], rows)  # the record dimension is taken as 1
    values.put_vara([3] if io.rank == io.size - 1 else None, array.array("i", [8, 9]))
    regions.put_varn(
        [[j, 0] for j in range(start, start + count)], [[1, 10]] * count, field[start : start + count].ravel()
    )
    file.sync()
    np.testing.assert_array_equal(regions.get_varn([[1, 1], [0, 0]], [[1, 2], [2, 1]]), [11, 12, 0, 10])
    file.close()
    np.testing.assert_array_equal(read("test_parts_and_regions.nc", "part")[0], field)
    np.testing.assert_array_equal(read("test_parts_and_regions.nc", "regions"), field)
    assert read("test_parts_and_regions.nc", "values")[3:5].tolist() == [8, 9]


def test_points(io):
    cells = 23
    mine = np.arange(cells)[io.rank :: io.size][::-1]
    points = io.points(cells, mine)
    levels = 3
    expected = np.arange(levels * cells, dtype="f8").reshape(levels, cells)
    lon, lat = mine * 10.0, mine * 5.0 - 60
    with io.create("points.nc") as file:
        file.def_dim("level", levels)
        file.def_dim("cell", cells)
        file.def_dim("place", cells)
        plain = file.def_var("plain", "f8", ["level", "cell"])
        curved = file.def_var("curved", "f8", ["level", "place"])
        file.def_order("place", "order", points.ordered_along_curve(lon, lat))
        file.enddef()
        with_halo = np.zeros((levels, mine.size + 4))
        with_halo[:, : mine.size] = expected[:, mine]
        plain.put(with_halo, points)
        curved.put(np.asfortranarray(expected[:, mine]), points)
    with io.open("points.nc") as file:
        np.testing.assert_array_equal(file["plain"].get_var(), expected)
        order = file["order"].get_var()
        assert sorted(order) == list(range(cells))
        np.testing.assert_array_equal(file["curved"].get_var(), expected[:, order])
        np.testing.assert_array_equal(file["curved"].get(points), expected[:, mine])
        assert file["plain"].get(points, out=with_halo * 0)[:, : mine.size].tolist() == expected[:, mine].tolist()
    assert points.cost().owned == mine.size


def test_masks_and_periodic_blocks(io, read):
    """The last rank's cells have no owner but on one rank; the blocks pass the end of the grid."""
    start, count = sverdrup.block(8, io.size, io.rank)
    grid = io.decomp((8,), ((start + 5) % 8,), (count,), halo=1, periodic=[True])
    mine = np.full(grid.extent, -1, "i4")
    mine[grid.interior] = (start + 5 + np.arange(count)) % 8
    masked = io.decomp((8,), (start if io.rank == 0 else 0,), (count if io.rank == 0 else 0,), masked=True)
    assert masked.empty == (io.rank > 0)
    with io.create("periodic.nc") as file:
        file.def_dim("x", 8)
        ring = file.def_var("ring", "i4", ["x"])
        land = file.def_var("land", "i4", ["x"], fill=-3)
        file.enddef()
        ring.put(mine, grid)
        land.put(np.arange(count, dtype="i4") if io.rank == 0 else None, masked)
    assert read("periodic.nc", "ring").tolist() == list(range(8))
    ours = sverdrup.block(8, io.size, 0)[1]
    assert read("periodic.nc", "land").tolist() == list(range(ours)) + [-3] * (8 - ours)


@pytest.mark.parametrize("kind", [LikeCupy, LikeNumba])
def test_devices(io, file, grid, mine, field, read, cupyx, kind):
    """Device arrays are staged in both directions; the halo, which a get leaves alone, stays unchanged there."""
    var = file.def_var("v", "f8", ["lat", "lon"])
    file.enddef()
    brought = kind(mine)
    var.put(brought, grid)
    assert brought.gone == ["get"] and cupyx.asked == ([mine.shape] if kind is LikeCupy else [])
    file.sync()
    out = kind(np.full(grid.extent, -7.0))
    assert var.get(grid, out=out) is out and out.gone == ["get", "set"]
    expected = np.full(grid.extent, -7.0)
    expected[grid.interior] = mine[grid.interior]
    np.testing.assert_array_equal(out._values, expected)
    whole = kind(np.zeros(field.shape))
    assert var.get_var(out=whole) is whole
    np.testing.assert_array_equal(whole._values, field)
    with pytest.raises(sverdrup.TypesError, match="cannot be filled later"):
        var.iget(grid, out=out)
    path = file.path
    file.close()
    np.testing.assert_array_equal(read(path, "v"), field)


def test_devices_without_a_way(io, file, grid, mine, monkeypatch):
    """Only the CUDA array interface, and no CuPy; and a device that can be read, but not written to."""
    monkeypatch.setitem(sys.modules, "cupy", None)
    var = file.def_var("v", "f8", ["lat", "lon"])
    file.enddef()
    bare = types.SimpleNamespace(__cuda_array_interface__=LikeCupy(mine).__cuda_array_interface__)
    with pytest.raises(sverdrup.TypesError, match="CUDA array interface only, and CuPy is not installed"):
        var.put(bare, grid)
    var.put(mine, grid)
    file.sync()
    with pytest.raises(sverdrup.TypesError, match="neither 'set'"):
        var.get(grid, out=OnDevice(mine))
    file.close()


@pytest.mark.parametrize("wanted", ["array of another type", "read-only array", "list"])
def test_what_cannot_be_filled(io, file, grid, mine, wanted):
    var = file.def_var("v", "f8", ["lat", "lon"])
    file.enddef()
    var.put(mine, grid)
    file.sync()
    room = {
        "array of another type": np.zeros(grid.extent, ">f8"),
        "read-only array": np.broadcast_to(0.0, grid.extent),
        "list": [0.0],
    }[wanted]
    with pytest.raises(sverdrup.Error, match="cannot be"):
        var.get(grid, out=room)
    file.close()
