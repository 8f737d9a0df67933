"""Arrays in the memory of a device. The library copies them piece by piece if it finds the runtime of the device in the
process (`in_place`). Others are copied to the host before a put, and from it after a get, by the means of their own
library. CuPy's arrays go through pinned memory; others by copy_to_host and copy_to_device (Numba), by DLPack (JAX,
PyTorch, dpctl), or, where there is only the CUDA array interface, by CuPy."""

from __future__ import annotations

import importlib
from dataclasses import dataclass
from typing import Any

import numpy as np

from sverdrup import _core

_HOST = 1  # kDLCPU
_HOST_ALIKE = {_HOST, 3, 11, 13}  # memory that the processor addresses: pinned (CUDA, ROCm), managed

Array = np.ndarray[Any, np.dtype[Any]]


class NotCopied(Exception):
    """A device array that does not come to the host, or cannot be filled; the text says why."""


def on_device(data: Any) -> bool:
    if isinstance(data, np.ndarray):
        return False
    if hasattr(data, "__dlpack_device__"):
        return int(data.__dlpack_device__()[0]) not in _HOST_ALIKE
    return hasattr(data, "__cuda_array_interface__") or hasattr(data, "__sycl_usm_array_interface__")


class _Place:
    """Where an array is, as NumPy takes it. NumPy keeps this object, and so its owner."""

    def __init__(self, owner: Any, interface: dict[str, Any]) -> None:
        self.owner = owner
        self.__array_interface__ = interface


def _interface(data: Any) -> dict[str, Any] | None:
    """The place of a device array; None if its values may not be complete when the default stream is. Waits for the
    queue of SYCL's arrays, which have no such stream."""
    if hasattr(data, "__cuda_array_interface__"):
        given = data.__cuda_array_interface__
        default_streams = (None, 1)
        if given.get("mask") is not None or given.get("stream") not in default_streams:
            return None
        return {"shape": given["shape"], "typestr": given["typestr"], "data": given["data"],
                "strides": given.get("strides"), "version": 3}  # fmt: skip
    if hasattr(data, "__sycl_usm_array_interface__"):
        return _interface_of_sycl(data.__sycl_usm_array_interface__)
    if not hasattr(data, "__dlpack__"):
        return None
    try:
        address, shape, strides, typestr = _core.of_dlpack(data)
    except (TypeError, RuntimeError, BufferError):
        return None
    read_only = True  # DLPack does not say so of arrays that must not change, as those of JAX
    return {"shape": tuple(shape), "typestr": typestr, "data": (address, read_only), "strides": tuple(strides),
            "version": 3}  # fmt: skip


def _interface_of_sycl(given: dict[str, Any]) -> dict[str, Any] | None:
    """Its strides and offset are in elements. A context in place of a queue cannot be waited for."""
    if not hasattr(given["syclobj"], "wait"):
        return None
    given["syclobj"].wait()
    item_bytes = np.dtype(given["typestr"]).itemsize
    address, read_only = given["data"]
    strides = given.get("strides")
    return {"shape": given["shape"], "typestr": given["typestr"], "version": 3,
            "data": (address + given.get("offset", 0) * item_bytes, read_only),
            "strides": strides and tuple(n * item_bytes for n in strides)}  # fmt: skip


def in_place(data: Any) -> Array | None:
    """A device array whose memory the library reads and writes itself, as an array of NumPy. Only its shape, type and
    views may be used: the processor cannot reach its values. None for other arrays."""
    interface = _interface(data)
    if interface is None or not _core.is_on_device(interface["data"][0]):
        return None
    return np.asarray(_Place(data, interface))


def to_host(data: Any) -> Array:
    """A copy on the host. Raises NotCopied."""
    if type(data).__module__.partition(".")[0] == "cupy":
        return _by_cupy(data)
    if hasattr(data, "copy_to_host"):
        return np.asarray(data.copy_to_host())
    if not hasattr(data, "__dlpack__"):
        try:
            return _by_cupy(importlib.import_module("cupy").asarray(data))
        except ImportError as reason:
            raise NotCopied("it has the CUDA array interface only, and CuPy is not installed") from reason
    try:
        return np.from_dlpack(_Copied(data))
    except (TypeError, BufferError, AttributeError) as reason:
        if hasattr(data, "__array__"):  # JAX
            return np.asarray(data)
        raise NotCopied(str(reason)) from reason


def _by_cupy(data: Any) -> Array:
    pinned: Array = importlib.import_module("cupyx").empty_pinned(data.shape, data.dtype)
    return data.get(out=pinned)  # type: ignore[no-any-return]


class _Copied:
    """An array that DLPack (of 2023, version 1) copies to the host."""

    def __init__(self, data: Any) -> None:
        self._data = data

    def __dlpack_device__(self) -> tuple[int, int]:
        return (_HOST, 0)

    def __dlpack__(self, **_: Any) -> Any:
        return self._data.__dlpack__(dl_device=(_HOST, 0), copy=True)


@dataclass(frozen=True)
class Landing:
    """A device array that a get fills: by way of `host`, which has its values before, those of the halo among them."""

    device: Any
    host: Array

    def land(self) -> Any:
        if hasattr(self.device, "copy_to_device"):
            self.device.copy_to_device(self.host)
        else:
            self.device.set(self.host)  # CuPy
        return self.device


def landing(out: Any) -> Landing:
    """Raises NotCopied."""
    if not hasattr(out, "copy_to_device") and not hasattr(out, "set"):
        raise NotCopied(f"a {type(out).__name__} has neither 'set', as CuPy's arrays, nor 'copy_to_device', as Numba's")
    host = to_host(out)
    return Landing(out, host if host.flags.writeable and host.flags.c_contiguous else host.copy())
