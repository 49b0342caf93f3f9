"""`fx.llvm`: atomic accesses and fences."""

from tilewright.lang.fly.absent import refusing as _refusing
from tilewright.lang.fly.functions.atomics import *

globals()["__getattr__"] = _refusing(__name__)  # unseen by type checkers, for whom such names are wrong
