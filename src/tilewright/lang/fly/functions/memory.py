"""Functions of memory: pointers, allocations, loads and stores."""

from __future__ import annotations

from collections.abc import Mapping

from xdsl.dialects.builtin import DictionaryAttr, IntegerAttr, i64
from xdsl.ir import Attribute

from tilewright.errors import KernelError, shown
from tilewright.lang.core.numerics.numeric import DTypeOf, Numeric, numeric_type
from tilewright.lang.core.numerics.vector import Vector
from tilewright.lang.fly.functions.construction import make_ordered_layout
from tilewright.lang.fly.functions.queries import shaped
from tilewright.lang.fly.values.base import FlyValue, apply, expect
from tilewright.lang.fly.values.int_tuple import IntTuple, IntTupleLike, int_tuple
from tilewright.lang.fly.values.layouts import AnyLayout, LayoutLike, layout_of
from tilewright.lang.fly.values.memory import Pointer, Stored, Tensor, load, recast, store

__all__ = [
    "add_offset",
    "apply_swizzle",
    "assume",
    "get_dyn_shared",
    "make_fragment_like",
    "make_ptr",
    "make_rmem_tensor",
    "memref_alloca",
    "memref_load",
    "memref_load_vec",
    "memref_store",
    "memref_store_vec",
    "ptr_load",
    "ptr_store",
    "recast_iter",
    "to_llvm_ptr",
]

DYNAMIC = "!fly.ptr<i8, shared, align<1024>>"


def get_dyn_shared(dtype: DTypeOf | None = None) -> Pointer:
    """The beginning of the shared memory that the launch sets aside, as bytes or as elements of a type."""
    found = expect(apply("get_dyn_shared"), Pointer, "a pointer")
    return found if dtype is None else recast(found, numeric_type(dtype))


def make_ptr(result_type: object, args: list[object], *, dict_attrs: Mapping[str, int] | None = None) -> Pointer:
    """A pointer of a type, made of what its memory is: of a number of bytes, new memory."""
    said = {key: IntegerAttr(value, i64) for key, value in (dict_attrs or {}).items()}
    given = {"dictAttrs": DictionaryAttr(said)} if said else {}
    operands = [x for x in args if isinstance(x, FlyValue | Numeric)]
    return expect(apply("make_ptr", *operands, result=str(result_type), attributes=given), Pointer, "a pointer")


def to_llvm_ptr(ptr: Pointer) -> Pointer:
    """The pointer itself: there is no other here."""
    return expect(ptr, Pointer, "ptr")


def add_offset(ptr: Pointer | IntTupleLike, offset: IntTupleLike) -> Pointer | IntTuple:
    """So many elements further on; of a coordinate, the sum."""
    base = ptr if isinstance(ptr, Pointer) else int_tuple(ptr)
    found = apply("add_offset", base, int_tuple(offset))
    assert isinstance(found, Pointer | IntTuple)
    return found


def apply_swizzle(ptr: Pointer | IntTupleLike, swizzle: FlyValue) -> FlyValue:
    """The address, or index, with its bits swizzled."""
    return expect(apply("apply_swizzle", shaped(ptr), swizzle), FlyValue, "a result")


def recast_iter(result_type: object, src: Pointer) -> Pointer:
    """The same address as a pointer to other elements: of a pointer's type, or of a type of elements."""
    given = expect(src, Pointer, "src")
    if isinstance(result_type, Attribute) and str(result_type).startswith("!fly.ptr"):
        return expect(apply("recast_iter", given, result=str(result_type)), Pointer, "a pointer")
    return recast(given, numeric_type(result_type))


def ptr_load(ptr: Pointer, result_type: object = None) -> Numeric | Vector:
    """What a pointer points at: its element, or a number or vector of another type."""
    return load(expect(ptr, Pointer, "ptr"), result_type)


def ptr_store(value: Stored, ptr: Pointer) -> None:
    """Writes a number or a vector where a pointer points."""
    store(value, expect(ptr, Pointer, "ptr"))


def memref_alloca(memref_type: object, layout: LayoutLike) -> Tensor:
    """New memory of a type under a layout."""
    text = str(getattr(memref_type, "ir_type", memref_type))
    return expect(apply("memref.alloca", layout_of(layout), result=text), Tensor, "a tensor")


def memref_load(memref: Tensor, indices: IntTupleLike) -> Numeric | IntTuple:
    """The element at a coordinate."""
    found = expect(memref, Tensor, "memref")[indices]
    if isinstance(found, Tensor):
        raise KernelError("memref_load reads one element; a coordinate with None in it is for t[None, j]")
    return found


def memref_store(value: Stored, memref: Tensor, indices: IntTupleLike) -> None:
    """Writes the element at a coordinate."""
    expect(memref, Tensor, "memref")[indices] = value


def memref_load_vec(memref: Tensor) -> Vector:
    """All elements as a vector."""
    return expect(memref, Tensor, "memref").load()


def memref_store_vec(vector: Vector, memref: Tensor) -> None:
    """Writes all elements of a vector."""
    expect(memref, Tensor, "memref").store(vector)


def make_rmem_tensor(shape_or_layout: IntTupleLike | LayoutLike, dtype: DTypeOf) -> Tensor:
    """A tensor in a thread's registers, of a layout, or compact of a shape."""
    layout = _register_layout(shape_or_layout)
    if not layout.is_static:
        raise KernelError(f"a thread has a known number of registers, got {layout.text}; make its sizes fx.Constexpr")
    kind = numeric_type(dtype)
    return memref_alloca(f"!fly.memref<{kind.ir_type}, register, {layout.text}>", layout)


def _register_layout(given: IntTupleLike | LayoutLike) -> AnyLayout:
    value = shaped(given)
    if not isinstance(value, IntTuple):
        return layout_of(value)
    return make_ordered_layout(value, _colexicographic(value.kind))


def _colexicographic(kind: object) -> IntTupleLike:
    return tuple(range(len(kind))) if isinstance(kind, tuple) else 0


def make_fragment_like(tensor: Tensor | LayoutLike, dtype: object = None) -> Tensor:
    """A tensor in registers with a tensor's shape: its first mode compact and first."""
    given = {} if dtype is None else {"dtype": numeric_type(dtype).ir_type}
    return expect(apply("make_fragment_like", shaped(tensor), attributes=given), Tensor, "a fragment")


def assume(result_type: object, dst: object, src: object) -> None:
    """Not there: what run time alone knows is asserted with `assert`."""
    raise KernelError(f"assume({shown(result_type)}, ..): say what holds with `assert`, which is checked")
