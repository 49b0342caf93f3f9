"""Runs kernels on numpy arrays, exactly and with every access checked."""
