"""The kernel half at length: N random mutants of a kernel end in our errors, or agree at every stage and on the host.

python tests/fuzz/fuzz_kernels.py 2000
"""

from __future__ import annotations

import random
import sys
import time
from collections import Counter
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1] / "support"))

import numpy as np
from mutants import define, mutants
from xdsl.dialects.builtin import ModuleOp

from tilewright.arch.target import Target
from tilewright.errors import SimulationError, TilewrightError
from tilewright.ir.core.element_types import element_dtype
from tilewright.ir.script.tirx import script
from tilewright.ir.text import parse_module, print_module
from tilewright.lang.primfunc import PrimFunc, prim_func
from tilewright.passes.pipeline import STAGES, run
from tilewright.runtime.on_host import HostExecutor
from tilewright.targets.host.compiler import WARNINGS, compile_host
from tilewright.targets.launch import kernel_of
from tilewright.targets.simulator.options import SimOptions
from tilewright.targets.simulator.simulate import simulate

SLOW_SECONDS = 5.0


def arrays_of(module: ModuleOp) -> list[Any]:
    """Numbers for the kernel to work on, always the same."""
    rng = np.random.default_rng(0)
    kinds: list[Any] = [argument.type for argument in kernel_of(module).body.block.args]
    return [rng.integers(0, 60, kind.get_shape()[0]).astype(element_dtype(kind.element_type).numpy()) for kind in kinds]


def outcome(module: ModuleOp) -> bytes | str:
    """The memory after a run, or the name of what was undefined."""
    arrays = arrays_of(module)
    try:
        simulate(module, arrays)
    except SimulationError as error:
        return type(error).__name__
    return b"".join(array.tobytes() for array in arrays)


def hosted(module: ModuleOp) -> bytes:
    """The memory after the emitted text has run; g++ has no warning for it."""
    arrays = arrays_of(module)
    compile_host(module, range(len(arrays)), WARNINGS).run(arrays)
    return b"".join(array.tobytes() for array in arrays)


def looped(module: ModuleOp) -> bytes:
    """The memory after target `host` has run the kernel."""
    arrays = arrays_of(module)
    HostExecutor.of(module, Target("host"))(arrays, SimOptions())
    return b"".join(array.tobytes() for array in arrays)


def check(kernel: PrimFunc, name: str) -> str:
    """`ok`, `undefined`, or what is wrong with the kernel's stages or its text."""
    modules = [run(kernel.module, stage, verify_each=True).module for stage in STAGES]
    for module in modules:
        text = print_module(module)
        if print_module(parse_module(text)) != text:
            return "WRONG: a stage does not parse back"
    again = prim_func(define(script(modules[0]).replace("@T.prim_func\n", "\n"), name))
    results = [outcome(module) for module in (modules[0], modules[-1], run(again.module).module)]
    if isinstance(results[0], str):
        return "undefined"
    if len(set(results)) > 1:
        return "WRONG: stages or script differ"
    if hosted(modules[-1]) != results[0]:
        return "WRONG: the emitted text differs"
    return "ok" if looped(modules[-1]) == results[0] else "WRONG: the loops differ"


def verdict(source: str, number: int) -> str:
    """What becomes of one mutant."""
    start = time.process_time()
    try:
        found = check(prim_func(define(source, f"<mutant {number}>")), f"<script {number}>")
    except TilewrightError as error:
        found = type(error).__name__
    except Exception as error:
        found = f"WRONG: {type(error).__name__}: {error}"
    return "WRONG: slow" if time.process_time() - start > SLOW_SECONDS else found


def main(count: int) -> int:
    """Prints the verdicts; the number of wrong ones."""
    verdicts: Counter[str] = Counter()
    for number, source in enumerate(mutants(random.Random(count), count)):
        found = verdict(source, number)
        verdicts[found] += 1
        if found.startswith("WRONG"):
            print(f"{found}\n{source}\n")
    print(f"{count} mutants: {', '.join(f'{n} {what}' for what, n in verdicts.most_common())}")
    return sum(n for what, n in verdicts.items() if what.startswith("WRONG"))


if __name__ == "__main__":
    sys.exit(1 if main(int(sys.argv[1]) if len(sys.argv) > 1 else 2000) else 0)
