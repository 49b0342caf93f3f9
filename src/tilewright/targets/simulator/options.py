"""`SimOptions`: how the simulator is to run a kernel, as one frozen value that goes from the user to the machine."""

from __future__ import annotations

from contextvars import ContextVar
from dataclasses import dataclass, fields, replace
from types import TracebackType
from typing import Literal, TypeAlias, TypedDict, Unpack, get_args

from tilewright.errors import UsageError, close_names, shown

Check: TypeAlias = Literal["off", "on", "strict"]
Schedule: TypeAlias = Literal["lockstep", "random"]
Mma: TypeAlias = Literal["exact", "fast"]

MAX_SEED = 2**63
STEPS = 2_000_000
_CHOICES = {"check": get_args(Check), "schedule": get_args(Schedule), "mma": get_args(Mma)}
_STACK: ContextVar[tuple[SimOptions, ...]] = ContextVar("tilewright_sim_options", default=())


class Switches(TypedDict, total=False):
    """The fields of `SimOptions` as keywords: of `tilewright.compile`, of a kernel's call, and of `simulate`."""

    check: Check
    schedule: Schedule
    seed: int
    mma: Mma
    steps: int


@dataclass(frozen=True)
class SimOptions:
    """How the simulator runs a kernel. Within `with SimOptions(..):` these are the defaults of what is compiled there.

    `check`: `on` refuses whatever the machine leaves undefined; `strict` also threads that write one value to one
    element with no barrier between; `off` looks for no races and no unwritten reads, and is faster.
    `schedule`: `lockstep` runs lanes together, blocks in order; `random` runs blocks, warps and what is asynchronous in
    an order that `seed` decides. A kernel without races gives the same bits under every seed.
    `mma`: `exact` multiplies matrices by the documented rule, `fast` by the fastest way that numpy has.
    `steps`: at most so many ops are executed, each of up to 2048 lanes.

    Raises:
        UsageError: another value than these.

    >>> SimOptions().switched(schedule="random", seed=3)
    SimOptions(check='on', schedule='random', seed=3, mma='exact', steps=2000000)
    """

    check: Check = "on"
    schedule: Schedule = "lockstep"
    seed: int = 0
    mma: Mma = "exact"
    steps: int = STEPS

    def __post_init__(self) -> None:
        for name, choices in _CHOICES.items():
            given: object = getattr(self, name)
            if not isinstance(given, str) or given not in choices:
                raise UsageError(f"{name} is one of {', '.join(choices)}, got {shown(given)}")
        if type(self.seed) is not int or not 0 <= self.seed < MAX_SEED:
            raise UsageError(f"seed is an integer from 0 to 2^63 - 1, got {shown(self.seed)}")
        if type(self.steps) is not int or not 0 < self.steps < MAX_SEED:
            raise UsageError(f"steps is an integer from 1 to 2^63 - 1, got {shown(self.steps)}")

    def switched(self, **switches: Unpack[Switches]) -> SimOptions:
        """These with other values of some fields.

        Raises:
            UsageError: no such field, or value of it.
        """
        known = [field.name for field in fields(self)]
        for name in switches:
            if name not in known:
                close = close_names(name, known)
                hint = f"did you mean {close[0]}?" if close else f"there are {', '.join(known)}"
                raise UsageError(f"there is no switch {shown(name)}; {hint}")
        return replace(self, **switches)

    @staticmethod
    def current() -> SimOptions:
        """Those of the innermost enclosing `with`, else the defaults."""
        return (_STACK.get() or (SimOptions(),))[-1]

    def __enter__(self) -> SimOptions:
        _STACK.set((*_STACK.get(), self))
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        _STACK.set(_STACK.get()[:-1])
