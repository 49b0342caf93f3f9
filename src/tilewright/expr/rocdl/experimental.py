"""`fx.rocdl.experimental`: hints where values are held."""

from tilewright.lang.fly.functions.rocdl import sched_agpr as sched_agpr
from tilewright.lang.fly.functions.rocdl import sched_bank as sched_bank
from tilewright.lang.fly.functions.rocdl import sched_sgpr as sched_sgpr
from tilewright.lang.fly.functions.rocdl import sched_vgpr as sched_vgpr
