"""`fx.coop`: what the lanes of a warp, and the threads of a block, do together."""

from tilewright.lang.fly.cooperative.batches import *
from tilewright.lang.fly.cooperative.block_counts import *
from tilewright.lang.fly.cooperative.block_moves import *
from tilewright.lang.fly.cooperative.block_neighbours import *
from tilewright.lang.fly.cooperative.block_ranks import *
from tilewright.lang.fly.cooperative.block_scans import *
from tilewright.lang.fly.cooperative.block_sorts import *
from tilewright.lang.fly.cooperative.lanes import *
from tilewright.lang.fly.cooperative.warp_specs import *
from tilewright.lang.fly.cooperative.warps import *
