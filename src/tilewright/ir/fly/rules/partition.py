"""Who holds what of a tile: partitions by tiled copies and tiled MMAs, through `atoms/`, in fly's own form."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from tilewright.atoms import tiled_copy as copies
from tilewright.atoms import tiled_mma as mmas
from tilewright.atoms.copy_atom import CopyAtom
from tilewright.atoms.mma import MODES, MmaAtom
from tilewright.errors import LayoutError
from tilewright.ir.fly.normal_form import canonical, innermost, modes_of, over_inner
from tilewright.ir.fly.rules import making, memory
from tilewright.ir.fly.rules.atoms import atom_of
from tilewright.ir.fly.type_reader import pointer_to
from tilewright.ir.fly.type_writer import write
from tilewright.ir.fly.types import AnyLayout, CoordTensor, MemRef, TiledCopy, TiledMma, View
from tilewright.ir.fly.unguarded import algebra
from tilewright.layout import query
from tilewright.layout.arithmetic import remainder
from tilewright.layout.inttuple import modes
from tilewright.layout.layout import Layout, concatenate

if TYPE_CHECKING:
    from tilewright.layout.inttuple import IntTuple


def tiled_copy(value: TiledCopy) -> copies.TiledCopy:
    """The tiled copy of a type.

    Raises:
        LayoutError: its atom, layout and tile do not fit, or the atom is not known.
    """
    atom = atom_of(value.atom)
    if not isinstance(atom, CopyAtom):
        raise LayoutError(f"expected a tiled copy of a known atom, got {write(value)}")
    return copies.tiled_copy(atom, value.layout, value.tile.tiler)


def tiled_mma(value: TiledMma) -> mmas.TiledMma:
    """The tiled MMA of a type.

    Raises:
        LayoutError: its atom, layout and permutation do not fit, or the atom is not known.
    """
    atom = atom_of(value.atom)
    if not isinstance(atom, MmaAtom):
        raise LayoutError(f"expected a tiled MMA of a known atom, got {write(value)}")
    return mmas.make_tiled_mma(atom, value.layout, None if value.permutation is None else value.permutation.tiler)


# ---- tiled copies


def partition_src(tiled: TiledCopy, view: View, thread: IntTuple) -> View:
    """((atom values, rest), rest of each mode): what a thread reads."""
    copy = tiled_copy(tiled)
    return _of_copy(copy, view, copy.tidfrg_S(view.layout), thread)


def partition_dst(tiled: TiledCopy, view: View, thread: IntTuple) -> View:
    """((atom values, rest), rest of each mode): what a thread writes."""
    copy = tiled_copy(tiled)
    return _of_copy(copy, view, copy.tidfrg_D(view.layout), thread)


def _of_copy(copy: copies.TiledCopy, view: View, frag: AnyLayout, thread: IntTuple) -> View:
    if type(thread) is int:
        copy.get_slice(thread).check_reach()
    else:
        copy.check_reach()
    frag = over_inner(lambda x: concatenate([canonical(x[0]), canonical(x[1]), x[2]]), frag)
    return memory.part(replace(view, layout=frag), (thread, None, (None,) * frag[2].rank))


def retile(tiled: TiledCopy, view: MemRef) -> MemRef:
    """A fragment regrouped to ((atom values, rest), rest, ..) of the copy."""
    if not isinstance(view.layout, Layout):
        raise LayoutError(f"TiledCopyRetileOp: MemRefType with ComposedLayout is not supported, got {write(view)}")
    return replace(view, layout=canonical(tiled_copy(tiled).retile(view.layout)))


# ---- tiled MMAs


def partition(tiled: TiledMma, view: View, where: IntTuple, operand: str) -> View:
    """(values, rest, rest): what a thread of the MMA works on of an operand."""
    thread = query.get_scalar(where)
    mma = tiled_mma(tiled)
    if type(thread) is int:
        mma.get_slice(thread)
    frag = _frag(mma, operand, view.layout)
    vmnk = _place(thread, mma.thr_layout_vmnk)
    first, second = MODES[_letter(operand)]
    mine = (vmnk[0], (vmnk[first + 1], vmnk[second + 1]))
    return memory.part(replace(view, layout=frag), (mine, *(None,) * (frag.rank - 1)))


def _place(thread: int, vmnk: Layout[int]) -> list[IntTuple]:
    """The coordinates (V, M, N, K) of a thread; where none has to be divided by, its divisor is kept."""
    of_each = zip(modes(algebra.get_flat_coord(thread, vmnk)), modes(vmnk.shape), modes(vmnk.stride), strict=True)
    return [remainder(thread, s) if d == 1 and type(s) is int else x for x, s, d in of_each]


def partition_shape(tiled: TiledMma, shape: IntTuple, operand: str) -> IntTuple:
    """(values, rest, rest): the shape of one thread's part of an operand of that shape."""
    return modes(_frag(tiled_mma(tiled), operand, algebra.make_layout(shape)).shape)[1:]


def make_fragment(tiled: TiledMma, view: MemRef, operand: str, stages: int | None = None) -> MemRef:
    """Registers for one thread's part of an operand; with stages, for as many of them side by side."""
    if stages is not None and stages < 1:
        raise LayoutError(f"MmaMakeFragmentOp: stages must be positive, got {stages}")
    mma = tiled_mma(tiled)
    frag = modes_of(innermost(_frag(mma, operand, innermost(view.layout))))
    element = mma.atom.dtypes["dabc".index(operand)].mlir
    part = frag[1:] if stages is None else frag[1:4]
    once = making.make_fragment_layout_like(concatenate(part))
    if stages is None:
        return _registers(element, once)
    return _registers(element, concatenate([*once, canonical(Layout(stages, once.size))]))


def _frag(mma: mmas.TiledMma, operand: str, layout: AnyLayout) -> AnyLayout:
    """((threads), values, rest, rest, ..) -> what the tensor holds there, in fly's form; others as they are."""

    def change(frag: Layout) -> Layout:
        threads, (values, rest) = frag
        return concatenate([threads, canonical(values), *map(canonical, rest[:2]), *rest[2:]])

    return over_inner(change, mma.thrfrg(_letter(operand), layout))


def _letter(operand: str) -> str:
    return "C" if operand == "d" else operand.upper()


# ---- registers


def make_fragment_like(value: AnyLayout | View, element: str | None = None) -> MemRef:
    """Registers for what a layout or view holds: its first mode compact and fastest."""
    found = element or (value.pointer.element if isinstance(value, MemRef) else None)
    if found is None:
        raise LayoutError("MakeFragmentLikeOp: dtype is required when input is not MemRefType")
    layout = innermost(value.layout if isinstance(value, MemRef | CoordTensor) else value)
    if any(type(s) is not int for s, _ in layout.flat):
        raise LayoutError(f"MakeFragmentLikeOp: expected static shape layout, got {write(layout)}")
    return _registers(found, making.make_fragment_layout_like(layout))


def _registers(element: str, layout: Layout) -> MemRef:
    return MemRef(pointer_to(element, "register"), layout)
