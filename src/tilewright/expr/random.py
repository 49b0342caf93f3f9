"""`fx.random`: random numbers of a seed and an offset."""

from tilewright.lang.fly.functions.randoms import (
    rand,
    rand4x,
    randint,
    randint4x,
    randn,
    randn4x,
)

__all__ = [
    "rand",
    "rand4x",
    "randint",
    "randint4x",
    "randn",
    "randn4x",
]
