"""The operations as methods, for type checkers: `methods.pyi`, which `make stubs` writes from the table of operations.

At run time `operations` gives them to `LayoutBase`, and these names stand for it.
"""

from __future__ import annotations

from typing import TypeVar

from tilewright.layout.base import LayoutBase

V = TypeVar("V", covariant=True)  # of the values of a layout
W = TypeVar("W")  # of another's

PlainMethods = ComposedMethods = LayoutBase
