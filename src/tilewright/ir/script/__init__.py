"""Modules as Python-like scripts."""
