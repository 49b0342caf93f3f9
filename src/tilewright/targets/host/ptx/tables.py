"""Constants that a program needs: tables of which lane holds which element, and what is made of these."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

_NUMBERS = "unsigned short"


@dataclass
class Tables:
    """Constants, each once, by names of their own: of each its type and its text."""

    names: dict[tuple[str, str], str] = field(default_factory=dict)

    def table(self, numbers: Iterable[int]) -> str:
        """The name of the table with these numbers."""
        return self.constant(f"{_NUMBERS}[]", f"{{{','.join(map(str, numbers))}}}")

    def constant(self, kind: str, value: str) -> str:
        """The name of a constant of a type."""
        return self.names.setdefault((kind, value), f"tw_constant_{len(self.names)}")

    def text(self) -> str:
        """The declarations, in order.

        >>> tables = Tables()
        >>> tables.table([1, 2]), tables.table([1, 2]), tables.constant("tw::Moves", "{8, 2}")
        ('tw_constant_0', 'tw_constant_0', 'tw_constant_1')
        >>> print(tables.text(), end="")
        static const unsigned short tw_constant_0[] = {1,2};
        static const tw::Moves tw_constant_1 = {8, 2};
        """
        return "".join(
            f"static const {kind.removesuffix('[]')} {name}{'[]' * kind.endswith('[]')} = {value};\n"
            for (kind, value), name in self.names.items()
        )
