"""Which machines have the instruction of an atom: asked where it is made, so that the user's line tells.

By the names of operations alone: whether a machine has an MFMA of this very tile is asked when it runs.
"""

from __future__ import annotations

from tilewright.arch.spec import ArchSpec
from tilewright.atoms.available import has_instruction
from tilewright.errors import KernelError
from tilewright.lang.core.trace import current

# How the types of operations begin that are not everywhere, and the first machine; buffers are there everywhere.
_FIRST = (
    ("!fly_nvvm.sm75.", "sm_75"),
    ("!fly_nvvm.sm80.", "sm_80"),
    ("!fly_rocdl.cdna3.buffer_copy_lds", "gfx"),
    ("!fly_rocdl.cdna4.", "gfx950"),
)
_PRODUCTS = {
    ("amd", 64): "MFMA is CDNA's",
    ("amd", 32): "WMMA is RDNA's",
    ("nvidia", 32): "fx.nvvm.MmaSync is NVIDIA's",
}


def require_copy(operation: str, spec: ArchSpec) -> None:
    """Raises `KernelError` for a copy that the machine being traced for has not."""
    first = _lacking(operation, spec)
    if first is not None:
        others = "fx.UniversalCopy(bits) runs everywhere, through registers"
        raise KernelError(f"{operation} is a copy of {first}, and {spec.name} has none; {others}")


def require_product(operation: str, spec: ArchSpec) -> None:
    """Raises `KernelError` for a product that the machine has not; alternatives are those that it has.

    Outside of a trace only MFMA is asked about: atoms of any machine may be looked at.
    """
    if "mfma" in operation and (spec.vendor != "amd" or spec.lanes != 64):
        raise KernelError(f"{operation} is for waves of 64 lanes, and {spec.name} has none; {_others(spec)}")
    first = _lacking(operation, spec)
    if first is not None:
        raise KernelError(f"{operation} is an instruction of {first}, and {spec.name} has none; {_others(spec)}")


def _lacking(operation: str, spec: ArchSpec) -> str | None:
    """The first machine that has it, where the one that is traced for has not."""
    first = next((machine for start, machine in _FIRST if operation.startswith(start)), None)
    if first is None or current() is None or has_instruction(spec, first) or spec.name.startswith(first):
        return None
    return "AMD's machines" if first == "gfx" else first


def _others(spec: ArchSpec) -> str:
    own = _PRODUCTS.get((spec.vendor, spec.lanes))
    return "fx.UniversalFMA(dtype) runs everywhere" + (f", {own}" if own else "")
