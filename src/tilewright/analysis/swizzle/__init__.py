"""Which swizzle, or which padding, frees accesses of bank conflicts; document 001's tables."""
