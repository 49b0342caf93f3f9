"""Functions of atoms: making them, tiling them, and copies and products by them."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from tilewright.errors import KernelError, LayoutError, shown
from tilewright.ir.fly.dialect_attributes import MmaOperandAttr, TraversalOrderAttr
from tilewright.ir.fly.dialect_types import from_text
from tilewright.ir.fly.types import MemRef
from tilewright.lang.core.numerics.numeric import DTypeOf, Numeric, NumericLike, numeric_type
from tilewright.lang.fly.functions import masked
from tilewright.lang.fly.functions.construction import make_layout_tv
from tilewright.lang.fly.functions.machines import require_copy, require_product
from tilewright.lang.fly.functions.operations import Operation
from tilewright.lang.fly.values.atoms import CopyAtom, MmaAtom, TiledCopy, TiledMma
from tilewright.lang.fly.values.atoms import fragment as _fragment
from tilewright.lang.fly.values.atoms import partition as _partition
from tilewright.lang.fly.values.base import FlyValue, apply, expect, of_text, perform
from tilewright.lang.fly.values.enums import GemmTraversalOrder, MmaOperand
from tilewright.lang.fly.values.int_tuple import IntTuple, IntTupleLike, int_tuple
from tilewright.lang.fly.values.layouts import Layout, Tile, TilerLike, tile
from tilewright.lang.fly.values.memory import Pointer, Tensor
from tilewright.layout.inttuple import leaves
from tilewright.runtime.device import target

__all__ = [
    "atom_set_value",
    "copy",
    "copy_atom_call",
    "gather",
    "gemm",
    "make_copy_atom",
    "make_mma_atom",
    "make_tiled_copy",
    "make_tiled_copy_A",
    "make_tiled_copy_B",
    "make_tiled_copy_C",
    "make_tiled_copy_tv",
    "make_tiled_mma",
    "mma_atom_call",
    "mma_make_fragment",
    "scatter",
    "tiled_copy_partition_dst",
    "tiled_copy_partition_src",
    "tiled_copy_retile",
    "tiled_mma_partition",
    "tiled_mma_partition_shape",
]

AnyCopy = CopyAtom | TiledCopy
AnyMma = MmaAtom | TiledMma


def make_copy_atom(copy_op_type: Operation, elem_type: int | DTypeOf) -> CopyAtom:
    """The atom of a copy operation on values of a type, or of so many bits.

    Raises:
        KernelError: it is no copy operation, or the machine that is traced for has none such.
    """
    bits = elem_type if isinstance(elem_type, int) else numeric_type(elem_type).width
    operation = expect(copy_op_type, Operation, "copy_op_type").text
    require_copy(operation, target().arch)
    text = f"!fly.copy_atom<{operation}, {bits}>"
    found = apply("make_copy_atom", result=str(from_text(text)), valBits=bits)
    return expect(found, CopyAtom, "a copy atom")


def make_mma_atom(mma_op_type: Operation) -> MmaAtom:
    """The atom of a matrix operation.

    Raises:
        KernelError: it is none, or the machine that is traced for has none such.
    """
    operation = expect(mma_op_type, Operation, "mma_op_type").text
    require_product(operation, target().arch)
    text = f"!fly.mma_atom<{operation}>"
    return expect(apply("make_mma_atom", result=str(from_text(text))), MmaAtom, "an MMA atom")


def atom_set_value(atom: AnyCopy | AnyMma, field: str, value: NumericLike) -> FlyValue:
    """The atom with a field of its state set."""
    return atom.set_value(field, value)


def make_tiled_copy(copy_atom: CopyAtom, layout_thr_val: Layout, tile_mn: TilerLike) -> TiledCopy:
    """The copy by an atom whose threads and values lie in a tile as the layout says."""
    tiles = tile_mn if isinstance(tile_mn, Tile) else tile(_modes(tile_mn))
    atom = expect(copy_atom, CopyAtom, "copy_atom")
    found = apply("make_tiled_copy", atom, expect(layout_thr_val, Layout, "layout_thr_val"), tiles)
    return expect(found, TiledCopy, "a tiled copy")


def _modes(value: object) -> Sequence[object]:
    if isinstance(value, IntTuple):
        found = value.to_py_value()
        return found if isinstance(found, tuple) else (found,)
    return value if isinstance(value, tuple | list) else (value,)


def make_tiled_copy_tv(atom: CopyAtom, thr_layout: Layout, val_layout: Layout) -> TiledCopy:
    """The copy by an atom whose threads lie as one layout says, each with values as another does."""
    tile_mn, layout = make_layout_tv(thr_layout, val_layout)
    return make_tiled_copy(atom, layout, tile_mn)


def _matching(operand: str, copy_atom: CopyAtom, tiled_mma: TiledMma) -> TiledCopy:
    atom, mma = expect(copy_atom, CopyAtom, "copy_atom"), expect(tiled_mma, TiledMma, "tiled_mma")
    return expect(apply(f"make_tiled_copy_{operand}", atom, mma), TiledCopy, "a tiled copy")


def make_tiled_copy_A(copy_atom: CopyAtom, tiled_mma: TiledMma) -> TiledCopy:
    """The copy by an atom whose threads hold what they need of A."""
    return _matching("A", copy_atom, tiled_mma)


def make_tiled_copy_B(copy_atom: CopyAtom, tiled_mma: TiledMma) -> TiledCopy:
    """The copy by an atom whose threads hold what they need of B."""
    return _matching("B", copy_atom, tiled_mma)


def make_tiled_copy_C(copy_atom: CopyAtom, tiled_mma: TiledMma) -> TiledCopy:
    """The copy by an atom whose threads hold what they need of C."""
    return _matching("C", copy_atom, tiled_mma)


def make_tiled_mma(mma_atom: MmaAtom, atom_layout: Layout, permutation: TilerLike | None = None) -> TiledMma:
    """The MMA whose atoms are spread over threads by a layout, its tile permuted."""
    more = [] if permutation is None else [permutation if isinstance(permutation, Tile) else tile(_modes(permutation))]
    atom, layout = expect(mma_atom, MmaAtom, "mma_atom"), expect(atom_layout, Layout, "atom_layout")
    return expect(apply("make_tiled_mma", atom, layout, *more), TiledMma, "a tiled MMA")


def tiled_copy_partition_src(tiled_copy: TiledCopy, src: Tensor, thr_int_tuple: IntTupleLike) -> Tensor:
    """A thread's elements of a source."""
    return tiled_copy.get_slice(thr_int_tuple).partition_S(src)


def tiled_copy_partition_dst(tiled_copy: TiledCopy, dst: Tensor, thr_int_tuple: IntTupleLike) -> Tensor:
    """A thread's elements of a destination."""
    return tiled_copy.get_slice(thr_int_tuple).partition_D(dst)


def tiled_copy_retile(tiled_copy: TiledCopy, t: Tensor) -> Tensor:
    """A fragment as a tiled copy takes it."""
    return tiled_copy.get_slice(0).retile(t)


def _letter(operand: MmaOperand | str) -> str:
    return operand.value if isinstance(operand, MmaOperand) else str(operand).lower()


def tiled_mma_partition(operand_id: MmaOperand | str, tiled_mma: TiledMma, t: Tensor, coord: IntTupleLike) -> Tensor:
    """A thread's elements of an operand."""
    return _partition(_letter(operand_id), tiled_mma, t, int_tuple(coord))


def tiled_mma_partition_shape(operand_id: MmaOperand | str, tiled_mma: TiledMma, shape: IntTupleLike) -> IntTuple:
    """The shape of a thread's elements of an operand."""
    letter = MmaOperandAttr(_letter(operand_id))
    found = apply("tiled_mma.partition_shape", tiled_mma, int_tuple(shape), operand_id=letter)
    return expect(found, IntTuple, "a shape")


def mma_make_fragment(
    operand_id: MmaOperand | str, tiled_mma: TiledMma, input: Tensor, *, stages: int | None = None
) -> Tensor:
    """Registers for a thread's elements of an operand."""
    return _fragment(_letter(operand_id), tiled_mma, input, stages)


# ---- work


def _with_state(atom: FlyValue, state: dict[str, NumericLike]) -> FlyValue:
    for name, value in state.items():
        atom = atom.set_value(name, value)  # type: ignore[attr-defined]  # atoms have it
    return atom


def copy(copy_atom: AnyCopy, src: Tensor, dst: Tensor, *, pred: Tensor | None = None, **state: NumericLike) -> None:
    """Copies by an atom, as often as the tensors have room; where `pred` is false nothing is copied.

    Raises:
        KernelError: the tensors have different sizes.
    """
    one, other = expect(src, Tensor, "src"), expect(dst, Tensor, "dst")
    _require_one_size(one, other)
    atom = _with_state(_of(copy_atom, CopyAtom | TiledCopy, "copy_atom"), state)
    perform("copy", atom, one, other, *_masked(other, pred))


def _masked(dst: Tensor, pred: Tensor | None) -> list[Tensor]:
    if pred is None:
        return []
    masked.begin(dst)
    return [expect(pred, Tensor, "pred")]


def _of(value: object, wanted: object, what: str) -> FlyValue:
    if not isinstance(value, wanted):  # type: ignore[arg-type]  # classes
        raise KernelError(f"{what} is an atom, got {shown(value)}")
    assert isinstance(value, FlyValue)
    return value


def _require_one_size(src: Tensor, dst: Tensor) -> None:
    counts = [_count(tensor) for tensor in (src, dst)]
    if None not in counts and counts[0] != counts[1]:
        raise KernelError(f"a copy of {counts[0]} elements into {counts[1]}: {src} into {dst}")


def _count(tensor: Tensor) -> int | None:
    if not isinstance(tensor.kind, MemRef):
        return None
    found = 1
    for extent in leaves(tensor.shape.kind):  # type: ignore[arg-type]  # an int tuple
        if not isinstance(extent, int):
            return None
        found *= extent
    return found


def copy_atom_call(copy_atom: AnyCopy, src: Tensor, dst: Tensor, *, pred: Tensor | None = None) -> None:
    """One copy by an atom."""
    one, other = expect(src, Tensor, "src"), expect(dst, Tensor, "dst")
    perform("copy_atom_call", _of(copy_atom, CopyAtom | TiledCopy, "copy_atom"), one, other, *_masked(other, pred))


def gemm(
    mma_atom: AnyMma,
    d: Tensor,
    a: Tensor | Sequence[Tensor],
    b: Tensor | Sequence[Tensor],
    c: Tensor,
    *,
    traversal_order: GemmTraversalOrder | None = None,
    traversal_layout: Layout | None = None,
    atom_callback: Callable[..., object] | None = None,
    **state: NumericLike,
) -> None:
    """d = a * b + c by an atom, as often as the tensors have room."""
    if atom_callback is not None:
        raise KernelError("gemm(atom_callback=..) is not there; call mma_atom_call in loops of your own")
    ones, others = (_listed(x, what) for x, what in ((a, "a"), (b, "b")))
    atom = _with_state(_of(mma_atom, MmaAtom | TiledMma, "mma_atom"), state)
    more = [] if traversal_layout is None else [expect(traversal_layout, Layout, "traversal_layout")]
    order = {} if traversal_order is None else {"traversalOrder": TraversalOrderAttr(traversal_order.value)}
    sizes = [1, 1, len(ones), len(others), 1, len(more)]
    operands = [atom, expect(d, Tensor, "d"), *ones, *others, expect(c, Tensor, "c"), *more]
    perform("gemm", *operands, sizes=sizes, **order)


def mma_atom_call(
    mma_atom: AnyMma,
    d: Tensor,
    a: Tensor | Sequence[Tensor],
    b: Tensor | Sequence[Tensor],
    c: Tensor,
    **state: NumericLike,
) -> None:
    """One product by an atom."""
    ones, others = (_listed(x, what) for x, what in ((a, "a"), (b, "b")))
    atom = _with_state(_of(mma_atom, MmaAtom | TiledMma, "mma_atom"), state)
    operands = [atom, expect(d, Tensor, "d"), *ones, *others, expect(c, Tensor, "c")]
    perform("mma_atom_call", *operands, sizes=[1, 1, len(ones), len(others), 1])


def _listed(value: Tensor | Sequence[Tensor], what: str) -> list[Tensor]:
    given = list(value) if isinstance(value, list | tuple) else [value]
    return [expect(x, Tensor, what) for x in given]


# ---- one element at a time, wherever it lies


def gather(
    copy_atom: CopyAtom, base_iter: Pointer, offset_tensor: Tensor, dst_tensor: Tensor, *, pred: Tensor | None = None
) -> None:
    """dst[i] = base[offsets[i]], each by an atom."""
    for at, part, chosen in _scattered(copy_atom, base_iter, offset_tensor, dst_tensor, pred):
        copy_atom_call(copy_atom, at, part, pred=chosen)


def scatter(
    copy_atom: CopyAtom, src_tensor: Tensor, base_iter: Pointer, offset_tensor: Tensor, *, pred: Tensor | None = None
) -> None:
    """base[offsets[i]] = src[i], each by an atom."""
    for at, part, chosen in _scattered(copy_atom, base_iter, offset_tensor, src_tensor, pred):
        copy_atom_call(copy_atom, part, at, pred=chosen)


def _scattered(
    atom: CopyAtom, base: Pointer, offsets: Tensor, values: Tensor, pred: Tensor | None
) -> list[tuple[Tensor, Tensor, Tensor | None]]:
    """For each offset: where it points, and the values that belong to it."""
    count, total = _count(offsets), _count(values)
    if count is None or total is None or total % count:
        raise LayoutError(f"{values} has no equal parts for the offsets {offsets}")
    width = total // count
    run, one = (expect(of_text(f"!fly.layout<{n}:1>"), Layout, "a layout") for n in (width, 1))
    found: list[tuple[Tensor, Tensor, Tensor | None]] = []
    for i in range(count):
        offset = offsets[i]
        assert isinstance(offset, Numeric)
        part = values.layout(i * width)
        start = values.iter
        assert isinstance(start, Pointer)
        here = (start + expect(part, IntTuple, "an offset")).view(run)
        chosen = None
        if pred is not None:
            place = pred.iter
            assert isinstance(place, Pointer)
            chosen = (place + expect(pred.layout(i), IntTuple, "an offset")).view(one)
        found.append(((base + offset).view(run), here, chosen))
    return found
