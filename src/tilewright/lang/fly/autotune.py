"""`autotune`: of several configurations of a function the cheapest, by FlyDSL's names."""

from __future__ import annotations

import inspect
import os
import time
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from functools import update_wrapper
from math import inf
from typing import Protocol

import numpy as np

from tilewright.errors import TilewrightError, UsageError, close_names, shown
from tilewright.lang.fly.arrays import as_array
from tilewright.lang.fly.jit import Jit
from tilewright.runtime.session import Session
from tilewright.targets.arguments import Array
from tilewright.targets.device_arrays import require_here

ENVIRONMENT = "FLYDSL_AUTOTUNE"  # "0": nothing is measured, the default is taken
MOST = 1024  # warps, or waves, that any machine has in one place
Named = Mapping[str, object]
Hook = Callable[[Named], object]
Validation = Callable[[Named], AbstractContextManager[object]]
Results = Sequence[tuple["Config", float]]
Choice = Callable[[Results], "tuple[Config, float]"]


class Config:
    """A configuration: arguments by name, and numbers for a machine's compiler.

    Args:
        num_warps, waves_per_eu: given to a function that has parameters of these names.
        pre_hook: called with the arguments by name before each run. kw: arguments.

    Raises:
        UsageError: a number that is none from 1 to 1,024, or a `pre_hook` that cannot be called.

    >>> Config(BLOCK=128, num_warps=4)
    Config(BLOCK=128, num_warps=4)
    """

    def __init__(
        self,
        *,
        num_warps: int | None = None,
        waves_per_eu: int | None = None,
        pre_hook: Hook | None = None,
        **kw: object,
    ) -> None:
        self.kwargs, self.num_warps, self.waves_per_eu, self.pre_hook = kw, num_warps, waves_per_eu, pre_hook
        for name, value in self.hints.items():
            if type(value) is not int or not 0 < value <= MOST:
                raise UsageError(f"{name} is a number from 1 to {MOST}, not {shown(value)}")
        if pre_hook is not None and not callable(pre_hook):
            raise UsageError(f"pre_hook is a function of the arguments by name, not {shown(pre_hook)}")

    @property
    def hints(self) -> dict[str, int]:
        """What a machine's compiler is told."""
        found = {"num_warps": self.num_warps, "waves_per_eu": self.waves_per_eu}
        return {name: value for name, value in found.items() if value is not None}

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Config) and vars(self) == vars(other)

    def __hash__(self) -> int:
        return hash((tuple(self.kwargs), self.num_warps, self.waves_per_eu))

    def __repr__(self) -> str:
        return f"Config({', '.join(f'{name}={shown(value)}' for name, value in {**self.kwargs, **self.hints}.items())})"


class Bench(Protocol):
    """What measures a call, in milliseconds."""

    def __call__(self, fn: Callable[[], object], warmup: int = 5, rep: int = 25) -> float | Sequence[float]:
        """The milliseconds of `fn()`."""


def do_bench(
    fn: Callable[[], object], warmup: int = 5, rep: int = 25, quantiles: Sequence[float] | None = None
) -> float | list[float]:
    """The milliseconds of a call, or the quantiles of them.

    Of launches on the simulator: the least time that a chip of the target's architecture needs for what they move and
    compute (`report.bound`), a prediction that is the same each time, so that one call is enough. Of other calls, and
    where no such chip is known: the median time on this machine's clock, of `rep` calls after `warmup` ones, with all
    that Python does.

    >>> do_bench(lambda: None, quantiles=(0.1, 0.9))[0] < 1000
    True
    """
    with Session(profile=True) as session:
        fn()
    bounds = [one.report.bound for one in session.launches]
    known = [bound.seconds for bound in bounds if bound is not None]
    times = [sum(known)] if bounds and len(known) == len(bounds) else _clocked(fn, warmup, rep)
    found = [1e3 * float(t) for t in np.quantile(times, [0.5] if quantiles is None else quantiles)]
    return found[0] if quantiles is None else found


def _clocked(fn: Callable[[], object], warmup: int, rep: int) -> list[float]:
    if rep < 1:
        raise UsageError(f"rep is 1 or more calls, got {rep}")
    times = []
    for number in range(warmup + rep):
        begin = time.perf_counter()
        fn()
        if number >= warmup:
            times.append(time.perf_counter() - begin)
    return times


@dataclass
class Autotuner:
    """A function with configurations; a call runs the cheapest one for such arguments, found at the first call.

    Attributes:
        best_config: the one that ran last. costs: of each configuration in the last search the milliseconds.
    """

    fn: Jit | Callable[..., object]
    configs: Sequence[Config]
    key: Sequence[str] | None = None
    warmup: int = 5
    rep: int = 25
    prune_configs_by: Callable[[Sequence[Config], Named], Iterable[Config]] | None = None
    reset_to_zero: Sequence[str] = ()
    pre_hook: Hook | None = None
    post_hook: Hook | None = None
    do_bench: Bench = do_bench
    default: Config | None = None
    validate_hook: Validation | None = None
    select_config: Choice | None = None
    best_config: Config | None = None
    costs: dict[Config, float] = field(default_factory=dict)
    _known: dict[Hashable, Config] = field(default_factory=dict, repr=False)

    def __post_init__(self) -> None:
        if not self.configs or not all(isinstance(one, Config) for one in self.configs):
            raise UsageError(f"configs are one Config or more, got {shown(self.configs)}")
        function = self.fn.function if isinstance(self.fn, Jit) else self.fn
        self.signature = inspect.signature(function)
        update_wrapper(self, function)
        for name in (*(self.key or ()), *self.reset_to_zero, *(name for one in self.configs for name in one.kwargs)):
            if name not in self.signature.parameters:
                close = close_names(name, list(self.signature.parameters))
                hint = f"; did you mean {close[0]!r}?" if close else ""
                raise UsageError(f"{function.__name__} has no parameter {shown(name)}{hint}")

    def __call__(self, *args: object, **named: object) -> object:
        """Runs the cheapest configuration.

        Raises:
            UsageError: no configuration runs, each with why; or as the function.
        """
        given = dict(self.signature.bind_partial(*args, **named).arguments)
        key = self._key(given)
        if key not in self._known:
            self._known[key] = self._chosen(given)
        self.best_config = self._known[key]
        return self._run(self.best_config, given)

    def _key(self, given: Named) -> Hashable:
        names = given if self.key is None else self.key
        return tuple((name, _told(given.get(name))) for name in names)

    def _chosen(self, given: Named) -> Config:
        if os.environ.get(ENVIRONMENT, "1").lower() in ("0", "false", "no", "off"):
            return self.default or self.configs[0]
        configs = list(self.prune_configs_by(self.configs, given) if self.prune_configs_by else self.configs)
        arrays = {name: array for name, value in given.items() if (array := _array(value)) is not None}
        before = {name: array.copy() for name, array in arrays.items()}
        refused: list[str] = []
        self.costs = {one: self._cost(one, given, arrays, before, refused) for one in configs}
        if all(cost == inf for cost in self.costs.values()):
            raise UsageError("\n".join([f"no configuration of {self.__name__} runs", *refused]))  # type: ignore[attr-defined]  # update_wrapper
        return self._selected([(one, self.costs[one]) for one in configs if self.costs[one] < inf])

    def _selected(self, results: Results) -> Config:
        """One of those that were measured: the cheapest, or who `select_config` takes."""
        if self.select_config is None:
            return min(results, key=lambda pair: pair[1])[0]
        found = self.select_config(results)
        if found not in results:
            raise UsageError(f"select_config gives one of the measured (config, milliseconds), not {shown(found)}")
        return found[0]

    def _cost(
        self, one: Config, given: Named, arrays: Mapping[str, Array], before: Mapping[str, Array], refused: list[str]
    ) -> float:
        """The milliseconds of a configuration, which leaves no trace in arrays; infinite for one that does not run."""

        def restore() -> None:
            for name, array in arrays.items():
                array[...] = 0 if name in self.reset_to_zero else before[name]

        def trial() -> None:
            restore()
            self._run(one, given)

        try:
            restore()
            self._validated(one, given)
            found = self.do_bench(trial, warmup=self.warmup, rep=self.rep)
        except TilewrightError as error:
            refused.append(f"{one}: {error}")
            return inf
        finally:
            for name, array in arrays.items():
                array[...] = before[name]
        return found if isinstance(found, float | int) else found[0]

    def _validated(self, one: Config, given: Named) -> None:
        """Raises `UsageError` for what the user's own check raises around a run, whatever that is."""
        if self.validate_hook is None:
            return
        try:
            with self.validate_hook(given):
                self._run(one, given)
        except Exception as error:
            raise UsageError(f"{type(error).__name__}: {error}") from error

    def _run(self, one: Config, given: Named) -> object:
        hints = {name: value for name, value in one.hints.items() if name in self.signature.parameters}
        arguments = {**given, **one.kwargs, **hints}
        for hook in (self.pre_hook, one.pre_hook):
            if hook is not None:
                hook(arguments)
        found = self.fn(**arguments)
        if self.post_hook is not None:
            self.post_hook(arguments)
        return found


def _array(value: object) -> Array | None:
    found = as_array(getattr(value, "array", value))
    require_here(found, "a search")
    return found


def _told(value: object) -> Hashable:
    """What of an argument decides which configuration is the cheapest: of an array its shape and type."""
    array = _array(value)
    return repr(value) if array is None else (array.shape, array.strides, array.dtype.str)


def autotune(
    configs: Sequence[Config],
    key: Sequence[str] | None = None,
    warmup: int = 5,
    rep: int = 25,
    prune_configs_by: Callable[[Sequence[Config], Named], Iterable[Config]] | None = None,
    reset_to_zero: Sequence[str] = (),
    restore_value: Sequence[str] = (),
    pre_hook: Hook | None = None,
    post_hook: Hook | None = None,
    do_bench: Bench = do_bench,
    default: Config | None = None,
    artifact_name: str | None = None,
    validate_hook: Validation | None = None,
    select_config: Choice | None = None,
) -> Callable[[Jit | Callable[..., object]], Autotuner]:
    """A decorator above `@flyc.jit`: a call runs the cheapest configuration, searched once for arguments alike.

    The search runs each configuration; every array is what it was before when the chosen one runs.

    Args:
        configs: the configurations. key: names of the parameters that the choice depends on, else all of them; of an
            array its shape, strides and type.
        warmup, rep: calls, where calls are clocked. do_bench: gives the milliseconds of a call, as `do_bench` does.
        prune_configs_by: takes the configurations and the arguments by name, and gives those that are worth a try.
        reset_to_zero: names of arrays that are zeros in each trial.
        restore_value, artifact_name: without effect: all arrays are restored, and nothing is written.
        pre_hook, post_hook: called with the arguments by name around each run.
        validate_hook: `with validate_hook(arguments):` stands around a run of each configuration before it is measured;
            one for which it raises is out.
        select_config: takes the measured configurations with their milliseconds, and gives one of them, else the least.
        default: what runs where FLYDSL_AUTOTUNE=0, else the first one.

    Raises:
        UsageError: no configuration, or one of a parameter that the function does not have.

    >>> callable(autotune([Config(block=64), Config(block=128)], key=["n"]))
    True
    """
    return lambda fn: Autotuner(
        fn, tuple(configs), key, warmup, rep, prune_configs_by, tuple(reset_to_zero), pre_hook, post_hook, do_bench,
        default, validate_hook, select_config,
    )  # fmt: skip
