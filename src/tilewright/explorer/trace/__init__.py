"""The traces of kernels that the page can look at: those that ship, and those that were dropped on it."""
