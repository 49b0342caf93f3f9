"""Matrix instructions of a wave by their own names, on vectors: `mfma_f32_16x16x16f16(type, [a, b, c, 0, 0, 0])`."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import TypeAlias

from tilewright.errors import KernelError, shown
from tilewright.lang.core.numerics.numeric import Numeric, as_numeric
from tilewright.lang.core.numerics.types import (
    BFloat16,
    Float,
    Float4E2M1FN,
    Float6E2M3FN,
    Float6E3M2FN,
    Float8E4M3FN,
    Float8E5M2,
    Float16,
    Float32,
    Int8,
    Int32,
)
from tilewright.lang.core.numerics.vector import Vector
from tilewright.lang.fly.functions.atoms import make_mma_atom, mma_atom_call
from tilewright.lang.fly.functions.cdna4 import MFMAScale
from tilewright.lang.fly.functions.memory import make_rmem_tensor
from tilewright.lang.fly.functions.operations import Operation
from tilewright.lang.fly.functions.packed import fp8_of_target
from tilewright.lang.fly.functions.rocdl import MFMA, WMMA

__all__ = [
    "mfma_f32_16x16x16bf16_1k",
    "mfma_f32_16x16x16f16",
    "mfma_f32_16x16x32_bf16",
    "mfma_f32_16x16x32_f16",
    "mfma_f32_16x16x32_fp8_fp8",
    "mfma_f32_16x16x4f32",
    "mfma_f32_32x32x16_bf16",
    "mfma_f32_32x32x16_f16",
    "mfma_f32_32x32x16_fp8_fp8",
    "mfma_f32_32x32x2f32",
    "mfma_f32_32x32x8bf16_1k",
    "mfma_f32_32x32x8f16",
    "mfma_i32_16x16x32_i8",
    "mfma_i32_32x32x16_i8",
    "mfma_scale_f32_16x16x128_f8f6f4",
    "mfma_scale_f32_32x32x64_f8f6f4",
    "wmma_f32_16x16x16_bf16",
    "wmma_f32_16x16x16_f16",
    "wmma_f32_16x16x16_fp8_fp8",
]

Element: TypeAlias = "type[Numeric] | None"
Instruction: TypeAlias = "Callable[[object, Sequence[object]], Vector]"
_MFMA: Mapping[str, tuple[int, int, int, Element]] = MappingProxyType(
    {
        "mfma_f32_16x16x4f32": (16, 16, 4, Float32),
        "mfma_f32_32x32x2f32": (32, 32, 2, Float32),
        "mfma_f32_16x16x16f16": (16, 16, 16, Float16),
        "mfma_f32_16x16x16bf16_1k": (16, 16, 16, BFloat16),
        "mfma_f32_32x32x8f16": (32, 32, 8, Float16),
        "mfma_f32_32x32x8bf16_1k": (32, 32, 8, BFloat16),
        "mfma_f32_16x16x32_f16": (16, 16, 32, Float16),
        "mfma_f32_16x16x32_bf16": (16, 16, 32, BFloat16),
        "mfma_f32_32x32x16_f16": (32, 32, 16, Float16),
        "mfma_f32_32x32x16_bf16": (32, 32, 16, BFloat16),
        "mfma_f32_16x16x32_fp8_fp8": (16, 16, 32, None),
        "mfma_f32_32x32x16_fp8_fp8": (32, 32, 16, None),
        "mfma_i32_16x16x32_i8": (16, 16, 32, Int8),
        "mfma_i32_32x32x16_i8": (32, 32, 16, Int8),
    }
)
_WMMA: Mapping[str, tuple[type[Numeric], type[Numeric]]] = MappingProxyType(
    {
        "wmma_f32_16x16x16_f16": (Float16, Float32),
        "wmma_f32_16x16x16_bf16": (BFloat16, Float32),
        "wmma_f32_16x16x16_fp8_fp8": (Float8E4M3FN, Float32),
    }
)
FORMATS = (Float8E4M3FN, Float8E5M2, Float6E2M3FN, Float6E3M2FN, Float4E2M1FN)


def _product(operation: Operation, elements: tuple[type[Numeric], type[Numeric], type[Numeric]],
             operands: Sequence[object], **state: object) -> Vector:  # fmt: skip
    """d = a * b + c of a wave, each lane's operands as vectors."""
    if len(operands) < 3:
        raise KernelError(f"a matrix instruction takes [a, b, c, ..], got {len(operands)} operands")
    given = [_as(value, element) for value, element in zip(operands, elements, strict=False)]
    held = [make_rmem_tensor(value.numel, value.dtype) for value in given]
    for tensor, value in zip(held, given, strict=True):
        tensor.store(value)
    result = make_rmem_tensor(given[2].numel, elements[2])
    numbers = {name: as_numeric(value) for name, value in state.items()}
    mma_atom_call(make_mma_atom(operation), result, held[0], held[1], held[2], **numbers)
    return result.load()


def _as(value: object, element: type[Numeric]) -> Vector:
    """A lane's operand as a vector of its elements, whatever its bits come as."""
    found = value if isinstance(value, Vector) else Vector.from_elements([as_numeric(value)])
    return found if found.dtype is element else found.bitcast(element)


def _modifiers(operands: Sequence[object]) -> None:
    if any(not isinstance(x, int) or x != 0 for x in operands[3:6]):
        raise KernelError(f"cbsz, abid and blgp are 0: lanes are not broadcast, got {shown(tuple(operands[3:6]))}")


def _mfma(name: str) -> Instruction:
    m, n, k, kind = _MFMA[name]

    def instruction(result_type: object, operands: Sequence[object]) -> Vector:
        element = fp8_of_target() if kind is None else kind
        _modifiers(operands)
        total = Float32 if issubclass(element, Float) else Int32
        return _product(MFMA(m, n, k, element), (element, element, total), operands)

    return _described(instruction, name, f"a product of a wave of 64 lanes, {m}x{n}x{k}, of [a, b, c, 0, 0, 0]")


def _wmma(name: str) -> Instruction:
    element, total = _WMMA[name]

    def instruction(result_type: object, operands: Sequence[object]) -> Vector:
        return _product(WMMA(16, 16, 16, element, total), (element, element, total), operands)

    return _described(instruction, name, "a product of a wave of 32 lanes, 16x16x16, of [a, b, c]")


def _described(instruction: Instruction, name: str, words: str) -> Instruction:
    instruction.__name__ = instruction.__qualname__ = name
    instruction.__doc__ = f"Gives {words}, of which each lane has its part."
    return instruction


def _scaled(m: int, n: int, k: int, operands: Sequence[object]) -> Vector:
    a, b, c, *more = operands
    form_a, form_b, opsel_a, scale_a, opsel_b, scale_b = (*more, 0, 0, 0, 127, 0, 127)[:6] if not more else _six(more)
    elements = FORMATS[_number(form_a)], FORMATS[_number(form_b)], Float32
    operation = MFMAScale(m, n, k, elements[0], elements[1], opsel_a=_number(opsel_a), opsel_b=_number(opsel_b))
    return _product(operation, elements, [a, b, c], scale_a=scale_a, scale_b=scale_b)


def _six(more: Sequence[object]) -> tuple[object, ...]:
    if len(more) != 6:
        raise KernelError("a scaled product takes [a, b, c, cbsz, blgp, opselA, scaleA, opselB, scaleB]")
    return tuple(more)


def _number(value: object) -> int:
    if not isinstance(value, int):
        raise KernelError(f"a format or selection is known while tracing, got {shown(value)}")
    return value


def mfma_scale_f32_16x16x128_f8f6f4(result_type: object, operands: Sequence[object]) -> Vector:
    """A product with scales, of [a, b, c, cbsz, blgp, opselA, scaleA, opselB, scaleB]; cbsz, blgp: see `FORMATS`."""
    return _scaled(16, 16, 128, operands)


def mfma_scale_f32_32x32x64_f8f6f4(result_type: object, operands: Sequence[object]) -> Vector:
    """A product with scales, of [a, b, c, cbsz, blgp, opselA, scaleA, opselB, scaleB]; cbsz, blgp: see `FORMATS`."""
    return _scaled(32, 32, 64, operands)


INSTRUCTIONS: Mapping[str, Instruction] = MappingProxyType(
    {**{name: _mfma(name) for name in _MFMA}, **{name: _wmma(name) for name in _WMMA}}
)
mfma_f32_16x16x4f32 = INSTRUCTIONS["mfma_f32_16x16x4f32"]
mfma_f32_32x32x2f32 = INSTRUCTIONS["mfma_f32_32x32x2f32"]
mfma_f32_16x16x16f16 = INSTRUCTIONS["mfma_f32_16x16x16f16"]
mfma_f32_16x16x16bf16_1k = INSTRUCTIONS["mfma_f32_16x16x16bf16_1k"]
mfma_f32_32x32x8f16 = INSTRUCTIONS["mfma_f32_32x32x8f16"]
mfma_f32_32x32x8bf16_1k = INSTRUCTIONS["mfma_f32_32x32x8bf16_1k"]
mfma_f32_16x16x32_f16 = INSTRUCTIONS["mfma_f32_16x16x32_f16"]
mfma_f32_16x16x32_bf16 = INSTRUCTIONS["mfma_f32_16x16x32_bf16"]
mfma_f32_32x32x16_f16 = INSTRUCTIONS["mfma_f32_32x32x16_f16"]
mfma_f32_32x32x16_bf16 = INSTRUCTIONS["mfma_f32_32x32x16_bf16"]
mfma_f32_16x16x32_fp8_fp8 = INSTRUCTIONS["mfma_f32_16x16x32_fp8_fp8"]
mfma_f32_32x32x16_fp8_fp8 = INSTRUCTIONS["mfma_f32_32x32x16_fp8_fp8"]
mfma_i32_16x16x32_i8 = INSTRUCTIONS["mfma_i32_16x16x32_i8"]
mfma_i32_32x32x16_i8 = INSTRUCTIONS["mfma_i32_32x32x16_i8"]
wmma_f32_16x16x16_f16 = INSTRUCTIONS["wmma_f32_16x16x16_f16"]
wmma_f32_16x16x16_bf16 = INSTRUCTIONS["wmma_f32_16x16x16_bf16"]
wmma_f32_16x16x16_fp8_fp8 = INSTRUCTIONS["wmma_f32_16x16x16_fp8_fp8"]
