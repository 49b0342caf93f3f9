"""AMD copies: buffer loads and stores, loads straight into LDS, transposing LDS reads, buffer atomics."""

from __future__ import annotations

from collections.abc import Iterator

from tilewright.atoms.copy_atom import CopyAtom
from tilewright.atoms.copy_universal import run_of_bits
from tilewright.atoms.registry import Row
from tilewright.errors import UsageError, shown
from tilewright.layout.layout import Layout

# kind -> (architecture, widths in bits, instruction, spaces, completes later)
RUNS = {
    "BufferCopy": ("gfx942", (8, 16, 32, 64, 128), "buffer_load", ("global", "register"), False),
    "BufferCopyLDS": ("gfx942", (32, 128), "buffer_load_lds", ("global", "shared"), True),
    "BufferLoadAsyncLDS": ("gfx950", (32, 96, 128), "buffer_load_lds", ("global", "shared"), True),
    "GlobalLoadAsyncLDS": ("gfx950", (32, 96, 128), "global_load_lds", ("global", "shared"), True),
}
# operation -> widths in bits
ATOMICS = {"add": (32, 64), "max": (32, 64), "min": (32, 64), "pk_add": (32,)}
# element bits -> bits that each lane reads
TRANSPOSED = {4: 64, 8: 64, 16: 64, 6: 96}
_HALF_WAVE = Layout(16)


def run(kind: str, bits: int) -> CopyAtom:
    """The AMD copy of that kind and width.

    Raises:
        UsageError: no such kind, or it has no such width.

    >>> run("BufferCopy", 128).alignment
    4
    """
    if not isinstance(kind, str) or kind not in RUNS:
        raise UsageError(f"copies of AMD are {', '.join(RUNS)}, not {shown(kind)}")
    arch, widths, instruction, spaces, later = RUNS[kind]
    if type(bits) is not int or bits not in widths:
        raise UsageError(f"{kind} moves {', '.join(map(str, widths))} bits, not {shown(bits)}")
    return run_of_bits(
        f"{kind}{bits}b", bits, arch, instruction=instruction, source="FlyDSL fly_rocdl", spaces=spaces,
        alignment=min(4, bits // 8), asynchronous=later,
    )  # fmt: skip


def buffer_atomic(operation: str, bits: int) -> CopyAtom:
    """The buffer atomic on `bits` bits a lane: `add`, `max`, `min`, or `pk_add` of two 16-bit floats.

    Raises:
        UsageError: no such operation, or not on that many bits.
    """
    if not isinstance(operation, str) or bits not in ATOMICS.get(operation, ()):
        known = "; ".join(f"{name} on {' or '.join(map(str, widths))} bits" for name, widths in ATOMICS.items())
        raise UsageError(f"buffer atomics are {known}, not {shown(operation)} on {shown(bits)}")
    return run_of_bits(
        _atomic_name(operation, bits), bits, "gfx942", instruction=f"buffer_atomic_{operation}",
        source="FlyDSL fly_rocdl", spaces=("register", "global"), alignment=bits // 8,
    )  # fmt: skip


def _atomic_name(operation: str, bits: int) -> str:
    return f"BufferAtomic{''.join(word.capitalize() for word in operation.split('_'))}{bits}b"


def lds_read_trans(element_bits: int, bits: int) -> CopyAtom:
    """The transposing LDS read of gfx950: 16 lanes each address a row and get a column of it.

    Raises:
        UsageError: no such form.

    >>> atom = lds_read_trans(16, 64).with_element(16)
    >>> print(atom.tv_layout_src, atom.tv_layout_dst)
    (16,4):(4,1) (16,(1,4)):(1,(1,16))
    """
    if type(element_bits) is not int or type(bits) is not int or TRANSPOSED.get(element_bits) != bits:
        forms = ", ".join(f"{e}-bit elements by {b}" for e, b in TRANSPOSED.items())
        given = f"{shown(element_bits)}-bit elements by {shown(bits)}"
        raise UsageError(f"transposing LDS reads are {forms} bits, not {given}")
    memory = Layout((16, bits), (bits, 1))
    columns = Layout((16, (element_bits, bits // element_bits)), (element_bits, (1, 16 * element_bits)))
    return CopyAtom(
        f"LDSReadTrans{element_bits}_{bits}b", _HALF_WAVE, memory, columns, columns, "gfx950",
        f"ds_read_b{bits}_tr_b{element_bits}", "FlyDSL fly_rocdl.cdna4", ("shared", "register"), alignment=bits // 8,
    )  # fmt: skip


def _tdm() -> CopyAtom:
    # What the tensor data mover moves is said by a descriptor, so that the atom has one value, of any size.
    return run_of_bits(
        "TDMCopy", 1, "gfx1250", instruction="tensor_load_to_lds", source="FlyDSL fly_rocdl gfx1250 tdm",
        spaces=("global", "shared"), asynchronous=True,
    )  # fmt: skip


def copy_rows() -> Iterator[Row[CopyAtom]]:
    """The rows of this file for the catalog."""
    for kind, (_, widths, *_) in RUNS.items():
        for bits in widths:
            yield f"{kind}{bits}b", run, (kind, bits)
    for operation, widths in ATOMICS.items():
        for bits in widths:
            yield _atomic_name(operation, bits), buffer_atomic, (operation, bits)
    for element_bits, bits in TRANSPOSED.items():
        yield f"LDSReadTrans{element_bits}_{bits}b", lds_read_trans, (element_bits, bits)
    yield "TDMCopy", _tdm, ()
