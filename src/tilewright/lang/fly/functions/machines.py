"""Which machines have the instruction of an atom: asked where it is made, so that the user's line tells."""

from __future__ import annotations

from tilewright.arch.spec import ArchSpec
from tilewright.atoms.available import has_atom, has_instruction
from tilewright.errors import KernelError
from tilewright.lang.core.trace import current
from tilewright.notation.fly_atoms import parse_fly_atom

# Copies that are instructions of their own: how their types begin, and the first machine; buffers are there everywhere.
_COPIES = (
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
    first = next((machine for start, machine in _COPIES if operation.startswith(start)), None)
    if first is None or current() is None or has_instruction(spec, first) or spec.name.startswith(first):
        return
    others = "fx.UniversalCopy(bits) runs everywhere, through registers"
    who = "AMD's machines" if first == "gfx" else first
    raise KernelError(f"{operation} is a copy of {who}, and {spec.name} has none; {others}")


def require_product(operation: str, spec: ArchSpec) -> None:
    """Raises `KernelError` for a product that the machine has not; alternatives are those that it has.

    Outside of a trace only MFMA is asked about: atoms of any machine may be looked at.
    """
    mfma = "mfma" in operation
    if mfma and (spec.vendor != "amd" or spec.lanes != 64):
        raise KernelError(f"{operation} is for waves of 64 lanes, and {spec.name} has none; {_others(spec)}")
    if current() is None:
        return
    atom = parse_fly_atom(f"!fly.mma_atom<{operation}>")
    if atom is not None and not has_atom(spec, atom):
        raise KernelError(f"{operation} is an instruction of {atom.arch}, and {spec.name} has none; {_others(spec)}")


def _others(spec: ArchSpec) -> str:
    own = _PRODUCTS.get((spec.vendor, spec.lanes))
    return "fx.UniversalFMA(dtype) runs everywhere" + (f", {own}" if own else "")
