"""Compiles kernels and runs them: pipeline, targets, arrays, an in-memory cache."""
