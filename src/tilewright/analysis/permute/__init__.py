"""In which order a warp moves the elements of a permutation."""
