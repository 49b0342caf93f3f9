"""Names of the attributes that the stages put on functions, allocations and loops."""

GRID = "tile.grid"  # on func.func: blocks of the launch, three i64
BLOCK = "tile.block"  # on func.func: threads of a block, three i64
CLUSTER = "tile.cluster"  # on func.func: blocks of a cluster, along x, an i64
WARPS = "tile.warps"  # on func.func, until the target is known: warps of a block, an i64
LANES = "tile.lanes"  # on func.func, until then: the lanes that the kernel says a warp has, an i64
POOL = "tile.pool"  # on func.func: bytes of the pool in shared memory, an i64
OFFSET = "tile.offset"  # on an allocation: it lies in the pool, as many bytes after its start, an i64
DYNAMIC = "tile.dynamic"  # on func.func: bytes of shared memory that the launch sets aside, an i64
BOUNDS = "tile.bounds"  # on cf.assert: that a coordinate lies within its dimension; what the access does, or unit
ALIGNED = "tile.aligned"  # on cf.assert: that an address is a multiple of so many bytes; what the access does
TRAP = "tile.trap"  # on cf.assert: unit; the kernel's own, which CUDA text checks too
UNROLL = "tile.unroll"  # on scf.for: unit; the emitter writes the iterations out
ANYTHING = "tile.anything"  # on arith.constant: unit; its zeros stand for what a machine leaves undefined
THREAD = "tile.thread"  # on scf.for: its turns are threads, whose numbers in the block lie so far apart, an i64
