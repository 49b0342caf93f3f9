"""`Target`: what kernels are compiled for within `with Target("cuda:sm_90a"):`."""

from tilewright.arch.target import Target

__all__ = ["Target"]
