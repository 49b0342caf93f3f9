"""Triton GPU modules: layouts of tensors and of shared memory say who accesses what."""
