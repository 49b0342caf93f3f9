"""What a tensor map is made of: the arguments of the driver's `cuTensorMapEncodeTiled`, from layouts and back.

The 128 bytes of a `CUtensorMap` themselves are the driver's: the CUDA driver API calls them opaque, and PTX names its
fields (`tensormap.replace`) without saying where their bits lie. So nothing here reads or writes these bytes.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING

from tilewright.atoms.shared_modes import MODES, SharedMode, shared_mode
from tilewright.dtypes import dtype as type_named
from tilewright.errors import LayoutError, UsageError, shown, typed_fields
from tilewright.layout.composed import ComposedLayout
from tilewright.layout.layout import Layout
from tilewright.layout.operations import coalesce
from tilewright.layout.swizzle import Swizzle

if TYPE_CHECKING:
    from tilewright.dtypes import DTypeLike

MAX_RANK, MAX_BOX, GRAIN = 5, 256, 16
MAX_EXTENT, MAX_STRIDE = 1 << 32, 1 << 40
_PREFIX = "CU_TENSOR_MAP_DATA_TYPE_"
# bits -> the enumerator of types that have none of their own; 4-bit elements packed, 16 in 8 bytes
_BY_BITS: Mapping[int, str] = MappingProxyType(
    {4: "16U4_ALIGN8B", 8: "UINT8", 16: "UINT16", 32: "UINT32", 64: "UINT64"}
)
_OWN: Mapping[str, str] = MappingProxyType(
    {
        "int32": "INT32", "int64": "INT64", "float16": "FLOAT16", "float32": "FLOAT32", "float64": "FLOAT64",
        "bfloat16": "BFLOAT16", "tfloat32": "TFLOAT32",
    }
)  # fmt: skip


@dataclass(frozen=True, slots=True)
@typed_fields
class TensorMapArguments:
    """What `cuTensorMapEncodeTiled` is told; dimensions are in its order, the one whose elements are neighbours first.

    Attributes:
        element: the element type.
        extents: `globalDim`, in elements.
        strides: `globalStrides`, in bytes, of all dimensions but the first.
        box: `boxDim`, in elements: what one copy moves. `elementStrides` are all 1.
        swizzle: the mode, as `tw.atoms.smem` and `TensorMap` name it. `interleave` is none.

    Raises:
        LayoutError: what the driver refuses; the message has the numbers.
        UsageError: a field of another type.

    Source: CUDA driver API, cuTensorMapEncodeTiled.

    >>> found = TensorMapArguments("float16", (128, 64), (256,), (64, 8), "128B")
    >>> print(found.tensor, found.tile)
    (128,64):(1,128) Sw<3,3,3> o 0 o (64,8):(1,64)
    >>> print(found)
    cuTensorMapEncodeTiled(
        tensorDataType = CU_TENSOR_MAP_DATA_TYPE_FLOAT16, tensorRank = 2,
        globalDim = {128, 64}, globalStrides = {256},
        boxDim = {64, 8}, elementStrides = {1, 1},
        interleave = CU_TENSOR_MAP_INTERLEAVE_NONE, swizzle = CU_TENSOR_MAP_SWIZZLE_128B)
    """

    element: str
    extents: tuple[int, ...]
    strides: tuple[int, ...]
    box: tuple[int, ...]
    swizzle: str = "none"

    def __post_init__(self) -> None:
        refused = next(self._refusals(), None)
        if refused is not None:
            raise LayoutError(refused)

    def _refusals(self) -> Iterator[str]:
        rank, bits = len(self.extents), type_named(self.element).bits
        if not 1 <= rank <= MAX_RANK or len(self.strides) != rank - 1 or len(self.box) != rank:
            counts = f"{rank} extents, {len(self.strides)} strides and a box of {len(self.box)}"
            yield f"a tensor map has 1 to {MAX_RANK} extents, a stride less, and a box of as many; got {counts}"
        if bits not in _BY_BITS:
            yield f"tensor maps have elements of {', '.join(map(str, _BY_BITS))} bits, not of {bits}"
        if not all(1 <= extent <= MAX_EXTENT for extent in self.extents):
            yield f"extents are 1 to 2^32 elements, got {shown(self.extents)}"
        if not all(0 < stride < MAX_STRIDE and stride % GRAIN == 0 for stride in self.strides):
            yield f"strides are multiples of {GRAIN} bytes below 2^40, got {shown(self.strides)}"
        if not all(1 <= extent <= MAX_BOX for extent in self.box):
            yield f"a box has 1 to {MAX_BOX} elements along each dimension, got {shown(self.box)}"
        row = self.box[0] * bits
        if row % (8 * GRAIN):
            yield f"rows of a box are multiples of {GRAIN} bytes, got {shown(self.box[0])} elements of {bits} bits"
        if self.mode.swizzled and row > 8 * self.mode.span:
            yield f"rows of {row // 8} bytes; under swizzle {self.swizzle} a box has {self.mode.span} at most"

    @property
    def mode(self) -> SharedMode:
        """How the box is swizzled in shared memory."""
        return shared_mode(self.swizzle)

    @property
    def data_type(self) -> str:
        """The enumerator of `CUtensorMapDataType`."""
        kind = type_named(self.element)
        return _PREFIX + _OWN.get(kind.name, _BY_BITS[kind.bits])

    @property
    def tensor(self) -> Layout[int]:
        """The tensor in global memory: coordinates, in the map's order -> element offset."""
        bits = type_named(self.element).bits
        return Layout(self.extents, (1, *(stride * 8 // bits for stride in self.strides)))

    @property
    def tile(self) -> ComposedLayout[int]:
        """The box in shared memory: coordinates, in the map's order -> element offset, swizzled."""
        return tile_of(self.box, self.mode, type_named(self.element).bits)

    def __str__(self) -> str:
        def listed(numbers: tuple[int, ...]) -> str:
            return f"{{{', '.join(map(str, numbers))}}}"

        return (
            "cuTensorMapEncodeTiled(\n"
            f"    tensorDataType = {self.data_type}, tensorRank = {len(self.extents)},\n"
            f"    globalDim = {listed(self.extents)}, globalStrides = {listed(self.strides)},\n"
            f"    boxDim = {listed(self.box)}, elementStrides = {listed((1,) * len(self.box))},\n"
            f"    interleave = CU_TENSOR_MAP_INTERLEAVE_NONE, swizzle = {self.mode.tensor_map})"
        )


def tile_of(box: tuple[int, ...], mode: SharedMode, bits: int) -> ComposedLayout[int]:
    """Where a box lies in shared memory, its rows packed and swizzled, in elements of so many bits."""
    under = ComposedLayout(mode.swizzle(bits), 0, Layout(box))
    flip = mode.flipping(bits)
    return under if flip is None else ComposedLayout(flip, 0, under)


def tensor_map(tensor: Layout[int], tile: Layout[int] | ComposedLayout[int], dtype: DTypeLike) -> TensorMapArguments:
    """The arguments by which TMA copies tiles of a tensor: `.tensor` and `.tile` of the result undo it.

    Args:
        tensor: a mode a dimension -> element offset in global memory; one has stride 1.
        tile: the same dimensions -> element offset in shared memory, swizzled as a mode of the hardware or not. It is
            what one copy writes; a larger tile takes several (`suggest_swizzle` says how many).
        dtype: the element type.

    Raises:
        LayoutError: TMA does not write this tile; the message says why.
        UsageError: no layouts of known integers, or another type.

    >>> from tilewright.layout.swizzle import Swizzle
    >>> tile = ComposedLayout(Swizzle(3, 3, 3), 0, Layout((64, 64), (64, 1)))
    >>> found = tensor_map(Layout((4096, 1024), (1024, 1)), tile, "f16")
    >>> found.extents, found.strides, found.box, found.swizzle
    ((1024, 4096), (2048,), (64, 64), '128B')
    """
    kind, (mode, plain) = type_named(dtype), _unswizzled(tile, type_named(dtype).bits)
    given, wanted = _leaves(tensor, "tensor"), _leaves(plain, "tile")
    if len(given) != len(wanted):
        raise LayoutError(f"a tile has the tensor's dimensions; {tile} has {len(wanted)}, {tensor} has {len(given)}")
    order = sorted(range(len(given)), key=lambda i: (given[i][0] == 1, given[i][1]))
    if given[order[0]] != (1, 0) and given[order[0]][1] != 1:
        raise LayoutError(f"elements lie side by side along one dimension of a tensor, and {tensor} has no stride 1")
    box, step = [wanted[i][0] for i in order], 1
    for i in order:
        extent, stride = wanted[i]
        if extent > 1 and stride != step:
            raise LayoutError(
                f"a box lies packed in shared memory, in the tensor's order: dimension {i} of the tile has stride "
                f"{stride}, not {step}"
            )
        step *= extent
    strides = [given[i][1] * kind.bits for i in order if given[i][0] > 1][1:]
    if any(stride % 8 for stride in strides):
        raise LayoutError(f"strides are whole bytes, got {strides} bits")
    extents = tuple(given[i][0] for i in order)
    steps = _filled([stride // 8 for stride in strides], extents, kind.bits)
    return TensorMapArguments(kind.name, extents, steps, tuple(box), mode)


def _filled(strides: Sequence[int], extents: Sequence[int], bits: int) -> tuple[int, ...]:
    """The strides, and for dimensions of one element behind them any that the driver takes: past all others."""
    last = (strides[-1] * extents[len(strides)]) if strides else -(-extents[0] * bits // 8)
    past = -(-last // GRAIN) * GRAIN
    return (*strides, *(past,) * (len(extents) - 1 - len(strides)))


def _unswizzled(tile: Layout[int] | ComposedLayout[int], bits: int) -> tuple[str, Layout[int]]:
    """The mode of the hardware that a tile's swizzle is, and its layout below that."""
    swizzles: list[Swizzle] = []
    inner: object = tile
    while isinstance(inner, ComposedLayout) and inner.offset == 0 and isinstance(inner.outer, Swizzle):
        if inner.outer.b:
            swizzles.append(inner.outer)
        inner = inner.inner
    if not isinstance(inner, Layout):
        raise LayoutError(f"a tile is a layout, below swizzles perhaps, got {shown(tile)}")
    for mode in MODES.values():
        own = (*filter(None, [_flip(mode, bits)]), *([mode.swizzle(bits)] if mode.swizzled else []))
        if own == tuple(swizzles):
            return mode.name, inner
    said = " o ".join(map(str, swizzles))
    raise LayoutError(f"no mode of tensor maps swizzles elements of {bits} bits by {said}")


def _flip(mode: SharedMode, bits: int) -> Swizzle | None:
    return mode.flipping(bits) if mode.flip else None


def _leaves(layout: object, what: str) -> list[tuple[int, int]]:
    """(extent, stride) of each dimension."""
    if not isinstance(layout, Layout) or not layout.is_static:
        raise UsageError(f"the {what} of a tensor map is a layout of known integers, got {shown(layout)}")
    found = []
    for mode in layout if isinstance(layout.shape, tuple) else (layout,):
        (extent, stride), *more = coalesce(mode).flat
        if more or type(stride) is not int:
            raise LayoutError(f"each dimension of a tensor map's {what} has one stride, got {mode}")
        found.append((extent, stride))
    return found
