"""Which swizzle, or which padding, frees accesses of bank conflicts; the tables of a half tile."""
