"""Handlers of matrix products: D = A B + C of an atom's warps, by the simulator's one rule."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from xdsl.ir import Operation, SSAValue

from tilewright.atoms.mma import MmaAtom
from tilewright.dtypes import DType, dtype
from tilewright.errors import CompileError, SimulationError
from tilewright.ir.fly.dialect_types import FlyType
from tilewright.ir.fly.memories import cell_bits
from tilewright.ir.fly.ops import OPS, FlyOp
from tilewright.ir.fly.rules.atoms import atom_of
from tilewright.ir.fly.traversal import DEFAULT, by_layout, by_order
from tilewright.ir.fly.types import Atom, MemRef, TiledMma
from tilewright.layout.inttuple import product
from tilewright.layout.layout import Layout
from tilewright.targets.launch import where
from tilewright.targets.simulator.collective.operands import Operand, Operands, operands_of
from tilewright.targets.simulator.collective.rule import fast, multiply_add
from tilewright.targets.simulator.fly.access import Access
from tilewright.targets.simulator.fly.bits import as_bytes, from_bytes, width_of
from tilewright.targets.simulator.fly.elements import as_rows, given, kind_of, of_rows
from tilewright.targets.simulator.fly.layouts import value_of
from tilewright.targets.simulator.fly.scaling import Factors
from tilewright.targets.simulator.fly.values import held, place_in
from tilewright.targets.simulator.fly.views import count_of, extents_of, offsets, view_of
from tilewright.targets.simulator.memory.access import Array
from tilewright.targets.simulator.ops.atoms import Warps, real
from tilewright.targets.simulator.program import Compiler, Frame, Handler, Step

MOST_CALLS = 1 << 14


def mma_atom(op: FlyOp) -> MmaAtom:
    """The atom of a product.

    Raises:
        CompileError: no table here has its layouts, or it takes sparse operands.
    """
    kind = op.operands[0].type
    value = kind.value if isinstance(kind, FlyType) else None
    atom = value.atom if isinstance(value, TiledMma) else value
    found = atom_of(atom) if isinstance(atom, Atom) else None
    if not isinstance(found, MmaAtom) or found.sparsity != 1:
        why = "takes sparse operands" if isinstance(found, MmaAtom) else "has no layouts in a table here"
        raise CompileError(f"{op.name}: {kind} {why}; it is not simulated\n{where(op)}")
    return found


@dataclass(frozen=True, eq=False)
class Factor:
    """An operand in registers: of each call so many elements of a type, (blocks, threads, element)."""

    op: FlyOp
    element: DType
    count: int
    slot: int
    view: MemRef | None
    total: int
    access: Access | None
    kept: DType

    @staticmethod
    def of(
        compiler: Compiler, op: FlyOp, value: SSAValue, atom: MmaAtom, letter: str, kind: str, whole: bool
    ) -> Factor:
        """An operand: a view, of the first call or of all of them, or a value."""
        element, count = (
            atom.dtypes["DABC".index(letter)],
            int(atom.tv_layout("C" if letter == "D" else letter)[1].size),
        )
        if not isinstance(value.type, FlyType):
            kept, _ = kind_of(value.type)
            return Factor(op, element, count, compiler.slot(value), None, count, None, kept)
        view = view_of(value, op)
        total = count_of(view, op) if whole else count
        kept = dtype(view.pointer.element)
        together = 1 if width_of(kept) >= 8 else count
        access = Access.of(compiler, op, value, kind, together * width_of(kept))
        return Factor(op, element, count, compiler.slot(value), view, total, access, kept)

    def read(self, frame: Frame, call: int) -> Array:
        """The elements of a call."""
        if self.view is None or self.access is None:
            count = self.count * self.element.bits // width_of(self.kept)
            rows = as_rows(given(frame, self.op, frame.values[self.slot]), count, frame.domain.shape, self.kept)
            return from_bytes(as_bytes(rows, self.kept), self.element)
        place = place_in(frame.values, self.slot, self.op)
        data = self.access.read(frame, place, self._starts(frame, call), frame.mask)
        return from_bytes(np.moveaxis(data, 0, -2).reshape(*data.shape[1:-1], -1), self.element)

    def write(self, frame: Frame, call: int, rows: Array) -> None:
        """Puts the elements of a call there."""
        assert self.access is not None, "a view"
        data = np.moveaxis(as_bytes(rows, self.element).reshape(*rows.shape[:-1], self.count, -1), -2, 0)
        self.access.write(
            frame, place_in(frame.values, self.slot, self.op), self._starts(frame, call), data, frame.mask
        )

    def _starts(self, frame: Frame, call: int) -> Array:
        assert self.view is not None
        bits = cell_bits(self.view.pointer)
        found = offsets(self.view, held(frame.values, self.slot), self.total) * bits
        mine: Array = found[call * self.count : (call + 1) * self.count]
        if bits >= 8:
            return mine
        if (np.diff(mine, axis=0) != bits).any():
            raise CompileError(f"{self.op.name} takes elements of {bits} bits side by side\n{where(self.op)}")
        return mine[:1]


@dataclass(frozen=True, eq=False)
class Unit:
    """Works out one product of all warps of a frame."""

    op: FlyOp
    atom: MmaAtom
    factors: Factors

    def __call__(self, frame: Frame, a: Array, b: Array, c: Array) -> Array:
        """D, (blocks, threads, element), of operands that lanes hold."""
        warps = Warps.of(frame, real(frame), self.op, self.atom)
        held: Operands = operands_of(self.atom, warps.size)
        sides = (("A", held.a, a), ("B", held.b, b), ("C", held.c, c))
        left, right, start = (self._matrices(warps, *side) for side in sides)
        left, right = self.factors(frame, warps, left, right)
        function = fast if warps.lanes.machine.mma == "fast" else multiply_add
        made = function(left, right, start, self.factors.types, self.atom.instruction)
        return warps.spread(held.c.fragments(made))

    def _matrices(self, warps: Warps, letter: str, operand: Operand, rows: Array) -> Array:
        """The matrices that lanes hold.

        Raises:
            SimulationError: lanes that must hold the same elements do not.
        """
        fragments = warps.gather(np.ascontiguousarray(rows))
        wrong = operand.disagreement(fragments) if operand.copies > 1 else None
        if wrong is not None:
            lanes = ", ".join(map(str, wrong[1:]))
            raise SimulationError(
                f"lanes {lanes} of a warp hold different values of one element of {letter}\n{where(self.op)}"
            )
        return operand.matrices(fragments)


def call(compiler: Compiler, op: FlyOp) -> Step:
    """The handler of one call, on views or values."""
    atom = mma_atom(op)
    a, b, c = (Factor.of(compiler, op, op.group(x)[0], atom, x.upper(), "load", False) for x in "abc")
    target = list(op.group("d" if op.short == "mma_atom_call" else "dst"))
    d = Factor.of(compiler, op, target[0], atom, "D", "store", False) if target and not op.results else None
    unit = Unit(op, atom, Factors.of(compiler, op, atom))

    def step(frame: Frame) -> None:
        found = unit(frame, a.read(frame, 0), b.read(frame, 0), c.read(frame, 0))
        if d is not None:
            d.write(frame, 0, found)
            return
        kind = op.results[0].type
        element, _ = kind_of(kind)
        frame.values[compiler.slot(op.results[0])] = of_rows(from_bytes(as_bytes(found, atom.dtypes[0]), element), kind)

    return step


def gemm(compiler: Compiler, op: FlyOp) -> Step:
    """The handler of products over all atoms of views: the modes (V,M[,K]), (V,N[,K]) and (V,M,N)."""
    atom = mma_atom(op)
    views = {name: view_of(op.group(name)[0], op) for name in "dabc"}
    if max(len(extents_of(view)) for view in views.values()) == 1:
        return call(compiler, op)
    extents = _extents(op, views)
    d, a, b, c = (
        Factor.of(compiler, op, op.group(x)[0], atom, x.upper(), "store" if x == "d" else "load", True) for x in "dabc"
    )
    before = Factor.of(compiler, op, op.group("d")[0], atom, "D", "load", True)
    calls = _calls(op, extents)
    unit = Unit(op, atom, Factors.of(compiler, op, atom))

    def step(frame: Frame) -> None:
        frame.domain.burn(len(calls), op)
        visited: set[int] = set()
        for m, n, k in calls:
            at = m + extents[0] * n
            added = (before if at in visited else c).read(frame, at)
            visited.add(at)
            found = unit(frame, a.read(frame, m + extents[0] * k), b.read(frame, n + extents[1] * k), added)
            d.write(frame, at, found)

    return step


def _extents(op: FlyOp, views: Mapping[str, MemRef]) -> tuple[int, ...]:
    """Those of M, N and perhaps K, in atoms."""
    shapes = {name: extents_of(view) for name, view in views.items()}
    if len(shapes["d"]) != 3 or len(shapes["a"]) != len(shapes["b"]) or len(shapes["a"]) not in (2, 3):
        raise CompileError(f"{op.name} takes views of the modes (V,M,N), (V,M[,K]) and (V,N[,K])\n{where(op)}")
    found = tuple(map(product, (*shapes["d"][1:], *shapes["a"][2:])))
    if product(found) > MOST_CALLS:
        raise CompileError(
            f"{op.name} is {product(found)} calls; at most {MOST_CALLS}, multiply tiles in a loop\n{where(op)}"
        )
    return found


def _calls(op: FlyOp, extents: Sequence[int]) -> list[tuple[int, int, int]]:
    """The atoms (m, n, k) in the order of their walk."""
    layouts = op.group("traversalLayout")
    if layouts:
        layout = value_of(layouts[0].type)
        if not isinstance(layout, Layout) or not layout.is_static:
            raise CompileError(f"{op.name}: the traversal layout is static, got {layouts[0].type}\n{where(op)}")
        walk = by_layout(layout, extents)
    else:
        walk = by_order(str(op.attribute("traversalOrder") or DEFAULT), extents)
    return [(m, n, k[0] if k else 0) for m, n, *k in walk]


PRODUCT_HANDLERS: Mapping[type[Operation], Handler] = {
    OPS["mma_atom_call"]: call,
    OPS["mma_atom_call_ssa"]: call,
    OPS["gemm"]: gemm,
}
