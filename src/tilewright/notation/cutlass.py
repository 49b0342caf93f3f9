"""Layouts as they stand in CUTLASS's sources and in the names of its kernels, and as `repr` writes them here.

    item = {word} name ["<" [arg {"," arg}] ">" | "(" [arg {"," arg}] ")"] ["{" "}"]      a row of the table
         | {word} tree ["{" "}"]                                    integers, `_4`, `Int<4>`, and tuples of items
         | {word} "Tensor" "<" engine "," layout ">"                see `engines`
         | {word} "Layout_K_SW128_Atom" "<" type ">" ["{" "}"]      a shared-memory layout atom, see `shared_atoms`
    word = "cute" "::" | "cutlass" "." | "const" | "struct" | ..    see `words`
    arg  = [keyword "="] item                                       keywords are Python's

    Layout<Shape<_8,_64>,Stride<_64,_1>>       cute::Layout<cute::tuple<cute::C<8>, ..> >       make_layout(..)
    cute::Swizzle<(int)3, (int)4, (int)3>      cute.make_layout((4, 8), stride=(8, 1))
    ComposedLayout<Swizzle<3,4,3>,smem_ptr_flag_bits<16>,Layout<..>>, printed as Sw<3,4,3> o smem_ptr[16b](unset) o ..
    smem_sparse_ptr_flag_bits<2,16>                            in its place, smem_sparse<2>_ptr[16b](unset) in prints

Behind the flag of a pointer the swizzle counts bytes; it is read in elements, as every swizzle here counts them. Behind
a sparse one the layout counts elements of which one of two is stored; it is read as where that one lies.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING, TypeAlias, TypeGuard

from tilewright.atoms.shared_atoms import MOST_SPARSE
from tilewright.errors import LayoutError, shown
from tilewright.layout.arithmetic import ceil_div
from tilewright.layout.axes import from_terms
from tilewright.layout.composed import ComposedLayout
from tilewright.layout.construct import make_identity_layout, make_layout_right, make_ordered_layout
from tilewright.layout.coord_swizzle import CoordSwizzle
from tilewright.layout.inttuple import MAX_DEPTH, MAX_LEAVES, IntTuple, leaves
from tilewright.layout.layout import Layout
from tilewright.layout.operations import composition, cosize, tile_to_shape
from tilewright.layout.swizzle import Swizzle, recast_swizzle
from tilewright.layout.symbolic.operators import as_int
from tilewright.layout.symbolic.symint import SymInt
from tilewright.notation.constants import at_cast, at_constant, at_integer_type, number, run_time
from tilewright.notation.elements import Operand, tree
from tilewright.notation.engines import tensor_type
from tilewright.notation.reader import Reader
from tilewright.notation.shared_atoms import at_atom, atom
from tilewright.notation.words import at_namespace, at_qualifier, pass_namespaces, pass_qualifiers, pass_references

if TYPE_CHECKING:
    from tilewright.layout.inttuple import Element

BYTE = 8
MAX_POINTED = 1 << 16  # bits of an element behind a pointer
_BRACKETS = {"<": ">", "(": ")"}
_POINTER = "smem_ptr"
_SPARSE_POINTER, _BEHIND = "smem_sparse", "_ptr"
_TENSOR = "Tensor"


@dataclass(frozen=True, slots=True)
class PointerFlag:
    """CuTe's `smem_ptr_flag_bits`: the layout is of elements of so many bits, the swizzle before it of bytes.

    Of `smem_sparse_ptr_flag_bits` one of `sparsity` neighbours is stored.
    """

    bits: int = 1
    sparsity: int = 1

    def __post_init__(self) -> None:
        if type(self.bits) is not int or not 0 < self.bits <= MAX_POINTED:
            raise LayoutError(f"elements have 1 to {MAX_POINTED} bits, got {shown(self.bits)}")
        if type(self.sparsity) is not int or not 0 < self.sparsity <= MOST_SPARSE:
            raise LayoutError(f"one of 1 to {MOST_SPARSE} elements is stored, got {shown(self.sparsity)}")


class Order(Enum):
    """Compact strides, of which no numbers are given."""

    LEFT = "LayoutLeft"
    RIGHT = "LayoutRight"


Function: TypeAlias = Swizzle | CoordSwizzle | Layout | ComposedLayout
Part: TypeAlias = "Operand | PointerFlag | Order | tuple[Part, ...]"


def composed(outer: Function, offset: IntTuple | PointerFlag, inner: Function) -> ComposedLayout:
    """outer(offset + inner(c)), in elements.

    >>> print(composed(Swizzle(3, 4, 3), PointerFlag(16), Layout((8, 64), (64, 1))))
    Sw<3,3,3> o 0 o (8,64):(64,1)
    """
    if not isinstance(inner, Layout | ComposedLayout):
        raise LayoutError(f"the last factor of a composed layout is a layout, got {shown(inner)}")
    if not isinstance(offset, PointerFlag):
        return ComposedLayout(outer, offset, inner)
    if not isinstance(outer, Swizzle):
        raise LayoutError(f"a pointer to shared memory stands behind a swizzle, not behind {shown(outer)}")
    return ComposedLayout(recast_swizzle(outer, BYTE, offset.bits), 0, _stored(inner, offset.sparsity))


def _stored(layout: Layout | ComposedLayout, sparsity: int) -> Layout | ComposedLayout:
    """floor(layout(c) / sparsity): where the one of so many neighbours lies that is stored.

    >>> print(_stored(Layout((8, 128), (128, 1)), 2))
    (8,(2,64)):(64,(0,1))
    """
    if sparsity == 1:
        return layout
    return composition(Layout((sparsity, ceil_div(cosize(layout), sparsity)), (0, 1)), layout)


def at_pointer(r: Reader) -> bool:
    """Does `smem_ptr[16b](unset)` follow, or `smem_ptr_16b(unset)`, as older releases print; or a sparse one?"""
    return at_sparse_pointer(r) or (r.at("name") and r.token.text.startswith(_POINTER) and r.look().kind in "[(")


def at_sparse_pointer(r: Reader) -> bool:
    """Does `smem_sparse<2>_ptr[16b](unset)` follow?"""
    return r.at_name(_SPARSE_POINTER) and r.look().kind == "<"


def pointer(r: Reader) -> PointerFlag:
    """The flag that CuTe prints between a swizzle of bytes and a layout of elements."""
    start, sparsity = r.take(), 1
    if r.accept("<"):
        sparsity = r.integer("how many elements share a place")
        r.expect(">")
        r.expect_name(_BEHIND)
    if r.accept("["):
        bits = r.integer("the bits of an element")
        r.expect_name("b")
        r.expect("]")
    else:
        bits = r.number(start.text[len(_POINTER) :].strip("_b"), start, "smem_ptr[16b](unset)")
    r.expect("(")
    r.expect_name("unset")
    r.expect(")")
    r.widths.add(bits)
    return r.checked(lambda: PointerFlag(bits, sparsity), start)


def is_cutlass(r: Reader) -> bool:
    """Does the text start with a class or a function of CuTe?"""
    named = r.at_name(*_FORMS, _TENSOR) and r.look().kind in _BRACKETS and not r.at_name("Swizzle")
    return named or at_atom(r) or at_namespace(r) or at_qualifier(r) or at_constant(r)


def cutlass(r: Reader) -> Operand:
    """A layout, composed layout or tuple in CUTLASS's spelling."""
    start = r.token
    found = item(r)
    if isinstance(found, Swizzle) or _is_whole(found):
        return found
    return r.refuse("a pointer alone, an order of strides, or a swizzle in a tuple, is no layout", start)


def _is_whole(part: Part) -> TypeGuard[Operand]:
    """Does every pointer and swizzle stand before its layout?"""
    if isinstance(part, tuple):
        return all(map(_is_whole, part))
    return not isinstance(part, PointerFlag | Order | Swizzle | CoordSwizzle)


def item(r: Reader) -> Part:
    """A layout, a swizzle, an integer, a tuple of these, or a pointer's flag, in CUTLASS's spelling."""
    pass_qualifiers(r)
    pass_namespaces(r)
    found = _bare(r)
    if r.accept("{"):
        r.expect("}")
    pass_references(r)
    return found


def _bare(r: Reader) -> Part:
    if at_cast(r):
        return number(r)
    if at_integer_type(r):
        return run_time(r)
    if r.at_name(_TENSOR) and r.look().kind == "<":
        return tensor_type(r, item)
    if at_atom(r):
        return atom(r)
    return _form(r) if r.at_name(*_FORMS) else tree(r, item)


def _form(r: Reader) -> Part:
    start = r.token
    counts, build = _FORMS[r.take().text]
    close = _BRACKETS.get(r.token.kind)
    arguments: Sequence[Part] = ()
    if close:
        r.take()
        each = number if start.text in _OF_NUMBERS else item
        keywords = iter(_KEYWORDS.get(start.text, ()))
        arguments = r.sequence(lambda r: _argument(r, next(keywords, ""), each), close)
    if len(arguments) not in counts:
        r.refuse(f"{start.text} takes {' or '.join(map(str, counts))} arguments, got {len(arguments)}", start)
    found = r.checked(lambda: build(*arguments), start)
    if isinstance(found, PointerFlag):
        r.widths.add(found.bits)
    return found


def _argument(r: Reader, keyword: str, rule: Callable[[Reader], Part]) -> Part:
    if r.at("name") and r.look().kind == "=":
        r.expect_name(*filter(None, [keyword]))
        r.take()
    return rule(r)


def _layout(shape: IntTuple, stride: IntTuple | Order | None = None) -> Layout:
    for leaf in (*leaves(shape), *(() if isinstance(stride, Order) else leaves(stride))):
        if isinstance(leaf, Layout | ComposedLayout | Swizzle | PointerFlag | Order):
            raise LayoutError(f"a layout is made of integers, got {shown(leaf)}")
    if isinstance(stride, Order):
        return make_layout_right(shape) if stride is Order.RIGHT else Layout(shape)
    return Layout(shape, stride)


def _ordered(shape: IntTuple, order: IntTuple) -> Layout:
    """By CuTe's own rule: modes of equal order overlap."""
    _require_integers(shape, order)
    return make_ordered_layout(shape, order, ties="overlap")


def _identity(shape: IntTuple) -> Layout:
    _require_integers(shape)
    return make_identity_layout(shape)


def _require_integers(*tuples: IntTuple) -> None:
    for leaf in leaves(tuples):
        if not isinstance(leaf, int | SymInt):
            raise LayoutError(f"a shape and an order are made of integers, got {shown(leaf)}")


def _swizzle(b: int, m: int, s: int | None = None) -> Swizzle:
    return Swizzle(b, m, b if s is None else s)


def _tiled(block: Part, shape: IntTuple, *order: IntTuple) -> Layout | ComposedLayout:
    if not isinstance(block, Layout | ComposedLayout):
        raise LayoutError(f"a layout is repeated to a shape, got {shown(block)}")
    _require_integers(shape, *order)
    return tile_to_shape(block, shape, *order)


def _composition(outer: Function, *offset_and_inner: Function | IntTuple | PointerFlag) -> Layout | ComposedLayout:
    """CuTe's `composition(Swizzle<3,3,3>{}, Layout<..>{})`, an offset between them, or of two layouts."""
    offset, inner = offset_and_inner if len(offset_and_inner) == 2 else (0, offset_and_inner[0])
    if not isinstance(inner, Layout | ComposedLayout) or isinstance(offset, Function):
        raise LayoutError(f"a composition ends in a layout, with at most an offset before it, got {shown(inner)}")
    if len(offset_and_inner) == 1 and isinstance(outer, Layout | ComposedLayout):
        return composition(outer, inner)
    return composed(outer, offset, inner)


def _tuple(*items: Part) -> tuple[Part, ...]:
    return items


def _basis(scale: int, *path: int) -> Element:
    if not isinstance(scale, int | SymInt):
        raise LayoutError(f"a basis is scaled by an integer, got {shown(scale)}")
    if not path or len(path) > MAX_DEPTH or not all(type(at) is int and 0 <= at < MAX_LEAVES for at in path):
        raise LayoutError(f"a basis has 1 to {MAX_DEPTH} positions, each in [0, {MAX_LEAVES})")
    return from_terms([(path, as_int(scale))])


_ANY = range(1 << 20)
_SPARSE_FLAG, _SPARSE_BITS = "smem_sparse_ptr_flag", "smem_sparse_ptr_flag_bits"
_OF_NUMBERS = ("Swizzle", "make_swizzle", "smem_ptr_flag_bits", _SPARSE_FLAG, _SPARSE_BITS, "ColMajor", "RowMajor")
_KEYWORDS: Mapping[str, tuple[str, ...]] = {
    "make_layout": ("shape", "stride"),
    "make_composed_layout": ("inner", "offset", "outer"),
    "make_swizzle": ("b", "m", "s"),
    "make_ordered_layout": ("shape", "order"),
    "make_identity_layout": ("shape",),
    "tile_to_shape": ("atom", "trg_shape", "order"),
    "composition": ("lhs", "rhs"),
}
_FORMS: Mapping[str, tuple[range, Callable[..., Part]]] = {
    **dict.fromkeys(("Shape", "Stride", "Coord", "Step", "Tile", "tuple", "ArithmeticTuple"), (_ANY, _tuple)),
    **dict.fromkeys(
        ("make_shape", "make_stride", "make_coord", "make_step", "make_tile", "make_tuple"), (_ANY, _tuple)
    ),
    **dict.fromkeys(("Layout", "make_layout"), (range(1, 3), _layout)),
    "make_ordered_layout": (range(2, 3), _ordered),
    "make_identity_layout": (range(1, 2), _identity),
    **dict.fromkeys(("ComposedLayout", "make_composed_layout"), (range(3, 4), composed)),
    **dict.fromkeys(("LayoutLeft", "GenColMajor"), (range(1), lambda: Order.LEFT)),
    **dict.fromkeys(("LayoutRight", "GenRowMajor"), (range(1), lambda: Order.RIGHT)),
    **dict.fromkeys(("Swizzle", "make_swizzle"), (range(2, 4), _swizzle)),
    "ColMajor": (range(2, 3), lambda rows, columns: Layout((rows, columns), (1, rows))),
    "RowMajor": (range(2, 3), lambda rows, columns: Layout((rows, columns), (columns, 1))),
    "tile_to_shape": (range(2, 4), _tiled),
    "composition": (range(2, 4), _composition),
    "decltype": (range(1, 2), lambda value: value),
    "ScaledBasis": (range(2, MAX_DEPTH + 2), _basis),
    "Underscore": (range(1), lambda: None),
    "smem_ptr_flag": (range(1), PointerFlag),
    "smem_ptr_flag_bits": (range(1, 2), PointerFlag),
    _SPARSE_FLAG: (range(1, 2), lambda sparsity: PointerFlag(1, sparsity)),
    _SPARSE_BITS: (range(2, 3), lambda sparsity, bits: PointerFlag(bits, sparsity)),
}
NAMES = tuple(_FORMS)
