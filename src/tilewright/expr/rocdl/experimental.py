"""`fx.rocdl.experimental`: hints where values are held."""

from tilewright.lang.fly.functions.rocdl import (
    sched_agpr,
    sched_bank,
    sched_sgpr,
    sched_vgpr,
)

__all__ = [
    "sched_agpr",
    "sched_bank",
    "sched_sgpr",
    "sched_vgpr",
]
