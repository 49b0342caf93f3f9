"""a * b + c of floating-point numbers with one rounding, as `math.fma` has it."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from tilewright.dtypes import dtype
from tilewright.targets.simulator.collective.exact_sums import Doubles, sums
from tilewright.targets.simulator.collective.rounding import rounded
from tilewright.targets.simulator.memory.access import Number


def fma(a: Number, b: Number, c: Number) -> Number:
    """a * b + c, elementwise, the exact value rounded once to the elements' type, to nearest even.

    >>> x = np.float32(1 + 2.0**-12)
    >>> float(fma(x, x, np.float32(-1 - 2.0**-11))), float(x * x + np.float32(-1 - 2.0**-11))
    (5.960464477539063e-08, 0.0)
    """
    left, right, added = np.broadcast_arrays(a, b, c)
    element = dtype(left.dtype)
    with np.errstate(all="ignore"):
        if element.name == "float64":
            found: NDArray[np.generic] = _of_doubles(left, right, added)
        else:
            x, y, z = (part.astype(np.float64) for part in (left, right, added))
            found = rounded(_to_odd(x * y, z), element)
    result: Number = np.asarray(found)[()]
    return result


def _to_odd(product: Doubles, added: Doubles) -> Doubles:
    """The sum, what is cut off kept in its last bit, so that another rounding to fewer bits is the only one."""
    total = np.asarray(product + added)
    back = total - product
    lost = (product - (total - back)) + (added - back)
    bits = total.view(np.int64)
    inexact = np.isfinite(total) & (lost != 0) & ((bits & 1) == 0)
    outwards = np.where((lost > 0) == (total > 0), 1, -1)
    return np.where(inexact, bits + outwards, bits).view(np.float64)


def _of_doubles(left: Doubles, right: Doubles, added: Doubles) -> Doubles:
    x, y, z = (np.ascontiguousarray(part).reshape(-1) for part in (left, right, added))
    plain = x * y + z
    finite = np.isfinite(x) & np.isfinite(y) & np.isfinite(z)
    found = np.where(finite, sums(x[:, None], y[:, None], np.where(finite, z, 0.0), False), plain)
    found = np.where(finite & ((x == 0) | (y == 0)), plain, found)
    for at in np.flatnonzero(finite & (found == 0) & (x != 0) & (y != 0)).tolist():
        exact = Fraction(x[at]) * Fraction(y[at]) + Fraction(z[at])
        found[at] = -0.0 if exact < 0 else 0.0  # a tiny number keeps its sign; what cancels is positive
    return found.reshape(left.shape)
