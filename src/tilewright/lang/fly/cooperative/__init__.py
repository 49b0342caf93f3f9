"""What the lanes of a warp, and the threads of a block, do together: the parts of `fx.coop`."""
