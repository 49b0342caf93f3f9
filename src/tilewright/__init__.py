"""Layouts for GPU tiles: compute with them, see them, prove what they cost, write kernels with them."""
