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

from typing import TypeAlias

from tilewright.dtypes import DTYPES
from tilewright.errors import close_names, shown
from tilewright.layout.inttuple import MAX_LEAVES
from tilewright.notation.gluon import gluon, is_gluon
from tilewright.notation.reader import Reader
from tilewright.notation.triton_attribute import Attribute, Field
from tilewright.numerals import is_digits

# Kinds by other names: documents leave out whose it is.
_KINDS = {"rotating_shared": "amd_rotating_shared"}
_DIALECTS = ("ttg", "ttng", "triton_gpu", "triton_nvidia_gpu")
_TRUTH = {"true": True, "false": False}
_KNOWN = (
    "alignment block blockM blockN CGALayout colStride ctaLayout CTAOrder CTAsPerCGA CTASplitM CTASplitN "
    "CTASplitNum dim elementBitWidth elementType fp4Padded hasLeadingOffset instrShape isTranspose isTransposed "
    "kDim kWidth lane maxPhase mDim nDim offset opIdx order parent perPhase rank register shape sizePerThread "
    "swizzlingByteWidth threadsPerWarp tilesPerWarp transposed twoCTAs unpacked vec version versionMajor versionMinor "
    "warp warpsPerCTA"
)
_FIELDS = frozenset(_KNOWN.split())

Aliases: TypeAlias = dict[str, "Attribute"]

WORD = 32  # bits of a column of tensor memory
_BITS = {data.mlir: data.bits for data in DTYPES.values()}


def is_triton(r: Reader) -> bool:
    """Does the text begin as an attribute, as a type that carries one, or as a layout of Gluon?"""
    return is_gluon(r) or r.at("#") or r.at_name("tensor", "memdesc") or (r.at("!") and r.look().text in _DIALECTS)


def attribute_text(r: Reader) -> tuple[Attribute, tuple[int, ...] | None]:
    """The attribute that the text ends with, and the shape if a tensor type carries it."""
    if is_gluon(r):
        return gluon(r), None
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
    spelled = r.expect_name()
    kind = _KINDS.get(spelled, spelled)
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
    shape, element = _shape(r)
    r.expect(",")
    found = attribute(r, aliases)
    _skip_to_close(r)
    return of_element(found, element), shape


def of_element(a: Attribute, element: str) -> Attribute:
    """The attribute with what its meaning needs of the tensor's element type: how far apart unpacked elements lie."""
    if a.get("unpacked") is not True or element not in _BITS:
        return a
    fields = tuple((name, value) for name, value in a.fields if name != "unpacked")
    return Attribute(a.kind, (*fields, ("colStride", max(1, WORD // _BITS[element]))), a.start)


def _shape(r: Reader) -> tuple[tuple[int, ...], str]:
    """The extents, and the element type."""
    # `128x64xf16` is the tokens 128 and x64xf16; the element type ends at the comma.
    shape = [r.integer("an extent such as 128x64xf16")]
    token = r.expect("name", "an extent or the element type")
    for part in token.text.split("x")[1:]:
        if is_digits(part) and len(shape) < MAX_LEAVES:
            shape.append(r.number(part, token, "an extent"))
    while not r.at(",", "end"):
        r.take()
    return tuple(shape), token.text.rpartition("x")[2]


def _skip_to_close(r: Reader) -> None:
    # `, alignment = 16>` and `, #smem, mutable>` say nothing about the layout.
    while not r.at(">", "end"):
        r.take()
    r.expect(">")
