"""`fx.rocdl.cdna3`: waits, as gfx94x has them."""

from tilewright.lang.fly.functions.rocdl import s_waitcnt as s_waitcnt
