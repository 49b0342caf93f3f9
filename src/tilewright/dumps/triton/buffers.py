"""Which allocation of shared memory a view of a Triton dump is cut from."""

from __future__ import annotations

from tilewright.dumps.triton.flow import Origin, Scope, definition, origins
from tilewright.notation.ttgir_op import Op

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


def buffer_of(name: str, definitions: Scope) -> str:
    """The allocation, as `%x of line 7`, or a name that nothing defines; empty where the definitions do not tell.

    Law: whatever way a view takes through loops, branches and selections, all of them begin at this allocation.

    >>> alloc, cut = Op("ttg.local_alloc", 3, ("%a",)), Op("ttg.memdesc_index", 4, ("%v",), ("%a", "%i"))
    >>> buffer_of("%v", {"%a": alloc, "%v": cut})
    '%a of line 3'
    """
    waiting, seen, found = [(name, definitions)], set[tuple[str, int]](), set[str]()
    while waiting:
        name, scope = waiting.pop()
        op, which = definition(name, scope)
        if (name, id(op)) in seen:
            continue
        seen.add((name, id(op)))
        if op is None:
            found.add(name)
        elif op.name == "ttg.local_alloc":
            found.add(f"{name} of line {op.line}")
        else:
            before = _before(op, name, which, scope)
            waiting += before
            if not before or len(seen) > MOST_STEPS:
                return ""
    return found.pop() if len(found) == 1 else ""


def _before(op: Op, name: str, which: int, scope: Scope) -> list[Origin]:
    """What the view is cut from or comes from; none where that is not known."""
    if op.name.startswith("ttg.memdesc_"):
        return [(operand, scope) for operand in op.operands[:1]]
    if op.name in _PASSED:
        return [(operand, scope) for operand in op.operands[which : which + 1]]
    return origins(name, scope)
