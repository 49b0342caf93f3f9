"""`recognise`: which canonical shared-memory layout is a tile, and how is it repeated?"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from tilewright.analysis.descriptor.matrix import MAX_BYTES, Matrix, matrix
from tilewright.analysis.model.access import elements
from tilewright.analysis.model.memory import memory_layout, without_swizzle
from tilewright.analysis.model.vector import Vector
from tilewright.atoms.shared_atoms import ALL_SHARED, SHARED_ATOMS, SharedAtom, checked_bits, shared_atom, sparse_name
from tilewright.atoms.shared_modes import chunk_elements
from tilewright.errors import LayoutError, typed_fields
from tilewright.layout.algebra.modes import from_modes
from tilewright.layout.composed import ComposedLayout
from tilewright.layout.layout import Layout
from tilewright.layout.swizzle import Swizzle

if TYPE_CHECKING:
    from tilewright.analysis.model.memory import Tile
    from tilewright.dtypes import DTypeLike
    from tilewright.layout.inttuple import IntTuple


@dataclass(frozen=True, slots=True)
@typed_fields
class CanonicalTile:
    """A tile (MN, K) made of one shared-memory layout atom: tile(i, j) = atom(i % m, j % k) + repeats(i // m, j // k).

    Attributes:
        atom: the atom's name, as `tw.atoms.smem` takes it.
        major: the mode that is contiguous, `K` or `MN`.
        mode: the swizzle mode, as `SwizzleAdvice.mode`.
        element_bits: bits of one element.
        shape: extents of the tile, (MN, K).
        repeats: (atoms along MN, atoms along K) -> element offset of the atom.
        offset: element offset of the first atom.

    Raises:
        UsageError: a field of another type.

    >>> from tilewright.layout.composed import ComposedLayout
    >>> from tilewright.layout.swizzle import Swizzle
    >>> tile = recognise(ComposedLayout(Swizzle(3, 3, 3), 0, Layout((64, 64), (64, 1))), 16)
    >>> tile.atom, tile.mode, tile.stride_bytes, tile.alignment_bytes
    ('Layout_K_SW128_Atom', '128B', 1024, 1024)
    """

    atom: str
    major: str
    mode: str
    element_bits: int
    shape: tuple[int, int]
    repeats: Layout[int]
    offset: int = 0

    def __post_init__(self) -> None:
        shared_atom(self.atom).extents(self.element_bits)
        each = [mode.flat for mode in self.repeats]
        if len(each) != 2 or not all(modes and all(type(n) is int for mode in modes for n in mode) for modes in each):
            raise LayoutError(f"atoms repeat along MN and along K by strides that are known, got {self.repeats}")

    @property
    def atom_layout(self) -> ComposedLayout[int]:
        """The atom: (MN, K) -> offset, in elements."""
        return ALL_SHARED[self.atom].layout(self.element_bits)

    @property
    def layout(self) -> ComposedLayout[int]:
        """The tile: (MN, K) -> offset, in elements; the function that was recognised.

        >>> from tilewright.layout.operations import tile_to_shape
        >>> print(recognise(tile_to_shape(shared_atom("K_SW64").layout(16), (16, 64)), 16).layout)
        Sw<2,3,3> o 0 o ((8,2),(32,2)):((32,256),(1,512))
        """
        atom = self.atom_layout
        assert isinstance(atom.inner, Layout)  # of every atom of the table
        pairs = tuple(zip(atom.inner, self.repeats, strict=True))
        shape, stride = (tuple((getattr(a, part), getattr(b, part)) for a, b in pairs) for part in ("shape", "stride"))
        return ComposedLayout(atom.outer, self.offset, Layout(shape, stride))

    @property
    def order(self) -> tuple[str, ...]:
        """The modes along which atoms repeat, the nearest repeat first."""
        named = [(mode.flat[0][1], name) for mode, name in zip(self.repeats, ("MN", "K"), strict=True) if mode.size > 1]
        return tuple(name for _, name in sorted(named))

    @property
    def alignment_bytes(self) -> int:
        """What the tile's address is a multiple of."""
        return ALL_SHARED[self.atom].mode.alignment

    @property
    def stride_bytes(self) -> int | None:
        """The descriptor's stride byte offset (SBO), from atom to atom; None where there is one atom.

        Along MN for K-major tiles and unswizzled ones, along K for swizzled MN-major ones.
        """
        return self._step(1 if self._across_k else 0)

    @property
    def leading_bytes(self) -> int | None:
        """The descriptor's leading byte offset (LBO), from atom to atom the other way; None where it is not used."""
        swizzled_k = self.major == "K" and ALL_SHARED[self.atom].mode.swizzled
        return None if swizzled_k else self._step(0 if self._across_k else 1)

    @property
    def _across_k(self) -> bool:
        return self.major == "MN" and ALL_SHARED[self.atom].mode.swizzled

    def _step(self, mode: int) -> int | None:
        shape, stride = self.repeats[mode].flat[0]
        return stride * self.element_bits // 8 if shape > 1 else None

    def to_json(self) -> dict[str, object]:
        """The tile as plain values."""
        names = ("atom", "major", "mode", "element_bits", "shape", "offset", "order")
        numbers = ("alignment_bytes", "stride_bytes", "leading_bytes")
        texts = {"atom_layout": str(self.atom_layout), "repeats": str(self.repeats)}
        return {name: getattr(self, name) for name in (*names, *numbers)} | texts

    def __str__(self) -> str:
        rows, columns = self.shape
        counts = " x ".join(str(mode.size) for mode in self.repeats)
        order = f", {self.order[0]} first" if len(self.order) > 1 else ""
        sbo, lbo = self.stride_bytes, self.leading_bytes
        offsets = [f"{name} {n} bytes" for name, n in (("SBO", sbo), ("LBO", lbo)) if n is not None]
        return "\n".join(
            [
                f"{self.atom} in elements of {self.element_bits} bits: {self.atom_layout}, {self.major}-major, "
                f"mode {self.mode}",
                f"{counts} atoms at {self.repeats}{order}: {rows} x {columns}; align to {self.alignment_bytes} bytes",
                *([f"descriptor: {', '.join(offsets)}"] if offsets else []),
            ]
        )


def recognise(layout: Tile, dtype: int | DTypeLike, *, shape: Sequence[int] | None = None) -> CanonicalTile:
    """The canonical layout of wgmma and tcgen05 operands that a tile is. Its function decides, not its spelling.

    tile(i, j) is compared at every coordinate with atom(i % m, j % k) + the offset of that atom, for every atom of
    `tw.atoms.list(kind="smem")`; at most one fits, and the offsets of atoms keep its swizzle whole. A tile in which
    every element lies where its neighbour along K does is that of a sparse A: its stored half decides.

    Args:
        layout: (MN, K) -> element offset: CuTe's (mode 0 is MN, the others are K) or TIRx's (the last is K).
        dtype: an element type, its name, or its bits.
        shape: (MN, K) extents of a tile whose layout does not say them, as TIRx's flat ones.

    Raises:
        LayoutError: none of them; the message says which demand fails.
        UsageError: no element type.

    Source: CUTLASS's `make_gmma_desc` and `make_umma_desc`; PTX ISA, matrix layouts in shared memory.

    >>> from tilewright.layout.swizzle import Swizzle
    >>> print(recognise(ComposedLayout(Swizzle(3, 3, 3), 0, Layout((64, (64, 2)), (64, (1, 4096)))), "f16"))
    Layout_K_SW128_Atom in elements of 16 bits: Sw<3,3,3> o 0 o (8,64):(64,1), K-major, mode 128B
    8 x 2 atoms at (8,2):(512,4096), MN first: 64 x 128; align to 1024 bytes
    descriptor: SBO 1024 bytes
    """
    bits = checked_bits(dtype)
    chunk_elements(bits)
    tile = matrix(layout, shape)
    check_size(tile.half or tile, bits)
    found = canonical(tile, bits)
    if found is None:
        why = why_not(tile, bits)
        raise LayoutError(f"{layout} of {bits}-bit elements is no canonical shared-memory layout: {why}")
    return found


def check_size(tile: Matrix, bits: int) -> None:
    """Raises `LayoutError` where a descriptor does not reach all of a tile."""
    size = tile.rows * tile.columns * bits // 8
    if size > MAX_BYTES:
        raise LayoutError(f"{tile.place} takes {size} bytes; a descriptor reaches {MAX_BYTES}")


def canonical(tile: Matrix, bits: int) -> CanonicalTile | None:
    """The canonical layout that a tile is, or None."""
    if tile.half is None:
        return _dense(tile, bits)
    stored = _dense(tile.half, bits)
    return stored and replace(stored, atom=sparse_name(stored.atom), shape=(tile.rows, tile.columns))


def _dense(tile: Matrix, bits: int) -> CanonicalTile | None:
    atom = _made_of(tile, bits)
    if atom is None:
        return None
    first, repeats = _repeats(tile, atom, bits)
    if repeats is None or _backwards(repeats):
        return None
    return CanonicalTile(atom.name, atom.major, atom.mode.name, bits, (tile.rows, tile.columns), repeats, first)


def _made_of(tile: Matrix, bits: int) -> SharedAtom | None:
    """The atom of which the tile is made, wherever the atoms start."""
    near = (atom for atom in SHARED_ATOMS.values() if _may_fit(tile, atom, bits))
    return next((atom for atom in near if mismatch(tile, atom, bits) is None), None)


def _repeats(tile: Matrix, atom: SharedAtom, bits: int) -> tuple[int, Layout[int] | None]:
    """Where the first atom is, and (atoms along MN, atoms along K) -> how far on the others are; None if no layout."""
    m, k = atom.extents(bits)
    count = tile.rows // m
    starts = tile.offsets(Layout(count, m), Layout(tile.columns // k, k)).tolist()
    found = [steps(starts[:count]), steps(starts[::count])]
    if None in found:
        return starts[0], None
    rows, columns = (mode for mode in found if mode is not None)
    repeats = Layout((rows.shape, columns.shape), (rows.stride, columns.stride))
    same = all(repeats(i) == start - starts[0] for i, start in enumerate(starts))
    return starts[0], repeats if same else None


def _backwards(repeats: Layout[int]) -> int:
    """How many elements an atom lies before the last one, at most."""
    return max(0, *(-stride for _, stride in repeats.flat))


def steps(values: Sequence[int]) -> Layout[int] | None:
    """The coalesced layout whose values these are, less the first; None where none has them.

    >>> print(steps([5, 6, 9, 10]), steps([5, 6, 9]))
    (2,2):(1,4) None
    """
    modes: list[tuple[int, int]] = []
    while len(values) > 1:
        step = values[1] - values[0]
        run = next((i for i in range(1, len(values)) if values[i] != values[0] + i * step), len(values))
        if len(values) % run or any(value != values[i - i % run] + i % run * step for i, value in enumerate(values)):
            return None
        modes.append((run, step))
        values = values[::run]
    return from_modes([extent for extent, _ in modes], [step for _, step in modes])


def _may_fit(tile: Matrix, atom: SharedAtom, bits: int) -> bool:
    """Is the first atom of the tile this one? A look at few elements that spares a look at all."""
    if not _whole(tile, atom, bits):
        return False
    m, k = atom.extents(bits)
    inside = elements(atom.layout(bits), Layout((m, k))).offsets
    found = tile.offsets(Layout(m), Layout(k))
    return bool((found == inside + int(found[0])).all())


def mismatch(tile: Matrix, atom: SharedAtom, bits: int) -> str | None:
    """Why the tile is not made of the atom; None when it is."""
    m, k = atom.extents(bits)
    if not _whole(tile, atom, bits):
        return f"{tile.rows} x {tile.columns} elements are not whole atoms of {m} x {k}"
    found, expected = _places(tile, atom, bits)
    differ = found != expected
    if bool(differ.any()):
        at = differ.tolist().index(True)
        where = f"({at % tile.rows},{at // tile.rows})"
        return f"element {where} lies at {int(found[at])}, and {atom} has it at {int(expected[at])}"
    # A swizzled atom that starts inside a block of the swizzle does not agree, so only chunks are left to ask for.
    loose = _origins(tile, m, k) % chunk_elements(bits)
    return f"an atom starts {int(loose.max())} elements into a chunk of 16 bytes" if bool(loose.any()) else None


def _places(tile: Matrix, atom: SharedAtom, bits: int) -> tuple[Vector, Vector]:
    """Where the elements are, and where they would be if atoms started where they do; rows fastest."""
    m, k = atom.extents(bits)
    within = Layout(((m, tile.rows // m), (k, tile.columns // k)), ((1, 0), (m, 0)))
    inside = elements(atom.layout(bits), within).offsets
    return tile.offsets(Layout(tile.rows), Layout(tile.columns)), _origins(tile, m, k) + inside


def _origins(tile: Matrix, m: int, k: int) -> Vector:
    """For every element, the offset of the first element of its atom."""
    return tile.offsets(Layout((m, tile.rows // m), (0, m)), Layout((k, tile.columns // k), (0, k)))


def why_not(tile: Matrix, bits: int) -> str:
    """The demand that fails: equal steps, chunks of 16 bytes, whole atoms, packed lines, swizzle, place of one."""
    if tile.half is not None:
        return f"every other element along K is stored, and of these {_why_not_dense(tile.half, bits)}"
    return _why_not_dense(tile, bits)


def _why_not_dense(tile: Matrix, bits: int) -> str:
    atom = _made_of(tile, bits)
    if atom is not None:
        repeats = _repeats(tile, atom, bits)[1]
        how = "in no equal steps" if repeats is None else f"up to {_backwards(repeats)} elements backwards"
        return f"it is made of {atom}, and these follow each other {how}; a descriptor steps forwards"
    major, chunk = "K" if tile.by_row else "MN", chunk_elements(bits)
    row, column = tile.plain(Layout(tile.rows), Layout(tile.columns))
    (run, step), (lines, pitch) = (mode.flat[0] for mode in ((column, row) if tile.by_row else (row, column)))
    run = run if step == 1 else 1
    if run % chunk:
        return f"{run} elements follow each other along {major}, which are no whole chunks of 16 bytes ({chunk})"
    atoms = [atom for atom in SHARED_ATOMS.values() if atom.major == major]
    if not any(_whole(tile, atom, bits) for atom in atoms):
        return f"{major}-major, {mismatch(tile, atoms[0], bits)}"
    other = next((atom for atom in atoms if _fits_under(tile, atom, bits)), None)
    if other:
        return _unlike_above(tile, other, bits)
    longest = max(atom.mode.width(bits) for atom in atoms)
    if run > longest:
        return f"{run} elements follow each other along {major}, and no atom has more than {longest} (128 bytes)"
    if lines > 1 and pitch != run:
        return f"its lines of {run} elements start {pitch} apart, and those of an atom leave no gap"
    nearest = max((atom for atom in atoms if _whole(tile, atom, bits)), key=lambda atom: _agrees(tile, atom, bits))
    return f"{major}-major, {mismatch(tile, nearest, bits)}; no other {major}-major atom is nearer"


def _whole(tile: Matrix, atom: SharedAtom, bits: int) -> bool:
    m, k = atom.extents(bits)
    return tile.rows % m == 0 and tile.columns % k == 0


def _fits_under(tile: Matrix, atom: SharedAtom, bits: int, offset: IntTuple = 0) -> bool:
    """Is the tile the atom's, once it has the atom's swizzle, and below it this offset?"""
    inner = without_swizzle(tile.place).inner
    return mismatch(replace(tile, place=ComposedLayout(atom.mode.swizzle(bits), offset, inner)), atom, bits) is None


def _unlike_above(tile: Matrix, atom: SharedAtom, bits: int) -> str:
    """What keeps a tile from being the atom's whose places it has below its swizzle: the swizzle, the offset, both."""
    found, expected = _swizzle(tile.place), atom.mode.swizzle(bits)
    offset = without_swizzle(tile.place).offset
    demands = []
    if found != expected:
        same = f", not {found}, which is the same in bytes" if found == atom.mode.swizzle(8) else ""
        demands.append(f"has the swizzle {expected} in elements{same}")
    if not _fits_under(tile, atom, bits, offset):
        demands.append(f"starts where that swizzle moves nothing, not at the offset {offset} below it")
    return f"its places are those of {atom}, which {' and '.join(demands)}"


def _swizzle(place: object) -> Swizzle | None:
    layout = memory_layout(place)
    return layout.outer if isinstance(layout, ComposedLayout) and isinstance(layout.outer, Swizzle) else None


def _agrees(tile: Matrix, atom: SharedAtom, bits: int) -> int:
    """How many elements lie where the atom has them."""
    found, expected = _places(tile, atom, bits)
    return int((found == expected).sum())
