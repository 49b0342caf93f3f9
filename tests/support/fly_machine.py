"""One thread of a `fly` program, executed: memory is bits, an atom moves or combines the values of its layouts.

It knows no simulator and no pass: ops on layouts are the algebra on concrete integers, copies and gemms are what their
layouts say. What floats are is left open: sums and products are functions of bits that no rewriting could guess, and
only the sum of products is known not to depend on its order.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any
from zlib import crc32

from xdsl.dialects import arith, scf, vector
from xdsl.dialects.builtin import DenseIntOrFPElementsAttr, FloatAttr, IntegerType, ModuleOp, VectorType
from xdsl.ir import Attribute, Block, Operation, SSAValue

from tilewright.ir.core.evaluate import evaluated, wrapped
from tilewright.ir.fly.infer import infer_value
from tilewright.ir.fly.leaves import run_time_leaves
from tilewright.ir.fly.normal_form import innermost
from tilewright.ir.fly.ops import FlyOp, plain
from tilewright.ir.fly.rules.atoms import atom_of
from tilewright.ir.fly.storage import allocated
from tilewright.ir.fly.table import TABLE
from tilewright.ir.mlir.slices import bits_of
from tilewright.ir.mlir.vector import ExtractStridedSliceOp, FromElementsOp, InsertStridedSliceOp, integers
from tilewright.layout.composed import ComposedLayout
from tilewright.layout.indexing import crd2idx
from tilewright.layout.inttuple import leaves, modes, product, unflatten


@dataclass(frozen=True, eq=False)
class At:
    """A pointer: memory as bits, the bit it points at, and the bits of an element."""

    memory: list[int]
    bit: int
    width: int

    def moved(self, elements: int) -> At:
        return At(self.memory, self.bit + elements * self.width, self.width)

    def read(self, bits: int) -> int:
        part = self.memory[self.bit : self.bit + bits]
        assert self.bit >= 0, "before the memory"
        assert len(part) == bits, "behind the memory"
        return sum(bit << i for i, bit in enumerate(part))

    def write(self, bits: int, value: int) -> None:
        assert 0 <= self.bit <= len(self.memory) - bits, "outside of the memory"
        self.memory[self.bit : self.bit + bits] = [value >> i & 1 for i in range(bits)]


@dataclass(frozen=True, eq=False)
class View:
    """A pointer under a layout."""

    at: At
    layout: Any

    @property
    def shape(self) -> Any:
        return innermost(self.layout).shape

    @property
    def size(self) -> int:
        return int(product(self.shape))

    def element(self, number: int) -> At:
        return self.at.moved(offset(self.layout, number))


def offset(layout: Any, coord: Any) -> int:
    """Where an element lies."""
    if isinstance(layout, ComposedLayout):
        return int(layout.outer(layout.offset + offset(layout.inner, coord)))
    return int(crd2idx(coord, layout.shape, layout.stride))


def memory(bits: int, seed: int) -> list[int]:
    """Bits that look random."""
    random = Random(seed)
    return [random.getrandbits(1) for _ in range(bits)]


def execute(module: ModuleOp, arguments: Sequence[Any]) -> list[Any]:
    """What the module's one function returns; the memories of its arguments change."""
    (function,) = module.ops
    block = function.regions[0].block
    return _Machine().block(block, dict(zip(block.args, arguments, strict=True)))


def width_of(pointer: Any) -> int:
    """The bits of an element as a value: a truth is one bit of them, however memory holds it."""
    return 1 if pointer.value.element == "i1" else int(pointer.value.bits)


class _Machine:
    def block(self, block: Block, values: dict[SSAValue, Any]) -> list[Any]:
        """What the block's last op gives."""
        for op in block.ops:
            operands = [values[operand] for operand in op.operands]
            if op is block.last_op:
                return operands
            results = self.op(op, operands, values)
            values.update(zip(op.results, results, strict=True))
        raise AssertionError("a block has a last op")

    def op(self, op: Operation, operands: list[Any], values: Mapping[SSAValue, Any]) -> Sequence[Any]:
        match op:
            case FlyOp():
                found = self.fly(op, operands)
                return [found] if op.results else []
            case scf.ForOp():
                return self.loop(op, operands, values)
            case scf.IfOp():
                region = op.regions[0 if operands[0] else 1]
                return self.block(region.block, dict(values)) if region.blocks else []
            case scf.WhileOp():
                return self.rounds(op, operands, values)
        return [_plain_op(op, operands)]

    def loop(self, op: scf.ForOp, operands: list[Any], values: Mapping[SSAValue, Any]) -> list[Any]:
        begin, end, step, *carried = operands
        for i in range(begin, end, step):
            inside = dict(zip(op.body.block.args, (i, *carried), strict=True))
            carried = self.block(op.body.block, {**values, **inside})
        return carried

    def rounds(self, op: scf.WhileOp, carried: list[Any], values: Mapping[SSAValue, Any]) -> list[Any]:
        before, after = op.before_region.block, op.after_region.block
        while True:
            goes_on, *carried = self.block(before, {**values, **dict(zip(before.args, carried, strict=True))})
            if not goes_on:
                return carried
            carried = self.block(after, {**values, **dict(zip(after.args, carried, strict=True))})

    # ---- fly

    def fly(self, op: FlyOp, operands: list[Any]) -> Any:
        work = getattr(self, f"_{op.short.replace('.', '_')}", None)
        if work:
            return work(op, operands)
        kind: Any = op.results[0].type
        if not op.operands:
            return kind.value
        if isinstance(operands[0], View) and op.short in ("group", "get"):
            return View(operands[0].at, _worked(op, [operands[0].layout, *operands[1:]]))
        return _worked(op, operands)

    def _make_int_tuple(self, op: FlyOp, operands: list[Any]) -> Any:
        kind: Any = op.results[0].type
        given = iter(operands)
        flat = tuple(leaf if leaf is None or isinstance(leaf, int) else next(given) for leaf in leaves(kind.value))
        assert len(run_time_leaves(kind.value)) == len(operands)
        return unflatten(flat, kind.value)

    def _make_ptr(self, op: FlyOp, operands: list[Any]) -> At:
        width = width_of(op.results[0].type)
        return At([0] * (allocated(op) or 0) * width, 0, width)

    def _memref_alloca(self, op: FlyOp, operands: list[Any]) -> View:
        kind: Any = op.results[0].type
        layout, bits = kind.value.layout, kind.value.pointer.bits
        return View(At([0] * layout.cosize * bits, 0, bits), layout)

    def _make_view(self, op: FlyOp, operands: list[Any]) -> View:
        return View(*operands)

    def _get_iter(self, op: FlyOp, operands: list[Any]) -> At:
        return operands[0].at

    def _get_layout(self, op: FlyOp, operands: list[Any]) -> Any:
        return operands[0].layout

    def _decomposition(self, op: FlyOp, operands: list[Any]) -> View:
        (view,) = operands
        return View(view.at.moved(view.layout.outer(view.layout.offset)), view.layout.inner)

    def _add_offset(self, op: FlyOp, operands: list[Any]) -> At:
        by = operands[1]
        return operands[0].moved(by[0] if isinstance(by, tuple) else by)

    def _slice(self, op: FlyOp, operands: list[Any]) -> Any:
        view, coord = operands
        if not isinstance(view, View):
            return _worked(op, operands)
        kept = _worked(op, [view.layout, coord])
        if isinstance(kept, ComposedLayout):
            return View(view.at, kept)
        return View(view.at.moved(offset(view.layout, _zeros(coord))), kept)

    def _ptr_load(self, op: FlyOp, operands: list[Any]) -> Any:
        return _value(operands[0], op.results[0].type)

    def _ptr_store(self, op: FlyOp, operands: list[Any]) -> None:
        value, at = operands
        kind = op.operands[0].type
        at.write(bits_of(kind), _pattern(value, kind))

    def _memref_load_vec(self, op: FlyOp, operands: list[Any]) -> Any:
        return _as(_got(operands[0], operands[0].size), op.results[0].type)

    def _memref_store_vec(self, op: FlyOp, operands: list[Any]) -> None:
        value, view = operands
        _put(view, value)

    # ---- work

    def _copy(self, op: FlyOp, operands: list[Any]) -> None:
        """Element by element; the predicate of a part of mode 0 that one call moves."""
        _, source, target, *predicate = operands
        first, wanted = product(modes(source.shape)[0]), _moved(op, source)
        values = [source.element(i).read(source.at.width) for i in range(source.size)]
        for i, value in enumerate(values):
            v, rest = i % first, i // first
            if all(_holds(p, v // wanted, rest, first // wanted) for p in predicate):
                target.element(i).write(target.at.width, value)

    def _copy_atom_call(self, op: FlyOp, operands: list[Any]) -> None:
        _, source, target, *predicate = operands
        if all(p.element(0).read(1) for p in predicate):
            _put(target, _got(source, _moved(op, source)))

    def _copy_atom_call_ssa(self, op: FlyOp, operands: list[Any]) -> Any:
        sizes: Any = plain(op.properties["operandSegmentSizes"])
        rest = operands[2:]
        kept, predicate = rest[: sizes[2]], rest[sizes[2] :]
        count = _values(op.operands[1].type) if not isinstance(operands[1], View) else _moved(op, operands[1])
        moved = _got(operands[1], count)
        does = all(p.element(0).read(1) if isinstance(p, View) else p & 1 for p in predicate)
        if op.results:
            return _as(moved if does else _got(kept[0], count), op.results[0].type)
        if does:
            _put(kept[0], moved)
        return None

    def _mma_atom_call(self, op: FlyOp, operands: list[Any]) -> None:
        _, d, a, b, c = operands
        _put(d, _multiplied(op, a, b, c))

    def _mma_atom_call_ssa(self, op: FlyOp, operands: list[Any]) -> Any:
        a, b, c = operands[-3:]
        found = _multiplied(op, a, b, c)
        if op.results:
            return _as(found, op.results[0].type)
        _put(operands[1], found)
        return None

    def _gemm(self, op: FlyOp, operands: list[Any]) -> None:
        """d = c + the sum over k of what one call adds."""
        _, d, a, b, c = operands[:5]
        sizes = [[product(mode) for mode in modes(view.shape)] for view in (d, a, b)]
        if len(sizes[0]) == 1:
            return _put(d, _multiplied(op, a, b, c))
        (_, ms, ns), ks = sizes[0], (sizes[1][2] if len(sizes[1]) == 3 else 1)
        left, right, start = (_parts(view) for view in (a, b, c))
        for m in range(ms):
            for n in range(ns):
                total = start[m + ms * n]
                for k in range(ks):
                    total = _added(total, left[m + ms * k], right[n + ns * k], d.at.width)
                for v, value in enumerate(total):
                    d.element(v + sizes[0][0] * (m + ms * n)).write(d.at.width, value)
        return None


def _worked(op: FlyOp, operands: Sequence[Any]) -> Any:
    """The algebra on concrete values."""
    given = {name: plain(value) for name, value in op.properties.items()}
    attributes = tuple(attribute.read(op.short, given) for attribute in TABLE[op.short].attributes)
    return infer_value(op.short, list(operands), attributes)


def _zeros(coord: Any) -> Any:
    if isinstance(coord, tuple):
        return tuple(map(_zeros, coord))
    return 0 if coord is None else coord


def _holds(predicate: View, part: int, rest: int, parts: int) -> int:
    count = predicate.size
    for_all_parts = product(modes(predicate.shape)[0]) == 1 and parts > 1
    return predicate.element(0 if count == 1 else rest if for_all_parts else part + parts * rest).read(1)


def _moved(op: FlyOp, view: View) -> int:
    """How many elements one call moves."""
    kind: Any = op.operands[0].type
    found: Any = atom_of(kind.value)
    return int(found.bits_per_thread) // view.at.width


def _values(kind: Attribute) -> int:
    return kind.element_count() if isinstance(kind, VectorType) else 1


def _got(x: Any, count: int) -> list[int]:
    if isinstance(x, View):
        return [x.element(i).read(x.at.width) for i in range(count)]
    return list(x) if isinstance(x, tuple) else [x]


def _put(view: View, values: Sequence[int]) -> None:
    for i, value in enumerate(values):
        view.element(i).write(view.at.width, value)


def _parts(view: View) -> list[list[int]]:
    first = product(modes(view.shape)[0])
    elements = _got(view, view.size)
    return [elements[i : i + first] for i in range(0, len(elements), first)]


def _multiplied(op: FlyOp, a: Any, b: Any, c: Any) -> list[int]:
    kind: Any = op.operands[0].type
    atom: Any = atom_of(kind.value)
    counts = {name: atom.tv_layout(name)[1].size for name in "ABC"}
    width = c.at.width if isinstance(c, View) else bits_of(_element(op.operands[-1].type))
    return _added(_got(c, counts["C"]), _got(a, counts["A"]), _got(b, counts["B"]), width)


def _element(kind: Attribute) -> Attribute:
    return kind.element_type if isinstance(kind, VectorType) else kind


def _added(c: Sequence[int], a: Sequence[int], b: Sequence[int], width: int) -> list[int]:
    mask, words = (1 << width) - 1, [f"{x & (1 << 32) - 1:x}" for x in (*a, 0, *b)]
    return [(x + crc32(f"{i} {words}".encode())) & mask for i, x in enumerate(c)]


# ---- values and bits


def _value(at: At, kind: Attribute) -> Any:
    if not isinstance(kind, VectorType):
        return _read(at.read(bits_of(kind)), kind)
    element, width = kind.element_type, bits_of(kind.element_type)
    return tuple(
        _read(At(at.memory, at.bit + i * width, width).read(width), element) for i in range(kind.element_count())
    )


def _read(pattern: int, kind: Attribute) -> int:
    return wrapped(pattern, kind) if isinstance(kind, IntegerType) else pattern


def _pattern(value: Any, kind: Attribute) -> int:
    width = bits_of(_element(kind))
    items = value if isinstance(value, tuple) else (value,)
    return sum((item & (1 << width) - 1) << i * width for i, item in enumerate(items))


def _as(values: Sequence[int], kind: Attribute) -> Any:
    element = _element(kind)
    width = bits_of(element)
    found = tuple(_read(value & (1 << width) - 1, element) for value in values)
    return found if isinstance(kind, VectorType) else found[0]


def _plain_op(op: Operation, operands: list[Any]) -> Any:
    match op:
        case vector.ExtractOp():
            return operands[0][op.static_position.get_values()[0]]
        case vector.InsertOp():
            at = op.static_position.get_values()[0]
            return (*operands[1][:at], operands[0], *operands[1][at + 1 :])
        case ExtractStridedSliceOp():
            (at,), (count,) = integers(op.offsets), integers(op.sizes)
            return operands[0][at : at + count]
        case InsertStridedSliceOp():
            (at,), part, whole = integers(op.offsets), operands[0], operands[1]
            return (*whole[:at], *part, *whole[at + len(part) :])
        case FromElementsOp():
            return tuple(operands)
        case vector.BitcastOp():
            bits = bits_of(op.source.type)
            pattern = _pattern(operands[0], op.source.type)
            return _value(At([pattern >> i & 1 for i in range(bits)], 0, 1), op.result.type)
        case arith.AddfOp():
            bits = bits_of(_element(op.result.type))
            sums = [crc32(f"{pair}".encode()) & (1 << bits) - 1 for pair in zip(*map(_items, operands), strict=True)]
            return tuple(sums) if isinstance(op.result.type, VectorType) else sums[0]
        case arith.ConstantOp() if isinstance(op.value, DenseIntOrFPElementsAttr):
            element = _element(op.value.type)
            return tuple(_constant(x, element) for x in op.value.get_values())
        case arith.ConstantOp() if isinstance(op.value, FloatAttr):
            return _constant(op.value.value.data, op.value.type)
    if op.name == "ub.poison":
        return (0,) * _values(op.results[0].type)
    return evaluated(op, operands)


def _items(value: Any) -> tuple[int, ...]:
    return value if isinstance(value, tuple) else (value,)


def _constant(value: Any, kind: Attribute) -> int:
    return _read(crc32(repr(value).encode()) & (1 << bits_of(kind)) - 1, kind)
