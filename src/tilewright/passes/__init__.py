"""Passes over a module, one file each, and the pipeline that runs them."""
