"""`fly-convert-atom-call-to-ssa-form`: calls of atoms take and give the values of registers, not views of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Attribute, SSAValue
from xdsl.passes import ModulePass

from tilewright.ir.core.rewrite import Before, erase
from tilewright.ir.core.walk import operations
from tilewright.ir.fly.assembly import SEGMENTS
from tilewright.ir.fly.dialect_types import MemRefType
from tilewright.ir.fly.ops import FlyOp, Plain, is_fly, make
from tilewright.ir.fly.registers import defining, run_of, value_type


@dataclass(frozen=True)
class ConvertAtomCallToSsaForm(ModulePass):
    """`copy_atom_call` and `mma_atom_call` on runs of registers become their `_ssa` forms.

    What a call reads is loaded before it, what it writes stored after it. A copy under a predicate keeps the old
    registers where the predicate is false, and is given them. Views that are no run of registers stay views.
    """

    name = "fly-convert-atom-call-to-ssa-form"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        """Changes the module in place."""
        for call in [inner for inner in operations(op) if is_fly(inner)]:
            if call.short == "copy_atom_call":
                _copy(call)
            elif call.short == "mma_atom_call":
                _mma(call)


def _copy(call: FlyOp) -> None:
    atom, source, target, *predicate = call.operands
    if all(_value_type(view) is None for view in (source, target, *predicate)):
        return
    at = _At(call)
    value = at.loaded(source)
    conditions = [at.loaded(condition) for condition in predicate]
    kept = [at.loaded(target)] if _value_type(target) is None or conditions else []
    at.call("copy_atom_call_ssa", [[atom], [value], kept, conditions], target)
    erase(call)


def _mma(call: FlyOp) -> None:
    groups = call.groups
    target, addend = groups["d"][0], groups["c"][0]
    factors = groups["a"], groups["b"]
    if all(_value_type(view) is None for view in (target, *factors[0], *factors[1], addend)):
        return
    at = _At(call)
    left, right = ([at.loaded(view) for view in views] for views in factors)
    kept = [target] if _value_type(target) is None else []
    at.call("mma_atom_call_ssa", [[call.operands[0]], kept, left, right, [at.loaded(addend)]], target)
    erase(call)


def _value_type(view: SSAValue) -> Attribute | None:
    return _of_type(view.type) if isinstance(view.type, MemRefType) else None


@lru_cache(1024)
def _of_type(kind: MemRefType) -> Attribute | None:
    count = run_of(kind.value)
    return None if count is None else value_type(kind.value, count)


class _At:
    """Makes ops before a call, in its place of the source."""

    def __init__(self, call: FlyOp) -> None:
        self._builder = Before(call)
        self._location = call.location

    def loaded(self, view: SSAValue) -> SSAValue:
        """The value of a run of registers; what is none as it is."""
        kind = _value_type(view)
        return view if kind is None else self._insert("ptr.load", [self._iterator(view)], results=[kind]).results[0]

    def call(self, name: str, groups: Sequence[Sequence[SSAValue]], target: SSAValue) -> None:
        """The call; its result, if the target is a run of registers, is stored there."""
        kind = _value_type(target)
        sizes = tuple(len(group) for group in groups)
        operands = [operand for group in groups for operand in group]
        made = self._insert(name, operands, {SEGMENTS: sizes}, [] if kind is None else [kind])
        if made.results:
            self._insert("ptr.store", [made.results[0], self._iterator(target)], results=[])

    def _iterator(self, view: SSAValue) -> SSAValue:
        made = defining(view, "make_view")
        return made.operands[0] if made else self._insert("get_iter", [view]).results[0]

    def _insert(
        self,
        name: str,
        operands: Sequence[SSAValue],
        attributes: dict[str, Plain | Attribute] | None = None,
        results: Sequence[Attribute] | None = None,
    ) -> FlyOp:
        made = make(name, operands, attributes, results)
        made.location = self._location
        return self._builder.put(made)
