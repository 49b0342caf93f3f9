"""Dispatch: the first variant that has a plan."""

from __future__ import annotations

from collections.abc import Iterable

from tilewright.errors import DispatchError
from tilewright.variants.call import Call, Plan, Reject, Variant, listed
from tilewright.variants.table import BUILTIN


def choose(
    call: Call, variants: Iterable[Variant] = (), only: str | None = None, where: str = ""
) -> tuple[Variant, Plan]:
    """The variant of the highest priority that accepts the call, with its plan.

    Args:
        variants: the user's own; they stand beside the built-in ones. only: the name of the one variant to ask.
        where: the call's place, for the message.

    Raises:
        DispatchError: every variant declines; the message is the table of reasons.
    """
    known = [variant for variant in (*variants, *BUILTIN) if variant.primitive == call.primitive]
    asked = sorted((v for v in known if only in (None, v.name)), key=lambda v: (-v.priority, v.name))
    reasons: list[tuple[str, str]] = []
    for variant in asked:
        plan = variant.plan(call)
        if not isinstance(plan, Reject):
            return variant, plan
        reasons.append((variant.name, plan.message))
    if not asked and only is not None:
        names = ", ".join(sorted(variant.name for variant in known))
        reasons.append((only, f"no variant named {only!r} is registered; {call.primitive} has {names}"))
    raise DispatchError(refusal(call, reasons, where), tuple(reasons))


def refusal(call: Call, reasons: list[tuple[str, str]], where: str) -> str:
    """The table "variant, why not" under a line that names the call."""
    operands = ", ".join(f"{operand.name}{listed(operand.extents)}" for operand in call.operands)
    rows = [("variant", "why not"), *reasons]
    width = max(len(name) for name, _ in rows)
    table = [f"  {name:{width}} | {reason}" for name, reason in rows]
    place = [where] if where else []
    return "\n".join([f"no variant executes {call.scope} {call.primitive}({operands})", *table, *place])
