"""Index arithmetic as a program writes it: a constant that 64 bits do not hold is refused, never wrapped."""

from __future__ import annotations

from tilewright.errors import CompileError
from tilewright.ir.core.index import LIMIT, IndexBuilder


class WrittenIndices(IndexBuilder):
    """Builds the indices of a program, whose constants are meant as they are written."""

    def held(self, constant: int) -> int:
        """The constant.

        Raises:
            CompileError: it leaves 64 bits.
        """
        if not -LIMIT <= constant < LIMIT:
            raise CompileError(f"the constant {constant} of an index leaves 64 bits")
        return constant
