"""Atomic changes of an element where a pointer points, by LLVM's names, with their orders; loads, stores like them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import TypeAlias

import numpy as np
from xdsl.ir import Operation

from tilewright.errors import CompileError
from tilewright.ir.core.element_types import element_dtype
from tilewright.ir.fly.atomic_words import ORDERS, scope_of, words_of
from tilewright.ir.fly.memories import memory_of
from tilewright.ir.fly.types import Pointer
from tilewright.targets.launch import where
from tilewright.targets.simulator.fly.access import Access
from tilewright.targets.simulator.fly.elements import given
from tilewright.targets.simulator.fly.values import place_in
from tilewright.targets.simulator.memory.access import Array
from tilewright.targets.simulator.memory.flat import Memory
from tilewright.targets.simulator.ops.atomic import Through
from tilewright.targets.simulator.order.beyond import Sync
from tilewright.targets.simulator.order.ordered import fence
from tilewright.targets.simulator.order.scopes import Scope
from tilewright.targets.simulator.program import Compiler, Frame, Handler, Step
from tilewright.targets.simulator.sites import Site

# What becomes of an element and a value; with `u` in front as integers without a sign.
_FUNCTIONS: Mapping[str, np.ufunc | None] = MappingProxyType(
    {
        "xchg": None,
        **dict.fromkeys(("add", "fadd"), np.add),
        **dict.fromkeys(("sub", "fsub"), np.subtract),
        **dict.fromkeys(("min", "umin"), np.minimum),
        **dict.fromkeys(("max", "umax"), np.maximum),
        "fmin": np.fmin,
        "fmax": np.fmax,
        "_and": np.bitwise_and,
        "_or": np.bitwise_or,
        "_xor": np.bitwise_xor,
    }
)
Change: TypeAlias = "Callable[[Frame, Memory, Array, list[Array], Site, Operation], Array | None]"


def _handler(kind: str, pointer_at: int, change: Change) -> Handler:
    """The handler of an op on the element where an operand points, with the others' values."""

    def handle(compiler: Compiler, op: Operation) -> Step:
        address = op.operands[pointer_at]
        others = [value for number, value in enumerate(op.operands) if number != pointer_at]
        element = element_dtype((others[0] if others else op.results[0]).type)
        pointer = memory_of(address.type)
        if not isinstance(pointer, Pointer) or pointer.space == "register" or element.bits < 8:
            raise CompileError(f"an atomic access is of memory that threads share\n{where(op)}")
        access = Access.of(compiler, op, address, kind, element.bits, element.bits // 8)
        slot, values = compiler.slot(address), [(compiler.slot(value), element) for value in others]
        result = compiler.slot(op.results[0]) if op.results else None

        def step(frame: Frame) -> None:
            place = place_in(frame.values, slot, op)
            memory = place.memory
            assert isinstance(memory, Memory), "registers are refused"
            if memory.data.dtype.itemsize * 8 != element.bits:
                text = f"an atomic access of {element.bits} bits in memory that is kept in pieces of"
                raise CompileError(f"{text} {memory.data.dtype.itemsize * 8}\n{where(op)}")
            at = np.asarray(access.located(frame, place, np.zeros((1, 1, 1), np.int64)))
            shape = frame.domain.shape
            read = (np.broadcast_to(np.asarray(given(frame, op, frame.values[x]), e.numpy()), shape) for x, e in values)
            bits = [np.ascontiguousarray(x).view(memory.data.dtype) for x in read]
            found = change(frame, memory, at, bits, access.sites[place.root], op)
            if result is not None and found is not None:
                frame.values[result] = found.view(element.numpy())

        return step

    return handle


def _sync(op: Operation, order: str, writes: bool = True, changes: bool = True) -> Sync:
    return Sync.of(ORDERS.get(order, "relaxed"), scope_of(op), writes, changes)


def _change(frame: Frame, memory: Memory, at: Array, values: list[Array], site: Site, op: Operation) -> Array:
    word, order = words_of(op)[:2]
    function, element = _FUNCTIONS[word], element_dtype(op.results[0].type)
    plain = element.numpy()
    kind = np.dtype(f"u{plain.itemsize}") if word in ("umin", "umax") else plain
    joined = None if function is None else Through(function, kind)
    return memory.update(frame.domain, at, values[0], frame.mask, site, joined, _sync(op, order))


def _swap(frame: Frame, memory: Memory, at: Array, values: list[Array], site: Site, op: Operation) -> Array:
    order = words_of(op)[0]
    return memory.swap(frame.domain, at, (values[0], values[1]), frame.mask, site, _sync(op, order))


def _load(frame: Frame, memory: Memory, at: Array, values: list[Array], site: Site, op: Operation) -> Array:
    sync = _sync(op, words_of(op)[1], writes=False)
    return memory.observe(frame.domain, at, frame.mask, site, sync)


def _store(frame: Frame, memory: Memory, at: Array, values: list[Array], site: Site, op: Operation) -> None:
    sync = _sync(op, words_of(op)[1], changes=False)
    memory.update(frame.domain, at, values[0], frame.mask, site, None, sync)


def _fence(_compiler: Compiler, op: Operation) -> Step:
    scope = Scope.BLOCK if scope_of(op) == "cta" else Scope.ALL

    def step(frame: Frame) -> None:
        frame.domain.one_by_one(fence(frame.domain.present(frame.mask), scope), op)

    return step


ATOMIC_HANDLERS: Mapping[str, Handler] = MappingProxyType(
    {
        "llvm.atomicrmw": _handler("atomic", 0, _change),
        "llvm.cmpxchg": _handler("atomic", 0, _swap),
        "llvm.load": _handler("atomic", 0, _load),
        "llvm.store": _handler("atomic", 1, _store),
        "llvm.fence": _fence,
    }
)
