"""Tensors as types of C++: what is read is where the elements lie, as a layout.

    tensor   = "Tensor" "<" engine "," layout ">"
    engine   = ("ViewEngine" | "ConstViewEngine") "<" iterator ">" | "ArrayEngine" "<" element "," number ">"
    iterator = "swizzle_ptr" "<" swizzle "," iterator ">" | pointer "<" (iterator | element) ">" | element {"*"}
             | "ArithmeticTupleIterator" "<" coordinate ">" | {name "::"} "DescriptorIterator"

`Tensor<ViewEngine<smem_ptr<cutlass::half_t*> >, Layout<..> >`. The swizzle of a pointer permutes bytes; the tensor of a
type begins nobody knows where, and is read as if at the start of a block of the swizzle.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from tilewright.dtypes import cpp_dtype
from tilewright.errors import LayoutError, UsageError, shown
from tilewright.layout.composed import ComposedLayout
from tilewright.layout.indexing import keeps
from tilewright.layout.inttuple import IntTuple
from tilewright.layout.layout import Layout
from tilewright.layout.swizzle import Swizzle
from tilewright.notation.constants import number
from tilewright.notation.pointers import Pointer
from tilewright.notation.reader import Reader
from tilewright.notation.words import pass_namespaces, pass_qualifiers

if TYPE_CHECKING:
    from typing import TypeAlias

    Item: TypeAlias = Callable[[Reader], object]
    Placed: TypeAlias = Callable[[Layout | ComposedLayout], Layout | ComposedLayout]

_POINTERS = ("gmem_ptr", "smem_ptr", "rmem_ptr", "tmem_ptr", "subbyte_iterator", "counting_iterator")
_WIDE = {"uint128_t": 128, "__int128": 128, "unsigned __int128": 128}  # bits of what no element has


def tensor_type(r: Reader, item: Item) -> Layout | ComposedLayout:
    """The layout of `Tensor<Engine, Layout>`; `item` reads layouts, swizzles and tuples."""
    start = r.token
    r.expect_name("Tensor")
    r.expect("<")
    placed = _engine(r, item)
    r.expect(",")
    layout = item(r)
    r.expect(">")
    if not isinstance(layout, Layout | ComposedLayout):
        r.refuse("a tensor has a layout", start)
    return r.checked(lambda: placed(layout), start)


def _engine(r: Reader, item: Item) -> Placed:
    pass_namespaces(r)
    kind = r.expect_name("ViewEngine", "ConstViewEngine", "ArrayEngine")
    r.expect("<")
    if kind == "ArrayEngine":
        element_bits(r)
        r.expect(",")
        number(r)
        found: Placed = _as_it_is
    else:
        found = _iterator(r, item)
    r.expect(">")
    return found


def _iterator(r: Reader, item: Item) -> Placed:
    with r.nested():
        pass_qualifiers(r)
        pass_namespaces(r)
        if r.accept_name("swizzle_ptr"):
            return _swizzled(r, item)
        if r.accept_name("ArithmeticTupleIterator"):
            return _coordinates(r, item)
        if not r.accept_name("DescriptorIterator"):
            _bits(r)
        return _as_it_is


def _as_it_is(layout: Layout | ComposedLayout) -> Layout | ComposedLayout:
    return layout


def _swizzled(r: Reader, item: Item) -> Placed:
    r.expect("<")
    start = r.token
    swizzle = item(r)
    r.expect(",")
    bits = _bits(r)
    r.expect(">")
    if not isinstance(swizzle, Swizzle):
        r.refuse(f"a pointer is swizzled by Swizzle<b,m,s>, got {shown(swizzle)}", start)
    return Pointer(bits, 0, swizzle).before


def _coordinates(r: Reader, item: Item) -> Placed:
    r.expect("<")
    first = item(r)
    r.expect(">")
    return lambda layout: _from(first, layout)


def _from(first: object, layout: Layout | ComposedLayout) -> Layout | ComposedLayout:
    if not isinstance(first, tuple) or keeps(first):
        raise LayoutError(f"coordinates begin at a tuple, got {shown(first)}")
    start: IntTuple = first
    return ComposedLayout(Swizzle(0, 0, 0), start, layout)


def _bits(r: Reader) -> int:
    """The bits of what an iterator points at."""
    with r.nested():
        pass_qualifiers(r)
        pass_namespaces(r)
        if not r.at_name(*_POINTERS):
            return element_bits(r)
        r.take()
        r.expect("<")
        found = _bits(r)
        r.expect(">")
        return found


def element_bits(r: Reader) -> int:
    """The bits of a type of elements, `float const*`."""
    pass_qualifiers(r)
    pass_namespaces(r)
    start = r.token
    words = [r.expect_name()]
    while r.at("name") and not r.at_name("const"):
        words.append(r.take().text)
    while r.accept("*") or r.accept_name("const"):
        pass
    name = " ".join(words)
    try:
        bits = _WIDE.get(name) or cpp_dtype(name).bits
    except UsageError as error:
        r.refuse(str(error), start)
    r.widths.add(bits)
    return bits
