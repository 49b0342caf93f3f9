"""Layouts as C++ types of CuTe, as they stand in CUTLASS's sources and in compilers' messages."""

from __future__ import annotations

import re
from typing import TypeAlias, get_args

from tilewright.atoms.copy_atom import CopyAtom
from tilewright.atoms.mma import MmaAtom
from tilewright.atoms.tiled_copy import TiledCopy
from tilewright.atoms.tiled_mma import TiledMma
from tilewright.dtypes import dtype
from tilewright.errors import LayoutError, shown
from tilewright.layout.axes import AxisSum
from tilewright.layout.composed import ComposedLayout
from tilewright.layout.inttuple import check_depth, in_64_bits, leaves
from tilewright.layout.layout import Layout
from tilewright.layout.swizzle import Swizzle
from tilewright.layout.symbolic.symint import SymInt

Atom: TypeAlias = MmaAtom | CopyAtom | TiledMma | TiledCopy

ATOMS = get_args(Atom)
_CUTLASS = ("SM", "Universal", "DefaultCopy", "AutoVectorizing")
_MOVES, _ADDS = re.compile(r"UniversalCopy([0-9]+)b"), re.compile(r"UniversalFMA<(\w+)>")
_RUN_TIME = {32: "int", 64: "int64_t"}


def to_cpp(x: object) -> str:
    """The C++ type of CuTe, within `using namespace cute`; `parse` reads it back to the same object.

    `Int<8>` is known when C++ compiles, `int` and `int64_t` when the kernel runs: what divides such a number has no
    type in C++ and is not written. A tuple of numbers is a `Shape`, with layouts in it a `Tile`, `_` is `Underscore`.
    The swizzle of a composed layout counts elements, as everywhere here: its type has no `smem_ptr_flag_bits`.
    Atoms, tiled MMAs and tiled copies are types of CUTLASS; the elements of a copy have so many bits.

    Raises:
        LayoutError: it has no type there: named axes, sums of several axes in one stride, objects of other views.

    >>> to_cpp(Layout((4, (2, 8)), (16, (8, 1))))
    'Layout<Shape<Int<4>,Shape<Int<2>,Int<8>>>,Stride<Int<16>,Stride<Int<8>,Int<1>>>>'
    >>> to_cpp(ComposedLayout(Swizzle(3, 3, 3), 0, Layout(8)))
    'ComposedLayout<Swizzle<3,3,3>,Int<0>,Layout<Int<8>,Int<1>>>'
    >>> from tilewright.atoms import copy
    >>> to_cpp(copy("SM75_U32x4_LDSM_N").with_element("f16"))
    'Copy_Atom<SM75_U32x4_LDSM_N,uint_bit_t<16>>'
    """
    check_depth(x)
    if isinstance(x, ATOMS) and not _operation(x).startswith(_CUTLASS):
        raise LayoutError(f"CUTLASS has no operation {_operation(x)}")
    return cpp_text(x)


def cpp_text(x: object) -> str:
    """The same, of other vendors' atoms too."""
    return _type(x, "Shape")


def _operation(atom: Atom) -> str:
    own = atom.atom if isinstance(atom, TiledMma | TiledCopy) else atom
    name = _MOVES.sub(r"UniversalCopy<uint\1_t>", own.name)
    return _ADDS.sub(lambda found: f"UniversalFMA<{dtype(found[1]).c_name}>", name)


def _atom(x: Atom) -> str:
    if isinstance(x, MmaAtom):
        return f"MMA_Atom<{_operation(x)}>"
    if isinstance(x, CopyAtom):
        return f"Copy_Atom<{_operation(x)},uint_bit_t<{x.val_bits}>>"
    if isinstance(x, TiledMma):
        return f"TiledMMA<{_atom(x.atom)},{_type(x.atom_layout, '')},{_type(x.permutation, 'Tile')}>"
    return f"TiledCopy<{_atom(x.atom)},{_type(x.layout_tv, '')},{_type(x.tiler, 'Shape')}>"


def _type(x: object, name: str) -> str:
    if isinstance(x, Layout):
        return f"Layout<{_type(x.shape, 'Shape')},{_type(x.stride, 'Stride')}>"
    if isinstance(x, ComposedLayout):
        return f"ComposedLayout<{_type(x.outer, name)},{_type(x.offset, 'Coord')},{_type(x.inner, name)}>"
    if isinstance(x, Swizzle):
        return f"Swizzle<{x.b},{x.m},{x.s}>"
    if isinstance(x, tuple):
        inside = "Tile" if is_tiler(x) else name
        return f"{inside}<{','.join(_type(item, inside) for item in x)}>"
    return _atom(x) if isinstance(x, ATOMS) else _leaf(x)


def _leaf(x: object) -> str:
    if x is None:
        return "Underscore"
    if isinstance(x, SymInt):
        return _RUN_TIME[x.width]
    if type(x) is int:
        return f"Int<{in_64_bits(x)}>"
    if isinstance(x, AxisSum):
        (axis, value), *more = x.terms
        if isinstance(axis, tuple) and not more:
            return f"ScaledBasis<{_leaf(value)},{','.join(map(str, axis))}>"
    raise LayoutError(f"C++ has no type for {shown(x)}")


_LAYOUTS = (Layout, ComposedLayout)


def is_tiler(x: object) -> bool:
    """Is it a tuple with a layout somewhere inside?"""
    return isinstance(x, tuple) and any(isinstance(leaf, _LAYOUTS) for leaf in leaves(x))
