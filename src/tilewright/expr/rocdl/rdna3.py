"""`fx.rocdl.rdna3`: waits, as gfx11 has them."""

from tilewright.lang.fly.functions.rocdl import s_waitcnt as s_waitcnt
