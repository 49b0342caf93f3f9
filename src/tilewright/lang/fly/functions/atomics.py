"""Atomic accesses of an element that a pointer points at, and fences, by LLVM's names: `fx.atomic_add`, .."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol, TypeAlias

from xdsl.dialects.builtin import StringAttr
from xdsl.ir import Attribute, SSAValue

from tilewright.errors import KernelError, shown
from tilewright.ir.mlir.foreign import TEXT, foreign
from tilewright.lang.core.numerics.numeric import DTypeOf, Numeric, NumericLike, numeric_type, scalar
from tilewright.lang.core.numerics.types import Boolean, Float
from tilewright.lang.core.numerics.vector import Vector, VectorAlias
from tilewright.lang.core.trace import tracing
from tilewright.lang.fly.values.base import expect
from tilewright.lang.fly.values.enums import AtomicOrdering, SyncScope
from tilewright.lang.fly.values.memory import Pointer, Stored, fitting, load, recast

__all__ = [
    "atomic_add",
    "atomic_and",
    "atomic_cas",
    "atomic_fmax",
    "atomic_fmin",
    "atomic_max",
    "atomic_min",
    "atomic_or",
    "atomic_sub",
    "atomic_xchg",
    "atomic_xor",
    "generic_load",
    "generic_store",
    "memory_fence",
]

Scope: TypeAlias = "SyncScope | str | None"
_LOGICAL = ("and", "or", "xor")
_REAL = {"add": "fadd", "sub": "fsub", "min": "fmin", "max": "fmax", "xchg": "xchg"}
_READS = (AtomicOrdering.Release, AtomicOrdering.AcqRel)
_WRITES = (AtomicOrdering.Acquire, AtomicOrdering.AcqRel)
_WEAK = (AtomicOrdering.NotAtomic, AtomicOrdering.Unordered)


def _order(ordering: AtomicOrdering, refused: Sequence[AtomicOrdering], what: str) -> str:
    if not isinstance(ordering, AtomicOrdering) or ordering in refused:
        allowed = ", ".join(one.name for one in AtomicOrdering if one not in refused)
        raise KernelError(f"the order of {what} is one of fx.AtomicOrdering's {allowed}; got {shown(ordering)}")
    return ordering.value


def _scoped(syncscope: Scope) -> str:
    said = syncscope.value if isinstance(syncscope, SyncScope) else syncscope
    if said is not None and (not isinstance(said, str) or said.strip("abcdefghijklmnopqrstuvwxyz-")):
        raise KernelError(f"a scope is one of fx.SyncScope or fx.rocdl.SyncScope, got {shown(syncscope)}")
    return f' syncscope("{said}")' if said else ""


def _emitted(name: str, text: str, operands: Sequence[SSAValue], results: Sequence[Attribute]) -> Sequence[SSAValue]:
    types = ", ".join(str(value.type) for value in operands)
    arrow = f" -> {results[0]}" if results else ""
    whole = f" {text}{f' : {types}' if types else ''}{arrow}"
    op = foreign(name).create(operands=operands, result_types=results, attributes={TEXT: StringAttr(whole)})
    return tracing().emit(op).results


def _given(value: Stored, pointer: Pointer, what: str) -> Numeric:
    """A value of the pointer's element type; of integers its own sign counts, of which memory knows nothing."""
    element = expect(pointer, Pointer, "ptr").element_type
    if element.width < 8 or issubclass(element, Boolean):
        raise KernelError(f"{what} is of elements of 8 bits or more, got {element}")
    if isinstance(value, Numeric) and value.dtype.ir_type == element.ir_type:
        return value
    if isinstance(value, Numeric) and value.dtype is not element:
        raise KernelError(f"{what} in memory of {element} takes no {value.dtype}; convert it with .to(fx.{element})")
    return expect(fitting(value, element), Numeric, "value")


def _changed(word: str, ptr: Pointer, value: Stored, syncscope: Scope, ordering: AtomicOrdering) -> Numeric:
    """Emits one atomic change; gives what was there before."""
    given = _given(value, ptr, f"atomic_{word}")
    real = isinstance(given, Float)
    if real and word not in _REAL:
        raise KernelError(f"atomic_{word} is of integers, got {given.dtype}")
    unsigned = word in ("min", "max") and given.number.element.kind == "uint"
    whole = f"{'u' if unsigned else '_' if word in _LOGICAL else ''}{word}"
    order = _order(ordering, _WEAK, "an atomic change")
    text = f"{_REAL[word] if real else whole} %, %{_scoped(syncscope)} {order}"
    found = _emitted("llvm.atomicrmw", text, [ptr.ssa(), given.number.ssa()], [given.number.type])
    return scalar(given.number.of(found[0]))


class Change(Protocol):
    """An atomic change of the element that a pointer points at."""

    def __call__(
        self,
        ptr: Pointer,
        value: NumericLike,
        *,
        is_positive: bool | None = None,
        syncscope: Scope = None,
        ordering: AtomicOrdering = AtomicOrdering.Monotonic,
    ) -> Numeric:
        """What the element was before."""


def _change(name: str, effect: str) -> Change:
    """A change by its name: `atomic_fmax` is `max`, of floats only."""
    word = name.removeprefix("atomic_").replace("fm", "m")

    def change(
        ptr: Pointer,
        value: NumericLike,
        *,
        is_positive: bool | None = None,
        syncscope: Scope = None,
        ordering: AtomicOrdering = AtomicOrdering.Monotonic,
    ) -> Numeric:
        if word not in name.split("_") and not issubclass(expect(ptr, Pointer, "ptr").element_type, Float):
            raise KernelError(f"{name} is of floats, got {ptr.element_type}")
        return _changed(word, ptr, value, syncscope, ordering)

    change.__name__ = change.__qualname__ = name
    change.__doc__ = f"{effect}, at once; gives what the element was."
    return change


atomic_add = _change("atomic_add", "Adds a number to the element")
atomic_sub = _change("atomic_sub", "Subtracts a number from the element")
atomic_min = _change("atomic_min", "The smaller of the element and a number takes its place")
atomic_max = _change("atomic_max", "The larger of the element and a number takes its place")
atomic_and = _change("atomic_and", "Keeps the element's bits that a number has too")
atomic_or = _change("atomic_or", "Adds a number's bits to the element's")
atomic_xor = _change("atomic_xor", "Flips the element's bits that a number has")
atomic_xchg = _change("atomic_xchg", "A number takes the element's place")
# Their `is_positive` promises the number's sign; nothing here needs it.
atomic_fmin = _change("atomic_fmin", "The smaller of a float and a number takes its place")
atomic_fmax = _change("atomic_fmax", "The larger of a float and a number takes its place")


def atomic_cas(
    ptr: Pointer,
    cmp: NumericLike,
    val: NumericLike,
    *,
    syncscope: Scope = None,
    success_ordering: AtomicOrdering = AtomicOrdering.Monotonic,
    failure_ordering: AtomicOrdering = AtomicOrdering.Monotonic,
    weak: bool = False,
) -> tuple[Numeric, Boolean]:
    """Puts `val` in the place of an integer that is `cmp`, at once; gives what it was, and whether it was so.

    A `weak` one, which may fail at will, never does so here.
    """
    expected, value = (_given(x, ptr, "atomic_cas") for x in (cmp, val))
    if isinstance(value, Float):
        raise KernelError(f"atomic_cas is of integers, got {value.dtype}; bitcast the pointer's memory")
    order = _order(success_ordering, _WEAK, "an atomic change")
    failed = _order(failure_ordering, (*_WEAK, *_READS), "an atomic change that fails")
    text = f"%, %, %{_scoped(syncscope)} {order} {failed}"
    operands = [ptr.ssa(), expected.number.ssa(), value.number.ssa()]
    found = scalar(value.number.of(_emitted("llvm.cmpxchg", text, operands, [value.number.type])[0]))
    return found, Boolean(found == expected)


def generic_load(
    ptr: Pointer,
    *,
    dtype: DTypeOf | None = None,
    count: int | None = None,
    memory_order: AtomicOrdering = AtomicOrdering.NotAtomic,
    syncscope: Scope = None,
    nontemporal: bool = False,
    volatile: bool = False,
) -> Numeric | Vector:
    """What lies where a pointer points: an element, or a vector of `count`; atomically where an order says so.

    Args:
        dtype: the type of what lies there, else the pointer's.
        nontemporal, volatile: for a compiler; without effect here.
    """
    order = _order(memory_order, _READS, "a load")
    element = expect(ptr, Pointer, "ptr").element_type if dtype is None else numeric_type(dtype)
    where = recast(ptr, element)
    if memory_order is AtomicOrdering.NotAtomic:
        return where.load() if count is None else expect(load(where, VectorAlias(element, count)), Vector, "a vector")
    if count is not None:
        raise KernelError(f"an atomic load is of one element, not of a vector of {shown(count)}")
    like = _given(element(0), where, "an atomic load")
    text = f"% atomic{_scoped(syncscope)} {order}"
    return scalar(like.number.of(_emitted("llvm.load", text, [where.ssa()], [like.number.type])[0]))


def generic_store(
    ptr: Pointer,
    value: Stored,
    *,
    memory_order: AtomicOrdering = AtomicOrdering.NotAtomic,
    syncscope: Scope = None,
    nontemporal: bool = False,
    volatile: bool = False,
) -> None:
    """Writes an element, or a vector, where a pointer points; atomically where an order says so."""
    order = _order(memory_order, _WRITES, "a store")
    if memory_order is AtomicOrdering.NotAtomic:
        expect(ptr, Pointer, "ptr").store(value)
        return
    given = _given(value, ptr, "an atomic store")
    _emitted("llvm.store", f"%, % atomic{_scoped(syncscope)} {order}", [given.number.ssa(), ptr.ssa()], [])


def memory_fence(*, syncscope: Scope = None, ordering: AtomicOrdering = AtomicOrdering.SeqCst) -> None:
    """Accesses before and behind it keep their order for other threads of the scope."""
    order = _order(ordering, (*_WEAK, AtomicOrdering.Monotonic), "a fence")
    _emitted("llvm.fence", f"{_scoped(syncscope)} {order}".strip(), [], [])
