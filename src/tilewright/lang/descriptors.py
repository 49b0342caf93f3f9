"""Matrix descriptors of operands in shared memory, for wgmma and tcgen05: by a buffer's layout, or by their steps."""

from __future__ import annotations

from typing import cast

from xdsl.dialects.builtin import IntegerType
from xdsl.ir import SSAValue

from tilewright.analysis.descriptor.fields import descriptor_of, operand_tile
from tilewright.atoms.descriptors import FORMATS, GRAIN, WGMMA, DescriptorFormat, MatrixDescriptor
from tilewright.atoms.shared_modes import NUMBERED
from tilewright.errors import KernelError
from tilewright.ir.core.bounds import assert_within
from tilewright.ir.core.index import ADD
from tilewright.ir.tile.address import AddressOp
from tilewright.ir.tile.descriptors import MatrixDescriptorOp, ui64
from tilewright.ir.tile.ops import StoreOp
from tilewright.ir.tile.types import LOCAL, SHARED
from tilewright.lang.addresses import Address
from tilewright.lang.asynchronous import constant, pointer
from tilewright.lang.atoms import spot
from tilewright.lang.places import Spot, element_at
from tilewright.lang.rows import Function
from tilewright.lang.tracer import Tracer
from tilewright.lang.values import Pointer, Value, buffer_type, is_buffer, show


def matrix_descriptor(
    t: Tracer,
    place: Value,
    transposed: Value = False,
    *,
    leading: Value = None,
    stride: Value = None,
    swizzle: Value = None,
    unit: Value = WGMMA.name,
) -> SSAValue:
    """`T.matrix_descriptor(place)`: that of the operand which begins there, by its buffer's layout, or by its steps."""
    at = spot(t, place, "place of T.matrix_descriptor")
    if not isinstance(unit, str) or unit not in FORMATS:
        raise KernelError(f"a matrix descriptor is for one of {', '.join(FORMATS)}, got {show(unit)}")
    form = FORMATS[unit]
    if swizzle is None:
        found, _ = described(t, at, bool(transposed), form=form)
        return found
    steps = MatrixDescriptor(0, constant(leading, "leading"), constant(stride, "stride"), cast("str", swizzle))
    return _descriptor(t, t.insert(AddressOp(*at)).results[0], steps, form)


def _descriptor(t: Tracer, address: SSAValue, described: MatrixDescriptor, form: DescriptorFormat) -> SSAValue:
    described.encode(form)
    return t.insert(MatrixDescriptorOp(form.name, address, described)).results[0]


def described(
    t: Tracer, place: Spot, transposed: bool, least: tuple[int, int] = (1, 1), form: DescriptorFormat = WGMMA
) -> tuple[SSAValue, str]:
    """The descriptor, and the mode along which elements follow each other; `least` are the extents of the operand.

    Raises:
        KernelError: it lies elsewhere, or is smaller than that.
    """
    buffer, indices = place
    kind, name = buffer_type(buffer), buffer.name_hint or "the operand"
    if kind.scope != SHARED:
        raise KernelError(f"a descriptor is of shared memory, {name} lies in {kind.scope} memory")
    tile = operand_tile(kind.layout, kind.shape, kind.dtype.bits, transposed=transposed)
    address = t.insert(AddressOp(buffer, indices))
    needed = least[::-1] if transposed else least
    for axis, (index, count) in enumerate(zip(indices[-2:], needed, strict=True), len(indices) - 2):
        last = t.index.binary(ADD, index, count - 1)
        if type(last) is int and last >= kind.shape[axis]:
            raise KernelError(f"dimension {axis} of {name} has extent {kind.shape[axis]}, the operand reaches {last}")
        assert_within(t.index, last, buffer, axis, kind.shape[axis], address)
    return _descriptor(t, address.results[0], descriptor_of(tile), form), tile.major


def _encode(t: Tracer, desc: Value, addr: Value, ldo: Value, sdo: Value, swizzle: Value) -> None:
    encoded(t, WGMMA, desc, addr, ldo, sdo, swizzle)


def encoded(
    t: Tracer, form: DescriptorFormat, desc: Value, addr: Value, ldo: Value, sdo: Value, swizzle: Value
) -> None:
    """A register becomes a unit's descriptor.

    Raises:
        KernelError: offsets that are no constants, or no such swizzle.
    """
    leading, stride = (constant(value, what) * GRAIN for value, what in ((ldo, "ldo"), (sdo, "sdo")))
    number = constant(swizzle, "swizzle")
    if number >= len(NUMBERED):
        raise KernelError(f"swizzle is 0, 1, 2 or 3 (none, 32, 64, 128 bytes), got {number}")
    described = MatrixDescriptor(0, leading, stride, NUMBERED[number].name)
    buffer, indices = register_for(t, desc, ui64)
    t.insert(StoreOp(_descriptor(t, pointer(t, addr, "addr"), described, form), buffer, indices))


def register_for(t: Tracer, value: Value, kind: IntegerType) -> Spot:
    """The register of that type that is to hold a descriptor.

    Raises:
        KernelError: it is none.
    """
    if isinstance(value, Pointer):
        value = value.buffer
    if isinstance(value, Address):
        found: Spot | None = (value.buffer, value.indices)
    elif is_buffer(value):
        found = value, tuple(t.index.value(0) for _ in buffer_type(value).shape)
    else:
        found = element_at(t, value)
    if found is None or buffer_type(found[0]).scope != LOCAL or buffer_type(found[0]).element != kind:
        raise KernelError(f"desc is a uint{kind.width.data} register, or its address, got {show(value)}")
    return found


DESCRIPTOR_FUNCTIONS = (
    Function(
        "matrix_descriptor",
        matrix_descriptor,
        "The descriptor, a uint64, of an operand of tensor cores that begins there; `transposed`: it is (K, MN).",
    ),
    Function(
        "cuda.wgmma.encode_matrix_descriptor",
        _encode,
        "The register becomes a descriptor; offsets are in 16 bytes, the swizzle is 0 to 3.",
    ),
)
