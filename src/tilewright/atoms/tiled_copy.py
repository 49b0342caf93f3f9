"""`TiledCopy`: a copy atom repeated over the threads and values of a tile."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, cast, overload

from tilewright.atoms.alias import alias
from tilewright.atoms.catalog import copy_atom as known_atom
from tilewright.atoms.copy_atom import CopyAtom
from tilewright.atoms.packing import container_of
from tilewright.atoms.parts import checked_parts, checked_tensor, checked_thread, known_extent, register_fragment
from tilewright.atoms.tiled_mma import TiledMma
from tilewright.atoms.told import Told
from tilewright.errors import LayoutError, UsageError, counted, shown, typed_fields
from tilewright.layout.algebra.recast import upcast_rounding_up
from tilewright.layout.algebra.tiler import Tiler, as_tiler, layout_or_shape
from tilewright.layout.base import no_layout
from tilewright.layout.inttuple import as_int_tuple, product
from tilewright.layout.layout import Layout
from tilewright.layout.operations import (
    coalesce,
    composition,
    logical_product,
    make_layout,
    make_layout_tv,
    right_inverse,
    with_shape,
    zipped_divide,
)
from tilewright.layout.operations import zip as zip_
from tilewright.layout.view import through

if TYPE_CHECKING:
    from tilewright.atoms.parts import Tensor
    from tilewright.layout.algebra.tiler import KnownTiler
    from tilewright.layout.base import LayoutBase
    from tilewright.layout.inttuple import Ints
    from tilewright.layout.methods import V
    from tilewright.layout.view import Seen


@dataclass(frozen=True, repr=False)
@typed_fields
class TiledCopy(Told):
    """A copy of a tile: `layout_tv` maps (thread, value) to the colexicographic coordinate in a tile of shape `tiler`.

    Build it with `make_tiled_copy`, `make_tiled_copy_tv` or `make_tiled_copy_A/_B/_C`.

    Raises:
        LayoutError: threads or values that the atom does not divide.
        UsageError: a field of another type.

    Source: CuTe's `TiledCopy`.

    >>> from tilewright.atoms.copy_universal import universal_copy
    >>> tiled = make_tiled_copy_tv(universal_copy(32).with_element(16), Layout((8, 4), (4, 1)), Layout((2, 2), (2, 1)))
    >>> print(tiled.tiler, tiled.tiled_tv_layout_S)
    (16, 8) ((4,8),(2,2)):((32,2),(16,1))
    """

    atom: CopyAtom
    layout_tv: Layout[int]
    tiler: tuple[Tiler, ...]

    def __post_init__(self) -> None:
        as_tiler(self.tiler)
        ref, held = self.atom.tv_layout_ref, self.layout_tv
        if held.rank != 2:
            raise UsageError(f"a tiled copy has a layout of (thread, value), got {held}")
        threads, values = (mode.size for mode in held)
        if threads % ref[0].size or values % ref[1].size:
            counts_bits = "; it counts bits: .with_element(16) gives it elements" if self.atom.val_bits == 1 else ""
            raise LayoutError(
                f"{self.atom.name} needs {counted(ref[0].size, 'thread')} with {counted(ref[1].size, 'value')} each,"
                f" which do not divide the {counted(threads, 'thread')} with {counted(values, 'value')} of {held}"
                f"{counts_bits}"
            )

    @property
    def _known_tiler(self) -> tuple[KnownTiler, ...]:
        return cast("tuple[KnownTiler, ...]", self.tiler)  # `tile_shape` refuses extents of run time

    @property
    def size(self) -> int:
        """The number of threads."""
        return int(self.layout_tv[0].size)

    @cached_property
    def tile_shape(self) -> tuple[int, ...]:
        """The extents of the tile, mode by mode."""
        return tuple(_size(mode) for mode in self.tiler)

    @cached_property
    def tiled_tv_layout_S(self) -> Layout[int]:
        """(thread, value) -> coordinate in the tile, at the source; where a tile's mode is a layout, before it."""
        return self._in_tile(self.atom.tv_layout_src)

    @cached_property
    def tiled_tv_layout_D(self) -> Layout[int]:
        """(thread, value) -> coordinate in the tile, at the destination; as `tiled_tv_layout_S`."""
        return self._in_tile(self.atom.tv_layout_dst)

    def _in_tile(self, target: Layout[int]) -> Layout[int]:
        layout: Layout[int] = composition(Layout(self.tile_shape), self._thread_values(target))
        return layout

    @overload
    def tidfrg_S(self, tensor: Seen) -> Seen: ...
    @overload
    def tidfrg_S(self, tensor: Tensor[V]) -> Tensor[V]: ...
    def tidfrg_S(self, tensor: Tensor[V] | Seen) -> Tensor[V] | Seen:
        """(thread, values, rest of each mode) -> what the source tensor holds there."""
        return self._tiled(tensor, self.atom.tv_layout_src)

    @overload
    def tidfrg_D(self, tensor: Seen) -> Seen: ...
    @overload
    def tidfrg_D(self, tensor: Tensor[V]) -> Tensor[V]: ...
    def tidfrg_D(self, tensor: Tensor[V] | Seen) -> Tensor[V] | Seen:
        """(thread, values, rest of each mode) -> what the destination tensor holds there."""
        return self._tiled(tensor, self.atom.tv_layout_dst)

    def _tiled(self, tensor: Tensor[V] | Seen, target: Layout[int]) -> Tensor[V] | Seen:
        def of(layout: Tensor[V]) -> Tensor[V]:
            return self._thrfrg(zipped_divide(checked_tensor(layout), self._known_tiler), target)

        found: Tensor[V] | Seen = through(tensor, of)
        return found

    def _thrfrg(self, tiles: Tensor[V], target: Layout[int]) -> Tensor[V]:
        """A tiled tensor ((tile), (rest)) seen by (thread, values, rest), the atom's threads placed as `target`."""
        if not isinstance(tiles, Layout):
            return tiles.over_inner(lambda inner: self._thrfrg(inner, target))
        view = composition(tiles[0], self._thread_values(target))
        return make_layout(view[0], view[1], tiles[1])

    def _thread_values(self, target: Layout[int]) -> Layout[int]:
        placed = composition(self._by_atom, (composition(right_inverse(self.atom.tv_layout_ref), target), None))
        layout: Layout[int] = coalesce(zip_(placed[0], placed[1]), (1, (1, 1)))
        return layout

    @cached_property
    def _by_atom(self) -> Layout[int]:
        """((thread, value) of an atom, (group of threads, run of values)) -> coordinate in the tile.

        A division would round up where a group or a run ends inside a mode, and so name other elements.
        """
        own = (mode.size for mode in self.atom.tv_layout_ref)
        parts = tuple(Layout((n, mode.size // n)) for n, mode in zip(own, self.layout_tv, strict=True))
        try:
            cut = composition(self.layout_tv, parts)
        except LayoutError as refusal:
            raise LayoutError(f"{self.atom.name} does not take {self.layout_tv} in equal parts: {refusal}") from refusal
        layout: Layout[int] = zip_(cut[0], cut[1])
        return layout

    def retile(self, t: Tensor[V]) -> Tensor[V]:
        """A fragment of a matching MMA or copy, regrouped to ((atom values, rest), rest, ..).

        The values keep their places: the first mode of the tensor holds the first values of each thread.

        Raises:
            LayoutError: the fragment does not hold the values that this copy moves.
        """
        tensor = checked_tensor(t)
        if not isinstance(tensor, Layout):
            return tensor.over_inner(self.retile)
        if tensor.rank < 2:
            raise LayoutError(f"retile: a fragment has the modes (values, rest, ..), got {tensor}")
        count, values = known_extent(tensor[0].size, "how many values a fragment has"), self.atom.tv_layout_ref[1].size
        inverse = with_shape(right_inverse(self.layout_tv), self.tile_shape)
        in_tile = upcast_rounding_up(inverse, self.size * count)
        order = zipped_divide(logical_product(Layout(count), right_inverse(in_tile)), Layout(values))
        shape = tuple(mode.size for mode in in_tile) if isinstance(in_tile.shape, tuple) else (in_tile.size,)
        tiles: Layout[V] = zipped_divide(tensor, (count, *shape))
        view = composition(tiles[0], order)
        rest: Layout[V] = tiles[1].slice((0, *(None,) * (tensor.rank - 1)))
        return make_layout(view, *rest)

    def check_reach(self) -> None:
        """Every thread stays within the tile.

        Raises:
            LayoutError: some thread would leave it.
        """
        reach, elements = self.layout_tv.cosize, product(self.tile_shape)
        if reach > elements:
            raise LayoutError(
                f"{self.layout_tv} reaches coordinate {reach - 1} of a tile of {elements} elements; where these are"
                " a layout of threads and one of values, as in CuTe's C++, write make_tiled_copy_tv"
            )

    def get_slice(self, thr_idx: int) -> ThrCopy:
        """What thread `thr_idx` does.

        Raises:
            UsageError: there is no such thread.
        """
        return ThrCopy(self, checked_thread(thr_idx, self.size))

    thr_slice = get_slice

    thr_layout = alias(Layout[int], "atom.thr_layout", "CuTe, whose tiled copy is its atom too")
    tv_layout_src = alias(Layout[int], "atom.tv_layout_src", "CuTe, whose tiled copy is its atom too")
    tv_layout_dst = alias(Layout[int], "atom.tv_layout_dst", "CuTe, whose tiled copy is its atom too")
    tiled_layout_TV = alias(Layout[int], "layout_tv", "CuTe")
    tiler_mn = alias(tuple[Tiler, ...], "tiler", "CuTe")
    layoutS_TV = alias(Layout[int], "tiled_tv_layout_S", "CuTe")
    layoutD_TV = alias(Layout[int], "tiled_tv_layout_D", "CuTe")
    layout_tv_tiled = alias(Layout[int], "layout_tv", "the FlyDSL release")
    layout_src_tv_tiled = alias(Layout[int], "tiled_tv_layout_S", "the FlyDSL release")
    layout_dst_tv_tiled = alias(Layout[int], "tiled_tv_layout_D", "the FlyDSL release")
    tile_mn = alias(tuple[Tiler, ...], "tiler", "the FlyDSL release")

    def __str__(self) -> str:
        shape = "x".join(map(str, self.tile_shape))
        return f"TiledCopy {self.atom.name}: tile {shape}, {self.size} threads, {self.layout_tv}"


@dataclass(frozen=True)
@typed_fields
class ThrCopy:
    """One thread of a tiled copy. Partitions are of the kind of what is partitioned, with this thread's offset inside.

    Raises:
        UsageError: no tiled copy, or a thread that it has not.

    >>> from tilewright.atoms.copy_universal import universal_copy
    >>> tiled = make_tiled_copy_tv(universal_copy(32).with_element(16), Layout((8, 4), (4, 1)), Layout((1, 2)))
    >>> part = tiled.get_slice(5).partition_S(Layout((8, 8), (8, 1)))
    >>> [part(i) for i in range(2)]
    [10, 11]
    """

    tiled_copy: TiledCopy
    thread: int

    def __post_init__(self) -> None:
        checked_thread(self.thread, self.tiled_copy.size)

    thr_idx = alias(int, "thread", "FlyDSL")

    def check_reach(self) -> None:
        """The thread stays within the tile.

        Raises:
            LayoutError: it would leave it.
        """
        held, tile = self.tiled_copy.layout_tv, self.tiled_copy.tile_shape
        first, reach = held[0](self.thread), held[1].cosize
        if first + reach > product(tile):
            raise LayoutError(f"thread {self.thread} of {held} reaches {first + reach - 1}, beyond the tile {tile}")

    @overload
    def partition_S(self, src: Seen) -> Seen: ...
    @overload
    def partition_S(self, src: Tensor[V]) -> Tensor[V]: ...
    def partition_S(self, src: Tensor[V] | Seen) -> Tensor[V] | Seen:
        """((atom values, rest values), rest, ..) -> what the source tensor holds there for this thread."""
        found: Tensor[V] | Seen = through(src, lambda layout: self.part_of(self.tiled_copy.tidfrg_S(layout)))
        return found

    @overload
    def partition_D(self, dst: Seen) -> Seen: ...
    @overload
    def partition_D(self, dst: Tensor[V]) -> Tensor[V]: ...
    def partition_D(self, dst: Tensor[V] | Seen) -> Tensor[V] | Seen:
        """((atom values, rest values), rest, ..) -> what the destination tensor holds there for this thread."""
        found: Tensor[V] | Seen = through(dst, lambda layout: self.part_of(self.tiled_copy.tidfrg_D(layout)))
        return found

    def part_of(self, frag: Tensor[V]) -> Tensor[V]:
        """This thread's part of what `tidfrg_S` or `tidfrg_D` of the tiled copy gives, which all threads may share."""
        held: Tensor[V] = checked_parts(frag, 3, "tidfrg_S or tidfrg_D")
        return held.slice_with_offset((self.thread, None, (None,) * held[2].rank))

    @overload
    def retile(self, t: Seen) -> Seen: ...
    @overload
    def retile(self, t: Tensor[V]) -> Tensor[V]: ...
    def retile(self, t: Tensor[V] | Seen) -> Tensor[V] | Seen:
        """A fragment of a matching MMA or copy, regrouped for this copy."""
        found: Tensor[V] | Seen = through(t, self.tiled_copy.retile)
        return found

    retile_S = retile
    retile_D = retile

    @overload
    def make_fragment_like(self, part: Seen) -> Seen: ...
    @overload
    def make_fragment_like(self, part: LayoutBase) -> Layout[int]: ...
    def make_fragment_like(self, part: LayoutBase | Seen) -> Layout[int] | Seen:
        """A register fragment for a partition."""
        return register_fragment(part)


def make_tiled_copy(copy_atom: CopyAtom | str, layout_thr_val: Layout[int], tile_mn: Tiler) -> TiledCopy:
    """A tiled copy, by an atom or the one of that name, from a (thread, value) layout over a tile of shape `tile_mn`.

    Raises:
        UsageError: arguments that are no such values.
        LayoutError: threads or values that the atom does not divide, or a tile of another size.

    >>> from tilewright.atoms.copy_universal import universal_copy
    >>> print(make_tiled_copy(universal_copy(64).with_element(16), Layout((4, 4), (1, 4)), (4, 4)).tiled_tv_layout_D)
    (4,(4,1)):(1,(4,0))
    """
    atom, layout_tv = known_atom(copy_atom, "make_tiled_copy: the first argument is"), layout_thr_val
    if not isinstance(layout_tv, Layout) or layout_tv.rank != 2:
        raise UsageError(f"make_tiled_copy: layout_thr_val is a layout of (thread, value), got {no_layout(layout_tv)}")
    tiled = tiled_copy(atom, layout_tv, tile_mn)
    tiled.check_reach()
    return tiled


def tiled_copy(atom: CopyAtom, layout_tv: Layout[int], tile: Tiler) -> TiledCopy:
    """The same as `make_tiled_copy`, of which some threads may leave the tile.

    CuTe's and FlyDSL's layouts for the accumulator of an MMA whose atoms are spread along K are such: what their
    threads with k = 0 do is right, so whoever asks for one thread checks that one.
    """
    modes = as_tiler(tile)
    return TiledCopy(atom, layout_tv, modes if isinstance(modes, tuple) else (modes,))


def make_tiled_copy_tv(
    atom: CopyAtom | str, thr_layout: Layout[int] | Ints, val_layout: Layout[int] | Ints | None = None
) -> TiledCopy:
    """A tiled copy in which the threads lie over the tile as `thr_layout`, each with values as `val_layout`.

    Raises:
        UsageError: no copy atom.
        LayoutError: no layouts of threads and values, or as many as the atom does not divide.

    Source: CuTe's `make_tiled_copy(atom, thr_layout, val_layout)`.

    >>> from tilewright.atoms.copy_universal import universal_copy
    >>> print(make_tiled_copy_tv(universal_copy(128).with_element(16), Layout((32, 4), (4, 1)), Layout((1, 8))))
    TiledCopy UniversalCopy128b: tile 32x32, 128 threads, ((4,32),8):((256,1),32)
    """
    thr, val = layout_or_shape(thr_layout), layout_or_shape(1 if val_layout is None else val_layout)
    tiler, layout_tv = make_layout_tv(thr, val)
    return make_tiled_copy(atom, layout_tv, tiler)


def make_tiled_copy_A(copy_atom: CopyAtom | str, tiled_mma: TiledMma) -> TiledCopy:
    """A tiled copy whose threads hold what they need as operand A of the tiled MMA.

    An atom that counts bits moves elements of that operand.

    Raises:
        UsageError: no copy atom, or no tiled MMA.

    >>> from tilewright.atoms.catalog import mma
    >>> from tilewright.atoms.tiled_mma import make_tiled_mma
    >>> from tilewright.layout.layout import Layout
    >>> tiled = make_tiled_mma(mma("SM80_16x8x16_F32F16F16F32_TN"), Layout((2, 2, 1)))
    >>> make_tiled_copy_A("SM75_U32x4_LDSM_N", tiled)
    <TiledCopy SM75_U32x4_LDSM_N: tile 32x16, 128 threads, ((4,8,2,2),((2,2,2),(1,1))):((64,1,16,0),((32,8,256),(0,0)))>
    """
    return _matching(copy_atom, tiled_mma, "A")


def make_tiled_copy_B(copy_atom: CopyAtom | str, tiled_mma: TiledMma) -> TiledCopy:
    """A tiled copy whose threads hold what they need as operand B of the tiled MMA; see `make_tiled_copy_A`.

    Raises:
        UsageError: no copy atom, or no tiled MMA.

    >>> from tilewright.atoms.catalog import mma
    >>> from tilewright.atoms.tiled_mma import make_tiled_mma
    >>> from tilewright.layout.layout import Layout
    >>> tiled = make_tiled_mma(mma("SM80_16x8x16_F32F16F16F32_TN"), Layout((2, 2, 1)))
    >>> from tilewright.atoms.catalog import copy
    >>> print(make_tiled_copy_B(copy("SM75_U32x2_LDSM_N").with_element(16), tiled).tile_mn)
    (16, 16)
    """
    return _matching(copy_atom, tiled_mma, "B")


def make_tiled_copy_C(copy_atom: CopyAtom | str, tiled_mma: TiledMma) -> TiledCopy:
    """A tiled copy whose threads hold what they have of the accumulator C of the tiled MMA; see `make_tiled_copy_A`.

    Raises:
        UsageError: no copy atom, or no tiled MMA.

    >>> from tilewright.atoms.catalog import mma
    >>> from tilewright.atoms.tiled_mma import make_tiled_mma
    >>> from tilewright.layout.layout import Layout
    >>> tiled = make_tiled_mma(mma("SM80_16x8x16_F32F16F16F32_TN"), Layout((2, 2, 1)))
    >>> from tilewright.atoms.copy_universal import universal_copy
    >>> print(make_tiled_copy_C(universal_copy(64).with_element(32), tiled).tile_mn)
    (32, 16)
    """
    return _matching(copy_atom, tiled_mma, "C")


def _matching(given: CopyAtom | str, tiled_mma: TiledMma, operand: str) -> TiledCopy:
    if not isinstance(tiled_mma, TiledMma):
        raise UsageError(f"make_tiled_copy_{operand}: the second argument is a tiled MMA, got {shown(tiled_mma)}")
    atom = known_atom(given, f"make_tiled_copy_{operand}: the first argument is")
    if atom.val_bits == 1:
        atom = atom.with_element(container_of(tiled_mma.atom, "D" if operand == "C" else operand).bits)
    return TiledCopy(atom, tiled_mma.tiled_tv_layout(operand), tiled_mma.tile(operand))


def _size(mode: Tiler) -> int:
    if mode is None:
        raise LayoutError("the tile of a tiled copy says the extent of every mode, and one of them is None")
    extent = mode.size if isinstance(mode, Layout) else product(as_int_tuple(mode))
    return known_extent(extent, "the tile of a tiled copy")
