"""Which machines have an instruction: one table, by its words; the first architecture, or the first of each family.

What needs no more than sm_70, the oldest machine here, is on every NVIDIA machine, and has no row.

Source: PTX ISA 9.0, sections 9.7.1 to 9.7.17, "Target ISA Notes" of each instruction; CUDA C++ Programming Guide, warp
functions. ptxas of CUDA 13.5 agrees on every row, on all its machines (`tests/targets/test_machines_of_ptx.py`).
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from tilewright.ir.tile.together import RequireOp
from tilewright.lang.tracer import Tracer
from tilewright.lang.words import Words

_AMPERE, _HOPPER, _HOPPER_ALONE, _BLACKWELL = "sm_80", "sm_90", "sm_90a", "sm_100a sm_110a"
_BLACKWELLS = "sm_100a sm_110a sm_120a"
_AMD = "gfx"  # any: HIP has the function in other instructions

# The words that ask for a machine, wherever they stand in an instruction; of several rows the last counts.
WORDS: Mapping[str, str] = MappingProxyType(
    {
        "movmatrix": "sm_75",
        "tanh": "sm_75",
        "ldmatrix m8n8": "sm_75",
        "redux_sync": _AMPERE,
        "cp async": _AMPERE,
        "mbarrier": _AMPERE,
        "relu": _AMPERE,
        "cvt rn f16x2 f32": _AMPERE,
        "cvt rn bf16x2 f32": _AMPERE,
        "cvt rna tf32 f32": _AMPERE,
        "fma bf16x2": _AMPERE,
        "neg bf16x2": _AMPERE,
        "mma sp::ordered_metadata": _AMPERE,
        "cvt e4m3x2": "sm_89",
        "cvt e5m2x2": "sm_89",
        "cvt rn tf32 f32": _HOPPER,
        "add bf16x2": _HOPPER,
        "sub bf16x2": _HOPPER,
        "mul bf16x2": _HOPPER,
        "stmatrix m8n8": _HOPPER,
        "mbarrier expect_tx": _HOPPER,
        "mbarrier try_wait": _HOPPER,
        "cluster": _HOPPER,
        "shared::cluster": _HOPPER,
        "bulk": _HOPPER,
        "fence proxy async": _HOPPER,
        "fence mbarrier_init": _HOPPER,
        "st async": _HOPPER,
        "red async": _HOPPER,
        "mapa": _HOPPER,
        "atom v2": _HOPPER,
        "atom v4": _HOPPER,
        "atom v8": _HOPPER,
        "red v2": _HOPPER,
        "red v4": _HOPPER,
        "red v8": _HOPPER,
        "atom bf16": _HOPPER,
        "red bf16": _HOPPER,
        "atom bf16x2": _HOPPER,
        "red bf16x2": _HOPPER,
        "setmaxnreg": f"{_HOPPER_ALONE} {_BLACKWELLS}",
        "wgmma": _HOPPER_ALONE,
        "f32x2": "sm_100",
        "ld v8": "sm_100",
        "st v8": "sm_100",
        "cvt e2m3x2": _BLACKWELLS,
        "cvt e3m2x2": _BLACKWELLS,
        "cvt e2m1x2": _BLACKWELLS,
        "cvt ue8m0x2": _BLACKWELLS,
        "ldmatrix m16n16": _BLACKWELLS,
        "ldmatrix m8n16": _BLACKWELLS,
        "stmatrix m16n8": _BLACKWELLS,
        "tcgen05": _BLACKWELL,
        "tcgen05 ld red": "sm_103a sm_110a",
    }
)
# Functions of T that are an instruction of newer machines: which one.
FUNCTIONS: Mapping[str, tuple[str, str]] = MappingProxyType(
    {
        "cuda.elect_sync": ("elect.sync", f"{_HOPPER} {_AMD}"),
        **{
            f"cuda.{name}": (f"redux.sync.{kind}", f"{_AMPERE} {_AMD}")
            for kind in ("add", "min", "max", "and", "or", "xor")
            for name in (f"__reduce_{kind}_sync", f"reduce_{kind}_sync_u32")
        },
    }
)
# Families whose instructions are other ops in the IR; the rest are ops of their own, which machines are asked about.
DISSOLVED = frozenset(["redux_sync", "movmatrix", "tanh", "cvt", "add", "sub", "mul", "fma", "neg", "ld", "st"])
_ROWS = tuple((frozenset(words.split()), archs) for words, archs in WORDS.items())


def first(words: Words) -> str:
    """The first machines that have the instruction of these words; empty where all have it.

    >>> first(frozenset(["redux_sync", "add", "u32"])), first(frozenset(["add", "f32"]))
    ('sm_80', '')
    """
    return next((archs for needed, archs in reversed(_ROWS) if needed <= words), "")


def require_words(t: Tracer, text: str) -> None:
    """The kernel needs a machine that has the instruction, where nothing in the IR will say so."""
    family = text.partition(".")[0]
    if family in DISSOLVED:
        require(t, text.replace("_sync", ".sync"), first(frozenset(text.split("."))))


def require(t: Tracer, instruction: str, archs: str) -> None:
    """The kernel needs a machine that has the instruction: its first use says so, at the kernel's beginning."""
    before = [op for op in t.body.ops if isinstance(op, RequireOp)]
    if archs and all(op.instruction.data != instruction for op in before):
        op = t.placed(RequireOp(instruction, archs))
        if before:
            t.body.insert_op_after(op, before[-1])
        elif t.body.first_op is not None:
            t.body.insert_op_before(op, t.body.first_op)
        else:
            t.body.add_op(op)
