"""Translation validation over the corpus: right kernels give the same bits before and after every pass, and as text.

    python tests/fuzz/fuzz_translation.py [N]     N kernels, all without; exit status 1 if one differs

After each pass the module is simulated. Where the emitter knows all of its ops, the literal CUDA text runs on the CPU,
a fiber a thread; where its threads can be loops, target `host` runs it. Prints how many that is, and what keeps the
others out.
"""

from __future__ import annotations

import re
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1] / "support"))

from corpus import cases
from fault_table import CORPUS
from faults import kernels
from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp

from tilewright.arch import get as get_arch
from tilewright.arch.target import Target
from tilewright.errors import TilewrightError
from tilewright.ir.stages import STAGES
from tilewright.lang.primfunc import PrimFunc
from tilewright.passes.dispatch import Dispatch
from tilewright.passes.pipeline import run, steps
from tilewright.runtime.on_host import HostExecutor
from tilewright.targets.arguments import bind
from tilewright.targets.host.compiler import WARNINGS, compile_host
from tilewright.targets.launch import kernel_of, parameters_of
from tilewright.targets.simulator.options import SimOptions
from tilewright.targets.simulator.simulate import simulate
from tilewright.targets.tensor_map import TensorMap


def right() -> Iterator[tuple[str, PrimFunc, str, list[Any] | None]]:
    """The right kernels, each with its machine, and arguments where numbers from 0 on will not do."""
    for case in cases(CORPUS):
        if case.error is None:
            yield case.kernel.name, case.kernel, case.arch, None
    for clean in kernels()[1]:
        yield clean.name, clean.kernel(), clean.archs[0], clean.arguments()


def arrays_of(module: ModuleOp, given: list[Any] | None) -> list[Any]:
    """New arguments: copies of those given, else numbers, zeros where the name begins with F."""
    if given is not None:
        return [argument.copy() if hasattr(argument, "copy") else argument for argument in given]
    import numpy as np

    return [
        (np.arange(p.size or 1) % 50 * (p.name[0] != "F")).astype(p.element.numpy())
        for p in parameters_of(kernel_of(module))
    ]


def passed(module: ModuleOp, lanes: int) -> Iterator[tuple[str, ModuleOp]]:
    """The module after each pass."""
    work, passes = run(module, "tile", lanes=lanes).module, steps(Dispatch(lanes))
    yield "tile", work
    for stage in list(STAGES)[1:]:
        for step in passes[stage]:
            step.apply(Context(), work)
            yield step.name, work


def bits(arrays: list[Any]) -> list[bytes]:
    """What arrays hold; of a tensor map, its array."""
    return [getattr(array, "array", array).tobytes() for array in arrays]


def reason(error: TilewrightError) -> str:
    """Why a kernel stays out, without its numbers."""
    return re.sub("[0-9]+", "#", str(error).partition("\n")[0])[:100]


def main() -> int:
    """Runs all, and prints the counts."""
    most, found, wrong = int(sys.argv[1]) if len(sys.argv) > 1 else 1 << 30, Counter[str](), []
    for number, (name, kernel, arch, given) in enumerate(right()):
        if number >= most:
            break
        expected, lanes, final = None, get_arch(arch).lanes, kernel.module
        maps = given is not None and any(hasattr(argument, "map") or hasattr(argument, "array") for argument in given)
        for step, module in passed(kernel.module, lanes):
            arrays = arrays_of(module, given) if not maps else fresh(name)
            simulate(module, arrays, arch=arch)
            expected = bits(arrays) if expected is None else expected
            wrong += [f"{name} after {step}"] * (bits(arrays) != expected)
            final = module
        found["simulated after each pass"] += 1
        for what in ("text", "loops"):
            arrays = arrays_of(final, given) if not maps else fresh(name)
            try:
                if what == "text":
                    if lanes != 32:
                        continue
                    tensors = [array for array in arrays if isinstance(array, TensorMap)]
                    compile_host(final, range(len(arrays)), WARNINGS).run(bind(kernel_of(final), arrays), tensors)
                else:
                    HostExecutor.of(final, Target(f"host:{arch}"))(arrays, SimOptions())
            except TilewrightError as error:
                found[f"{what}: {reason(error)}"] += 1
            else:
                found[what] += 1
                wrong += [f"{name} as {what}"] * (bits(arrays) != expected)
    for what, count in found.most_common():
        print(f"{count:5} {what}")
    print("\n".join(wrong) or "all the same")
    return bool(wrong)


def fresh(name: str) -> list[Any]:
    """The arguments of a kernel on tensor maps, which have no copies."""
    return next(clean.arguments() for clean in kernels()[1] if clean.name == name)


if __name__ == "__main__":
    sys.exit(main())
