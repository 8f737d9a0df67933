"""Arrays in the memory of a device whose runtime the process has: a stand-in (tests/device), whose memory the processor
cannot touch."""

import ctypes
import os
from types import SimpleNamespace

import numpy as np
import pytest

import sverdrup

STAND_IN = os.environ.get("SV_TEST_STAND_IN", "")
pytestmark = pytest.mark.skipif(not os.path.exists(STAND_IN), reason="the stand-in runtime was not built")


class DLTensor(ctypes.Structure):
    _fields_ = [
        ("data", ctypes.c_void_p), ("device_type", ctypes.c_int32), ("device_id", ctypes.c_int32),
        ("ndim", ctypes.c_int32), ("code", ctypes.c_uint8), ("bits", ctypes.c_uint8), ("lanes", ctypes.c_uint16),
        ("shape", ctypes.POINTER(ctypes.c_int64)), ("strides", ctypes.POINTER(ctypes.c_int64)),
        ("byte_offset", ctypes.c_uint64), ("manager", ctypes.c_void_p), ("deleter", ctypes.c_void_p),
    ]  # fmt: skip


@pytest.fixture(scope="module")
def runtime():
    """Loaded after the library, as Python's packages load theirs."""
    loaded = ctypes.CDLL(STAND_IN, mode=ctypes.RTLD_GLOBAL)
    loaded.stand_in_malloc.restype = loaded.stand_in_window.restype = ctypes.c_void_p
    loaded.stand_in_malloc.argtypes = [ctypes.c_size_t]
    loaded.stand_in_window.argtypes = loaded.stand_in_free.argtypes = [ctypes.c_void_p]
    return loaded


class Bare:
    """An array on the device. `values`: where the test sees it."""

    def __init__(self, runtime, values):
        self.address = runtime.stand_in_malloc(values.nbytes)
        window = runtime.stand_in_window(self.address)
        self.values = np.frombuffer((ctypes.c_char * values.nbytes).from_address(window), values.dtype)
        self.values = self.values.reshape(values.shape)
        self.values[...] = values


class WithInterface(Bare):
    """The CUDA array interface, as CuPy, PyTorch and Numba have it."""

    @property
    def __cuda_array_interface__(self):
        place = {"shape": self.values.shape, "typestr": self.values.dtype.str, "data": (self.address, False)}
        return place | {"version": 3, "strides": None, "stream": 1}


class WithUsm(Bare):
    """SYCL's interface, as dpctl and dpnp have it: a part of a larger array. `asked`: the calls of its queue."""

    def __init__(self, runtime, values):
        self.rows, self.columns = values.shape
        wide = np.full((self.rows + 1, self.columns, 2), -7.0)
        wide[1:, :, 1] = values
        super().__init__(runtime, wide)
        self.asked = []

    @property
    def __sycl_usm_array_interface__(self):
        place = {"shape": (self.rows, self.columns), "typestr": "<f8", "data": (self.address, False), "version": 1}
        queue = SimpleNamespace(wait=lambda: self.asked.append("wait"))
        return place | {"strides": (self.columns * 2, 2), "offset": self.columns * 2 + 1, "syclobj": queue}


class WithDlpack(Bare):
    """DLPack alone."""

    def __dlpack_device__(self):
        return (2, 0)

    def __dlpack__(self, **_):
        shape = (ctypes.c_int64 * self.values.ndim)(*self.values.shape)
        tensor = DLTensor(self.address, 2, 0, self.values.ndim, 2, 64, 1, shape, None, 0, None, None)
        self.kept = (shape, tensor)
        make = ctypes.pythonapi.PyCapsule_New
        make.restype, make.argtypes = ctypes.py_object, [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]
        return make(ctypes.addressof(tensor), b"dltensor", None)


def test_puts(io, file, grid, mine, field, read, runtime):
    """Each interface; blocks, parts and requests that wait."""
    names = ["interface", "dlpack", "sycl", "waits", "part"]
    put, packed, usm, waits, part = (file.def_var(name, "f8", ["lat", "lon"]) for name in names)
    file.enddef()
    put.put(WithInterface(runtime, mine), grid)
    packed.put(WithDlpack(runtime, mine), grid)
    of_sycl = WithUsm(runtime, mine)
    usm.put(of_sycl, grid)
    assert of_sycl.asked == ["wait"]
    request = waits.iput(WithInterface(runtime, mine), grid)
    file.wait([request])
    rows = np.ascontiguousarray(mine[grid.interior])
    part.put_vara((grid.start[0], 0), WithDlpack(runtime, rows))
    path = file.path
    file.close()
    for name in names:
        np.testing.assert_array_equal(read(path, name), field)


def test_gets(io, file, grid, mine, field, runtime):
    """Into the device's memory; the halo stays as it is."""
    var = file.def_var("v", "f8", ["lat", "lon"])
    file.enddef()
    var.put(mine, grid)
    file.sync()
    expected = np.full(grid.extent, -7.0)
    expected[grid.interior] = mine[grid.interior]
    out, later = (WithInterface(runtime, np.full(grid.extent, -7.0)) for _ in range(2))
    assert var.get(grid, out=out) is out
    np.testing.assert_array_equal(out.values, expected)
    of_sycl = WithUsm(runtime, np.full(grid.extent, -7.0))
    var.get(grid, out=of_sycl)
    np.testing.assert_array_equal(of_sycl.values[1:, :, 1], expected)
    request, array = var.iget(grid, out=later)
    assert array is later
    file.wait([request])
    np.testing.assert_array_equal(later.values, expected)
    whole = WithInterface(runtime, np.zeros(field.shape))
    var.get_var(out=whole)
    np.testing.assert_array_equal(whole.values, field)
    file.close()


def test_another_stream(io, file, grid, mine, runtime):
    """Values that another stream may still compute are copied by the array's own library, which waits for it."""
    var = file.def_var("v", "f8", ["lat", "lon"])
    file.enddef()
    place = WithInterface(runtime, mine).__cuda_array_interface__ | {"stream": 7}
    with pytest.raises(sverdrup.TypesError, match="on a device that does not come to the host"):
        var.put(SimpleNamespace(__cuda_array_interface__=place), grid)
    var.put(mine, grid)
    file.close()
