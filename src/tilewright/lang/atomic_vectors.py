"""Atomic changes of neighbours, as PTX has them: `red` and `atom` with `.v2`, `.v4`, `.v8`, and packed halves."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from xdsl.ir import SSAValue
from xdsl.utils.exceptions import VerifyException

from tilewright.dtypes import dtype
from tilewright.errors import KernelError
from tilewright.ir.tile.atomic_vectors import AtomicVectorOp
from tilewright.ir.tile.ops import ATOMICS
from tilewright.ir.tile.ordered import SCOPES
from tilewright.lang.addresses import Address
from tilewright.lang.bits import seen
from tilewright.lang.expressions import same_type
from tilewright.lang.ordered import destination, one_of
from tilewright.lang.rows import Builder
from tilewright.lang.tracer import Tracer
from tilewright.lang.values import Value, buffer_type, is_buffer, show
from tilewright.lang.words import Row, Words

_ELEMENTS: Mapping[str, str] = {"f32": "float32", "f16": "float16", "bf16": "bfloat16"}
_PACKED: Mapping[str, str] = {"f16x2": "float16", "bf16x2": "bfloat16"}
_VECTORS: Mapping[str, int] = {"v2": 2, "v4": 4, "v8": 8}
_ORDERS = "acq_rel acquire release relaxed"
_WORD, _HALF = dtype("uint32"), dtype("uint16")


class _Vector:
    """What the words say: how many registers, of what, and the elements in memory."""

    def __init__(self, words: Words, name: str) -> None:
        kinds = [word for word in (*_ELEMENTS, *_PACKED) if word in words]
        if len(kinds) != 1:
            raise KernelError(f"{name} of vectors changes one of {', '.join((*_ELEMENTS, *_PACKED))}")
        self.packed = kinds[0] in _PACKED
        self.element = dtype({**_ELEMENTS, **_PACKED}[kinds[0]])
        self.registers = _VECTORS[one_of(words, _VECTORS, "v2")] if words & _VECTORS.keys() else 1
        self.change = one_of(words, ATOMICS, "")
        self.words = one_of(words, _ORDERS.split(), "relaxed"), one_of(words, SCOPES, "gpu")

    def values(self, t: Tracer, given: Sequence[Value], name: str) -> list[SSAValue]:
        """The elements that the registers hold."""
        if not self.packed:
            zero = t.elements.constant(0.0, self.element)
            return [same_type(t, value, zero)[0] for value in given]
        return [half for word in given for half in self._halves(t, word, name)]

    def _halves(self, t: Tracer, word: Value, name: str) -> list[SSAValue]:
        bits = seen(t, word, _WORD, name)
        upper = t.elements.binary(">>", bits, t.elements.constant(16, _WORD))
        return [seen(t, t.elements.cast(part, _HALF), self.element, name) for part in (bits, upper)]

    def registers_of(self, t: Tracer, found: Sequence[SSAValue], name: str) -> list[SSAValue]:
        """The way back."""
        if not self.packed:
            return list(found)
        words = [t.elements.cast(seen(t, half, _HALF, name), _WORD) for half in found]
        shift = t.elements.constant(16, _WORD)
        pairs = zip(words[::2], words[1::2], strict=True)
        return [t.elements.binary("|", low, t.elements.binary("<<", high, shift)) for low, high in pairs]


def _changed(t: Tracer, vector: _Vector, addr: Value, given: Sequence[Value], name: str) -> Sequence[SSAValue]:
    place = addr if isinstance(addr, Address) else None
    if place is None or not is_buffer(place.buffer) or buffer_type(place.buffer).dtype != vector.element:
        raise KernelError(f"{name} takes the address of a {vector.element} in memory, got {show(addr)}")
    op = AtomicVectorOp(vector.change, vector.words, vector.values(t, given, name), place.buffer, place.indices)
    t.insert(op)
    try:
        op.verify_()
    except VerifyException as error:
        raise KernelError(f"{name}: {error}") from error
    return op.before


def _exactly(operands: Sequence[Value], count: int, name: str) -> Sequence[Value]:
    if len(operands) != count:
        raise KernelError(f"{name} with these words takes {count} operands, got {len(operands)}")
    return operands


def _reduce(words: Words) -> Builder:
    def build(t: Tracer, addr: Value, *operands: Value) -> None:
        vector = _Vector(words, "red")
        _changed(t, vector, addr, _exactly(operands, vector.registers, "red"), "red")

    return build


def _atom(words: Words) -> Builder:
    def build(t: Tracer, *operands: Value) -> tuple[SSAValue, ...] | None:
        vector = _Vector(words, "atom")
        count = 0 if operands and isinstance(operands[0], Address) else vector.registers
        given = _exactly(operands, count + 1 + vector.registers, "atom")
        put = [destination(t, register, "atom") for register in given[:count]]
        before = _changed(t, vector, given[count], given[count + 1 :], "atom")
        found = vector.registers_of(t, before, "atom")
        if not put:
            return tuple(found)
        for set_, value in zip(put, found, strict=True):
            set_(value)
        return None

    return build


_WORDS = f"{_ORDERS} {' '.join(ATOMICS)} {' '.join((*SCOPES, *_VECTORS, *_ELEMENTS, *_PACKED))} global noftz"
VECTOR_ROWS: tuple[Row, ...] = (
    Row.of("atom", _WORDS, _atom, "The same of neighbours, each in one step; with v2, v4, v8, or packed halves."),
    Row.of("red", _WORDS, _reduce, "The same of neighbours."),
)
