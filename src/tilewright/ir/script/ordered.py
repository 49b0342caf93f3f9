"""Atomic accesses with an order and a scope as statements of a script: the register that they set, then the call."""

from __future__ import annotations

from collections.abc import Mapping

from xdsl.ir import Operation, SSAValue

from tilewright.ir.core.element_types import element_dtype
from tilewright.ir.script.printer import Printer, Statement
from tilewright.ir.tile.atomic_vectors import AtomicVectorOp
from tilewright.ir.tile.ops import AtomicOp, StorageOp
from tilewright.ir.tile.ordered import AtomicCasOp, AtomicLoadOp, AtomicStoreOp, MemoryFenceOp
from tilewright.ir.tile.remote import RemoteOp


def _register(out: Printer, value: SSAValue) -> str:
    """Declares the register that holds the value from here on."""
    name = out.show.name(value)
    out.emit(f'{name} = T.alloc_buffer((1,), "{element_dtype(value.type)}", scope="local")')
    out.show.write(value, f"{name}[0]")
    return f"{name}[0]"


def _call(out: Printer, words: str, *operands: str) -> None:
    out.emit(f"T.ptx.{words}({', '.join(operands)})")


def _address(out: Printer, op: AtomicLoadOp | AtomicStoreOp | AtomicCasOp) -> str:
    return f"T.address_of({out.show.element(op.memory, op.indices)})"


def _load(out: Printer, op: AtomicLoadOp) -> None:
    register = _register(out, op.result)
    _call(out, f"ld.{op.order.data}.{op.scope.data}", register, _address(out, op))


def _store(out: Printer, op: AtomicStoreOp) -> None:
    _call(out, f"st.{op.order.data}.{op.scope.data}", _address(out, op), out.show.of(op.value))


def _cas(out: Printer, op: AtomicCasOp) -> None:
    register, pair = _register(out, op.result), (out.show.of(op.expected), out.show.of(op.value))
    _call(out, f"atom.cas.{op.order.data}.{op.scope.data}", register, _address(out, op), *pair)


def _vector(out: Printer, op: AtomicVectorOp) -> None:
    element = element_dtype(op.values[0].type)
    letters = "f32" if element.name == "float32" else element.name.replace("float", "f")
    words = [f"{op.kind.data}", f"v{len(op.values)}", letters, op.order.data, op.scope.data]
    address, values = f"T.address_of({out.show.element(op.memory, op.indices)})", map(out.show.of, op.values)
    if all(result.first_use is None for result in op.before):
        return _call(out, f"red.{'.'.join(words)}", address, *values)
    return _call(out, f"atom.{'.'.join(words)}", *[_register(out, result) for result in op.before], address, *values)


def _fence(out: Printer, op: MemoryFenceOp) -> None:
    out.emit(f"T.ptx.fence.acq_rel.{op.scope.data}()")


def _remote(out: Printer, op: RemoteOp) -> None:
    owner = op.memory.owner
    named = owner.buffer if isinstance(owner, StorageOp) else op.memory
    out.emit(f"{out.show.name(op.result)} = T.ptx.mapa({out.show.name(named)}, {out.show.of(op.rank)})")


def print_atomic(out: Printer, op: AtomicOp) -> None:
    """A call of `T.cuda`; of `T.ptx` where it has an order and a scope."""
    if op.words is None:
        return out.define(op.result)
    words, address = ".".join((_kind(op), *op.words)), f"T.address_of({out.show.element(op.memory, op.indices)})"
    if op.result.first_use is None:
        return _call(out, f"red.{words}", address, out.show.of(op.value))
    return _call(out, f"atom.{words}", _register(out, op.result), address, out.show.of(op.value))


def _kind(op: AtomicOp) -> str:
    return f"{op.kind.data}_" if op.kind.data in ("and", "or") else str(op.kind.data)


ORDERED_STATEMENTS: Mapping[type[Operation], Statement] = {
    AtomicOp: print_atomic,
    RemoteOp: _remote,
    AtomicLoadOp: _load,
    AtomicStoreOp: _store,
    AtomicCasOp: _cas,
    AtomicVectorOp: _vector,
    MemoryFenceOp: _fence,
}
