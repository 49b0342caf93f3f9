"""How large aliases are when they are written out: `!b = tuple<!a, !a>` doubles, and forty such lines never end."""

from __future__ import annotations

from xdsl.context import Context
from xdsl.ir import Attribute, TypeAttribute
from xdsl.parser import Parser

MOST_PARTS = 1 << 15
LINE = 64  # characters of an alias that count as one part more: shapes, strings and lists of numbers are long


class AliasCounter(Parser):
    """Counts the types and attributes that aliases stand for, and refuses them where they are too many."""

    def __init__(self, ctx: Context, input: str, name: str = "<unknown>") -> None:
        super().__init__(ctx, input, name)
        self._parts = 0  # types and attributes read so far, aliases written out
        self._written_out = 0  # those of aliases alone
        self._counted = -1  # where the last one begins
        self._sizes: dict[str, int] = {}

    def parse_optional_type(self) -> TypeAttribute | None:
        """The type, if there is one."""
        self._count()
        return super().parse_optional_type()

    def parse_optional_attribute(self) -> Attribute | None:
        """The attribute, if there is one."""
        self._count()
        return super().parse_optional_attribute()

    def _count(self) -> None:
        token = self._current_token
        if token.span.start == self._counted:
            return
        self._counted = token.span.start
        size = self._sizes.get(token.text, 0) if token.text[:1] in ("!", "#") else 0
        self._parts += size or 1
        self._written_out += size
        if self._written_out > MOST_PARTS:
            self.raise_error(f"the aliases, written out, are more than {MOST_PARTS} types and attributes")

    def _parse_alias_def(self) -> None:
        name, before, start = self._current_token.text, self._parts, self.pos
        super()._parse_alias_def()  # type: ignore[no-untyped-call]  # xDSL says no type here
        self._sizes[name] = self._parts - before + (self.pos - start) // LINE
