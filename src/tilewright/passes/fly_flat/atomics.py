"""Atomic accesses of flat kernels, by LLVM's names: changes of one element, swaps, loads, stores and fences."""

from __future__ import annotations

from collections.abc import Mapping

from xdsl.dialects import arith
from xdsl.dialects.builtin import IntegerType, Signedness
from xdsl.ir import Attribute, Operation, SSAValue

from tilewright.ir.core.element_types import element_dtype
from tilewright.ir.fly.atomic_words import ORDERS, scope_of, words_of
from tilewright.ir.fly.memories import memory_of
from tilewright.ir.tile.ops import AtomicOp
from tilewright.ir.tile.ordered import AtomicCasOp, AtomicLoadOp, AtomicStoreOp, MemoryFenceOp
from tilewright.passes.fly_flat.accesses import Run, run_of
from tilewright.passes.fly_flat.bits import recast, width
from tilewright.passes.fly_flat.flat import Flat, Handlers, refused

# What LLVM's words are here; `sub` adds what is negated.
_KINDS: Mapping[str, str] = {
    "xchg": "exch", "add": "add", "fadd": "add", "sub": "add", "fsub": "add", "min": "min", "max": "max",
    "umin": "umin", "umax": "umax", "fmin": "fmin", "fmax": "fmax", "_and": "and", "_or": "or", "_xor": "xor",
}  # fmt: skip
# On memory whose elements have no sign of their own these are the plain words.
_UNSIGNED: Mapping[str, str] = {"umin": "min", "umax": "max"}


def _place(out: Flat, op: Operation, address: SSAValue, kind: Attribute) -> Run:
    """The one element at an address, whose bits are those of a type."""
    pointer = memory_of(address.type)
    bits = width(kind)
    if pointer is None or pointer.space == "register" or element_dtype(kind).bits < 8:
        raise refused(op, "an atomic access is of memory that threads share")
    run = run_of(out, op, address, 0, bits, bits // 8)
    if run.count != 1:
        raise refused(op, f"an atomic access of {bits} bits in memory that is kept in pieces of {width(run.unit)}")
    return run


def _given(out: Flat, run: Run, value: SSAValue) -> SSAValue:
    return recast(out, [out.one(value)], run.unit)[0]


def _found(out: Flat, op: Operation, number: SSAValue) -> None:
    out.set(op.results[0], recast(out, [number], op.results[0].type)[:1])


def _change(out: Flat, op: Operation) -> None:
    address, value = op.operands
    word, order = words_of(op)[:2]
    run = _place(out, op, address, value.type)
    number = out.one(value)
    if word == "sub":
        number = out.insert(arith.SubiOp(out.constant(0, number.type), number)).result
    elif word == "fsub":
        number = out.insert(arith.NegfOp(number)).result
    kind = _KINDS[word]
    if is_unsigned(run.unit):
        kind = _UNSIGNED.get(kind, kind)
    if kind not in ("exch", "and", "or", "xor") and element_dtype(run.unit).kind != _kind(number):
        raise refused(op, f"changes elements of {run.unit} as {number.type}")
    (given,) = recast(out, [number], run.unit)
    made = AtomicOp(kind, given, run.memory, [out.index.value(run.at)], _words(op, order))
    _found(out, op, out.insert(made).result)


def _kind(number: SSAValue) -> str:
    return element_dtype(number.type).kind


def is_unsigned(kind: Attribute) -> bool:
    """Is it an integer without a sign?"""
    return isinstance(kind, IntegerType) and kind.signedness.data == Signedness.UNSIGNED


def _words(op: Operation, order: str) -> tuple[str, str]:
    return ORDERS.get(order, "relaxed"), scope_of(op)


def _swap(out: Flat, op: Operation) -> None:
    address, expected, value = op.operands
    run = _place(out, op, address, value.type)
    pair = _given(out, run, expected), _given(out, run, value)
    made = AtomicCasOp(_words(op, words_of(op)[0]), *pair, run.memory, [out.index.value(run.at)])
    _found(out, op, out.insert(made).result)


def _load(out: Flat, op: Operation) -> None:
    run = _place(out, op, op.operands[0], op.results[0].type)
    order, scope = _words(op, words_of(op)[1])
    made = AtomicLoadOp(order, scope, run.memory, [out.index.value(run.at)])
    _found(out, op, out.insert(made).result)


def _store(out: Flat, op: Operation) -> None:
    value, address = op.operands
    run = _place(out, op, address, value.type)
    order, scope = _words(op, words_of(op)[1])
    out.insert(AtomicStoreOp(order, scope, _given(out, run, value), run.memory, [out.index.value(run.at)]))


def _fence(out: Flat, op: Operation) -> None:
    out.insert(MemoryFenceOp(scope_of(op)))


ATOMICS: Handlers = {
    "llvm.atomicrmw": _change,
    "llvm.cmpxchg": _swap,
    "llvm.load": _load,
    "llvm.store": _store,
    "llvm.fence": _fence,
}
