"""The entry points: text in, object out. `parse` knows every notation by its looks, the others read one kind."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, TypeAlias, TypeGuard, TypeVar, get_args, get_origin, overload

from tilewright.errors import LayoutError, NotationError, shown
from tilewright.layout.algebra.tiler import as_tiler
from tilewright.layout.composed import ComposedLayout
from tilewright.layout.coord_swizzle import CoordSwizzle
from tilewright.layout.inttuple import IntTuple
from tilewright.layout.layout import Layout
from tilewright.layout.linear.linear import LinearLayout
from tilewright.layout.swizzle import Swizzle
from tilewright.layout.symbolic.symint import SymInt
from tilewright.layout.typed import TypedLayout
from tilewright.notation.atom_types import atom_type, is_atom_type
from tilewright.notation.cpp import ATOMS, Atom
from tilewright.notation.cute import body, swizzle
from tilewright.notation.cutlass import cutlass, is_cutlass
from tilewright.notation.elements import Tree, int_tuple
from tilewright.notation.instructions import is_instruction, refuse_instruction
from tilewright.notation.linear_text import is_linear, linear
from tilewright.notation.message import is_message, message
from tilewright.notation.printed_atoms import is_printed_atom, printed_atom
from tilewright.notation.reader import Reader
from tilewright.notation.tensors import is_tensor, tensor
from tilewright.notation.tirx import Tirx, is_tirx, tirx
from tilewright.notation.tokens import Token
from tilewright.notation.triton import attribute_text, is_triton
from tilewright.notation.triton_layouts import attribute_layout
from tilewright.notation.triton_padded import KIND as PADDED
from tilewright.notation.triton_padded import padded_layout
from tilewright.notation.words import pass_declared

if TYPE_CHECKING:
    from tilewright.layout.axes import Value

Item = TypeVar("Item")
Wanted = TypeVar("Wanted")

Cute: TypeAlias = "Tree | Swizzle | CoordSwizzle"
Object: TypeAlias = "Cute | Tirx | LinearLayout | Atom"
Rule: TypeAlias = "Callable[[Reader], Object]"


@overload
def parse(text: str, kind: None = None, *, plain: Callable[[int], int | SymInt] = int) -> Object: ...
@overload
def parse(text: str, kind: type[Wanted], *, plain: Callable[[int], int | SymInt] = int) -> Wanted: ...
def parse(
    text: str, kind: type[Wanted] | None = None, *, plain: Callable[[int], int | SymInt] = int
) -> Wanted | Object:
    """The object that a text of any notation describes; `notation.text` writes it again.

    With a `kind` it must be one of that kind, and has its type: `tw.parse(text, tw.Layout)` is a layout to readers, to
    type checkers and at run time.

    | text | object |
    |---|---|
    | `(4,(2,8)):(1,(16,4))`, `(4,8):(1@0,1@1)`, `(4,8):(1E0,1E1)`, `8:?{div=4}` | `Layout` |
    | `Sw<3,3,3>`, `S<3,3,3>` | `Swizzle` |
    | `Sw<3,3,3> o 0 o (8,64):(64,1)` | `ComposedLayout` |
    | `Sw<3,4,3> o smem_ptr[16b](unset) o (8,64):(64,1)`, as CuTe prints it | the same, its swizzle in elements |
    | `Layout<Shape<_8,_64>,Stride<_64,_1>>`, `cute::ComposedLayout<...>`, `Layout((8, 64), (64, 1))` | the same |
    | `cute.make_layout((8, 64), stride=(64, 1))`, `cute.make_ordered_layout((8, 64), order=(1, 0))` | the same |
    | `Sw<3,4,3>_smem_ptr[16b](0x7f00) o (_8,_64):(_64,_1)`, `raw_ptr(0x400: f16, smem) o ..`, `tensor<ptr<..> o ..>`, \
`!cute.memref<f16, smem, align<128>, S<3,4,3>, "..">`, printed tensors of CuTe, CuTe DSL, FlyDSL | where elements lie |
    | `cute::Tensor<cute::ViewEngine<cute::smem_ptr<cutlass::half_t*> >, cute::Layout<..> >` | its layout |
    | `GMMA::Layout_K_SW128_Atom<half_t>`, `tile_to_shape(Layout_K_SW128_Atom<half_t>{}, Shape<_64,_64>{})` | the same |
    | `GMMA::Layout_K_SW128_SpAtom<half_t,2>`, `smem_sparse_ptr_flag_bits<2,16>` in a type | where what is stored lies |
    | `ColMajor<16,2>`, `RowMajor<16,2>`, `swizzle<2,3,3>` | `Layout`, `Swizzle` |
    | `(4,(2,8))`, `_4`, `(_,3)`, `1@laneid` | int tuples and their leaves, `_` and `*` being None |
    | `[4|_|(2,4):(1,8)]`, `[4; _]` | tilers: tuples |
    | `S[(8,64):(64@m,1@m)] + R[4:32@TLane] + 5@warpid`, `TileLayout(...)`, `T.TileLayout(...)` | `TileLayout` |
    | `ComposeLayout(...)`, `SwizzleLayout(3, 3, 3)` | `ComposeLayout`, `SwizzleLayout` |
    | `{lane = [[1], [2]]} -> {offset = 4}`, the table that Triton prints | `LinearLayout` |
    | `#ttg.blocked<{...}>`, `tensor<64x64xf16, #ttg.nvidia_mma<{...}>>` | `LinearLayout` |
    | `BlockedLayout(size_per_thread=[1, 4], ..)`, `gl.SliceLayout(1, ..)`, layouts of Gluon | `LinearLayout` |
    | `#ttng.tensor_memory_encoding<blockM = 128, blockN = 64, colStride = 1>` | `LinearLayout` |
    | `SM80_16x8x16_F32F16F16F32_TN`, `MMA_Atom<..>`, `MMA_Atom<MMA_Traits<..>>` | `MmaAtom` |
    | `Copy_Atom<SM75_U32x4_LDSM_N, half_t>`, `Copy_Atom<Copy_Traits<..>, ..>` | `CopyAtom` |
    | `TiledMMA<MMA_Atom<..>, Layout<..>, Tile<..>>`, `make_tiled_mma(..)` | `TiledMma` |
    | `TiledCopy<Copy_Atom<..>, Layout<..>, Shape<..>>`, `make_tiled_copy(..)` | `TiledCopy` |
    | `MMA_Atom ThrID: .. Shape_MNK: ..`, `Tiled Copy Tiler MN: ..`, as CuTe and CuTe DSL print them | the same |
    | `error: static assertion failed .. [with X = cute::Layout<..>]` | the one type in a compiler's message |
    | `#ttg.padded_shared<[32:+4] {order = [1, 0], shape = [64, 32]}>` | `Layout`, its gaps counted |

    Args:
        text: at most 1 MiB; brackets nest 64 deep, a tuple has 4,096 leaves, integers are below 2^63.
        kind: a class of the table, such as `Layout`, `ComposedLayout`, `TileLayout` or `int`; None takes any.
            `Layout[int]` is a layout of integers that are known: no coordinates, no run-time values. `TypedLayout` is
            one with the width of elements that the text tells.
        plain: makes the value of an integer without CuTe's `_`, where `4` is a run-time value and `_4` is not.

    Raises:
        NotationError: the text cannot be read, or is of another kind; a caret shows where, and what was expected.
        LayoutError: the text can be read, but its numbers are no such object; or the kind is no class.

    >>> parse("(4,(2,8)):(1,(16,4))", Layout).size
    64
    >>> parse("Sw<3,3,3>", Layout)
    Traceback (most recent call last):
        ...
    tilewright.errors.NotationError: expected Layout, got Swizzle
        Sw<3,3,3>
        ^
    >>> parse("(4,(2,8)):(1,(16,4))"), parse("(4,(2,8))"), parse("[4|_|(2,4):(1,8)]")
    (Layout((4, (2, 8)), (1, (16, 4))), (4, (2, 8)), (4, None, Layout((2, 4), (1, 8))))
    >>> parse("(4,8]:(1,4)")
    Traceback (most recent call last):
        ...
    tilewright.errors.NotationError: expected ',' or ')', got ']'
        (4,8]:(1,4)
            ^
    """
    r, found, start = _found(text, plain, kind)
    return found if kind is None else _of_kind(r, found, kind, start)


def _found(text: str, plain: Callable[[int], int | SymInt], kind: type[Wanted] | None) -> tuple[Reader, Object, Token]:
    """What a text says, or in a compiler's message the one type of that kind."""
    try:
        return _read(text, plain)
    except (NotationError, LayoutError):
        if not isinstance(text, str) or not is_message(text):
            raise
    part = message(text, lambda words: _read(words, plain)[1], lambda found: kind is None or _could_be(found, kind))
    return _read(part, plain)


def _read(text: str, plain: Callable[[int], int | SymInt]) -> tuple[Reader, Object, Token]:
    """The object of a text, where it begins, and the reader that knows what else is told."""
    r = Reader(text, plain)
    declared, start = pass_declared(r), r.token
    rule: Rule = next((rule for looks_like, rule in _NOTATIONS if looks_like(r)), body)
    found = rule(r)
    if declared == "=":
        r.accept(";")
    r.expect_end()
    if declared == ":" and not isinstance(found, (Layout, ComposedLayout, *ATOMS)):
        r.refuse("expected a layout, shape:stride, behind its name", start)
    return r, found, start


def element_width(text: str) -> int | None:
    """The bits of an element, where the text tells them: in a pointer, in a tensor's or an atom's type.

    Raises:
        NotationError, LayoutError: the text cannot be read.

    >>> element_width("Sw<3,4,3>_smem_ptr[16b](0x400) o (8,64):(64,1)"), element_width("(8,64):(64,1)")
    (16, None)
    """
    return _width(_found(text, int, None)[0])


def leaf_place(text: str, right: Callable[[object], bool]) -> int:
    """Where in the text of a tuple its first leaf stands that is not right; where it begins, if that is not known.

    Raises:
        NotationError, LayoutError: the text cannot be read.

    >>> leaf_place("(4, (2, -8))", lambda leaf: leaf == 4), leaf_place("(4, (2, -8))", lambda leaf: leaf in (2, 4))
    (5, 8)
    """
    r, found, start = _found(text, int, None)
    leaves = list(_leaves(found))
    known = len(r.places) == len(leaves) and not any(isinstance(leaf, Layout | ComposedLayout) for leaf in leaves)
    pairs = zip(r.places, leaves, strict=True) if known else ()
    return next((at for at, leaf in pairs if not right(leaf)), start.at)


def _leaves(found: object) -> Iterator[object]:
    if isinstance(found, tuple) and found:
        for item in found:
            yield from _leaves(item)
    else:
        yield found


def _width(r: Reader) -> int | None:
    """The one width that the text tells, if it does."""
    return next(iter(r.widths)) if len(r.widths) == 1 else None


def _of_kind(r: Reader, found: Object, kind: type[Wanted], start: Token) -> Wanted:
    wanted, values = get_origin(kind) or kind, get_args(kind)
    if not isinstance(wanted, type) or values not in ((), (int,)):
        raise LayoutError(f"a kind is a class, such as Layout or Layout[int], got {shown(kind)}")
    placed = _typed(r, found, start) if wanted is TypedLayout else found
    if not _is_a(placed, kind, wanted):
        r.refuse(f"expected {wanted.__name__}, got {type(found).__name__}", start)
    if values and not (isinstance(found, Layout | ComposedLayout) and _gives_known_integers(found)):
        r.refuse(f"expected {wanted.__name__}[int], whose values are known integers", start)
    return placed


def _could_be(found: object, kind: type[Wanted]) -> bool:
    """Is it of the kind, as far as classes say?"""
    wanted = get_origin(kind) or kind
    if wanted is TypedLayout:
        return isinstance(found, Layout | ComposedLayout)
    return not isinstance(wanted, type) or isinstance(found, wanted)


def _typed(r: Reader, found: object, start: Token) -> TypedLayout | object:
    """A layout with the width of elements that its text tells."""
    if not isinstance(found, Layout | ComposedLayout):
        return found
    width = _width(r)
    if width is None:
        r.refuse(
            "expected a pointer or a type that tells the bits of an element, such as smem_ptr[16b](0x0) o ..", start
        )
    return TypedLayout(found, width)


def _is_a(found: object, kind: type[Wanted], wanted: type[object]) -> TypeGuard[Wanted]:
    return isinstance(found, wanted)


def _gives_known_integers(layout: Layout | ComposedLayout) -> bool:
    if isinstance(layout, Layout):
        return layout.is_static
    parts = (layout.inner, *([layout.outer] if isinstance(layout.outer, Layout | ComposedLayout) else []))
    return type(layout.offset) is int and all(map(_gives_known_integers, parts))


def _triton(r: Reader) -> LinearLayout | Layout | ComposedLayout:
    start = r.token
    found, shape = attribute_text(r)
    layout = padded_layout if found.kind == PADDED else attribute_layout
    return r.checked(lambda: layout(found, shape), found.start or start)


_NOTATIONS: tuple[tuple[Callable[[Reader], bool], Rule], ...] = (
    (is_atom_type, atom_type),
    (is_printed_atom, printed_atom),
    (is_tensor, tensor),
    (is_triton, _triton),
    (is_linear, linear),
    (is_tirx, tirx),
    (is_cutlass, cutlass),
    (is_instruction, refuse_instruction),
)


def _whole(r: Reader, rule: Callable[[Reader], Item]) -> Item:
    found = rule(r)
    r.expect_end()
    return found


def parse_layout(text: str) -> Layout[Value] | ComposedLayout[Value]:
    """A layout or composed layout in CuTe's or fly's notation.

    Raises:
        NotationError: the text is no such object; a caret shows where.

    >>> print(parse_layout("(4,8):(1E0,1E1)"))
    (4,8):(1@0,1@1)
    """
    r = Reader(text)
    start = r.token
    found = _whole(r, body)
    return found if isinstance(found, Layout | ComposedLayout) else r.refuse("expected a layout, shape:stride", start)


def parse_int_tuple(text: str) -> IntTuple:
    """An int tuple, such as a shape: integers, run-time values and basis values in nested brackets, `_` for None.

    Raises:
        NotationError: the text is no such object; a caret shows where.

    >>> parse_int_tuple("(4, (2, 8))"), parse_int_tuple("8")
    ((4, (2, 8)), 8)
    """
    return _whole(Reader(text), int_tuple)


def parse_coord(text: str) -> IntTuple | dict[str, int]:
    """A coordinate: an int tuple, `_` for a mode that stays; or `lane=3, warp=1`, which is a dictionary.

    The outermost parentheses may be left out, as shells would want them quoted: `3,5` is `(3,5)`.

    Raises:
        NotationError: the text is no such object; a caret shows where.

    >>> parse_coord("(_,(1,2))"), parse_coord("lane=3, warp=1")
    ((None, (1, 2)), {'lane': 3, 'warp': 1})
    """
    r = Reader(text)
    named = r.at("name") and r.look().kind == "="
    return _whole(r, _named) if named else _whole(r, _bare)


def _bare(r: Reader) -> IntTuple:
    first = int_tuple(r)
    rest = []
    while r.accept(","):
        rest.append(int_tuple(r))
    return (first, *rest) if rest else first


def _named(r: Reader) -> dict[str, int]:
    found: dict[str, int] = {}
    while not found or r.accept(","):
        name = r.expect_name()
        r.expect("=")
        found[name] = r.integer()
    return found


def parse_tiler(text: str) -> Cute:
    """A tiler: None, an integer, a layout, or a tuple of tilers; `[4|_]`, `[4; _]` and `(4,_)` are the same.

    Raises:
        NotationError: the text cannot be read.
        LayoutError: it is no tiler: it holds a swizzle, an integer below 1, or one on an axis.

    >>> parse_tiler("[4|_|(2,4):(1,8)]")
    (4, None, Layout((2, 4), (1, 8)))
    """
    return _whole(Reader(text), _tiler)


def _tiler(r: Reader) -> Cute:
    start = r.token
    found = body(r)
    return r.checked(lambda: as_tiler(found), start)


def parse_swizzle(text: str) -> Swizzle:
    """`Sw<b,m,s>`, or `S<b,m,s>`.

    Raises:
        NotationError: the text is no such object; a caret shows where.

    >>> print(parse_swizzle("S<3,3,3>"))
    Sw<3,3,3>
    """
    return _whole(Reader(text), swizzle)


def parse_fly(text: str) -> Cute:
    """Any object in fly's notation, bare or as a type: `!fly.layout<(4,8):(1,4)>`.

    Raises:
        NotationError: the text is no such object; a caret shows where.

    >>> parse_fly("!fly.tile<[4|*]>")
    (4, None)
    """
    return _whole(Reader(text), body)


def parse_tirx(text: str) -> Tirx:
    """A TIRx layout in any of its texts.

    Raises:
        NotationError: the text is no such object; a caret shows where.

    >>> parse_tirx("T.TileLayout(T.S[(8, 4):(4 @ Axis.laneid, 1)] + 5 @ Axis.warpid)")
    TileLayout(S[(8, 4):(4 @ laneid, 1)] + 5 @ warpid)
    """
    return _whole(Reader(text), tirx)


def parse_linear(text: str) -> LinearLayout:
    """The linear layout of a text in our form or in the table that Triton prints.

    Raises:
        NotationError: the text is no such object; a caret shows where.

    >>> print(parse_linear("- lane=1 -> (1) lane=2 -> (2) where out dims are: [offset (size 4)]"))
    {lane = [[1], [2]]} -> {offset = 4}
    """
    return _whole(Reader(text), linear)


def parse_triton(text: str, shape: Sequence[int] | None = None) -> LinearLayout:
    """The linear layout that a Triton layout attribute means for a tensor of that shape.

    The shape may also stand in the text, as the type `tensor<128x64xf16, #ttg.blocked<{...}>>`; without any, the
    smallest tensor that shows the whole attribute is taken. Aliases (`#blocked = #ttg.blocked<...>`) may go before.
    Read are blocked, linear, slice and shared layouts, those of matrix instructions (nvidia_mma, amd_mfma, amd_wmma)
    and dot_op, the operands of their products.

    Raises:
        NotationError: the text cannot be read.
        LayoutError: the attribute is of a kind that is not read, or describes no layout of that shape.

    >>> text = "#ttg.blocked<{sizePerThread = [2], threadsPerWarp = [4], warpsPerCTA = [1], order = [0]}>"
    >>> print(parse_triton(text))
    {register = [[1]], lane = [[2], [4]], warp = [], block = []} -> {dim0 = 8}
    >>> accumulator = parse_triton("#ttg.nvidia_mma<{versionMajor = 2, warpsPerCTA = [4, 1], instrShape = [16, 8]}>")
    >>> accumulator.apply({"register": 3, "lane": 5, "warp": 1, "block": 0})
    {'dim0': 25, 'dim1': 3}
    """
    r = Reader(text)
    start = r.token
    attribute, own_shape = _whole(r, attribute_text)
    if attribute.kind == PADDED:
        raise LayoutError(f"#ttg.{PADDED} has gaps and is no linear map; tw.parse gives it as a layout")
    whole = own_shape if shape is None else shape
    return r.checked(lambda: attribute_layout(attribute, whole), attribute.start or start)
