"""`fx.math`: functions of numbers and vectors."""

from tilewright.lang.fly.functions.math import *
from tilewright.lang.fly.functions.math import round as round
