"""Layouts as Gluon writes and prints them: calls of its classes, whose fields are those of Triton's attributes.

    layout = [module "."] class ["." "with_identity_for"] "(" [[field "="] value {"," [field "="] value}] ")"
    value  = integer | "True" | "False" | "None" | "[" [value {"," value}] "]" | layout

`BlockedLayout(size_per_thread=[1, 4], threads_per_warp=[8, 4], warps_per_cta=[4, 1], order=[1, 0], cga_layout=[])`.
A field that is None or an empty list says nothing. Older releases had other fields in some places, lists of numbers
where lists of bases are now: these are read as the fields that they were.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from tilewright.errors import close_names, shown
from tilewright.notation.reader import Reader
from tilewright.notation.triton_attribute import Attribute, Field

Told = tuple[tuple[str, Field], ...]

_MAKER = "with_identity_for"
# What may stand before a point: modules, and the class whose maker is called.
_MODULES = ("gl", "ttgl", "gluon", "language", "triton", "experimental", "blackwell", "amd", "tl", "PaddedSharedLayout")
_WORDS: Mapping[str, Field] = {"True": True, "False": False, "None": None}


@dataclass(frozen=True)
class _Class:
    """The attribute's kind; the class's fields in their order, each as the attribute calls it; what else is done."""

    kind: str
    fields: Mapping[str, str]
    also: Callable[[Told], Told] = tuple


_CGA = {
    "cga_layout": "CGALayout",
    "ctas_per_cga": "CTAsPerCGA",
    "cta_split_num": "CTASplitNum",
    "cta_order": "CTAOrder",
}
_BASES = {"reg_bases": "register", "lane_bases": "lane", "warp_bases": "warp", "block_bases": "block", "shape": ""}


def _version(told: Told) -> Told:
    """`version` is [major, minor]."""
    return tuple(
        pair
        for name, value in told
        for pair in (_numbered(value) if name == "version" and isinstance(value, tuple) else ((name, value),))
    )


def _numbered(value: Sequence[Field]) -> Told:
    return tuple(zip(("versionMajor", "versionMinor"), value, strict=False))


def _renamed(told: Told, older: Mapping[str, str]) -> dict[str, Field]:
    """The fields, each list of numbers where bases are wanted under its older name."""
    return {older.get(name, name) if _is_flat(value) else name: value for name, value in told}


def _is_flat(value: Field) -> bool:
    return isinstance(value, tuple) and all(type(item) is int for item in value)


def _warps(told: Told) -> Told:
    """Bases of registers and warps over the tiles are fields of one field."""
    found = _renamed(told, {"warp": "warpsPerCTA", "register": "instrShape"})
    if "warpsPerCTA" in found:
        return tuple(found.items())
    tiles = Attribute("", tuple((name, found.pop(name, ())) for name in ("register", "warp")))
    return (("ctaLayout", tiles), *found.items())


def _pairs(told: Told) -> Told:
    """Pairs of an interval and a padding are two lists."""
    found = _renamed(told, {"offset": "order"})
    pairs = found.pop("pairs", None)
    whole = isinstance(pairs, tuple) and all(isinstance(pair, tuple) and len(pair) == 2 for pair in pairs)
    if whole and isinstance(pairs, tuple):
        for i, name in enumerate(("intervals", "paddings")):
            found[name] = tuple(pair[i] for pair in pairs if isinstance(pair, tuple))
    return tuple(found.items())


def _block(told: Told) -> Told:
    """`block` is (M, N)."""
    found = dict(told)
    block = found.pop("block", None)
    sizes = zip(("blockM", "blockN"), block, strict=False) if isinstance(block, tuple) else ()
    return (*sizes, *found.items())


def _all_bases(told: Told) -> Told:
    """A level without bases is an empty list, not nothing."""
    return tuple({**dict.fromkeys(("register", "lane", "warp", "block"), ()), **dict(told)}.items())


CLASSES: Mapping[str, _Class] = {
    "BlockedLayout": _Class("blocked", {
        "size_per_thread": "sizePerThread", "threads_per_warp": "threadsPerWarp", "warps_per_cta": "warpsPerCTA",
        "order": "order", **_CGA,
    }),
    "SliceLayout": _Class("slice", {"dim": "dim", "parent": "parent"}),
    "DistributedLinearLayout": _Class("linear", _BASES, _all_bases),
    "DotOperandLayout": _Class("dot_op", {"operand_index": "opIdx", "parent": "parent", "k_width": "kWidth"}),
    "NVMMADistributedLayout": _Class("nvidia_mma", {
        "version": "version", "warps_per_cta": "warpsPerCTA", "instr_shape": "instrShape", **_CGA,
    }, _version),
    "AMDMFMALayout": _Class("amd_mfma", {
        "version": "version", "instr_shape": "instrShape", "transposed": "isTransposed",
        "warps_per_cta": "warpsPerCTA", "element_bitwidth": "elementBitWidth", "tiles_per_warp": "tilesPerWarp", **_CGA,
    }),
    "AMDWMMALayout": _Class("amd_wmma", {
        "version": "version", "transposed": "isTranspose", "warp_bases": "warp", "reg_bases": "register",
        "instr_shape": "instrShape", "cga_layout": "CGALayout", "rank": "", "warps_per_cta": "warpsPerCTA",
        "tiles_per_warp": "tilesPerWarp", **_CGA,
    }, _warps),
    "NVMMASharedLayout": _Class("nvmma_shared", {
        "swizzle_byte_width": "swizzlingByteWidth", "element_bitwidth": "elementBitWidth", "rank": "rank",
        "transposed": "transposed", "fp4_padded": "fp4Padded", **_CGA,
    }),
    "SwizzledSharedLayout": _Class("swizzled_shared", {
        "vec": "vec", "per_phase": "perPhase", "max_phase": "maxPhase", "order": "order", **_CGA,
    }),
    "PaddedSharedLayout": _Class("padded_shared", {
        "interval_padding_pairs": "pairs", "offset_bases": "offset", "cga_layout": "block", "shape": "",
        "block_bases": "block",
    }, _pairs),
    _MAKER: _Class("padded_shared", {
        "interval_padding_pairs": "pairs", "shape": "shape", "order": "order", "cga_layout": "CGALayout",
    }, _pairs),
    "SharedLinearLayout": _Class("shared_linear", {
        "offset_bases": "offset", "block_bases": "block", "alignment": "alignment",
    }, lambda told: tuple({"block": (), **dict(told)}.items())),
    "TensorMemoryLayout": _Class("tensor_memory_encoding", {
        "block": "block", "col_stride": "colStride", "unpacked": "unpacked", "two_ctas": "twoCTAs",
    }, _block),
}  # fmt: skip


def is_gluon(r: Reader) -> bool:
    """Does a class of Gluon follow, perhaps behind its module?"""
    at = _behind_modules(r)
    return r.look(at).text in CLASSES and r.look(at + 1).kind == "("


def _behind_modules(r: Reader) -> int:
    at = 0
    while r.look(at).text in _MODULES and r.look(at + 1).kind == ".":
        at += 2
    return at


def gluon(r: Reader) -> Attribute:
    """The attribute that a layout of Gluon is.

    >>> text = "gl.SwizzledSharedLayout(vec=8, per_phase=1, max_phase=8, order=[1, 0])"
    >>> gluon(Reader(text))
    #ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 8, order = [1, 0]}>
    """
    for _ in range(_behind_modules(r)):
        r.take()
    start = r.take()
    own, seen = CLASSES[start.text], list[str]()
    r.expect("(")
    told = [pair for pair in r.sequence(lambda r: _argument(r, own, seen), ")") if pair[0]]
    return Attribute(own.kind, own.also(tuple((name, value) for name, value in told if value not in (None, ()))), start)


def _argument(r: Reader, own: _Class, seen: list[str]) -> tuple[str, Field]:
    names, start = list(own.fields), r.token
    if r.at("name") and r.look().kind == "=":
        name = r.take().text
        r.take()
        if name not in names:
            meant = "".join(f"; did you mean {near}?" for near in close_names(name, names))
            r.refuse(f"the layout has no field {shown(name)}; it has {', '.join(names)}{meant}", start)
    elif len(seen) < len(names):
        name = names[len(seen)]
    else:
        r.refuse(f"the layout has {len(names)} fields, {', '.join(names)}", start)
    if name in seen:
        r.refuse(f"the field {name} is given twice", start)
    seen.append(name)
    return own.fields[name], _value(r)


def _value(r: Reader) -> Field:
    r.count_leaf()
    for opened, closed in ("[]", "()"):
        if r.accept(opened):
            return tuple(r.sequence(_value, closed))
    if is_gluon(r):
        return gluon(r)
    if r.at_name(*_WORDS):
        return _WORDS[r.take().text]
    return r.integer("an integer, a list, True, False, None or a layout of Gluon")
