"""Kernels that tests simulate, whatever test it is, as text: their CUDA text does on the CPU what the simulator did.

Of each kernel that runs without a fault its arguments before and after are noted. Then the texts are compiled, many in
one program, and run: copies that go on by themselves are done at once, and as late as they may be.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import numpy as np
from headers import ready
from right_kernels import LANES, bits, reason, whens
from xdsl.dialects.builtin import ModuleOp

from tilewright.arch import get as get_arch
from tilewright.errors import TilewrightError
from tilewright.passes.pipeline import run
from tilewright.targets.arguments import bind, lie_apart
from tilewright.targets.c_emitter.emit import emit
from tilewright.targets.host.compiler import compile_together, literal
from tilewright.targets.host.program import Part
from tilewright.targets.host.ptx.rows import without_assembly
from tilewright.targets.launch import Launch, kernel_of
from tilewright.targets.simulator.options import SimOptions
from tilewright.targets.simulator.simulate import HANDLERS, Simulator
from tilewright.targets.tensor_map import TensorMap

TOGETHER = 40  # kernels of a program
MOST_BYTES, MOST_THREADS = 1 << 20, 1 << 14  # of a kernel's arguments; of its grid
DEFAULT = "sm_90"


@dataclass(frozen=True)
class Run:
    """A kernel as text, what it was given, and what that held then."""

    module: ModuleOp
    part: Part
    arguments: list[Any]
    expected: list[bytes]
    test: str


class Notes:
    """What has been simulated while tests ran, each text once: of each test, whatever its parameters, the first few."""

    def __init__(self, most: int = 1 << 30) -> None:
        self.runs: dict[str, Run] = {}
        self.refused: Counter[str] = Counter()
        self.tests: Counter[str] = Counter()
        self.test, self.most = "", most

    @contextmanager
    def taken(self, test: str = "") -> Iterator[None]:
        """Notes what runs meanwhile."""
        self.test, before = test, Simulator.run

        def noted(own: Simulator, arrays: Sequence[Any], **options: Any) -> Any:
            found = self._text(own, arrays, **options)
            given = _copied(arrays) if found else []
            result = before(own, arrays, **options)
            if found:
                final, part = found
                self.tests[self._function] += 1
                self.runs[part.text.source] = Run(final, part, given, bits(arrays), self.test)
            return result

        Simulator.run = noted  # type: ignore[assignment,method-assign]  # until the end of this
        try:
            yield
        finally:
            Simulator.run = before  # type: ignore[method-assign]

    @property
    def _function(self) -> str:
        return self.test.partition("[")[0]

    def _text(self, own: Simulator, arrays: Sequence[Any], **options: Any) -> tuple[ModuleOp, Part] | None:
        """The text, where it is new, and small, and is to have the same bits."""
        fast = "fast" in (options.get("mma"), (options.get("options") or SimOptions()).mma)
        other = own.handlers is not HANDLERS or get_arch(options.get("arch", DEFAULT)).lanes != LANES
        if fast or other or self.tests[self._function] >= self.most:
            return None
        try:
            final, bound = _final(own), bind(own.func, arrays)
            emit(final)
            made = literal(final, lie_apart(bound))
            without_assembly(
                made.text.source
            )  # which is refused where nothing on the CPU does what an instruction does
        except TilewrightError as error:
            self.refused[reason(error)] += 1
            return None
        launch = Launch.of(kernel_of(final))
        small = sum(array.nbytes for array in bound) <= MOST_BYTES and launch.blocks * launch.threads <= MOST_THREADS
        return (final, made) if small and made.text.source not in self.runs else None

    def differing(self) -> Iterator[str]:
        """The tests whose kernels do something else as text."""
        runs = list(self.runs.values())
        for start in range(0, len(runs), TOGETHER):
            yield from differing(runs[start : start + TOGETHER])


def differing(runs: Sequence[Run]) -> Iterator[str]:
    """Those of one program."""
    for one, made in zip(runs, compile_together([one.part for one in runs], ready(("-O0",))), strict=True):
        for when in whens(one.part):
            arguments = _copied(one.arguments)
            try:
                maps = [argument for argument in arguments if isinstance(argument, TensorMap)]
                made.run(bind(kernel_of(one.module), arguments), maps, when)
            except TilewrightError as error:
                yield f"{one.test}, {when}: {error}"
                continue
            if bits(arguments) != one.expected:
                yield f"{one.test}, {when}"


def _final(own: Simulator) -> ModuleOp:
    module = own.func.parent_op()
    assert isinstance(module, ModuleOp), "a kernel's"
    early = any(op.name in ("tile.match_buffer", "tile.region", "tile.load") for op in module.walk())
    return run(module, "final", lanes=LANES).module if early else module.clone()


def _copied(arrays: Sequence[Any]) -> list[Any]:
    """Copies, one of what is given twice."""
    copies = {id(array): _copy(array) for array in arrays}
    return [copies[id(array)] for array in arrays]


def _copy(array: Any) -> Any:
    """Of a tensor map one of its array, which has the same strides."""
    if isinstance(array, TensorMap):
        flat = array.flat().copy()
        view = np.lib.stride_tricks.as_strided(flat, array.array.shape, array.array.strides)
        return TensorMap(view, array.box, array.swizzle)
    return array.copy() if hasattr(array, "copy") else array
