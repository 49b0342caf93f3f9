"""`fly-expand-work`: a copy or a gemm of whole views becomes calls of its atom, one for each place; vectors likewise.

FlyDSL has no such pass: its layout lowering begins with it, and so does ours.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import TypeAlias

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Attribute, SSAValue
from xdsl.passes import ModulePass

from tilewright.atoms.copy_atom import CopyAtom
from tilewright.errors import CompileError, LayoutError
from tilewright.ir.core.location import place
from tilewright.ir.core.rewrite import Before, erase
from tilewright.ir.core.walk import operations
from tilewright.ir.fly.assembly import SEGMENTS
from tilewright.ir.fly.dialect_types import FlyType, MemRefType, type_of
from tilewright.ir.fly.linear import moves_as_a_whole
from tilewright.ir.fly.normal_form import innermost
from tilewright.ir.fly.ops import FlyOp, is_fly, make
from tilewright.ir.fly.registers import defining
from tilewright.ir.fly.rules.atoms import atom_of
from tilewright.ir.fly.traversal import DEFAULT, by_layout, by_order
from tilewright.ir.fly.types import Coordinate, MemRef, TiledCopy, TiledMma
from tilewright.layout.indexing import idx2crd
from tilewright.layout.inttuple import IntTuple, modes, product
from tilewright.layout.layout import Layout
from tilewright.passes.fly.vectors import load_all, store_all

MOST = 1 << 14
Coord: TypeAlias = "tuple[Coordinate, ...]"


@dataclass(frozen=True)
class Expand(ModulePass):
    """`copy` becomes `copy_atom_call`, `gemm` becomes `mma_atom_call`; views are sliced for each call.

    Raises:
        CompileError: the views do not hold whole atoms, or how many they hold is known at run time only.
    """

    name = "fly-expand-work"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        """Changes the module in place."""
        for work in [inner for inner in operations(op) if is_fly(inner)]:
            if work.short in _VECTORS:
                _VECTORS[work.short](work)
            elif work.short in _EXPANSIONS:
                try:
                    _EXPANSIONS[work.short](work)
                except LayoutError as error:
                    raise CompileError(f"'{work.name}' op {error}\n{place(work)}".rstrip()) from None
                erase(work)


class _At:
    """Makes ops before the work, in its place of the source."""

    def __init__(self, work: FlyOp) -> None:
        self._builder, self._location = Before(work), work.location
        self._made: dict[Hashable, SSAValue] = {}

    def slice(self, view: SSAValue, coord: Coord | None) -> SSAValue:
        """The part of a view at a coordinate, of which None keeps a mode; the view itself where nothing is fixed."""
        if coord is None or all(part is None for part in coord):
            return view
        return self._once((view, coord), lambda: self.make("slice", [view, self._coordinate(coord)]))

    def linear(self, view: SSAValue) -> SSAValue:
        """The view with a plain layout, where its swizzle only moves it as a whole."""
        if not moves_as_a_whole(_memref(view).layout):
            return view
        return self._once(view, lambda: self.make("decomposition", [view]))

    def element(self, view: SSAValue, index: int) -> SSAValue:
        """The view of one element alone, by its number."""
        pointer, layout = self.make("get_iter", [view]), self.make("get_layout", [view])
        offset = self.make("crd2idx", [self._coordinate(index), layout])
        one = self.make("static", [], type_of(Layout(1, 0)))
        return self.make("make_view", [self.make("add_offset", [pointer, offset]), one])

    def atom(self, value: SSAValue, kind: str) -> SSAValue:
        """The atom itself, of one that is tiled."""
        made = defining(value, f"make_tiled_{kind}")
        if made is not None:
            return made.operands[0]
        tiled = isinstance(value.type, FlyType) and isinstance(value.type.value, TiledCopy | TiledMma)
        return self.make(f"get_{kind}_atom", [value]) if tiled else value

    def call(self, name: str, groups: Sequence[Sequence[SSAValue]]) -> None:
        """A call of the atom."""
        sizes = {SEGMENTS: tuple(len(group) for group in groups)} if name == "mma_atom_call" else {}
        self._add(make(name, [operand for group in groups for operand in group], sizes, ()))

    def make(self, name: str, operands: Sequence[SSAValue], *results: Attribute) -> SSAValue:
        """An op, and its result."""
        return self._add(make(name, operands, None, results or None)).results[0]

    def _coordinate(self, coord: Coord | int) -> SSAValue:
        return self._once(coord, lambda: self.make("make_int_tuple", [], type_of(coord)))

    def _once(self, key: Hashable, make: Callable[[], SSAValue]) -> SSAValue:
        if key not in self._made:
            self._made[key] = make()
        return self._made[key]

    def _add(self, op: FlyOp) -> FlyOp:
        op.location = self._location
        return self._builder.put(op)


# ---- copies


def _copy(work: FlyOp) -> None:
    _, source, target, *predicate = work.operands
    made, at = _atom(work), _At(work)
    atom = at.atom(work.operands[0], "copy")
    places = [list(islice(_pieces(view, made), MOST + 1)) for view in (source, target)]
    if len(places[0]) != len(places[1]):
        raise LayoutError(f"copies {len(places[0])} atoms of {source.type} to {len(places[1])} of {target.type}")
    if len(places[0]) > MOST:
        raise LayoutError(f"is more than {MOST} calls; copy tiles in a loop")
    rest = product(modes(_shape(source))[1:])
    for i, (a, b) in enumerate(zip(*places, strict=True)):
        condition = [at.element(p, n) if (n := _number(p, i, len(places[0]), rest)) >= 0 else p for p in predicate]
        moved = [[at.linear(at.slice(view, piece))] for view, piece in ((source, a), (target, b))]
        at.call("copy_atom_call", [[atom], *moved, condition])


def _pieces(view: SSAValue, atom: CopyAtom | None) -> Iterator[Coord | None]:
    """The coordinates of the view's parts that one call moves: within mode 0 first, then along the others.

    Without an atom's layouts, as a tensor mover has none, it is one call.
    """
    first, *others = modes(_shape(view))
    if atom is None or product(_shape(view)) == _values(view, atom):  # what moves tiles takes its view whole
        yield None
        return
    inner = _repeated(first, others, view, atom)
    extents = [product(mode) for mode in (*inner, *others)]
    for number in range(product(tuple(extents))):
        at = idx2crd(number, tuple(extents))
        within = (None, *at[: len(inner)]) if inner else None
        yield (within, *at[len(inner) :]) if isinstance(_shape(view), tuple) else within


def _repeated(first: IntTuple, others: Sequence[IntTuple], view: SSAValue, atom: CopyAtom) -> list[IntTuple]:
    """The modes of mode 0 that a call is repeated along, where it does not take mode 0 whole."""
    if not all(isinstance(product(mode), int) for mode in (first, *others)):
        raise LayoutError(f"the number of atoms in {view.type} is known at run time only")
    count, wanted = product(first), _values(view, atom)
    if count == wanted:
        return []
    inner = list(modes(first)) if isinstance(first, tuple) else []
    if len(inner) > 1 and product(inner[0]) == wanted:
        return inner[1:]
    raise LayoutError(f"moves {wanted} values with each call, which mode 0 of {view.type} does not hold side by side")


def _values(view: SSAValue, atom: CopyAtom) -> int:
    return atom.bits_per_thread // _memref(view).pointer.bits


def _number(predicate: SSAValue, call: int, calls: int, rest: int) -> int:
    """Which element of a predicate tells about a call; -1 for one that is a single element."""
    count = product(_shape(predicate))
    if count == 1:
        return -1
    if count == calls:
        return call
    if count == rest:
        return call // (calls // rest)
    raise LayoutError(f"makes {calls} calls, for which the {count} elements of {predicate.type} do not tell")


# ---- gemms


def _gemm(work: FlyOp) -> None:
    groups = work.groups
    d, a, b, c = (groups[name] for name in "dabc")
    at = _At(work)
    atom = at.atom(work.operands[0], "mma")
    if max(len(modes(_shape(view))) for view in (*d, *a, *b, *c)) == 1:
        return at.call("mma_atom_call", [[atom], d, a, b, c])
    extents = _extents(d[0], a[0], b[0])
    visited: set[tuple[int, ...]] = set()
    for m, n, *k in _order(work, extents):
        added = d[0] if (m, n) in visited else c[0]
        visited.add((m, n))
        left, right = ([at.slice(view, (None, i, *k)) for view in views] for views, i in ((a, m), (b, n)))
        out, start = at.slice(d[0], (None, m, n)), at.slice(added, (None, m, n))
        at.call("mma_atom_call", [[atom], [out], left, right, [start]])
    return None


def _extents(d: SSAValue, a: SSAValue, b: SSAValue) -> tuple[int, ...]:
    """Those of M, N and perhaps K, in atoms."""
    shapes = [modes(_shape(view)) for view in (d, a, b)]
    if len(shapes[0]) != 3 or len(shapes[1]) != len(shapes[2]) or len(shapes[1]) not in (2, 3):
        types = ", ".join(str(view.type) for view in (d, a, b))
        raise LayoutError(f"takes views of the modes (V,M,N), (V,M[,K]) and (V,N[,K]), got {types}")
    found = tuple(product(mode) for mode in (*shapes[0][1:], *shapes[1][2:]))
    if not all(isinstance(extent, int) for extent in found):
        raise LayoutError("the number of atoms is known at run time only")
    if product(found) > MOST:
        raise LayoutError(f"is {product(found)} calls, more than {MOST}; multiply tiles in a loop")
    return found


def _order(work: FlyOp, extents: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
    layouts = work.group("traversalLayout")
    if not layouts:
        order = work.attribute("traversalOrder") or DEFAULT
        return by_order(str(order), extents)
    kind = layouts[0].type
    found = kind.value if isinstance(kind, FlyType) else None
    if not isinstance(found, Layout) or not found.is_static:
        raise LayoutError(f"the traversal layout is static, got {kind}")
    return by_layout(found, extents)


_EXPANSIONS = {"copy": _copy, "gemm": _gemm}
_VECTORS = {"memref.load_vec": load_all, "memref.store_vec": store_all}


# ---- what both ask


def _memref(view: SSAValue) -> MemRef:
    if not isinstance(view.type, MemRefType):
        raise LayoutError(f"works on memory, got {view.type}")
    return view.type.value


def _shape(view: SSAValue) -> IntTuple:
    return innermost(_memref(view).layout).shape


def _atom(work: FlyOp) -> CopyAtom | None:
    kind = work.operands[0].type
    value = kind.value if isinstance(kind, FlyType) else None
    found = atom_of(value.atom if isinstance(value, TiledCopy | TiledMma) else value)
    assert found is None or isinstance(found, CopyAtom)
    return found
