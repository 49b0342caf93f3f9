"""Tiles as TMA and matrix descriptors see them: which canonical layout one is, and what each unit demands."""
