"""The text of Triton's layout attributes, and of the tensor types that carry them.

    module    = {"#" alias "=" attribute} (attribute | "#" alias | type)       the last definition, if nothing follows
    type      = ("tensor" | "!ttg.memdesc") "<" 128 "x" 64 "x" element "," attribute {"," ...} ">"
    attribute = "#" ("ttg" | "ttng" | ..) "." kind "<" ["[" {interval ":" "+" padding ","} "]"] fields {"," ...} ">"
              | "#" ("ttg" | "ttng" | ..) "." kind "<" [key "=" value {"," key "=" value}] ">"
    fields    = "{" [key "=" value {"," key "=" value}] "}"
    value     = integer | "true" | "false" | name | "[" [value {"," value}] "]" | fields | attribute | "#" alias

What an attribute means is in `triton_layouts`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from tilewright.errors import close_names, shown
from tilewright.layout.inttuple import MAX_LEAVES
from tilewright.notation.reader import Reader
from tilewright.notation.tokens import Token
from tilewright.numerals import is_digits

_DIALECTS = ("ttg", "ttng", "triton_gpu", "triton_nvidia_gpu")
_TRUTH = {"true": True, "false": False}
_KNOWN = (
    "alignment block blockM blockN CGALayout colStride ctaLayout CTAOrder CTAsPerCGA CTASplitM CTASplitN "
    "CTASplitNum dim elementBitWidth elementType fp4Padded hasLeadingOffset instrShape isTranspose isTransposed "
    "kDim kWidth lane maxPhase mDim nDim offset opIdx order parent perPhase rank register shape sizePerThread "
    "swizzlingByteWidth threadsPerWarp tilesPerWarp transposed twoCTAs vec version versionMajor versionMinor warp "
    "warpsPerCTA"
)
_FIELDS = frozenset(_KNOWN.split())

Field: TypeAlias = "int | str | bool | Attribute | tuple[Field, ...] | None"
Aliases: TypeAlias = dict[str, "Attribute"]


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


def is_triton(r: Reader) -> bool:
    """Does the text begin as an attribute, or as a type that carries one?"""
    return r.at("#") or r.at_name("tensor", "memdesc") or (r.at("!") and r.look().text in _DIALECTS)


def attribute_text(r: Reader) -> tuple[Attribute, tuple[int, ...] | None]:
    """The attribute that the text ends with, and the shape if a tensor type carries it."""
    aliases: Aliases = {}
    while r.at("#") and r.look().kind == "name" and r.look(2).kind == "=":
        r.take()
        name = r.expect_name()
        r.expect("=")
        aliases[name] = attribute(r, aliases)
    if r.at("end") and aliases:
        return aliases[name], None
    return _typed(r, aliases) if r.at("!", "name") else (attribute(r, aliases), None)


def attribute(r: Reader, aliases: Aliases) -> Attribute:
    """One attribute, or an alias defined before."""
    start = r.expect("#")
    name = r.expect("name", "`ttg.` or an alias")
    if not (name.text in _DIALECTS and r.at(".")):
        return aliases.get(name.text) or r.refuse(f"no attribute is defined as #{name.text}", name)
    r.take()
    kind = r.expect_name()
    r.expect("<")
    if r.at("name", ">"):
        return Attribute(kind, _sequence(r, ">", aliases), start)
    padding = _padding(r) if r.at("[") else ()
    found = _fields(r, kind, aliases)
    _skip_to_close(r)
    return Attribute(kind, padding + found.fields, start)


def _padding(r: Reader) -> tuple[tuple[str, Field], ...]:
    """`[512:+16, ..]`, behind every 512 elements 16 more: the fields `intervals` and `paddings`."""
    r.expect("[")
    pairs = r.sequence(_interval, "]")
    return ("intervals", tuple(n for n, _ in pairs)), ("paddings", tuple(n for _, n in pairs))


def _interval(r: Reader) -> tuple[int, int]:
    r.count_leaf()
    interval = r.integer()
    r.expect(":")
    r.expect("+")
    return interval, r.integer()


def _fields(r: Reader, kind: str, aliases: Aliases) -> Attribute:
    r.expect("{")
    return Attribute(kind, _sequence(r, "}", aliases))


def _sequence(r: Reader, close: str, aliases: Aliases) -> tuple[tuple[str, Field], ...]:
    seen: set[str] = set()
    return tuple(r.sequence(lambda r: _field(r, aliases, seen), close))


def _field(r: Reader, aliases: Aliases, seen: set[str]) -> tuple[str, Field]:
    start, key = r.token, r.expect_name()
    if key not in _FIELDS:
        meant = "".join(f"; did you mean {name}?" for name in close_names(key, sorted(_FIELDS)))
        r.refuse(f"no layout attribute that is read here has a field {shown(key)}{meant}", start)
    if key in seen:
        r.refuse(f"the field {key} is given twice", start)
    seen.add(key)
    r.expect("=")
    return key, _value(r, aliases)


def _value(r: Reader, aliases: Aliases) -> Field:
    r.count_leaf()
    if r.accept("["):
        return tuple(r.sequence(lambda r: _value(r, aliases), "]"))
    if r.at("{"):
        return _fields(r, "", aliases)
    if r.at("#"):
        return attribute(r, aliases)
    if r.at("name"):
        name = r.take().text
        return _TRUTH.get(name, name)
    return r.integer("an integer, a list, a name, fields in braces or an attribute")


def _typed(r: Reader, aliases: Aliases) -> tuple[Attribute, tuple[int, ...]]:
    if r.accept("!"):
        r.expect_name(*_DIALECTS)
        r.expect(".")
    r.expect_name("tensor", "memdesc")
    r.expect("<")
    shape = _shape(r)
    r.expect(",")
    found = attribute(r, aliases)
    _skip_to_close(r)
    return found, shape


def _shape(r: Reader) -> tuple[int, ...]:
    # `128x64xf16` is the tokens 128 and x64xf16; the element type ends at the comma.
    shape = [r.integer("an extent such as 128x64xf16")]
    token = r.expect("name", "an extent or the element type")
    for part in token.text.split("x")[1:]:
        if is_digits(part) and len(shape) < MAX_LEAVES:
            shape.append(r.number(part, token, "an extent"))
    while not r.at(",", "end"):
        r.take()
    return tuple(shape)


def _skip_to_close(r: Reader) -> None:
    # `, alignment = 16>` and `, #smem, mutable>` say nothing about the layout.
    while not r.at(">", "end"):
        r.take()
    r.expect(">")
