"""Atomic accesses with an order and a scope, and fences, as rows: `ld`, `st`, `atom`, `red`, `fence.acq_rel` of PTX.

Source: PTX ISA; destinations are the leading operands, so that a call is a statement; without one it gives the value.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import partial

from xdsl.ir import SSAValue

from tilewright.errors import KernelError
from tilewright.ir.core.rewrite import erase
from tilewright.ir.tile.ops import ATOMICS, AtomicOp, LoadOp, StoreOp
from tilewright.ir.tile.ordered import SCOPES, AtomicCasOp, AtomicLoadOp, AtomicStoreOp, MemoryFenceOp
from tilewright.ir.tile.remote import RemoteOp
from tilewright.ir.tile.types import GLOBAL, LOCAL, SHARED, BufferType
from tilewright.lang.addresses import Address
from tilewright.lang.asynchronous import number
from tilewright.lang.rows import Builder, Function
from tilewright.lang.tracer import Tracer
from tilewright.lang.values import Value, buffer_type, is_buffer, show
from tilewright.lang.variables import fitting
from tilewright.lang.words import Row, Words

SPACES = {"global": GLOBAL, "shared": SHARED, "shared::cta": SHARED, "shared::cluster": SHARED}
TYPES = (*(f"{kind}{bits}" for kind in "bus" for bits in (32, 64)), "f32", "f64")
WEAK = ("weak",)


def one_of(words: Words, known: Iterable[str], otherwise: str) -> str:
    """The one of the known words that is there."""
    found = [word for word in known if word in words]
    if len(found) > 1:
        raise KernelError(f"one of {' and '.join(found)}, not both")
    return found[0] if found else otherwise


def element_at(words: Words, value: Value, what: str) -> tuple[Address, BufferType]:
    """The element that the operand is the address of, which the words agree with."""
    if not isinstance(value, Address):
        raise KernelError(f"{what} takes an address, such as buffer.ptr_to([i]), got {show(value)}")
    kind = buffer_type(value.buffer)
    if kind.scope == LOCAL:
        raise KernelError(f"{what} is for global and shared memory; registers are one thread's own")
    space = one_of(words, SPACES, "")
    if space and SPACES[space] != kind.scope:
        raise KernelError(f"{what} says {space}, {value.buffer.name_hint} lies in {kind.scope} memory")
    typed = one_of(words, TYPES, "")
    if typed and int(typed[1:]) != kind.dtype.bits:
        raise KernelError(f"{what} says {typed}, an element of {value.buffer.name_hint} is a {kind.dtype}")
    return value, kind


def destination(t: Tracer, value: Value, what: str) -> Callable[[SSAValue], None]:
    """Puts a value where the operand was read from: a register, `x` or `x[i]`."""
    load = value.owner if isinstance(value, SSAValue) else None
    if not isinstance(load, LoadOp) or buffer_type(load.buffer).scope != LOCAL:
        raise KernelError(f"the first operand of {what} is the register that it sets, got {show(value)}")
    buffer, indices = load.buffer, tuple(load.indices)
    if load.result.first_use is None:
        erase(load)

    def put(found: SSAValue) -> None:
        t.insert(StoreOp(fitting(t, found, buffer_type(buffer)), buffer, indices))

    return put


def _handed(t: Tracer, what: str, given: Sequence[Value], make: Callable[..., SSAValue]) -> SSAValue | None:
    """What is made of an address and values; where a register stands before them, that takes it."""
    if isinstance(given[0], Address):
        return make(*[value for value in given if value is not None])
    put = destination(t, given[0], what)
    put(make(*given[1:]))
    return None


def _load(words: Words) -> Builder:
    order = one_of(words, ("acquire", "relaxed", "volatile", *WEAK), "weak").replace("volatile", "relaxed")

    def load(t: Tracer, addr: Value) -> SSAValue:
        place, _ = element_at(words, addr, "ld")
        if order in WEAK:
            return t.insert(LoadOp(place.buffer, place.indices)).results[0]
        scope = one_of(words, SCOPES, "sys")
        return t.insert(AtomicLoadOp(order, scope, place.buffer, place.indices)).results[0]

    def build(t: Tracer, dst: Value, addr: Value = None) -> SSAValue | None:
        return _handed(t, "ld", (dst, addr), partial(load, t))

    return build


def _store(words: Words) -> Builder:
    order = one_of(words, ("release", "relaxed", "volatile", *WEAK), "weak").replace("volatile", "relaxed")

    def build(t: Tracer, addr: Value, value: Value) -> None:
        place, kind = element_at(words, addr, "st")
        made = fitting(t, value, kind)
        if order in WEAK:
            t.insert(StoreOp(made, place.buffer, place.indices))
        else:
            t.insert(AtomicStoreOp(order, one_of(words, SCOPES, "sys"), made, place.buffer, place.indices))

    return build


def _change(t: Tracer, words: Words, what: str, addr: Value, value: Value) -> SSAValue:
    place, kind = element_at(words, addr, what)
    found = one_of(words, ATOMICS, "")
    if not found:
        raise KernelError(f"{what} says what it does: one of {', '.join(ATOMICS)}")
    ordered = one_of(words, ("acq_rel", "acquire", "release", "relaxed"), "relaxed"), one_of(words, SCOPES, "gpu")
    return t.insert(AtomicOp(found, fitting(t, value, kind), place.buffer, place.indices, ordered)).results[0]


def _reduce(words: Words) -> Builder:
    def build(t: Tracer, addr: Value, value: Value) -> None:
        _change(t, words, "red", addr, value)

    return build


def _atom(words: Words) -> Builder:
    def build(t: Tracer, dst: Value, addr: Value, value: Value = None) -> SSAValue | None:
        return _handed(t, "atom", (dst, addr, value), partial(_change, t, words, "atom"))

    return build


def _cas(words: Words) -> Builder:
    ordered = one_of(words, ("acq_rel", "acquire", "release", "relaxed"), "relaxed"), one_of(words, SCOPES, "gpu")

    def build(t: Tracer, dst: Value, addr: Value, expected: Value, value: Value = None) -> SSAValue | None:
        return _handed(t, "atom.cas", (dst, addr, expected, value), partial(_swap, t, words, ordered))

    return build


def _swap(t: Tracer, words: Words, ordered: tuple[str, str], addr: Value, expected: Value, value: Value) -> SSAValue:
    place, kind = element_at(words, addr, "compare and swap")
    pair = fitting(t, expected, kind), fitting(t, value, kind)
    return t.insert(AtomicCasOp(ordered, *pair, place.buffer, place.indices)).results[0]


def _fence(words: Words) -> Builder:
    def build(t: Tracer) -> None:
        t.insert(MemoryFenceOp(one_of(words, SCOPES, "gpu")))

    return build


def _thread_fence(t: Tracer) -> None:
    t.insert(MemoryFenceOp("gpu"))


def _thread_fence_block(t: Tracer) -> None:
    t.insert(MemoryFenceOp("cta"))


def _atomic_cas(t: Tracer, ptr: Value, old: Value, new: Value) -> SSAValue:
    return _swap(t, frozenset(), ("relaxed", "gpu"), ptr, old, new)


def _mapa(words: Words) -> Builder:
    def build(t: Tracer, at: Value, rank: Value) -> Value:
        buffer = at.buffer if isinstance(at, Address) else at
        if not is_buffer(buffer) or buffer_type(buffer).scope != SHARED:
            raise KernelError(f"mapa takes a buffer in shared memory, or an address there, got {show(at)}")
        there = t.insert(RemoteOp(buffer, number(t, rank, "the number of a block in its cluster"))).results[0]
        return Address(there, at.indices) if isinstance(at, Address) else there

    return build


_WHERE = " ".join((*SCOPES, *SPACES, *TYPES))
_ORDERS = "acq_rel acquire release relaxed"
_KINDS = " ".join(ATOMICS)

ORDERED_ROWS = (
    Row.of("ld", f"acquire relaxed volatile weak {_WHERE}", _load, "The register becomes the element."),
    Row.of("st", f"release relaxed volatile weak {_WHERE}", _store, "The element becomes the value."),
    Row.of("atom cas", f"{_ORDERS} {_WHERE}", _cas, "The element becomes a value where it is as expected."),
    Row.of(
        "atom", f"{_ORDERS} {_KINDS} {_WHERE}", _atom, "The element is changed in one step; the register: what it was."
    ),
    Row.of("red", f"{_ORDERS} {_KINDS} {_WHERE}", _reduce, "The element is changed in one step."),
    Row.of("fence acq_rel", _WHERE, _fence, "What came before is seen before what comes after."),
    Row.of("mapa", "shared::cluster u32 u64", _mapa, "The buffer, or address, in the cluster's block of that number."),
    Row.of("fence sc", _WHERE, _fence, "The same."),
)
ORDERED_FUNCTIONS = (
    Function("cuda.thread_fence", _thread_fence, "What came before is seen before what comes after."),
    Function("cuda.thread_fence_block", _thread_fence_block, "The same, by threads of the block."),
    Function("cuda.atomic_cas", _atomic_cas, "The element becomes `new` where it is `old`; gives what it was."),
)
