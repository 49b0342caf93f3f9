"""Variants of the tile primitives: each plans a call or says why not, and emits its plan."""
