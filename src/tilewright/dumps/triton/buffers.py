"""Which allocation of shared memory a view of a Triton dump is cut from."""

from __future__ import annotations

from collections.abc import Mapping

from tilewright.notation.ttgir_op import Op
from tilewright.numerals import natural

MOST_STEPS = 256
LETTERS = ("A", "B")
_VIEWS = ("!ttg.memdesc<", "!triton_gpu.memdesc<", "!tt.memdesc<", "<")
_PASSED = ("ttng.warp_group_dot_wait",)


def view_of(op: Op, letter: str = "") -> str:
    """The view that the operation accesses, of several the one of that letter; empty where it is not one.

    >>> view_of(Op("ttg.local_store", 1, (), ("%x", "%m"), ("tensor<8xf16>", "!ttg.memdesc<8xf16>")))
    '%m'
    """
    if letter:
        return op.operands[LETTERS.index(letter)]
    if op.name == "ttg.local_alloc":
        return next(iter(op.results), "")
    if op.name.startswith("ttng.async_tma") and "]" in op.words:  # behind the coordinates
        return next((word for word in op.words[op.words.index("]") :] if word.startswith("%")), "")
    types = zip(op.operands, (*op.inputs, *op.outputs), strict=False)
    views = [operand for operand, text in types if text.startswith(_VIEWS)]
    return views[0] if len(views) == 1 else ""


def buffer_of(name: str, definitions: Mapping[str, Op]) -> str:
    """The allocation, as `%x of line 7`, or a name that nothing defines; empty where the definitions do not tell.

    >>> alloc, cut = Op("ttg.local_alloc", 3, ("%a",)), Op("ttg.memdesc_index", 4, ("%v",), ("%a", "%i"))
    >>> buffer_of("%v", {"%a": alloc, "%v": cut})
    '%a of line 3'
    """
    for _ in range(MOST_STEPS):
        op, which = _definition(name, definitions)
        if op is None:
            return name
        if op.name == "ttg.local_alloc":
            return f"{name} of line {op.line}"
        if name in op.bindings:
            if op.name == "scf.for" and _comes_back_as_another(op, name, definitions):
                return ""
            name = op.bindings[name]
        elif op.name.startswith("ttg.memdesc_") and op.operands:
            name = op.operands[0]
        elif op.name in _PASSED and which < len(op.operands):
            name = op.operands[which]
        else:
            return ""
    return ""


def _definition(name: str, definitions: Mapping[str, Op]) -> tuple[Op | None, int]:
    """The operation that defines it, and which of its results it is."""
    whole, _, which = name.partition("#")
    return definitions.get(whole), natural(which, MOST_STEPS) or 0


def _comes_back_as_another(loop: Op, name: str, definitions: Mapping[str, Op]) -> bool:
    """Does the loop give its next turn a view of another allocation than its first?"""
    ends = loop.regions[-1][-1] if loop.regions and loop.regions[-1] else None
    place = list(loop.bindings).index(name) - 1  # the first one is the induction variable
    if ends is None or ends.name != "scf.yield" or not 0 <= place < len(ends.operands):
        return True
    inside = {result: op for op in loop.walk() if op is not loop for result in (*op.results, *op.bindings)}
    starts = {other: Op("ttg.memdesc_index", 0, (), (first,)) for other, first in loop.bindings.items()}
    again = buffer_of(ends.operands[place], {**definitions, **inside, **starts})
    return again != buffer_of(loop.bindings[name], definitions)
