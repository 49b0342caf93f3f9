"""`fly-flatten`: kernels of `fly` as functions of `T`'s stage `final`: flat memory, numbers, and nothing else."""
