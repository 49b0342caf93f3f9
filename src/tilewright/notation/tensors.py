"""Tensors as they are printed: a pointer and a layout. What is read is where the elements lie, as a layout.

    tensor  = ("tensor" ("(" | "<") placed .. | placed [":" | "=" ..])     values that follow are not read
    placed  = pointer "o" chain
            | ("ArithTuple" | "counting_iter") "(" offset ")" "o" chain                    coordinates, for bulk copies
            | ("UMMA" | "GMMA") "::" "DescriptorIterator" "o" chain
    type    = "!cute." name "<" text in quotes ">"
            | ("!cute" | "!fly") ".memref" "<" element "," memory {"," (alignment | swizzle | layout)} ">"

`tensor<ptr<f16, smem, align<1024>, S<3,4,3>> o (8,64):(64,1)>`, `gmem_ptr[32b](0x7f42efc00000) o (_8,16):(_1,_8)`.
"""

from __future__ import annotations

from tilewright.layout.composed import ComposedLayout
from tilewright.layout.indexing import keeps
from tilewright.layout.inttuple import IntTuple
from tilewright.layout.layout import Layout
from tilewright.layout.swizzle import Swizzle
from tilewright.notation.cute import SWIZZLES, chain, swizzle
from tilewright.notation.elements import Operand, int_tuple
from tilewright.notation.pointers import TYPED, Pointer, at_pointer, element, pointer, qualifier
from tilewright.notation.reader import Reader

_COUNTED = ("ArithTuple", "counting_iter")
_DESCRIBED, _ITERATOR = ("UMMA", "GMMA"), "DescriptorIterator"
_BRACKETS = {"(": ")", "<": ">"}
_QUOTED = ("layout", "composed_layout", "swizzle", "shape", "stride", "coord", "int_tuple", "tile")


def is_tensor(r: Reader) -> bool:
    """Does the text begin with a pointer, a tensor, or a type of CuTe DSL?"""
    if r.at("!"):
        return r.look().text == "cute" or (r.look().text, r.look(3).text) == ("fly", "memref")
    return _is_whole(r) or _is_placed(r)


def _is_whole(r: Reader) -> bool:
    return r.at_name("tensor") and r.look().kind in _BRACKETS and r.look(2).text in TYPED


def _is_placed(r: Reader) -> bool:
    mark = r.look().kind
    described = r.at_name(*_DESCRIBED) and mark == ":" and r.look(3).text == _ITERATOR
    return at_pointer(r) or (r.at_name(*_COUNTED) and mark == "(") or described


def tensor(r: Reader) -> Operand:
    """The layout of a printed tensor, or what a type of CuTe DSL says."""
    if r.at("!"):
        return _type(r)
    close = _BRACKETS[r.take().kind] if r.accept_name("tensor") else None
    found = _placed(r)
    if r.at(":", "=") or (close == ")" and r.at(",")):
        r.pass_rest()
    elif close:
        r.expect(close)
    return found


def _placed(r: Reader) -> Operand:
    start = r.token
    if r.at_name(*_COUNTED):
        offset = _offset(r)
        r.expect_name("o", "∘")
        counted = _layout(r)
        return r.checked(lambda: ComposedLayout(Swizzle(0, 0, 0), offset, counted), start)
    before = Pointer(1) if r.at_name(*_DESCRIBED) else pointer(r, swizzle)
    if r.accept_name(*_DESCRIBED):
        r.expect(":")
        r.expect(":")
        r.expect_name(_ITERATOR)
    r.expect_name("o", "∘")
    layout = _layout(r)
    return r.checked(lambda: before.before(layout), start)


def _offset(r: Reader) -> IntTuple:
    if not r.accept_name("counting_iter"):
        r.take()
        start, found = r.token, int_tuple(r)
        return r.refuse("`_` is no offset", start) if keeps(found) else found
    r.expect("(")
    found = r.integer()
    r.expect(")")
    return found


def _layout(r: Reader) -> Layout | ComposedLayout:
    start = r.token
    found = r.quoted(chain) if r.at("string") else chain(r)
    return found if isinstance(found, Layout | ComposedLayout) else r.refuse("expected a layout, shape:stride", start)


def _type(r: Reader) -> Operand:
    r.expect("!")
    r.expect_name("cute", "fly")
    r.expect(".")
    name = r.expect_name("memref", *_QUOTED)
    r.expect("<")
    found = _memref(r) if name == "memref" else r.quoted(chain)
    r.expect(">")
    return found


def _memref(r: Reader) -> Layout | ComposedLayout:
    start = r.token
    bits, of_bytes, layout = element(r), None, None
    while r.accept(","):
        if r.at_name(*SWIZZLES) and _ends(r):
            of_bytes = swizzle(r)
        elif not qualifier(r):
            layout = _layout(r)
    if layout is None:
        return r.refuse("a memref has a layout", start)
    whole = layout
    return r.checked(lambda: Pointer(bits, 0, of_bytes).before(whole), start)


def _ends(r: Reader) -> bool:
    """Is the swizzle that follows all of its part?"""
    return any(r.look(n).kind == ">" and r.look(n + 1).kind in ",>" for n in (7, 8))
