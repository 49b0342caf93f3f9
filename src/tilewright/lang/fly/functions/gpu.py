"""Where a thread is, and what threads do together."""

from __future__ import annotations

from collections.abc import Iterator

from xdsl.dialects import arith, gpu
from xdsl.dialects.builtin import i32

from tilewright.errors import KernelError
from tilewright.lang.core.numerics.lanes import shuffled
from tilewright.lang.core.numerics.number import of_ssa
from tilewright.lang.core.numerics.numeric import Numeric, NumericLike, as_numeric, scalar
from tilewright.lang.core.numerics.types import Index, Int32
from tilewright.lang.core.numerics.vector import Vector
from tilewright.lang.core.trace import tracing
from tilewright.lang.fly.kernels import current_kernel

__all__ = [
    "Tuple3D",
    "barrier",
    "block_dim",
    "block_id",
    "block_idx",
    "grid_dim",
    "known_block_size",
    "lane_id",
    "num_warp_threads",
    "shuffle",
    "shuffle_down",
    "shuffle_idx",
    "shuffle_up",
    "shuffle_xor",
    "thread_id",
    "thread_idx",
]

_OPS = {"thread": gpu.ThreadIdOp, "block": gpu.BlockIdOp, "block_dim": gpu.BlockDimOp, "grid_dim": gpu.GridDimOp}


def _index(word: str, axis: str) -> Index:
    dimension = gpu.DimensionAttr(gpu.DimensionEnum[axis.upper()])
    return Index(tracing().once((word, axis), lambda: _OPS[word](dimension)))


class Tuple3D:
    """Three numbers x, y, z that each thread has."""

    def __init__(self, word: str) -> None:
        self._word = word

    def _number(self, axis: str) -> Int32:
        value = _index(self._word, axis).number.ssa()
        cast = tracing().once((self._word, axis, "i32"), lambda: arith.IndexCastOp(value, i32))
        found = scalar(of_ssa(cast))
        assert isinstance(found, Int32)
        return found

    @property
    def x(self) -> Int32:
        """That along x."""
        return self._number("x")

    @property
    def y(self) -> Int32:
        """That along y."""
        return self._number("y")

    @property
    def z(self) -> Int32:
        """That along z."""
        return self._number("z")

    def __iter__(self) -> Iterator[Int32]:
        return iter((self.x, self.y, self.z))


thread_idx = Tuple3D("thread")
block_idx = Tuple3D("block")
block_dim = Tuple3D("block_dim")
grid_dim = Tuple3D("grid_dim")


def thread_id(axis: str = "x") -> Index:
    """The thread's number in its block, as an index."""
    return _index("thread", _axis(axis))


def block_id(axis: str = "x") -> Index:
    """The block's number, as an index."""
    return _index("block", _axis(axis))


def _axis(axis: object) -> str:
    name = getattr(axis, "name", axis)
    if name not in ("x", "y", "z"):
        raise KernelError(f"an axis is 'x', 'y' or 'z', got {axis!r}")
    return str(name)


def barrier() -> None:
    """All threads of a block meet; what they wrote before is seen behind."""
    tracing().emit(gpu.BarrierOp.create())


def num_warp_threads() -> int:
    """Lanes of a warp on the current target: 64 on CDNA, 32 elsewhere."""
    return current_kernel().lanes


def known_block_size() -> tuple[int, int, int]:
    """The threads of a block, (x, y, z), where the launch says them while tracing.

    Raises:
        KernelError: run time alone knows them.
    """
    found = current_kernel().block
    if found is None:
        raise KernelError("the block's size is known at run time only; ask fx.block_dim")
    return found


def lane_id() -> Int32:
    """The thread's number in its warp."""
    x, y, z = thread_idx
    dims = block_dim
    flat: Numeric = x
    sizes = current_kernel().block
    if sizes is None or sizes[1] * sizes[2] != 1:
        flat = as_numeric(x + dims.x * (y + dims.y * z))
    return Int32(flat % num_warp_threads())


# ---- what another lane has


def _shuffled(mode: str, value: Numeric | Vector, offset: NumericLike, width: NumericLike) -> Numeric | Vector:
    if isinstance(value, Vector):
        parts = [as_numeric(_shuffled(mode, part, offset, width)) for part in value]
        return Vector(Vector.from_elements(parts, value.dtype), value.shape)
    return scalar(shuffled(mode, as_numeric(value).number, Int32(offset).number, Int32(width).number))


def shuffle(value: Numeric | Vector, offset: NumericLike, width: NumericLike, mode: str = "xor") -> Numeric | Vector:
    """What another lane of the warp has: by `xor`, `up`, `down` or `idx`, within groups of `width` lanes."""
    return _shuffled(mode, value, offset, width)


def shuffle_xor(value: Numeric | Vector, offset: NumericLike, width: NumericLike) -> Numeric | Vector:
    """What the lane has whose number differs in the bits of `offset`."""
    return _shuffled("xor", value, offset, width)


def shuffle_up(value: Numeric | Vector, offset: NumericLike, width: NumericLike) -> Numeric | Vector:
    """What the lane has that is `offset` before this one; of the first ones their own."""
    return _shuffled("up", value, offset, width)


def shuffle_down(value: Numeric | Vector, offset: NumericLike, width: NumericLike) -> Numeric | Vector:
    """What the lane has that is `offset` behind this one; of the last ones their own."""
    return _shuffled("down", value, offset, width)


def shuffle_idx(value: Numeric | Vector, lane: NumericLike, width: NumericLike) -> Numeric | Vector:
    """What the lane of that number has."""
    return _shuffled("idx", value, lane, width)
