"""`fx.nvvm`: NVIDIA's operations."""

from tilewright.lang.fly.functions.nvvm import *
