"""PTX's matrix instructions, and its loads and stores: which atom each is, and which registers its operands are.

Source: PTX ISA; the operands are in its order, registers one by one.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from functools import cache

from tilewright.atoms import catalog
from tilewright.atoms.copy_atom import CopyAtom
from tilewright.atoms.mma import MmaAtom
from tilewright.atoms.packing import container_of
from tilewright.dtypes import DType, dtype
from tilewright.errors import KernelError
from tilewright.ir.tile.atoms import CopyAtomOp, MmaAtomOp, element_of, fragment_size
from tilewright.lang.addresses import Address
from tilewright.lang.atoms import insert_atom, insert_scaled, insert_sparse
from tilewright.lang.places import Spot
from tilewright.lang.registers import Fragment, sources, targets
from tilewright.lang.rows import Builder
from tilewright.lang.tracer import Tracer
from tilewright.lang.values import Value, buffer_type, show
from tilewright.lang.words import Row, Words

_MMA = re.compile("SM(70|75|80|89|90|120)_(SPARSE_)?[0-9]+x8x[0-9]+_")
_METADATA = ("metadata", "selector")  # of a sparse A, after C
_FACTORS = ("scale-a", "byte-id-a", "thread-id-a", "scale-b", "byte-id-b", "thread-id-b")  # of a scaled product
SPACES = ("global", "shared")


# ---- mma.sync


@cache
def mma_instructions() -> Mapping[str, MmaAtom]:
    """The atoms of mma.sync by their instruction; of several the first."""
    atoms = (catalog.mma(name) for name in catalog.list(kind="mma") if _MMA.match(name))
    return {atom.instruction: atom for atom in reversed([*atoms]) if atom.scale is None or atom.sparsity == 1}


def mma_instruction(text: str) -> Builder:
    """What an mma.sync does: D, A, B and C, each in 32-bit registers (of f64 64-bit).

    Raises:
        KernelError: there is none with this name.
    """
    ordered = text.replace(".sp.", ".sp::ordered_metadata.")  # metadata are in order in any case
    atom = mma_instructions().get(ordered)
    if atom is None:
        words = sorted(ordered.split("."))
        alike = [known for name, known in mma_instructions().items() if sorted(name.split(".")) == words]
        if len(alike) != 1:
            raise KernelError(f"there is no instruction {text}; `tilewright atoms mma.sync` lists those there are")
        (atom,) = alike
    return _mma_builder(atom)


def _mma_builder(atom: MmaAtom) -> Builder:
    counts = [_registers(atom, x) for x in "DABC"]
    name = f"T.ptx.{atom.instruction}"
    told = _METADATA[: 2 * (atom.sparsity - 1)] if atom.scale is None else _FACTORS

    def handler(t: Tracer, *operands: Value) -> None:
        if len(operands) != sum(counts) + len(told):
            parts = [f"{count} of {x}" for x, count in zip("DABC", counts, strict=True)]
            rest = f", {' and '.join(told)}" * bool(told)
            raise KernelError(f"{name} takes {sum(counts)} registers ({', '.join(parts)}){rest}, got {len(operands)}")
        d, a, b, c = _split(operands, counts)
        zero = all(type(value) in (int, float) and value == 0 for value in c)
        left, right = (sources(t, part, _register(element_of(atom, x)), name) for part, x in ((a, "A"), (b, "B")))
        added = [] if zero else [sources(t, c, _register(element_of(atom, "C")), name)]
        made = targets(t, d, name)
        spots = [fragment.spot for fragment in (made, left, right, *added)]
        if atom.scale is not None:
            scale_a, *ids_a, scale_b, byte_b, thread_b = operands[sum(counts) :]
            insert_scaled(t, atom.name, spots, (scale_a, scale_b), (*ids_a, byte_b, thread_b))
        elif told:
            insert_sparse(t, atom.name, spots, *operands[sum(counts) :])
        else:
            insert_atom(t, MmaAtomOp, atom.name, [*zip("dabc", spots, strict=False)])
        made.give(t)

    return handler


def _registers(atom: MmaAtom, operand: str) -> int:
    bits = container_of(atom, operand).bits
    return fragment_size(atom, operand) * bits // max(32, bits)


def _register(element: DType) -> DType:
    """What a number is where a register of such elements is asked for."""
    return element if element.bits >= 32 and element.name != "tfloat32" else dtype("uint32")


def _split(operands: Sequence[Value], counts: Sequence[int]) -> list[Sequence[Value]]:
    ends = [sum(counts[: i + 1]) for i in range(len(counts))]
    return [operands[end - count : end] for end, count in zip(ends, counts, strict=True)]


def _ordered(words: Words) -> Builder:
    def handler(t: Tracer, *operands: Value) -> None:
        raise KernelError("an mma.sync has its words in PTX's order: the types are those of D, A, B and C")

    return handler


# ---- ldmatrix, stmatrix


@cache
def _copies() -> Mapping[Words, CopyAtom]:
    names = (*catalog.list("LDSM", kind="copy"), *catalog.list("STSM", kind="copy"))
    return {frozenset(atom.instruction.split(".")): atom for atom in map(catalog.copy, names)}


def _atom_of(words: Words) -> CopyAtom:
    atom = _copies().get(words - {"shared::cta"} | {"shared"})
    if atom is None:
        raise KernelError(f"there is no {'.'.join(sorted(words))}; a size x1, x2 or x4 is part of the name")
    return atom


def _ldmatrix(words: Words) -> Builder:
    def handler(t: Tracer, *operands: Value) -> None:
        atom = _atom_of(words)
        *registers, source = _counted(operands, atom)
        made = targets(t, registers, atom.instruction)
        insert_atom(t, CopyAtomOp, atom.name, [("dst", made.spot), ("src", _address(source, atom.instruction))])
        made.give(t)

    return handler


def _stmatrix(words: Words) -> Builder:
    def handler(t: Tracer, *operands: Value) -> None:
        atom = _atom_of(words)
        target, *registers = _counted(operands, atom)
        given = sources(t, registers, dtype("uint32"), atom.instruction)
        insert_atom(t, CopyAtomOp, atom.name, [("dst", _address(target, atom.instruction)), ("src", given.spot)])

    return handler


def _counted(operands: Sequence[Value], atom: CopyAtom) -> Sequence[Value]:
    count = atom.bits_per_thread // 32
    if len(operands) != count + 1:
        raise KernelError(f"{atom.instruction} takes {count} registers and an address, got {len(operands)} operands")
    return operands


def _address(value: Value, name: str) -> Spot:
    if not isinstance(value, Address):
        raise KernelError(f"{name} takes an address, such as buffer.ptr_to([i]), got {show(value)}")
    return value.buffer, value.indices


# ---- ld, st

_VECTORS = {"v2": 2, "v4": 4, "v8": 8}
_LETTERS = {"b": "uint", "u": "uint", "s": "int", "f": "float"}
_TYPES = {f"{k}{n}": f"{kind}{n}" for k, kind in _LETTERS.items() for n in (8, 16, 32, 64) if (k, n) != ("f", 8)}
# What says how caches are used changes no value.
_HINTS = "nc ca cg cs lu cv wb wt weak L1::no_allocate L1::evict_first L1::evict_last shared::cta"


def _moved(words: Words, name: str) -> tuple[int, DType]:
    """Registers, and the element of each."""
    kinds, vectors = ([w for w in words if w in table] for table in (_TYPES, _VECTORS))
    if len(kinds) != 1 or len(vectors) > 1:
        raise KernelError(f"{name} moves elements of one type, such as b32, and at most one of v2, v4 and v8")
    count, element = _VECTORS[vectors[0]] if vectors else 1, dtype(_TYPES[kinds[0]])
    if count * element.bits > 256:
        raise KernelError(f"{name} moves at most 256 bits a lane, not {count} x {element.bits}")
    return count, element


def _load(space: str) -> Callable[[Words], Builder]:
    def builder(words: Words) -> Builder:
        def handler(t: Tracer, *operands: Value) -> None:
            name = f"ld.{space}"
            count, element = _moved(words, name)
            *registers, source = _exactly(operands, count, name)
            made = targets(t, registers, name)
            places = [("dst", made.spot), ("src", _in(source, space, name))]
            _insert_moved(t, count, element, made, places, name)
            made.give(t)

        return handler

    return builder


def _store(space: str) -> Callable[[Words], Builder]:
    def builder(words: Words) -> Builder:
        def handler(t: Tracer, *operands: Value) -> None:
            name = f"st.{space}"
            count, element = _moved(words, name)
            target, *registers = _exactly(operands, count, name)
            given = sources(t, registers, element, name)
            _insert_moved(t, count, element, given, [("dst", _in(target, space, name)), ("src", given.spot)], name)

        return handler

    return builder


def _insert_moved(
    t: Tracer, count: int, element: DType, held: Fragment, places: Sequence[tuple[str, Spot]], name: str
) -> None:
    found = buffer_type(held.spot[0]).dtype
    if found.bits != element.bits:
        raise KernelError(f"{name} moves {element.bits} bits to or from a register, got one of {found}")
    insert_atom(t, CopyAtomOp, f"UniversalCopy{count * element.bits}b", places)


def _exactly(operands: Sequence[Value], count: int, name: str) -> Sequence[Value]:
    if len(operands) != count + 1:
        raise KernelError(f"{name} takes {count} registers and an address, got {len(operands)} operands")
    return operands


def _in(value: Value, space: str, name: str) -> Spot:
    spot = _address(value, name)
    scope = buffer_type(spot[0]).scope
    if scope != space:
        raise KernelError(f"{name} takes an address of {space} memory, got one of {scope}")
    return spot


_MODIFIERS = " ".join((*_VECTORS, *_TYPES, _HINTS))
MATRIX_ROWS: tuple[Row, ...] = (
    Row.of(
        "mma sync aligned",
        "",
        _ordered,
        "D = A B + C: the registers of D, A, B and C, one by one; shape and types follow. Block-scaled ones take "
        "a word of factors, byte-id and thread-id of A, and of B, behind.",
    ),
    Row.of(
        "mma sp::ordered_metadata sync aligned",
        "sp",
        _ordered,
        "The same of a sparse A: metadata, a uint32, and the selector follow C.",
    ),
    Row.of(
        "ldmatrix sync aligned m8n8 shared b16",
        "x1 x2 x4 trans shared::cta",
        _ldmatrix,
        "Matrices of eight rows of 16 bytes, at the lanes' addresses, to registers; then the address.",
    ),
    Row.of(
        "ldmatrix sync aligned m16n16 trans shared b8",
        "x1 x2 shared::cta",
        _ldmatrix,
        "The same of 8-bit elements, transposed.",
    ),
    Row.of(
        "ldmatrix sync aligned m8n16 shared b8x16",
        "x1 x2 x4 b4x16_p64 b6x16_p32 shared::cta",
        _ldmatrix,
        "Rows of 16 elements of 4 or 6 bits, packed at their start, of which each becomes the lower bits of a byte.",
    ),
    Row.of(
        "stmatrix sync aligned m8n8 shared b16",
        "x1 x2 x4 trans shared::cta",
        _stmatrix,
        "Registers to matrices of eight rows of 16 bytes, at the lanes' addresses; first the address.",
    ),
    Row.of(
        "stmatrix sync aligned m16n8 trans shared b8",
        "x1 x2 x4 shared::cta",
        _stmatrix,
        "The same of 8-bit elements, transposed.",
    ),
    *(Row.of(f"ld {s}", _MODIFIERS, _load(s), "Neighbours in memory to registers; then the address.") for s in SPACES),
    *(
        Row.of(f"st {s}", _MODIFIERS, _store(s), "Registers to neighbours in memory; the address first.")
        for s in SPACES
    ),
)
