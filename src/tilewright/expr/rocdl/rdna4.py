"""`fx.rocdl.rdna4`: waits, as gfx12 has them."""

from tilewright.lang.fly.functions.rocdl import s_waitcnt as s_waitcnt
