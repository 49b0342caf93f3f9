"""Passes over the `fly` dialect, by FlyDSL's names of them."""
