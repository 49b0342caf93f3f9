"""Atoms from the type texts of the `fly` dialect: `!fly.copy_atom<..>` and `!fly.mma_atom<..>`."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache

from tilewright.atoms import cdna, copy_amd, copy_sm75, copy_universal, rdna, sm80, universal
from tilewright.atoms.copy_atom import CopyAtom
from tilewright.atoms.mma import MmaAtom
from tilewright.dtypes import dtype
from tilewright.errors import LayoutError, NotationError, UsageError, shown
from tilewright.notation.fly_text import type_parts
from tilewright.numerals import is_digits, natural

MAX_TEXT = 4096


def parse_fly_atom(text: str) -> CopyAtom | MmaAtom:
    """The atom of a `fly` type.

    Raises:
        NotationError: text that is no atom type, or an atom that does not exist.

    >>> print(parse_fly_atom("!fly.copy_atom<!fly.universal_copy<128>, 32>").tv_layout_src)
    (1,4):(0,1)
    >>> parse_fly_atom("!fly.mma_atom<!fly_rocdl.cdna3.mfma<16x16x4, (f32, f32) -> f32>>").shape_mnk
    (16, 16, 4)
    """
    if not isinstance(text, str) or len(text) > MAX_TEXT:
        raise NotationError(f"an atom type is a text of at most {MAX_TEXT} characters, got {shown(text)}")
    try:
        return _atom(text)
    except (UsageError, LayoutError) as error:
        raise NotationError(str(error), text) from None


@lru_cache(1024)
def _atom(text: str) -> CopyAtom | MmaAtom:
    name, arguments = type_parts(text, text)
    if name == "!fly.copy_atom" and len(arguments) == 2:
        return _copy(arguments[0], text).with_element(element_bits(arguments[1], text))
    if name == "!fly.mma_atom" and len(arguments) == 1:
        return _mma(arguments[0], text)
    raise NotationError("expected !fly.copy_atom<OP, BITS> or !fly.mma_atom<OP>", text)


def _copy(op: str, text: str) -> CopyAtom:
    name, arguments = type_parts(op, text)
    build = _COPIES.get(name)
    if build is None:
        raise NotationError(f"unknown copy operation {name}; known: {', '.join(_COPIES)}", text, text.find(name))
    return build(arguments, text)


def _run(kind: str) -> Callable[[list[str], str], CopyAtom]:
    return lambda arguments, text: copy_amd.run(kind, _integer(arguments, 0, text))


def _lds_read_trans(arguments: list[str], text: str) -> CopyAtom:
    if len(arguments) != 2:
        raise NotationError("expected lds_read_trans<trans = Nb, BITS>", text)
    element = arguments[0].partition("=")[2].strip().removesuffix("b")
    return copy_amd.lds_read_trans(_integer([element], 0, text), _integer(arguments, 1, text))


def _atomic(arguments: list[str], text: str) -> CopyAtom:
    if len(arguments) < 2:
        raise NotationError("expected an atomic operation and an element type", text)
    return copy_universal.universal_atomic(arguments[0], element_bits(arguments[1], text))


def _buffer_atomic(arguments: list[str], text: str) -> CopyAtom:
    if len(arguments) < 2:
        raise NotationError("expected an atomic operation and an element type", text)
    packed = "pk_" if arguments[1].startswith("vector<") else ""
    return copy_amd.buffer_atomic(packed + arguments[0], element_bits(arguments[1], text))


def _ldmatrix(arguments: list[str], text: str) -> CopyAtom:
    settings = dict(argument.replace(" ", "").split("=", 1) for argument in arguments if "=" in argument)
    count = _integer([settings.get("num", "")], 0, text)
    if count not in (1, 2, 4) or settings.get("trans") not in ("true", "false"):
        raise NotationError("expected ldmatrix<num = 1, 2 or 4, trans = true or false>", text)
    return copy_sm75.ldmatrix(count, settings["trans"] == "true")


def _cp_async(arguments: list[str], text: str) -> CopyAtom:
    bits = _integer(arguments, 0, text)
    return copy_universal.cp_async("GLOBAL" if bits == 128 else "ALWAYS", "", bits)


_COPIES: dict[str, Callable[[list[str], str], CopyAtom]] = {
    "!fly.universal_copy": lambda a, text: copy_universal.universal_copy(_integer(a, 0, text)),
    "!fly.universal_atomic": _atomic,
    "!fly_rocdl.cdna3.buffer_copy": _run("BufferCopy"),
    "!fly_rocdl.cdna3.buffer_copy_lds": _run("BufferCopyLDS"),
    "!fly_rocdl.cdna3.buffer_atomic": _buffer_atomic,
    "!fly_rocdl.cdna4.buffer_load_async_lds": _run("BufferLoadAsyncLDS"),
    "!fly_rocdl.cdna4.global_load_async_lds": _run("GlobalLoadAsyncLDS"),
    "!fly_rocdl.cdna4.lds_read_trans": _lds_read_trans,
    "!fly_nvvm.sm75.ldmatrix": _ldmatrix,
    "!fly_nvvm.sm80.cp.async": _cp_async,
}
_WMMA = {
    "!fly_rocdl.gfx11.wmma": "RDNA3",
    "!fly_rocdl.gfx120x.wmma": "RDNA4",
    "!fly_rocdl.gfx1250.wmma": "GFX1250",
}


def _mma(op: str, text: str) -> MmaAtom:
    name, arguments = type_parts(op, text)
    if len(arguments) < 2:
        raise NotationError(f"expected {name}<MxNxK, (A, B) -> D>", text, text.find(name))
    m, n, k = _shape(arguments[0], text)
    types = _mma_types(arguments[1], text)
    if name == "!fly.universal_fma" and (m, n, k) == (1, 1, 1):
        return universal.universal_fma(types[0])
    if name == "!fly_rocdl.cdna3.mfma":
        return cdna.find_mfma(m, n, k, types)
    if name == "!fly_rocdl.cdna4.mfma_scale":
        return cdna.find_mfma(m, n, k, types, scaled=True)
    if name == "!fly_rocdl.gfx1250.wmma_scale" and (m, n, k) == (16, 16, 128):
        return rdna.scaled_wmma(types)
    if name == "!fly_nvvm.sm80.mma.sync":
        return sm80.find_mma_sync(m, n, k, types)
    if name in _WMMA and (m, n) == (16, 16):
        return rdna.wmma(_WMMA[name], k, types)
    raise NotationError(f"unknown MMA operation {name}<{arguments[0]}, ..>", text, text.find(name))


def _mma_types(signature: str, text: str) -> tuple[str, str, str, str]:
    operands, arrow, d = signature.partition("->")
    ab = [item.strip() for item in operands.strip().strip("()").split(",")]
    if not arrow or len(ab) != 2:
        raise NotationError("expected operand types (A, B) -> D", text, text.find(signature))
    a, b = (dtype(item).name for item in ab)
    return dtype(d.strip()).name, a, b, dtype(d.strip()).name


def _shape(item: str, text: str) -> tuple[int, int, int]:
    parts = item.split("x")
    if len(parts) != 3:
        raise NotationError("expected a tile MxNxK", text, text.find(item))
    m, n, k = (_integer(parts, i, text) for i in range(3))
    return m, n, k


def _integer(items: list[str], position: int, text: str) -> int:
    item = items[position].strip() if position < len(items) else ""
    value = natural(item, 10**9)
    if value is None:
        raise NotationError(f"expected a number, got {shown(item)}", text, max(0, text.find(item)))
    return value


def element_bits(item: str, text: str) -> int:
    """Bits of an element: a number, a type, or `vector<NxTYPE>`."""
    if is_digits(item):
        return _integer([item], 0, text)
    if item.startswith("vector<") and item.endswith(">"):
        count, _, element = item[7:-1].partition("x")
        return _integer([count], 0, text) * dtype(element).bits
    return dtype(item).bits
