"""Kernels that tests simulate, whatever test it is, as text: their CUDA text does on the CPU what the simulator did.

    python tests/fuzz/fuzz_texts.py [PATHS]     tests of these paths, all without; exit status 1 if a text differs

Runs the tests in this process and notes, of each kernel at stage `final` that runs without a fault, its arguments
before and after. Then the texts are compiled, many in one program, and run: copies that go on by themselves are done
at once, and as late as they may be.
"""

from __future__ import annotations

import sys
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1] / "support"))

import numpy as np
import pytest
from right_kernels import LANES, bits, reason, whens
from xdsl.dialects.builtin import ModuleOp

from tilewright.arch import get as get_arch
from tilewright.errors import TilewrightError
from tilewright.passes.pipeline import run
from tilewright.targets.arguments import bind, lie_apart
from tilewright.targets.host.compiler import compile_together, literal
from tilewright.targets.host.program import Part
from tilewright.targets.host.ptx.rows import without_assembly
from tilewright.targets.launch import Launch, kernel_of
from tilewright.targets.simulator import simulate as simulator
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
    """What has been simulated while tests ran, each text once."""

    def __init__(self) -> None:
        self.runs: dict[str, Run] = {}
        self.counts: Counter[str] = Counter()
        self.test = ""
        self.simulate = simulator.simulate

    def pytest_runtest_setup(self, item: pytest.Item) -> None:
        """A test begins."""
        self.test = item.nodeid

    def __call__(self, module: ModuleOp, arrays: Any, *args: Any, **options: Any) -> Any:
        """The simulation, noted where it is one of a kernel that has text."""
        found = self.text(module, arrays, str(options.get("arch", DEFAULT)))
        before = [_copied(array) for array in arrays] if found else []
        result = self.simulate(module, arrays, *args, **options)
        if found:
            final, part = found
            self.runs[part.text.source] = Run(final, part, before, bits(arrays), self.test)
        return result

    def text(self, module: ModuleOp, arrays: Any, arch: str) -> tuple[ModuleOp, Part] | None:
        """The text, where it is new, and small."""
        if get_arch(arch).lanes != LANES:
            return None
        try:
            final = module.clone() if is_final(module) else run(module, "final", lanes=LANES).module
            func = kernel_of(final)
            launch, bound = Launch.of(func), bind(func, arrays)
            made = literal(final, lie_apart(bound))
            without_assembly(made.text.source)
        except TilewrightError as error:
            self.counts[reason(error)] += 1
            return None
        small = sum(array.nbytes for array in bound) <= MOST_BYTES and launch.blocks * launch.threads <= MOST_THREADS
        return (final, made) if small and made.text.source not in self.runs else None


def is_final(module: ModuleOp) -> bool:
    """Has it none of the ops that only earlier stages have?"""
    return not any(op.name in ("tile.match_buffer", "tile.region", "tile.load") for op in module.walk())


def _copied(array: Any) -> Any:
    """A copy; of a tensor map one of its array, which has the same strides."""
    if isinstance(array, TensorMap):
        flat = array.flat().copy()
        view = np.lib.stride_tricks.as_strided(flat, array.array.shape, array.array.strides)
        return TensorMap(view, array.box, array.swizzle)
    return array.copy() if hasattr(array, "copy") else array


def differing(runs: list[Run]) -> list[str]:
    """The tests whose kernels do something else as text."""
    wrong = []
    for one, made in zip(runs, compile_together([one.part for one in runs], ("-O0",)), strict=True):
        for when in whens(one.part):
            arguments = [_copied(argument) for argument in one.arguments]
            try:
                maps = [argument for argument in arguments if isinstance(argument, TensorMap)]
                made.run(bind(kernel_of(one.module), arguments), maps, when)
            except TilewrightError as error:
                wrong.append(f"{one.test}, {when}: {error}")
                continue
            if bits(arguments) != one.expected:
                wrong.append(f"{one.test}, {when}")
    return wrong


def main() -> int:
    """Runs the tests, then the texts."""
    notes = Notes()
    simulator.simulate = notes  # type: ignore[assignment]  # tests and runtime take it from there when they are loaded
    paths = sys.argv[1:] or [str(Path(__file__).parents[1])]
    pytest.main(["-q", "-p", "no:cacheprovider", "-p", "no:xdist", *paths], plugins=[notes])
    runs = list(notes.runs.values())
    wrong = [text for i in range(0, len(runs), TOGETHER) for text in differing(runs[i : i + TOGETHER])]
    for what, count in notes.counts.most_common():
        print(f"| {what} | {count} |")
    print(f"{len(runs)} texts")
    print("\n".join(wrong) or "all the same")
    return bool(wrong)


if __name__ == "__main__":
    sys.exit(main())
