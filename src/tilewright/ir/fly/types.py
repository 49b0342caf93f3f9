"""Values of the `fly` dialect's types, as far as they are not values of the layout half already.

Int tuples, layouts, composed layouts and swizzles are those of `layout/`. Run-time leaves in them are nameless: only
their width and divisor belong to the type.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TypeAlias, TypeGuard

from tilewright.errors import LayoutError
from tilewright.layout.axes import AxisSum
from tilewright.layout.composed import ComposedLayout
from tilewright.layout.coord_swizzle import CoordSwizzle
from tilewright.layout.layout import Layout
from tilewright.layout.swizzle import Swizzle
from tilewright.layout.symbolic.conditions import Truth
from tilewright.layout.symbolic.symint import SymInt

if TYPE_CHECKING:
    from tilewright.layout.algebra.tiler import CheckedTiler
    from tilewright.layout.inttuple import Element, Tree

AnyLayout: TypeAlias = Layout | ComposedLayout
# Of an int tuple `!fly.int_tuple<(4,(?,*))>`, which is a `Tree`, what is a coordinate: `*` is None.
Coordinate: TypeAlias = "int | tuple[Coordinate, ...] | None"


_LEAVES = (int, SymInt, AxisSum, type(None))  # a union would be made anew for each value


def is_tree(value: object) -> TypeGuard[Tree]:
    """Is it an int tuple of fly: integers, `*` and elements of the module of strides, in tuples?"""
    if isinstance(value, tuple):
        return all(map(is_tree, value))
    return isinstance(value, _LEAVES) and not isinstance(value, bool)


@dataclass(frozen=True, slots=True)
class Tile:
    """`!fly.tile<[4|*]>`: a tiler of the algebra."""

    tiler: CheckedTiler


# The tile that a tiled MMA has unless it says otherwise: it is not written.
KEPT = Tile((None, None, None))


@dataclass(frozen=True, slots=True)
class Scalar:
    """A type of another dialect, by its text: `i1`, `vector<4xf32>`, `!llvm.ptr<3>`."""

    text: str


@dataclass(frozen=True, slots=True)
class Asked(Scalar):
    """An `i1` whose truth may be known at run time only."""

    truth: Truth = True


@dataclass(frozen=True, slots=True)
class Results:
    """The types of an op's results, where they are not one: of an op that only writes memory, none."""

    types: tuple[Value, ...] = ()


@dataclass(frozen=True, slots=True)
class Basis:
    """`!fly.basis<3E0E1>`: one element of the module of strides."""

    element: Element


@dataclass(frozen=True, slots=True)
class XorShift:
    """`S<b,m,s>` with |s| < b: fly's function x ^ ((x & mask) >> s), which is one-to-one but undoes no copy of itself.

    As CuTe's, a negative shift takes the lower field and moves it up.

    The algebra has no such swizzle: CuTe demands that the fields lie apart.
    """

    b: int
    m: int
    s: int

    def __post_init__(self) -> None:
        if not abs(self.s) < self.b or self.m < 0 or self.m + self.b + abs(self.s) > 62:
            raise LayoutError(f"{self}: expected |shift| < bits, base >= 0, and bits below the 63rd")

    def __call__(self, offset: int) -> int:
        """The swizzled offset.

        >>> XorShift(3, 3, 2)(0b10100000), XorShift(3, 3, -2)(0b1000)
        (136, 40)
        """
        moved = offset & ((1 << self.b) - 1) << (self.m + max(0, self.s))
        return offset ^ (moved >> self.s if self.s >= 0 else moved << -self.s)

    def __str__(self) -> str:
        return f"S<{self.b},{self.m},{self.s}>"


@dataclass(frozen=True, slots=True)
class Pointer:
    """`!fly.ptr<f16, shared, align<16>, S<3,3,3>>`; `align` in bytes, `bits` those of the element.

    `distance` is by how many elements a rule has moved it, of which the type says nothing.
    """

    element: str
    space: str
    bits: int
    align: int
    swizzle: Swizzle | None = None
    distance: int | SymInt = field(default=0, compare=False)

    @property
    def natural(self) -> int:
        """The bytes of one element, which is the alignment that need not be written."""
        return max(1, self.bits // 8)


@dataclass(frozen=True, slots=True)
class MemRef:
    """`!fly.memref<f32, global, (8,4):(4,1)>`: a pointer under a layout."""

    pointer: Pointer
    layout: AnyLayout


@dataclass(frozen=True, slots=True)
class CoordTensor:
    """`!fly.coord_tensor<(0,0), (4,8):(1E0,1E1)>`: a coordinate under a layout."""

    base: Tree
    layout: AnyLayout


View: TypeAlias = MemRef | CoordTensor


@dataclass(frozen=True, slots=True)
class Atom:
    """`!fly.copy_atom<..>` or `!fly.mma_atom<..>`, by its text; `notation.fly_atoms` makes the atom of it."""

    text: str


@dataclass(frozen=True, slots=True)
class TiledCopy:
    """`!fly.tiled_copy<ATOM, !fly.layout<TV>, !fly.tile<[M|N]>>`."""

    atom: Atom
    layout: Layout
    tile: Tile


@dataclass(frozen=True, slots=True)
class TiledMma:
    """`!fly.tiled_mma<ATOM, !fly.layout<..>[, !fly.tile<..>]>`."""

    atom: Atom
    layout: Layout
    permutation: Tile | None = None


Value: TypeAlias = (
    "Tree | Tile | Basis | AnyLayout | Swizzle | XorShift | CoordSwizzle | Pointer | View | Atom | TiledCopy | TiledMma"
    " | Scalar | Results | bool"
)
