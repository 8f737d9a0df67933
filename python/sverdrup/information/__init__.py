"""How many bits of the mantissa hold the information of a field, for the key `compression.quantize`.

The measure is the bitwise real information of Klöwer and others 2021, "Compressing atmospheric data into its real
information content", Nature Computational Science 1: the mutual information of a bit in cells next to each other."""

from typing import Any

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[Any]
_QUANTILE = 2.5758  # of the normal distribution: 99 % of coins fall within so many deviations


class InformationError(Exception):
    """A file or variable that cannot be measured; the text has the cause and the remedy."""


def _entropy(share: Array) -> Array:
    """In bits, of a coin that falls on one side with these probabilities."""
    inside = np.clip(share, 1e-300, 1)
    return -(share * np.log2(inside)) - (1 - share) * np.log2(np.clip(1 - share, 1e-300, 1))


def of_bits(values: Array, axis: int) -> Array:
    """The information of each bit, the sign first, from neighbours along an axis. Masked and infinite values do not
    count. Information that may be chance is 0."""
    data = np.moveaxis(np.ma.getdata(values), axis, -1)
    valid = np.moveaxis(~np.ma.getmaskarray(values), axis, -1) & np.isfinite(data)
    words = np.ascontiguousarray(data).view(f"u{data.dtype.itemsize}")
    both = valid[..., 1:] & valid[..., :-1]
    first, second = words[..., :-1][both], words[..., 1:][both]
    bits = 8 * data.dtype.itemsize
    if len(first) == 0:
        return np.zeros(bits)
    counts = np.empty((3, bits))  # of pairs: the first bit is set, the second, both
    for bit in range(bits):
        mask = words.dtype.type(1 << (bits - 1 - bit))
        counts[:, bit] = [np.count_nonzero(each & mask) for each in (first, second, first & second)]
    one, other, joint = counts / len(first)
    cells = np.stack([joint, one - joint, other - joint, 1 - one - other + joint])
    entropies = -np.sum(cells * np.log2(np.clip(cells, 1e-300, 1)), axis=0)
    information = _entropy(one) + _entropy(other) - entropies
    by_chance = 1 - _entropy(np.array(min(1.0, 0.5 + _QUANTILE / 2 / np.sqrt(len(first)))))
    return np.where(information > by_chance, information, 0)


def kept_bits(information: Array, share: float) -> int:
    """The bits of the mantissa that hold this share of the information of all bits; at least 1. The last four bits show
    how much the arithmetic of a model, or an earlier rounding, leaves in bits that have none."""
    mantissa = 23 if len(information) == 32 else 52
    real = np.where(information > 1.5 * information[-4:].max(), information, 0)
    if real.sum() == 0:
        return 1
    held = np.cumsum(real) / real.sum()
    needed = int(np.searchsorted(held, share - 1e-12)) + 1
    return int(np.clip(needed - (len(information) - mantissa), 1, mantissa))
