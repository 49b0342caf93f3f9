"""Names of the attributes that the stages put on functions and loops."""

GRID = "tile.grid"  # on func.func: blocks of the launch, three i64
BLOCK = "tile.block"  # on func.func: threads of a block, three i64
UNROLL = "tile.unroll"  # on scf.for: unit; the emitter writes the iterations out
