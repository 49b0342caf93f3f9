"""Eager tensors: memory of this machine under a layout, with the names of the kernel language's tensors."""
