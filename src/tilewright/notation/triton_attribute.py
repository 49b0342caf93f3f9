"""What is said by an attribute of Triton: its kind and its fields."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from tilewright.notation.tokens import Token

Field: TypeAlias = "int | str | bool | Attribute | tuple[Field, ...] | None"


@dataclass(frozen=True, repr=False, eq=False)
class Attribute:
    """`#ttg.kind<{key = value, ...}>`: lists are tuples, attributes inside are attributes, printed by their kind.

    Fields in braces of their own are an attribute without a kind.
    """

    kind: str
    fields: tuple[tuple[str, Field], ...]
    start: Token | None = None

    def get(self, key: str, default: Field = None) -> Field:
        """The value of a field."""
        return next((value for name, value in self.fields if name == key), default)

    def __repr__(self) -> str:
        # Aliases share attributes, so that one text may stand for exponentially many: inner ones are not spelt out.
        fields = ", ".join(f"{key} = {value_text(value)}" for key, value in self.fields)
        return f"#ttg.{self.kind}<{{{fields}}}>"


def value_text(value: Field) -> str:
    """A field's value as it was written."""
    if isinstance(value, tuple):
        return f"[{', '.join(map(value_text, value))}]"
    if isinstance(value, Attribute):
        return f"#ttg.{value.kind}" if value.kind else "{...}"
    return "none" if value is None else str(value).lower() if isinstance(value, bool) else str(value)
