"""Shared memory: the bank rule, counted and proved, and its reports."""
