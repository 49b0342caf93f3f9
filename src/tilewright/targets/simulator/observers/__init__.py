"""Who looks on while a kernel runs: what its accesses cost. Nothing here changes what the kernel does."""
