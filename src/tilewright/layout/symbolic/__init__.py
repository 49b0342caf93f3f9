"""Integers known at run time only: expressions in normal form, conditions on them, guards of results."""
