"""Looking on at every op: whoever watches is told after each op, and only where somebody does is anything told."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Protocol, TypeAlias, TypeGuard

from xdsl.ir import Operation

from tilewright.targets.simulator.agents.flow import Instruction, Meet, Waiting
from tilewright.targets.simulator.observers.acts import Act
from tilewright.targets.simulator.program import Compiler, Frame, Handler, Step

After: TypeAlias = Callable[[Frame], None]


class Watch(Protocol):
    """Who watches a kernel."""

    def of(self, compiler: Compiler, op: Operation) -> After | None:
        """What to call after each execution of the op; None where it is of no interest."""

    def told(self, acts: Sequence[Act]) -> None:
        """Lanes did this, all together."""


@dataclass(frozen=True)
class _Several:
    watches: tuple[Watch, ...]

    def of(self, compiler: Compiler, op: Operation) -> After | None:
        """All that are interested are told."""
        told = [after for watch in self.watches if (after := watch.of(compiler, op)) is not None]

        def tell(frame: Frame) -> None:
            for after in told:
                after(frame)

        return tell if told else None

    def told(self, acts: Sequence[Act]) -> None:
        """All are told."""
        for watch in self.watches:
            watch.told(acts)


def all_of(watches: Sequence[Watch]) -> Watch | None:
    """One watch for all of them; None for none."""
    return watches[0] if len(watches) == 1 else _Several(tuple(watches)) if watches else None


def watched(handlers: Mapping[type[Operation], Handler], watch: Watch) -> dict[type[Operation], Handler]:
    """The handlers, of whose steps the watch is told."""
    return {kind: _told(handler, watch) for kind, handler in handlers.items()}


def _told(handler: Handler, watch: Watch) -> Handler:
    def handle(compiler: Compiler, op: Operation) -> Step | None:
        step = handler(compiler, op)
        after = None if step is None else watch.of(compiler, op)
        if step is None or after is None:
            return step

        def both(frame: Frame) -> None:
            step(frame)
            after(frame)

        return both

    return handle


def watched_code(code: Sequence[Instruction], compiler: Compiler, watch: Watch) -> tuple[Instruction, ...]:
    """The instructions, of whose meetings the watch is told when lanes come; of what they do then by its step."""
    return tuple(_met(one, watch.of(compiler, one.op)) if _only_meets(one) else one for one in code)


def _only_meets(one: Instruction) -> TypeGuard[Meet]:
    return isinstance(one, Meet) and not one.before


def _met(meet: Meet, after: After | None) -> Meet:
    if after is None:
        return meet

    def come(frame: Frame) -> Waiting | None:
        waiting = meet.come(frame)
        after(frame)
        return waiting

    return replace(meet, come=come)
