"""`fx.derived`: one thread's part of atoms, and what is made of others."""

from tilewright.lang.fly.functions.atoms import gather as gather
from tilewright.lang.fly.functions.atoms import make_tiled_copy as make_tiled_copy
from tilewright.lang.fly.functions.atoms import make_tiled_copy_A as make_tiled_copy_A
from tilewright.lang.fly.functions.atoms import make_tiled_copy_B as make_tiled_copy_B
from tilewright.lang.fly.functions.atoms import make_tiled_copy_C as make_tiled_copy_C
from tilewright.lang.fly.functions.atoms import make_tiled_copy_tv as make_tiled_copy_tv
from tilewright.lang.fly.functions.atoms import make_tiled_mma as make_tiled_mma
from tilewright.lang.fly.functions.atoms import scatter as scatter
from tilewright.lang.fly.functions.construction import make_layout_tv as make_layout_tv
from tilewright.lang.fly.functions.memory import make_rmem_tensor as make_rmem_tensor
from tilewright.lang.fly.functions.predicates import predicate as predicate
from tilewright.lang.fly.values.atoms import *
