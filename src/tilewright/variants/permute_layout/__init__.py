"""Variants of `permute_layout`: dst[i] = src[i] for every logical coordinate, whatever the two layouts."""
