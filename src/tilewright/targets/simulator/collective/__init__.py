"""Atoms as steps that the lanes of a warp take together: their tables, their arithmetic, their fragments."""
