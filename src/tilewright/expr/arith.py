"""`fx.arith`: arithmetic by name."""

from tilewright.lang.fly.absent import refusing as _refusing
from tilewright.lang.fly.functions.arith import *
from tilewright.lang.fly.functions.arith import _to_raw as _to_raw
from tilewright.lang.fly.functions.arith import max as max
from tilewright.lang.fly.functions.arith import min as min
from tilewright.lang.fly.values.enums import FastMathFlags as FastMathFlags
from tilewright.lang.fly.values.enums import RoundingMode as RoundingMode

globals()["__getattr__"] = _refusing(__name__)  # unseen by type checkers, for whom such names are wrong
