"""Lanes that can wait: where they part, wait, are resumed and join."""
