"""The callers' data as NumPy arrays that the library can read, without a copy where possible.

Arrays on the host pass as they are, with any strides: those of NumPy, and all that has the buffer or the array
interface or DLPack. So do arrays on a device whose runtime the library finds. These are copied once: other arrays on a
device (to the host), masked arrays (with the fill value), values in the byte order of another machine, float16 (to
float32), and lists."""

from __future__ import annotations

from typing import Any

import numpy as np

from sverdrup.library.devices import Landing, NotCopied, in_place, landing, on_device, to_host

_NATIVE = {
    np.dtype(np.int8): 1,
    np.dtype("S1"): 2,
    np.dtype(np.int16): 3,
    np.dtype(np.int32): 4,
    np.dtype(np.float32): 5,
    np.dtype(np.float64): 6,
    np.dtype(np.uint8): 7,
    np.dtype(np.uint16): 8,
    np.dtype(np.uint32): 9,
    np.dtype(np.int64): 10,
    np.dtype(np.uint64): 11,
}
_DTYPES = {number: dtype for dtype, number in _NATIVE.items()}
Array = np.ndarray[Any, np.dtype[Any]]


class Refused(Exception):
    """An argument that cannot be passed on. A collective call reports it to the library (Context.refuse), so that it
    fails on every rank."""

    def __init__(self, status: int, cause: str, remedy: str) -> None:
        super().__init__(cause)
        self.status, self.cause, self.remedy = status, cause, remedy


def native_number(dtype: np.dtype[Any]) -> int | None:
    """The number of a type whose values pass as they are."""
    return _NATIVE.get(dtype)


def number_of(dtype: Any) -> int:
    """The number in sverdrup.h of a type of NumPy."""
    wanted = np.dtype(dtype)
    number = _NATIVE.get(wanted.newbyteorder("="))
    if number is None:
        known = ", ".join(known.str[1:] for known in _NATIVE)
        raise Refused(6, f"netCDF has no type for {wanted}", f"Use one of {known}")
    return number


def dtype_of(number: int) -> np.dtype[Any]:
    return _DTYPES[number]


def _is_array(data: Any) -> bool:
    return hasattr(data, "__array_interface__") or hasattr(data, "__array__")


def _holds(dtype: np.dtype[Any], value: Any) -> bool:
    with np.errstate(all="ignore"):
        made = np.asarray(value).astype(dtype).item()
    return bool(made == value or (made != made and value != value))


def _filled(data: Any, fill: Any) -> Array:
    """Values with `fill` in place of masked ones, in a type that holds both. Raises Refused."""
    array, _ = _native(data)
    wide = array.dtype
    if (wide.kind == "S") != (fill.dtype.kind == "S"):  # the library refuses the types
        return array.filled()  # type: ignore[attr-defined, no-any-return]
    if not _holds(wide, fill.item()):
        wide = np.promote_types(wide, fill.dtype)
        are_integers = array.dtype.kind in "iu" and fill.dtype.kind in "iu"
        if not _holds(wide, fill.item()) or (are_integers and wide.kind == "f"):
            cause = f"no type holds both values of {array.dtype} and the fill value of masked ones, {fill}"
            raise Refused(7, cause, f"Pass values of {fill.dtype}, or define another fill value")
    return array.astype(wide).filled(fill.astype(wide))  # type: ignore[attr-defined, no-any-return]


def _native_in_place(data: Any) -> tuple[Array, int] | None:
    """A device array that passes as it is."""
    array = in_place(data)
    number = None if array is None or not array.dtype.isnative else _NATIVE.get(array.dtype)
    return None if array is None or number is None else (array, number)


def values_of(data: Any, missing: Any = None, *, views_only: bool = False) -> tuple[Array, int]:
    """An array of native values and the number of its type. Raises Refused. `missing`: a function that returns the
    replacement of masked values. `views_only`: the caller reads no value, so that the array may be on a device."""
    if views_only and on_device(data):
        passed = _native_in_place(data)
        if passed is not None:
            return passed
    if isinstance(data, np.ma.MaskedArray):
        array: Array = data.filled() if missing is None else _filled(data, missing())
    elif isinstance(data, np.ndarray):
        array = data
    elif on_device(data):
        try:
            array = to_host(data)
        except NotCopied as reason:
            cause = f"an array on a device that does not come to the host: {reason}"
            raise Refused(6, cause, "Pass a copy of it on the host") from reason
    elif hasattr(data, "__dlpack_device__"):
        array = np.asarray(data) if _is_array(data) else np.from_dlpack(data)
    else:
        array = np.asarray(data)
    return _native(array)


def room_of(out: Any) -> tuple[Array, int]:
    """The same for the array of a get: it is written to, so that nothing may stand between. Raises Refused."""
    if isinstance(out, np.ndarray):
        array: Array = out
    else:
        array = np.asarray(out) if _is_array(out) or not hasattr(out, "__dlpack__") else np.from_dlpack(out)
        if not isinstance(out, memoryview | bytearray) and not _is_array(out) and not hasattr(out, "__dlpack__"):
            raise Refused(1, f"a {type(out).__name__} cannot be filled", "Pass an array")
    same, number = _native(array)
    if same is not array and not np.may_share_memory(same, array):
        raise Refused(6, f"an array of {array.dtype} cannot be filled", f"Pass an array of {same.dtype}")
    if not array.flags.writeable:
        raise Refused(1, "the array cannot be written to", "Pass one that can")
    return same, number


def device_room_of(out: Any) -> tuple[Array, int] | None:
    """The same for an array on a device that the library fills itself; None for others."""
    passed = _native_in_place(out)
    return passed if passed is not None and passed[0].flags.writeable else None


def landing_of(out: Any) -> Landing:
    """The way into an array of a get that is on a device. Raises Refused."""
    try:
        return landing(out)
    except NotCopied as reason:
        cause = f"an array on a device cannot be filled: {reason}"
        raise Refused(6, cause, "Get into memory of the host, and copy it there") from reason


def _native(array: Array) -> tuple[Array, int]:
    number = _NATIVE.get(array.dtype)
    if number is not None and array.dtype.isnative:
        return array, number
    if array.dtype == np.bool_:
        return array.view(np.int8), 1
    if array.dtype == np.float16:
        return array.astype(np.float32), 5
    if array.dtype.kind == "U" and array.dtype.itemsize == 4:
        return array.astype("S1"), 2
    number = number_of(array.dtype)
    return array.astype(_DTYPES[number]), number


def expect(array: Array, shapes: list[tuple[int, ...]], longer: int | None = None) -> None:
    """The array must have one of these shapes; along the dimension `longer` it may be longer. Raises Refused."""
    for shape in shapes:
        if array.ndim == len(shape) and all(
            has == wanted or (d == longer and has > wanted)
            for d, (has, wanted) in enumerate(zip(array.shape, shape, strict=True))
        ):
            return
    wanted = " or ".join(str(shape) for shape in shapes)
    raise Refused(
        1,
        f"the array has the shape {array.shape}, where {wanted} is expected",
        "Pass an array of that shape; for a distributed field, the block with its halo; arrays with "
        "another halo need a decomposition of their own",
    )
