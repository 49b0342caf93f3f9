"""`TiledMma`: an MMA atom repeated over threads (the atom layout) and gathered by a permutation of the tile.

Thread coordinates are (V, M, N, K): V is the thread within an atom, the others say which atom. A permutation is a
by-mode tiler of the tile's M, N and K: None keeps the tile that the atoms cover, an integer enlarges it without a
change of ownership, a layout says which element of the mode comes where.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from math import prod
from typing import TYPE_CHECKING, overload

from tilewright.atoms import catalog
from tilewright.atoms.alias import alias
from tilewright.atoms.atom_layout import as_atom_layout, check_own_threads
from tilewright.atoms.mma import MODES, MmaAtom, checked_operand
from tilewright.atoms.parts import checked_parts, checked_tensor, checked_thread, register_fragment
from tilewright.atoms.permutation import Own, as_permutation, check_permutation
from tilewright.atoms.told import Told
from tilewright.errors import LayoutError, UsageError, shown, typed_fields
from tilewright.layout.inttuple import IntTuple, modes
from tilewright.layout.layout import Layout
from tilewright.layout.operations import (
    complement,
    composition,
    get_flat_coord,
    logical_divide,
    make_layout,
    right_inverse,
    tiled_product,
    zipped_divide,
)
from tilewright.layout.view import through

if TYPE_CHECKING:
    from tilewright.atoms.parts import Tensor
    from tilewright.layout.algebra.tiler import KnownTiler, Tiler
    from tilewright.layout.axes import Value
    from tilewright.layout.composed import ComposedLayout
    from tilewright.layout.inttuple import Ints
    from tilewright.layout.methods import V
    from tilewright.layout.view import Seen


@dataclass(frozen=True, repr=False)
@typed_fields
class TiledMma(Told):
    """An MMA over a tile: `atom` x `atom_layout` x `permutation`. Build it with `make_tiled_mma`.

    Raises:
        LayoutError: atoms without threads of their own; a permutation that is none, or that the atoms do not divide.
        UsageError: a field of another type.

    The layout (thread, value) -> coordinate of an operand's whole tile is `tiled_tv_layout("A")`, and has the names
    of all peers; one atom's layout is `tv_layout_A`.

    | of the tile | of one atom | whose name |
    |---|---|---|
    | `tiled_tv_layout_A` | `tv_layout_A` | FlyDSL's document and ours |
    | `tv_layout_A_tiled` | `atom.layout_A_tv` | FlyDSL's release |
    | `layoutA_TV` | | CuTe's `get_layoutA_TV()` |

    Source: CuTe's `TiledMMA`.

    >>> from tilewright.atoms.catalog import mma
    >>> tiled = make_tiled_mma(mma("SM80_16x8x16_F32F16F16F32_TN"), Layout((2, 2, 1)), (32, 32, 16))
    >>> tiled.tile_size_mnk, tiled.size
    ((32, 32, 16), 128)
    >>> print(tiled.tiled_tv_layout_C)
    ((4,8,2,2),((2,2),(1,2))):((64,1,16,256),((32,8),(0,512)))
    """

    atom: MmaAtom
    atom_layout: Layout[int]
    permutation: tuple[Own | None, Own | None, Own | None] = (None, None, None)

    def __post_init__(self) -> None:
        object.__setattr__(self, "atom_layout", as_atom_layout(self.atom_layout))
        object.__setattr__(self, "permutation", as_permutation(self.permutation))
        if self.atom.blocks > 1:
            raise LayoutError(
                f"{self.atom.name} does {self.atom.blocks} products at once, each of its own A and B: that is no tile "
                "of M x N x K; spread its operands by their thread-value layouts"
            )
        check_own_threads(self.atom.thr_layout, self.atom_layout)
        for i, (mode, extent) in enumerate(zip(self.permutation_mnk, self.atom.shape_mnk, strict=True)):
            check_permutation("MNK"[i], mode, extent * self.atom_layout[i].size)
        _check_tiles(self)

    @cached_property
    def thr_layout_vmnk(self) -> Layout[int]:
        """The thread coordinates (V, M, N, K) -> thread index."""
        layout: Layout[int] = tiled_product(self.atom.thr_layout, self.atom_layout)
        return layout

    @property
    def size(self) -> int:
        """The number of threads."""
        return int(self.thr_layout_vmnk.size)

    @cached_property
    def permutation_mnk(self) -> tuple[Own, Own, Own]:
        """The permutation with None replaced by the tile that the atoms cover."""
        covered = (e * self.atom_layout[i].size for i, e in enumerate(self.atom.shape_mnk))
        m, n, k = (own if p is None else p for p, own in zip(self.permutation, covered, strict=True))
        return m, n, k

    @cached_property
    def tile_size_mnk(self) -> tuple[int, int, int]:
        """M, N and K of the tile."""
        m, n, k = (p.size if isinstance(p, Layout) else p for p in self.permutation_mnk)
        return m, n, k

    @overload
    def thrfrg(self, operand: str, tensor: Seen) -> Seen: ...
    @overload
    def thrfrg(self, operand: str, tensor: Tensor[V]) -> Tensor[V]: ...
    def thrfrg(self, operand: str, tensor: Tensor[V] | Seen) -> Tensor[V] | Seen:
        """((V, threads of each mode), (values, rest of each mode)) -> what `tensor` holds there.

        `tensor` is over (M, K), (N, K) or (M, N), whose first two modes are divided.
        """
        found: Tensor[V] | Seen = through(tensor, lambda layout: self._thrfrg(operand, layout))
        return found

    def _thrfrg(self, operand: str, tensor: Tensor[V]) -> Tensor[V]:
        held = checked_tensor(tensor)
        if not isinstance(held, Layout):
            return held.over_inner(lambda inner: self._thrfrg(operand, inner))
        first, second = MODES[checked_operand(operand)]
        tile = (self.permutation_mnk[first], self.permutation_mnk[second])
        shape = self.atom.shape_mnk
        by_atom = zipped_divide(logical_divide(held, tile), (Layout(shape[first]), Layout(shape[second])))
        values = composition(by_atom[0], self.atom.tv_layout(operand))
        atoms = zipped_divide(by_atom[1], (Layout(self._atoms(first)), Layout(self._atoms(second))))
        return make_layout(*(make_layout(values[i], atoms[i]) for i in (0, 1)))

    def tidfrg(self, operand: str, tensor: Tensor[V]) -> Tensor[V]:
        """(thread, (values, rest of each mode)) -> what `tensor` holds there; a thread of the hardware, as `get_slice`.

        >>> from tilewright.atoms.catalog import mma
        >>> tiled = make_tiled_mma(mma("SM80_16x8x8_F16F16F16F16_TN"))
        >>> print(tiled.tidfrg("B", Layout((16, 8), (8, 1))))
        (32,(2,(2,1))):(2,(1,(64,0)))
        """
        spread = composition(self.thrfrg(operand, tensor), (self._broadcast(operand), None))
        return composition(spread, (self._threads_to_vmnk, None))

    def _atoms(self, mode: int) -> int:
        return int(self.thr_layout_vmnk[mode + 1].size)

    def tiled_tv_layout(self, operand: str) -> Layout[int]:
        """(thread, value) -> colexicographic coordinate of the operand's whole tile."""
        layout = self.tidfrg(operand, Layout(self.tile(operand)))
        assert isinstance(layout, Layout)  # of a layout
        return layout

    def tile(self, operand: str) -> tuple[int, int]:
        """The tile of an operand: (M, K), (N, K) or (M, N)."""
        first, second = MODES[checked_operand(operand)]
        return self.tile_size_mnk[first], self.tile_size_mnk[second]

    def _broadcast(self, operand: str) -> KnownTiler:
        """(V, (M, K)) seen from all threads (V, (M, N, K)): the mode that the operand lacks gets stride 0."""
        m, n, k = map(self._atoms, range(3))
        if operand == "C":  # CuTe leaves K out, and its threads with k > 0 leave the tile
            return (None, (None, Layout((n, k), (1, 0)))) if k > 1 else None
        return (None, (Layout((m, n), (1, 0) if operand == "A" else (0, 1)), None))

    @cached_property
    def _threads_to_vmnk(self) -> Layout[int]:
        vmnk = self.thr_layout_vmnk
        whole = Layout((vmnk.shape, complement(vmnk).shape), (vmnk.stride, complement(vmnk).stride))
        layout: Layout[int] = composition(Layout((vmnk.size, 1), (1, 0)), right_inverse(whole))
        return layout

    @cached_property
    def tiled_tv_layout_A(self) -> Layout[int]:
        """(thread, value) -> m + tile_M k; threads that differ in N only own the same elements."""
        return self.tiled_tv_layout("A")

    @cached_property
    def tiled_tv_layout_B(self) -> Layout[int]:
        """(thread, value) -> n + tile_N k; threads that differ in M only own the same elements."""
        return self.tiled_tv_layout("B")

    @cached_property
    def tiled_tv_layout_C(self) -> Layout[int]:
        """(thread, value) -> m + tile_M n; threads that differ in K only hold partial sums of the same elements."""
        return self.tiled_tv_layout("C")

    tv_layout_A_tiled = alias(Layout[int], "tiled_tv_layout_A", "the FlyDSL release")
    tv_layout_B_tiled = alias(Layout[int], "tiled_tv_layout_B", "the FlyDSL release")
    tv_layout_C_tiled = alias(Layout[int], "tiled_tv_layout_C", "the FlyDSL release")
    shape_mnk = alias(tuple[int, int, int], "atom.shape_mnk", "CuTe, whose tiled MMA is its atom too")
    thr_layout = alias(Layout[int], "atom.thr_layout", "CuTe, whose tiled MMA is its atom too")
    tv_layout_A = alias(Layout[int], "atom.tv_layout_A", "CuTe, whose tiled MMA is its atom too")
    tv_layout_B = alias(Layout[int], "atom.tv_layout_B", "CuTe, whose tiled MMA is its atom too")
    tv_layout_C = alias(Layout[int], "atom.tv_layout_C", "CuTe, whose tiled MMA is its atom too")
    layoutA_TV = alias(Layout[int], "tiled_tv_layout_A", "CuTe")
    layoutB_TV = alias(Layout[int], "tiled_tv_layout_B", "CuTe")
    layoutC_TV = alias(Layout[int], "tiled_tv_layout_C", "CuTe")

    def partition_shape(self, operand: str, shape: Ints) -> tuple[IntTuple, ...]:
        """The (values, rest, rest) shape of one thread's part of an operand of that shape."""
        values = self.thrfrg(operand, Layout(shape))[1]
        return (values[0].shape, *modes(values[1].shape))

    def partition_fragment(self, operand: str, shape: Ints) -> Layout[int]:
        """A compact register fragment for one thread's part of an operand of that shape."""
        return Layout(self.partition_shape(operand, shape))

    def get_slice(self, thr_idx: int) -> ThrMma:
        """What thread `thr_idx` does: a thread of the hardware, so that those of a quad pair are 0-3 and 16-19.

        Raises:
            UsageError: there is no such thread.
        """
        return ThrMma(self, checked_thread(thr_idx, self._threads_to_vmnk.size))

    thr_slice = get_slice

    @overload
    def make_fragment_A(self, a: Seen) -> Seen: ...
    @overload
    def make_fragment_A(self, a: Layout[Value] | ComposedLayout[Value]) -> Layout[int]: ...
    def make_fragment_A(self, a: Layout[Value] | ComposedLayout[Value] | Seen) -> Layout[int] | Seen:
        """A register fragment for a thread's part of a block's tensor over (M, K); all threads' are alike."""
        return self.get_slice(0).make_fragment_A(a)

    @overload
    def make_fragment_B(self, b: Seen) -> Seen: ...
    @overload
    def make_fragment_B(self, b: Layout[Value] | ComposedLayout[Value]) -> Layout[int]: ...
    def make_fragment_B(self, b: Layout[Value] | ComposedLayout[Value] | Seen) -> Layout[int] | Seen:
        """A register fragment for a thread's part of a block's tensor over (N, K); all threads' are alike."""
        return self.get_slice(0).make_fragment_B(b)

    @overload
    def make_fragment_C(self, c: Seen) -> Seen: ...
    @overload
    def make_fragment_C(self, c: Layout[Value] | ComposedLayout[Value]) -> Layout[int]: ...
    def make_fragment_C(self, c: Layout[Value] | ComposedLayout[Value] | Seen) -> Layout[int] | Seen:
        """A register fragment for a thread's part of a block's tensor over (M, N); all threads' are alike."""
        return self.get_slice(0).make_fragment_C(c)

    def __str__(self) -> str:
        m, n, k = self.tile_size_mnk
        return f"TiledMma {self.atom.name} x {self.atom_layout}: tile {m}x{n}x{k}, {self.size} threads"


@dataclass(frozen=True)
@typed_fields
class ThrMma:
    """One thread of a tiled MMA. Partitions are of the kind of what is partitioned, with this thread's offset inside.

    Raises:
        UsageError: no tiled MMA, or a thread that it has not.

    >>> from tilewright.atoms.universal import universal_fma
    >>> from tilewright.layout.construct import make_identity_tensor
    >>> tiled = make_tiled_mma(universal_fma(), Layout((16, 16, 1)), (Layout((16, 4), (4, 1)), None, None))
    >>> part = tiled.get_slice(1).partition_C(make_identity_tensor((128, 16)))
    >>> [part(i) for i in range(8)]
    [(4, 0), (5, 0), (6, 0), (7, 0), (68, 0), (69, 0), (70, 0), (71, 0)]
    """

    tiled_mma: TiledMma
    thread: int

    def __post_init__(self) -> None:
        checked_thread(self.thread, self.tiled_mma._threads_to_vmnk.size)

    thr_idx = alias(int, "thread", "FlyDSL")

    @overload
    def partition(self, operand: str, tensor: Seen) -> Seen: ...
    @overload
    def partition(self, operand: str, tensor: Tensor[V]) -> Tensor[V]: ...
    def partition(self, operand: str, tensor: Tensor[V] | Seen) -> Tensor[V] | Seen:
        """(values, rest, rest) -> what `tensor` holds there for this thread."""
        found: Tensor[V] | Seen = through(
            tensor, lambda layout: self.part_of(operand, self.tiled_mma.thrfrg(operand, layout))
        )
        return found

    def part_of(self, operand: str, frag: Tensor[V]) -> Tensor[V]:
        """This thread's part of what `thrfrg` of the tiled MMA gives for the operand, which all threads may share."""
        first, second = MODES[checked_operand(operand)]
        vmnk = get_flat_coord(self.tiled_mma.thr_layout_vmnk, self.thread)
        assert isinstance(vmnk, tuple)  # of four modes
        mine = (vmnk[0], (vmnk[first + 1], vmnk[second + 1]))
        held: Tensor[V] = checked_parts(frag, 2, "thrfrg")
        values: Tensor[V] = checked_parts(held[1], 2, "thrfrg")
        return held.slice_with_offset((mine, (None, (None,) * values[1].rank)))

    @overload
    def partition_A(self, a: Seen) -> Seen: ...
    @overload
    def partition_A(self, a: Tensor[V]) -> Tensor[V]: ...
    def partition_A(self, a: Tensor[V] | Seen) -> Tensor[V] | Seen:
        """This thread's part of a tensor over (M, K)."""
        return self.partition("A", a)

    @overload
    def partition_B(self, b: Seen) -> Seen: ...
    @overload
    def partition_B(self, b: Tensor[V]) -> Tensor[V]: ...
    def partition_B(self, b: Tensor[V] | Seen) -> Tensor[V] | Seen:
        """This thread's part of a tensor over (N, K)."""
        return self.partition("B", b)

    @overload
    def partition_C(self, c: Seen) -> Seen: ...
    @overload
    def partition_C(self, c: Tensor[V]) -> Tensor[V]: ...
    def partition_C(self, c: Tensor[V] | Seen) -> Tensor[V] | Seen:
        """This thread's part of a tensor over (M, N)."""
        return self.partition("C", c)

    @overload
    def make_fragment_A(self, a: Seen) -> Seen: ...
    @overload
    def make_fragment_A(self, a: Layout[Value] | ComposedLayout[Value]) -> Layout[int]: ...
    def make_fragment_A(self, a: Layout[Value] | ComposedLayout[Value] | Seen) -> Layout[int] | Seen:
        """A register fragment for this thread's part of a block's tensor over (M, K)."""
        return register_fragment(self.partition_A(a))

    @overload
    def make_fragment_B(self, b: Seen) -> Seen: ...
    @overload
    def make_fragment_B(self, b: Layout[Value] | ComposedLayout[Value]) -> Layout[int]: ...
    def make_fragment_B(self, b: Layout[Value] | ComposedLayout[Value] | Seen) -> Layout[int] | Seen:
        """A register fragment for this thread's part of a block's tensor over (N, K)."""
        return register_fragment(self.partition_B(b))

    @overload
    def make_fragment_C(self, c: Seen) -> Seen: ...
    @overload
    def make_fragment_C(self, c: Layout[Value] | ComposedLayout[Value]) -> Layout[int]: ...
    def make_fragment_C(self, c: Layout[Value] | ComposedLayout[Value] | Seen) -> Layout[int] | Seen:
        """A register fragment for this thread's part of a block's tensor over (M, N)."""
        return register_fragment(self.partition_C(c))


def make_tiled_mma(
    mma_atom: MmaAtom | str,
    atom_layout: Layout[int] | Ints | None = None,
    permutation: Tiler = None,
    *,
    permutation_mnk: Tiler = None,
) -> TiledMma:
    """A tiled MMA of an atom, a layout of atoms over (M, N, K), and a permutation of the tile.

    Args:
        mma_atom: the atom, or its name.
        atom_layout: a layout or shape of up to three modes; the missing ones are 1:0. One atom by default.
        permutation: for each of M, N, K: None, an integer, or a layout. All None by default.
        permutation_mnk: the same under CuTe's name.

    Raises:
        UsageError: arguments that are no such values.
        LayoutError: atoms without threads of their own; a permutation that is none, or that the atoms do not divide.

    >>> from tilewright.atoms.cdna import mfma
    >>> print(make_tiled_mma(mfma(16, 16, 4, ("float32",) * 4), Layout((2, 2, 1))).thr_layout_vmnk)
    (64,2,2,1):(1,64,128,0)
    """
    atom = catalog.mma(mma_atom) if isinstance(mma_atom, str) else mma_atom
    if not isinstance(atom, MmaAtom):
        raise UsageError(f"make_tiled_mma: the first argument is an MMA atom or the name of one, got {shown(atom)}")
    if permutation is not None and permutation_mnk is not None:
        raise UsageError("make_tiled_mma: permutation and permutation_mnk are one thing; give one of them")
    own = as_permutation(permutation_mnk if permutation is None else permutation)
    return TiledMma(atom, as_atom_layout(atom_layout), own)


def _check_tiles(tiled: TiledMma) -> None:
    """Every operand's tile can be shared out, and all of it is."""
    for operand in MODES if any(isinstance(p, Layout) for p in tiled.permutation) else ():
        tile, atom = tiled.tile(operand), tiled.atom
        try:
            held = tiled.thrfrg(operand, Layout(tile)).size
        except LayoutError as refusal:
            raise LayoutError(f"the permutation tears {operand}'s atoms apart: {refusal}") from refusal
        if held * prod(atom.tile(operand)) != atom.tv_layout(operand).size * prod(tile):
            raise LayoutError(f"the permutation does not cut {operand}'s tile of {tile} evenly into atoms")
