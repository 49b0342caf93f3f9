"""Atomic changes of an element of memory, which is given by its address."""

from __future__ import annotations

from xdsl.ir import SSAValue

from tilewright.errors import KernelError
from tilewright.ir.core.element_types import element_dtype
from tilewright.ir.tile.ops import ATOMICS, AtomicOp
from tilewright.ir.tile.types import LOCAL
from tilewright.lang.addresses import Address
from tilewright.lang.expressions import as_element, is_element
from tilewright.lang.rows import Builder, Function
from tilewright.lang.tracer import Tracer
from tilewright.lang.values import Value, buffer_type, show


def _atomic(kind: str, name: str) -> Builder:
    def handler(t: Tracer, res_addr: Value, value: Value) -> SSAValue:
        if not isinstance(res_addr, Address):
            raise KernelError(f"{name} takes an address, such as T.address_of(buffer[i]), got {show(res_addr)}")
        described = buffer_type(res_addr.buffer)
        if described.scope == LOCAL:
            raise KernelError(f"{name} is for global and shared memory; registers are one thread's own")
        given = value if is_element(value) else as_element(t, value, described.dtype)
        if given.type != described.element:
            message = f"{name} of a {element_dtype(given.type)} in memory of {described.dtype}"
            raise KernelError(f"{message}; write T.cast(value, {str(described.dtype)!r})")
        return t.insert(AtomicOp(kind, given, res_addr.buffer, res_addr.indices)).results[0]

    return handler


_BECOMES = {
    "add": "its sum with the value",
    "exch": "the value",
    **{kind: f"the {kind} of both" for kind in ("min", "max")},
    **{kind: f"it {kind} the value" for kind in ("and", "or", "xor")},
}

ATOMIC_FUNCTIONS = tuple(
    Function(
        f"cuda.atomic_{kind}",
        _atomic(kind, f"T.cuda.atomic_{kind}"),
        f"The element becomes {_BECOMES[kind]} in one step; gives what it was.",
    )
    for kind in ATOMICS
)
