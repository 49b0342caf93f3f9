"""Permutations of a tiled MMA: who owns what, and which choice serves memory best."""
