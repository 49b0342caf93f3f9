"""Hopper's warpgroup products: `T.wgmma_atom`, `T.ptx.wgmma...`, and the matrix descriptors of their operands.

An operand in shared memory is a descriptor, a uint64, or a place in a buffer whose last two dimensions lie as tensor
cores read them; the descriptor is then made from the buffer's layout.

Source: PTX ISA; the operands of `T.ptx` are in its order, registers one by one.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from xdsl.ir import SSAValue

from tilewright.atoms import catalog
from tilewright.atoms.mma import MmaAtom
from tilewright.dtypes import dtype
from tilewright.errors import KernelError, UsageError
from tilewright.ir.tile.atoms import element_of, fragment_size
from tilewright.ir.tile.descriptors import ui64
from tilewright.ir.tile.wgmma import WgmmaOp, WgmmaSyncOp
from tilewright.lang.asynchronous import constant
from tilewright.lang.atoms import metadata_of, spot, verified
from tilewright.lang.descriptors import described
from tilewright.lang.expressions import as_condition, compare, is_element
from tilewright.lang.places import Spot, element_at
from tilewright.lang.registers import neighbours
from tilewright.lang.rows import Builder, Function
from tilewright.lang.tracer import Tracer
from tilewright.lang.values import Value, buffer_type, is_index, show
from tilewright.lang.words import Row, Words

_TEXT = re.compile(
    r"wgmma\.mma_async(\.sp)?\.sync\.aligned\.m64n([0-9]+)k([0-9]+)(\.satfinite)?\.([a-z0-9]+)\.([a-z0-9]+)\.([a-z0-9]+)"
)

_METADATA = ("metadata", "selector")  # of a sparse A, after B


def wgmma_atom(
    t: Tracer,
    atom: Value,
    d: Value,
    a: Value,
    b: Value,
    scale_d: Value = True,
    scale_a: Value = 1,
    scale_b: Value = 1,
    trans_a: Value = False,
    trans_b: Value = False,
    metadata: Value = None,
    selector: Value = 0,
) -> None:
    """`T.wgmma_atom(name, d, a, b)`: the warpgroup begins D = A B + D by that instruction."""
    if not isinstance(atom, str):
        raise KernelError(f"T.wgmma_atom takes an atom's name, got {show(atom)}")
    try:
        found = catalog.mma(atom)
    except UsageError as error:
        raise KernelError(str(error)) from error
    places = [spot(t, d, "d of T.wgmma_atom")]
    if found.spaces[0] == "register":
        places.append(spot(t, a, "a of T.wgmma_atom"))
        shared = [("B", b, trans_b)]
    else:
        shared = [("A", a, trans_a), ("B", b, trans_b)]
    _insert(t, found, places, shared, scale_d, (scale_a, scale_b), (metadata, selector))


def _insert(
    t: Tracer,
    atom: MmaAtom,
    places: Sequence[Spot],
    shared: Sequence[tuple[str, Value, Value]],
    scale_d: Value,
    scales: Sequence[Value],
    sparse: tuple[Value, Value] = (None, 0),
) -> None:
    given = [(operand, *_operand(t, atom, operand, value, trans)) for operand, value, trans in shared]
    words = [f"mn_{operand.lower()}" for operand, _, transposed in given if transposed]
    words += [f"neg_{operand}" for operand, scale in zip("ab", scales, strict=True) if _negated(scale)]
    metadata = None if sparse[0] is None else metadata_of(sparse[0])
    selector = constant(sparse[1], "the sparsity selector")
    descriptors = [value for _, value, _ in given]
    op = WgmmaOp(atom.name, places, descriptors, truth(t, scale_d), words, metadata=metadata, selector=selector)
    verified(t, op)


def _operand(t: Tracer, atom: MmaAtom, operand: str, value: Value, trans: Value) -> tuple[SSAValue, bool]:
    """The descriptor of an operand in shared memory, and whether it lies MN-major."""
    if trans not in (False, True, 0, 1):
        raise KernelError(f"trans_{operand.lower()} is 0 or 1, got {show(trans)}")
    if is_element(value) and value.type == ui64:
        return value, bool(trans)
    place = spot(t, value, f"{operand} of {atom.name}")
    found, element = buffer_type(place[0]).dtype, element_of(atom, operand)
    if found.bits != element.bits:
        raise KernelError(f"{operand} of {atom.name} has elements of type {element}, the buffer has {found}")
    made, major = described(t, place, bool(trans), atom.stored(operand))
    return made, major == "MN"


def _negated(scale: Value) -> bool:
    if scale not in (1, -1):
        raise KernelError(f"an operand is scaled by 1 or -1, got {show(scale)}")
    return bool(scale == -1)


def truth(t: Tracer, value: Value) -> SSAValue:
    """The condition that an operand is, where numbers are true unless they are 0."""
    if type(value) in (bool, int):
        return t.elements.constant(bool(value), dtype("bool"))
    known = compare(t, "!=", value, 0) if is_index(value) or _is_integer(value) else as_condition(t, value)
    if isinstance(known, bool):
        raise KernelError(f"a condition is a comparison, got {show(value)}")
    return known


def _is_integer(value: Value) -> bool:
    return is_element(value) and str(value.type) != "i1"


# ---- PTX


def wgmma_instruction(text: str) -> Builder:
    """What a wgmma.mma_async does: D's registers, A (a descriptor, or registers), B's descriptor, scale-d, immediates.

    Raises:
        KernelError: there is none with this name.
    """
    found = _TEXT.fullmatch(text)
    if found is None:
        raise KernelError(
            f"{text} is no wgmma.mma_async, which is written as wgmma.mma_async.sync.aligned.m64n64k16.f32.f16.f16"
        )
    sparse, n, k, saturates, *types = found.groups()
    letters = "".join(types).upper()
    tail = ("" if types[1] in ("f16", "bf16") else "_TN") + "_SATURATE" * bool(saturates)
    stem = f"SM90_{'SPARSE_' * bool(sparse)}64x{n}x{k}_{letters}_{{}}{tail}"
    try:
        atoms = [catalog.mma(stem.format(source)) for source in ("SS", "RS")]
    except UsageError as error:
        raise KernelError(f"there is no instruction {text}: {error}") from error
    return _builder(text, *atoms)


def _builder(text: str, both: MmaAtom, one: MmaAtom) -> Builder:
    count, held = _registers(both, "D"), _registers(one, "A")
    tails = [(*_METADATA[: 2 * (atom.sparsity - 1)], *_immediates(atom)) for atom in (both, one)]
    sizes = [count + own + 1 + len(tail) for own, tail in zip((1, held), tails, strict=True)]

    def handler(t: Tracer, *operands: Value) -> None:
        if len(operands) not in sizes:
            raise KernelError(
                f"T.ptx.{text} takes {count} registers of D, the descriptor or {held} registers of A, the descriptor "
                f"of B, then {', '.join(tails[0])}: {sizes[0]} or {sizes[1]} operands, got {len(operands)}"
            )
        which = sizes.index(len(operands))
        atom, own = (both, one)[which], (1, held)[which]
        d, a, (b, *rest) = operands[:count], operands[count : count + own], operands[count + own :]
        told = dict(zip(tails[which], rest, strict=True))
        places = [neighbours(t, d, f"D of T.ptx.{text}")]
        shared = [("B", b, told.get("trans_b", 0))]
        if which:
            places.append(neighbours(t, a, f"A of T.ptx.{text}"))
        else:
            shared.insert(0, ("A", a[0], told.get("trans_a", 0)))
        scales = [told.get(f"scale_{x}", 1) for x in "ab"]
        _insert(t, atom, places, shared, told["scale_d"], scales, (told.get("metadata"), told.get("selector", 0)))

    return handler


def _registers(atom: MmaAtom, operand: str) -> int:
    return fragment_size(atom, operand) * element_of(atom, operand).bits // 32


def _immediates(atom: MmaAtom) -> tuple[str, ...]:
    """What follows the operands."""
    element, registers = atom.dtypes[1], atom.spaces[0] == "register"
    scales = () if element.is_integer else ("scale_a", "scale_b")
    sides = "b" if registers else "ab"
    return ("scale_d", *scales, *(f"trans_{x}" for x in sides if element.bits == 16))


def _ordered(words: Words) -> Builder:
    def handler(t: Tracer, *operands: Value) -> None:
        raise KernelError("a wgmma.mma_async has its words in PTX's order: shape, then the types of D, A and B")

    return handler


def _sync(kind: str) -> Builder:
    def handler(t: Tracer) -> None:
        t.insert(WgmmaSyncOp(kind))

    return handler


def _wait(t: Tracer, n: Value) -> None:
    t.insert(WgmmaSyncOp("wait", constant(n, "n")))


def _noop_barrier(t: Tracer, reg: Value) -> None:
    element_at(t, reg)


_WORDS = "sync aligned"
WGMMA_ROWS: tuple[Row, ...] = (
    Row.of(
        "wgmma mma_async sync aligned",
        "",
        _ordered,
        "D = A B + D: D's registers, A, B, scale-d, and immediates; shape and types follow.",
    ),
    Row.of(
        "wgmma mma_async sp sync aligned",
        "",
        _ordered,
        "The same of a sparse A: metadata, a uint32, and the selector follow B.",
    ),
    Row.of(
        "wgmma fence",
        _WORDS,
        lambda words: _sync("fence"),
        "What lanes did to registers comes before products that begin later.",
    ),
    Row.of("wgmma commit_group", _WORDS, lambda words: _sync("commit"), "Products in no group yet become one."),
    Row.of("wgmma wait_group", _WORDS, lambda words: _wait, "Waits until at most the latest n groups are not done."),
)
WGMMA_FUNCTIONS = (
    Function(
        "wgmma_atom",
        wgmma_atom,
        "The warpgroup begins D = A B + D by the named instruction; A and B are descriptors, or places in buffers.",
    ),
    Function("cuda.wgmma.noop_barrier", _noop_barrier, "Holds compilers off the register; nothing is done."),
)
