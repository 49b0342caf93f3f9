"""`fx.rocdl.cdna3`: waits, as gfx94x has them."""

from tilewright.lang.fly.functions.rocdl import (
    s_waitcnt,
)

__all__ = [
    "s_waitcnt",
]
