"""FlyDSL modules: one block is executed as far as addresses need it."""
