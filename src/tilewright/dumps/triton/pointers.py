"""How the pointers of a Triton dump step along a tensor's dimensions: known strides, run-time ones, or not affine."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from tilewright.dumps.triton.context import Context
from tilewright.dumps.triton.flow import Key, Origin, definition, key_of, origins
from tilewright.errors import LayoutError
from tilewright.notation.ttgir_op import Op
from tilewright.numerals import integer

LIMIT = 2**63
MOST_OFFSET = 2**40
MOST_STEPS = 192
# In place of a stride that only the launch knows.
RUN_TIME = None


@dataclass(frozen=True)
class Affine:
    """start + the sum of stride * coordinate, in elements; a stride, or the value, may be known at run time only."""

    strides: tuple[int | None, ...]
    value: int | None = None

    @property
    def is_uniform(self) -> bool:
        """Is it the same everywhere?"""
        return all(stride == 0 for stride in self.strides)


@dataclass(frozen=True)
class Refused:
    """Why a value cannot be followed, and the innermost branch on the way from it to what is to blame."""

    why: str
    through: str = ""


def strides_of(name: str, context: Context) -> Affine:
    """How a value steps. What is found on the way is kept: the next value is often made of it.

    Raises:
        LayoutError: it is not affine in the coordinates, or it could not be followed.
    """
    start = (name, context.definitions)
    key = key_of(*start)
    found = context.endless.get(key) or context.steps.get(key) or _searched(start, context)
    if isinstance(found, Refused):
        raise LayoutError(f"{found.why}{found.through}")
    return found


def _searched(start: Origin, context: Context) -> Affine | Refused:
    known, waiting, opened = context.steps, [start], dict[Key, Origin]()
    for _ in range(MOST_STEPS):
        value = waiting[-1]
        key, needs = key_of(*value), _needs(value)
        if key not in known:
            found = [known.get(key_of(*other)) for other in needs]
            missing = [other for other, one in zip(needs, found, strict=True) if one is None]
            blamed = next((one for one in found if isinstance(one, Refused)), None)
            if any(key_of(*other) in opened for other in missing):
                return context.endless.setdefault(key_of(*start), Refused(f"{value[0]} depends on itself"))
            opened[key] = value
            if missing and blamed is None:
                waiting += missing
                continue
            if blamed is None:
                known[key] = _tried(value, [one for one in found if isinstance(one, Affine)], context)
            refused = blamed or known[key]
            if isinstance(refused, Refused):
                return _all_refused(refused, [one for other, one in opened.items() if other not in known], known)
        waiting.pop()
        if not waiting:
            return known[key]
    told = Refused(f"{start[0]} is computed in more than {MOST_STEPS} steps")
    return context.endless.setdefault(key_of(*start), told)


def _tried(value: Origin, given: list[Affine], context: Context) -> Affine | Refused:
    try:
        return _step(value, given, context)
    except LayoutError as error:
        return Refused(str(error))


def _all_refused(refused: Refused, way: list[Origin], known: dict[Key, Affine | Refused]) -> Refused:
    """Every value on the way to what is refused is so too, and tells the innermost branch that leads there."""
    for value in reversed(way):
        op = definition(*value)[0]
        if not refused.through and op is not None and op.name == "scf.if":
            refused = replace(refused, through=f", through the scf.if on line {op.line}")
        known[key_of(*value)] = refused
    return refused


def _needs(value: Origin) -> list[Origin]:
    """What a value is made of."""
    name, scope = value
    op, _ = definition(name, scope)
    if op is None:
        return []
    if name in op.bindings:
        return [(op.bindings[name], scope)]
    if _chooses(op):
        # A loop's own values step as they began.
        return origins(name, scope)[: 1 if op.name == "scf.for" else None]
    return [(operand, scope) for operand in op.operands] if op.name in _RULES else []


def _chooses(op: Op) -> bool:
    """Is its result one of several values, whole? A tensor of conditions mixes them."""
    return op.name in ("scf.for", "scf.if") or (op.name == "arith.select" and len(op.inputs) == 1)


def _step(value: Origin, given: list[Affine], context: Context) -> Affine:
    name, scope = value
    op, which = definition(name, scope)
    if op is None:  # an argument of the function
        return Affine(())
    if given and (name in op.bindings or _chooses(op)):
        return _one_of(op, given, op.name not in ("scf.if", "arith.select"))
    if op.name not in _RULES:
        types = op.outputs[which : which + 1] or (op.outputs or op.inputs)[-1:]  # one type may stand for all
        found = context.types.tiled(types[0]) if types else None
        if found is None and op.name not in ("scf.for", "scf.if"):
            return Affine(())
        raise LayoutError(f"{name} is the result of {op.name} on line {op.line}")
    rule, arity = _RULES[op.name]
    if len(op.operands) != arity:
        raise LayoutError(f"{op.name} with {len(op.operands)} operands instead of {arity}")
    return rule(op, given, context)


def _one_of(op: Op, given: list[Affine], turns: bool) -> Affine:
    """What all of them have in common; which number a loop's value is is another one in every turn.

    Raises:
        LayoutError: they step differently.
    """
    if any(one.strides != given[0].strides for one in given):
        told = " or ".join(dict.fromkeys(str(one.strides).replace("None", "?") for one in given))
        raise LayoutError(f"{op.name} on line {op.line} gives indices that step by {told}")
    values = {one.value for one in given}
    return Affine(given[0].strides, values.pop() if len(values) == 1 and not turns else None)


Rule = Callable[[Op, list[Affine], Context], Affine]


def _rank(op: Op, context: Context) -> int:
    return len(_shape(op, context))


def _shape(op: Op, context: Context) -> tuple[int, ...]:
    text = (op.outputs or op.inputs)[-1:]
    found = context.types.tiled(text[0]) if text else None
    return tuple(found.shape) if found else ()


def _constant(op: Op, _: list[Affine], context: Context) -> Affine:
    words = [word for word in op.words if word not in ("dense", "<", ">", "-")]
    value = integer(words[0], LIMIT) if words else None
    sign = -1 if "-" in op.words else 1
    return Affine((0,) * _rank(op, context), None if value is None else sign * value)


def _range(op: Op, _: list[Affine], context: Context) -> Affine:
    return Affine((1,))


def _splat(op: Op, given: list[Affine], context: Context) -> Affine:
    return Affine((0,) * _rank(op, context), given[0].value)


def _same(op: Op, given: list[Affine], context: Context) -> Affine:
    return given[0]


def _expand(op: Op, given: list[Affine], context: Context) -> Affine:
    axis, strides = op.integer("axis") or 0, given[0].strides
    return Affine((*strides[:axis], 0, *strides[axis:]))


def _reshape(op: Op, given: list[Affine], context: Context) -> Affine:
    """Dimensions of one element come and go; no other reshape is followed."""
    before, after = (context.types.tiled(texts[0]) if texts else None for texts in (op.inputs, op.outputs))
    if before is None or after is None or [e for e in before.shape if e > 1] != [e for e in after.shape if e > 1]:
        raise LayoutError(f"a {op.name} of several dimensions is not followed")
    if len(given[0].strides) != len(before.shape):
        raise LayoutError(f"the steps of the operand of a {op.name} could not be followed")
    wide = iter([s for s, extent in zip(given[0].strides, before.shape, strict=True) if extent > 1])
    return Affine(tuple(next(wide) if extent > 1 else 0 for extent in after.shape))


def _transposed(op: Op, given: list[Affine], context: Context) -> Affine:
    order = op.integers("order")
    if order is None or sorted(order) != list(range(len(given[0].strides))):
        raise LayoutError(f"{op.name} needs order = a permutation of the dimensions")
    return Affine(tuple(given[0].strides[d] for d in order))


def _sum(op: Op, given: list[Affine], context: Context) -> Affine:
    one, other = (side.strides for side in given)
    if len(one) != len(other):
        raise LayoutError(f"{op.name} of tensors of ranks {len(one)} and {len(other)}")
    sign = -1 if op.name == "arith.subi" else 1
    strides = tuple(_plus(a, _times(b, sign)) for a, b in zip(one, other, strict=True))
    return Affine(strides, _plus(given[0].value, _times(given[1].value, sign)))


def _plus(a: int | None, b: int | None) -> int | None:
    return None if a is None or b is None else _bounded(a + b)


def _product(op: Op, given: list[Affine], context: Context) -> Affine:
    one, other = given if given[1].is_uniform else reversed(given)
    if not other.is_uniform:
        raise LayoutError(f"{op.name} of two indices is not affine")
    value = _times(one.value, other.value)
    return Affine(tuple(_times(stride, other.value) for stride in one.strides), value)


def _remainder(op: Op, given: list[Affine], context: Context) -> Affine:
    """The steps of what is divided: a wrap-around at what only the launch knows is left out.

    Raises:
        LayoutError: the divisor is known, and less than what the tensor spans.
    """
    (one, other), shape = given, _shape(op, context)
    if not other.is_uniform:
        raise LayoutError(f"{op.name} by something that differs within the tensor is not affine")
    if one.is_uniform:
        known = one.value is not None and one.value >= 0 and other.value
        return Affine(one.strides, (one.value or 0) % abs(other.value or 1) if known else None)
    spans = [abs(stride) * (extent - 1) for stride, extent in zip(one.strides, shape, strict=False) if stride]
    if other.value is not None and sum(spans) >= abs(other.value):
        raise LayoutError(f"{op.name} by {other.value} of indices that span {sum(spans) + 1} is not affine")
    return Affine(one.strides)


def _times(stride: int | None, value: int | None) -> int | None:
    if stride == 0:
        return 0
    return None if stride is None or value is None else _bounded(stride * value)


def _bounded(offset: int) -> int:
    if abs(offset) > MOST_OFFSET:
        raise LayoutError(f"a pointer steps by more than {MOST_OFFSET} elements")
    return offset


# The rule of an operation, and how many operands it has.
_RULES: dict[str, tuple[Rule, int]] = {
    "arith.constant": (_constant, 0),
    "tt.make_range": (_range, 0),
    "tt.splat": (_splat, 1),
    "tt.broadcast": (_same, 1),
    "arith.extsi": (_same, 1),
    "arith.extui": (_same, 1),
    "arith.trunci": (_same, 1),
    "arith.index_cast": (_same, 1),
    "ttg.convert_layout": (_same, 1),
    "tt.bitcast": (_same, 1),
    "arith.remsi": (_remainder, 2),
    "arith.remui": (_remainder, 2),
    "tt.expand_dims": (_expand, 1),
    "tt.reshape": (_reshape, 1),
    "tt.trans": (_transposed, 1),
    "arith.addi": (_sum, 2),
    "arith.subi": (_sum, 2),
    "tt.addptr": (_sum, 2),
    "arith.muli": (_product, 2),
}
