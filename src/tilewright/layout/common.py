"""What two layouts share at their start: the vectors that a copy may move at once."""

from __future__ import annotations

from math import gcd
from typing import Any

from tilewright.layout.coalesce import coalesce
from tilewright.layout.composition import composition
from tilewright.layout.divide import logical_divide
from tilewright.layout.inttuple import product
from tilewright.layout.inverse import right_inverse
from tilewright.layout.layout import Layout, trusted


def max_common_layout(a: Any, b: Any) -> Layout:
    """The longest R with A(R(i)) == i and B(R(i)) == i that the modes of A and B show.

    Source: CuTe's `max_common_layout`.

    >>> print(max_common_layout(Layout((16, 8), (1, 16)), Layout((16, 8), (1, 32))))
    16:1
    """
    inverse = right_inverse(b)
    first = _first_mode(coalesce(composition(a, inverse)))
    if first.shape == 1 or first.stride != 1:
        return trusted(1, 0)
    common: Layout = composition(inverse, first)
    return common


def max_common_vector(a: Any, b: Any) -> Any:
    """How many of the first elements lie one after another, at the same coordinates, in both layouts.

    >>> max_common_vector(Layout((16, 8), (1, 16)), Layout((16, 8), (1, 32)))
    16
    """
    return product(max_common_layout(a, b).shape)


def max_alignment(layout: Any) -> int:
    """The largest N such that every N elements from a multiple of N are one vector of the layout.

    >>> max_alignment(Layout((16, 8), (1, 16))), max_alignment(Layout((12, 2), (3, 5)))
    (128, 1)
    """
    flat = coalesce(layout)
    inverse = right_inverse(flat)
    divided = coalesce(logical_divide(flat, inverse))
    first = _first_mode(divided)
    rest = [d for _, d in divided.flat[1:]]
    return gcd(first.shape if first.stride == 1 else 1, *rest)


def _first_mode(layout: Any) -> Any:
    return layout[0] if isinstance(layout.shape, tuple) else layout
