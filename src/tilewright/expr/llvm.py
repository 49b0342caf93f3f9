"""`fx.llvm`: atomic accesses and fences."""

from tilewright.lang.fly.functions.atomics import *
