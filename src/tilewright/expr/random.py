"""`fx.random`: random numbers of a seed and an offset."""

from tilewright.lang.fly.functions.randoms import *
