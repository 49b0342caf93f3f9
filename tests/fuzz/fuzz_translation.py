"""Translation validation over the corpus: right kernels give the same bits before and after every pass, and as text.

    python tests/fuzz/fuzz_translation.py [N]     N kernels, all without; exit status 1 if one differs

After each pass the module is simulated. Where the emitter knows all of its ops, the literal CUDA text runs on the CPU,
a fiber a thread; where its threads can be loops, target `host` runs it. Prints how many that is, and what keeps the
others out.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "support"))

from right_kernels import Right, bits, reason, right, whens
from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp

from tilewright.arch.target import Target
from tilewright.errors import TilewrightError
from tilewright.ir.stages import STAGES
from tilewright.passes.dispatch import Dispatch
from tilewright.passes.pipeline import run, steps
from tilewright.runtime.on_host import HostExecutor
from tilewright.targets.c_emitter.emit import emit
from tilewright.targets.host.compiler import WARNINGS, compile_together
from tilewright.targets.host.ptx.rows import without_assembly
from tilewright.targets.simulator.options import SimOptions

FAST = (*WARNINGS, "-O0")  # to compile
TOGETHER = 40  # kernels of a program


def passed(module: ModuleOp, lanes: int) -> Iterator[tuple[str, ModuleOp]]:
    """The module after each pass."""
    work, passes = run(module, "tile", lanes=lanes).module, steps(Dispatch(lanes))
    yield "tile", work
    for stage in list(STAGES)[1:]:
        for step in passes[stage]:
            step.apply(Context(), work)
            yield step.name, work


def after_passes(one: Right, expected: list[bytes]) -> Iterator[str]:
    """After which passes the kernel gives other bits."""
    for step, module in passed(one.kernel.module, one.lanes):
        if one.simulated(module) != expected:
            yield f"{one.name} after {step}"


def has_text(one: Right, found: Counter[str]) -> bool:
    """Has the kernel CUDA text, and does the CPU know all of it?"""
    if not one.is_nvidia:
        found["CUDA text: machines of others"] += 1
        return False
    stage = "CUDA text"
    try:
        emit(one.final)
        found[stage] += 1
        stage = "CUDA text on the CPU"
        without_assembly(one.part.text.source)
    except TilewrightError as error:
        found[f"{stage}: {reason(error)}"] += 1
        return False
    found[stage] += 1
    return True


def as_texts(chosen: Sequence[tuple[Right, list[bytes]]]) -> Iterator[str]:
    """Which texts give other bits, and at which times of their copies."""
    parts = [one.part for one, _ in chosen]
    for (one, expected), made in zip(chosen, compile_together(parts, FAST), strict=True):
        for when in whens(parts[made.number]):
            if one.run(made, when) != expected:
                yield f"{one.name} as text, copies {when}"


def on_host(one: Right, expected: list[bytes], found: Counter[str]) -> Iterator[str]:
    """Target `host`, likewise."""
    arguments = one.arguments()
    try:
        executor = HostExecutor.of(one.final, Target(f"host:{one.arch}"))
        executor(arguments, SimOptions())
    except TilewrightError as error:
        found[f"host: {reason(error)}"] += 1
        return
    found[f"host: {executor.way}"] += 1
    if bits(arguments) != expected:
        yield f"{one.name} as {executor.way}"


def main() -> int:
    """Runs all, and prints the counts."""
    most, found, wrong = int(sys.argv[1]) if len(sys.argv) > 1 else 1 << 30, Counter[str](), []
    texts = []
    for one in right()[:most]:
        found["simulated before and after each pass"] += 1
        expected = one.simulated(run(one.kernel.module, "tile", lanes=one.lanes).module)
        wrong += after_passes(one, expected)
        wrong += on_host(one, expected, found)
        texts += [(one, expected)] * has_text(one, found)
    for start in range(0, len(texts), TOGETHER):
        wrong += as_texts(texts[start : start + TOGETHER])
    for what, count in found.most_common():
        print(f"| {what} | {count} |")
    print("\n".join(wrong) or "all the same")
    return bool(wrong)


if __name__ == "__main__":
    sys.exit(main())
