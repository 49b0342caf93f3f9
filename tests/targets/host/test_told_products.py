"""Products in tensor memory whose descriptor says what nobody here knows: their text ends on the CPU."""

from __future__ import annotations

from functools import partial

import pytest
from faults import kernels
from headers import ready
from right_kernels import Right
from xdsl.dialects.builtin import ModuleOp

from tilewright.atoms.instruction_descriptors import K_96, PLAIN
from tilewright.errors import CompileError, SimulationError
from tilewright.ir.text import parse_module, print_module
from tilewright.targets.host.compiler import compile_together, literal
from tilewright.targets.host.program import SOON
from tilewright.targets.host.ptx.rows import without_assembly
from tilewright.targets.simulator.simulate import simulate

SPARSE, ROWS = 1 << PLAIN["sparse"][0], 1 << PLAIN["m"][0]
CHANGES = [
    ("a scaled product in tensor memory", 134743168, 1 << K_96),
    ("a sparse product in tensor memory", 134742036, SPARSE),
    ("a sparse product in tensor memory", 134742036, 12 * ROWS),  # from 128 rows to 64
]


def told(module: ModuleOp, bits: int, other: int) -> ModuleOp:
    """The kernel with another descriptor."""
    before = print_module(module)
    after = before.replace(f" {bits} : ", f" {other} : ")
    assert after != before
    return parse_module(after)


def test_what_is_not_known_ends_the_process() -> None:
    """On the simulator, which says why, and as text."""
    named = {one.name: one for one in kernels(["scaled", "sparse"])[1]}
    right = [Right(one.name, one.kernel, one.archs[0], one.arguments) for one in (named[name] for name, *_ in CHANGES)]
    wrong = [told(one.final, bits, bits ^ change) for one, (_, bits, change) in zip(right, CHANGES, strict=True)]
    texts = compile_together([literal(module) for module in wrong], ready(("-O0",)))
    for one, module, text in zip(right, wrong, texts, strict=True):
        with pytest.raises(SimulationError, match="tells a product 0x"):
            simulate(module, one.arguments(), arch=one.arch)
        with pytest.raises(SimulationError, match=r"crashed on the host \(status \d+\); the simulator names"):
            one.ran(partial(text.run, when=SOON))


def test_a_in_tensor_memory_is_of_no_stationary_product() -> None:
    text = """asm volatile("tcgen05.mma.ws.cta_group::1.kind::f16 [%0], [%1], %2, %3, %4;"
      :: "r"(d), "r"(a), "l"(b), "r"(told), "r"(adds) : "memory");"""
    with pytest.raises(CompileError, match=r"where A of a tcgen05\.mma\.ws lies in tensor memory is not known here"):
        without_assembly(text)
    assert without_assembly(text.replace("[%1]", "%1"))
