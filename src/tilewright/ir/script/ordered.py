"""Atomic accesses with an order and a scope as statements of a script."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from xdsl.ir import Operation, SSAValue

from tilewright.ir.core.element_types import element_dtype
from tilewright.ir.script.expressions import atomic_words
from tilewright.ir.script.printer import Printer, Statement
from tilewright.ir.tile.atomic_vectors import AtomicVectorOp
from tilewright.ir.tile.ops import AtomicOp, StorageOp
from tilewright.ir.tile.ordered import AtomicCasOp, AtomicLoadOp, AtomicStoreOp, MemoryFenceOp
from tilewright.ir.tile.remote import RemoteOp


def _call(out: Printer, words: str, results: Sequence[SSAValue], *operands: str) -> None:
    names = ", ".join(map(out.show.name, results))
    out.emit(f"{names + ' = ' if names else ''}T.ptx.{words}({', '.join(operands)})")


def _store(out: Printer, op: AtomicStoreOp) -> None:
    address = f"T.address_of({out.show.element(op.memory, op.indices)})"
    _call(out, f"st.{op.order.data}.{op.scope.data}", [], address, out.show.of(op.value))


def _vector(out: Printer, op: AtomicVectorOp) -> None:
    element = element_dtype(op.values[0].type)
    letters = "f32" if element.name == "float32" else element.name.replace("float", "f")
    words = [f"{op.kind.data}", f"v{len(op.values)}", letters, op.order.data, op.scope.data]
    address, values = f"T.address_of({out.show.element(op.memory, op.indices)})", map(out.show.of, op.values)
    results = op.before if any(result.first_use is not None for result in op.before) else ()
    _call(out, f"{'atom' if results else 'red'}.{'.'.join(words)}", results, address, *values)


def _fence(out: Printer, op: MemoryFenceOp) -> None:
    out.emit(f"T.ptx.fence.acq_rel.{op.scope.data}()")


def _remote(out: Printer, op: RemoteOp) -> None:
    owner = op.memory.owner
    named = owner.buffer if isinstance(owner, StorageOp) else op.memory
    out.emit(f"{out.show.name(op.result)} = T.ptx.mapa({out.show.name(named)}, {out.show.of(op.rank)})")


def _atomic(out: Printer, op: AtomicOp) -> None:
    """A call; of `red` where it has an order and a scope, and nobody asks what was there."""
    if op.words is None or op.result.first_use is not None:
        return out.define(op.result)
    address = f"T.address_of({out.show.element(op.memory, op.indices)})"
    return _call(out, f"red.{'.'.join(atomic_words(op))}", [], address, out.show.of(op.value))


def _defined(out: Printer, op: AtomicLoadOp | AtomicCasOp) -> None:
    out.define(op.result)


ORDERED_STATEMENTS: Mapping[type[Operation], Statement] = {
    AtomicOp: _atomic,
    RemoteOp: _remote,
    AtomicLoadOp: _defined,
    AtomicStoreOp: _store,
    AtomicCasOp: _defined,
    AtomicVectorOp: _vector,
    MemoryFenceOp: _fence,
}
