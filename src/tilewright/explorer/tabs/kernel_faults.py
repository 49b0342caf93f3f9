"""What ended a traced run: the race or the like, its accesses, and where each of them was made."""

from __future__ import annotations

from tilewright.explorer.answer import Row, Step, Table
from tilewright.figures.trace.accesses import memory
from tilewright.figures.trace.film import is_refused
from tilewright.figures.trace.model import Event, Trace

HEADS = ("access", "thread", "block", "line", "source")


def fact(trace: Trace) -> tuple[tuple[str, str], ...]:
    """That it ended so."""
    return (("ended by", f"{trace.fault.kind}, {_when(trace)}"),) if trace.fault else ()


def steps(trace: Trace) -> tuple[Step, ...]:
    """The simulator's message, line by line, without the carets, which need lines below one another."""
    if not trace.fault:
        return ()
    said, *lines = (line.strip() for line in trace.fault.text.split("\n"))
    return (Step(f"{trace.fault.kind}, {_when(trace)}: {said}", tuple(Step(line) for line in lines if line != "^")),)


def _when(trace: Trace) -> str:
    assert trace.fault, "there is one"
    return f"at step {trace.fault.step}" if _sides(trace) else f"after step {trace.fault.step}"


def _sides(trace: Trace) -> tuple[Event, ...]:
    return tuple(event for event in trace.events if is_refused(event.op))


def table(trace: Trace) -> tuple[Table, ...]:
    """Both accesses, each with the step at which it was made, where the trace has it: a click shows that."""
    sides = _sides(trace)
    if not sides:
        return ()
    return (Table("the accesses that ended the run", HEADS, tuple(_row(trace, side) for side in sides), "show"),)


def _row(trace: Trace, side: Event) -> Row:
    op = side.op
    place = f"{op.file}:{op.line}" if op.line else ""
    what = f"{op.kind.partition(': ')[2]} element {side.element} of {op.buffer}"
    return Row((what, str(side.thread), str(side.block), place, op.source), {"step": str(_made(trace, side).step)})


def _made(trace: Trace, side: Event) -> Event:
    """The thread's last access to the element before, at the same op; else the one that was refused itself."""
    own = (event for event in reversed(trace.events) if event.step < side.step and _same(event, side))
    return next(own, side)


def _same(event: Event, side: Event) -> bool:
    return (event.block, event.thread, event.element, event.op.text, memory(event.op)) == (
        *(side.block, side.thread, side.element, side.op.text),
        memory(side.op),
    )
