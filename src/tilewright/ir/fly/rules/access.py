"""Where memory comes from and how it is read and written: pointers, allocations, loads and stores.

Ops whose result type is written, and not inferred, take it first and give it back when it is consistent.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from math import gcd
from typing import TYPE_CHECKING, TypeAlias

from tilewright.errors import LayoutError, TilewrightError
from tilewright.ir.fly.leaves import is_run_time, run_time_leaves
from tilewright.ir.fly.normal_form import innermost
from tilewright.ir.fly.rules.coordinates import Function, value_at
from tilewright.ir.fly.rules.memory import moved, shifted
from tilewright.ir.fly.type_reader import IDENTITY
from tilewright.ir.fly.type_writer import write
from tilewright.ir.fly.types import AnyLayout, CoordTensor, MemRef, Pointer, Results, Scalar, Value, View, XorShift
from tilewright.layout import construct
from tilewright.layout.composed import ComposedLayout
from tilewright.layout.coord_swizzle import CoordSwizzle
from tilewright.layout.inttuple import leaves
from tilewright.layout.query import size
from tilewright.layout.swizzle import Swizzle
from tilewright.layout.symbolic.symint import SymInt
from tilewright.notation.fly_atoms import element_bits

if TYPE_CHECKING:
    from tilewright.layout.inttuple import IntTuple, IntTupleLike, Tree

Declared: TypeAlias = "tuple[Value, ...] | None"

NOTHING = Results()
INTEGERS = (Scalar("i32"), Scalar("i64"))


def the_one(declared: Declared, name: str) -> Value:
    """The type written for an op's one result."""
    if declared is None or len(declared) != 1:
        raise LayoutError(f"{name}: the type of its one result is written, not inferred")
    return declared[0]


# ---- values of types


def static(declared: Declared) -> Value:
    """A value that its type tells whole; of run-time leaves it says nothing."""
    found = the_one(declared, "static")
    if run_time_leaves(found):
        raise LayoutError(f"static: {write(found)} has leaves that are known at run time only")
    return found


def made_of(wrap: Callable[..., IntTuple]) -> Callable[[Declared, tuple[Scalar | Tree, ...]], Value]:
    """The rule of `make_int_tuple` and its kin: a written type with an i32 or i64 for each run-time leaf.

    As in FlyDSL the integer may be wider than the leaf; that it fits is asserted where it is lowered.
    Without a written type, the int tuple that `wrap` makes of the operands.
    """

    def rule(declared: Declared, given: tuple[Scalar | Tree, ...]) -> Value:
        if declared is None:
            return wrap(*given)
        found = the_one(declared, "make_int_tuple")
        wanted = run_time_leaves(found)
        if len(given) != len(wanted) or not all(x in INTEGERS for x in given):
            need = ", ".join(f"i{leaf.width}" for leaf in wanted) or "none"
            raise LayoutError(f"the run-time leaves of {write(found)} need the operands {need}, got {len(given)}")
        return found

    return rule


def lone(*given: IntTupleLike) -> IntTuple:
    """The int tuple that `make_int_tuple` is given instead of a written type."""
    if len(given) != 1:
        raise LayoutError(f"make_int_tuple: without a written type it takes one int tuple, got {len(given)}")
    return construct.make_int_tuple(*given)


def get_scalar(value: Tree) -> Scalar:
    """The integer of a lone leaf: of 64 bits where the leaf has them."""
    found = list(leaves(value))
    if len(found) != 1 or found[0] is None:
        raise LayoutError(f"GetScalarOp: expected a leaf IntTuple, got '{write(value)}'")
    return _integer(found[0])


def get_leaves(value: Tree, dynamic_only: bool | None = None) -> Results:
    """An integer for each leaf, from left to right; perhaps for the run-time ones alone."""
    return Results(tuple(_integer(x) for x in (run_time_leaves(value) if dynamic_only else leaves(value))))


def _integer(leaf: object) -> Scalar:
    return Scalar(f"i{leaf.width}" if is_run_time(leaf) else "i32")


# ---- pointers


def get_dyn_shared() -> Pointer:
    """The start of the shared memory that a launch sets aside, in bytes."""
    return Pointer("i8", "shared", 8, 1024)


def pointer(declared: Declared, _arguments: tuple[Value, ...] = (), _facts: object = None) -> Pointer:
    """A pointer of the type that is written."""
    found = the_one(declared, "make_ptr")
    if not isinstance(found, Pointer):
        raise LayoutError(f"expected a pointer, got {write(found)}")
    return found


def inttoptr(declared: Declared, address: Scalar) -> Pointer:
    """An address as a pointer."""
    if address not in INTEGERS:
        raise LayoutError(f"inttoptr takes an i32 or i64, got {write(address)}")
    return pointer(declared)


def ptrtoint(given: Pointer) -> Scalar:
    """The address: of 32 bits in shared memory, of 64 in global memory."""
    widths = {"shared": "i32", "global": "i64"}
    if given.space not in widths:
        space = f"#fly<address_space {given.space}>"
        raise LayoutError(f"PtrToIntOp: expected Shared or Global address space, got {space}")
    return Scalar(widths[given.space])


def to_llvm_ptr(_given: Pointer, address_space: int) -> Scalar:
    """The pointer as LLVM has it."""
    return Scalar(f"!llvm.ptr<{address_space}>" if address_space else "!llvm.ptr")


def get_buffer_rsrc(given: Pointer) -> Scalar:
    """The resource descriptor of a buffer."""
    if given.space != "#fly_rocdl.buffer_desc":
        raise LayoutError(f"expected a pointer into a buffer, got {write(given)}")
    return Scalar("!llvm.ptr<8>")


def recast_iter(declared: Declared, source: Pointer) -> Pointer:
    """A pointer to the same place of the same memory, with elements of another type."""
    found = pointer(declared)
    if found.space != source.space:
        raise LayoutError(f"result pointer address space must match source, {source.space}")
    if source.align % found.align and found.align != found.natural:
        raise LayoutError(f"result pointer alignment must divide source alignment, {source.align}, got {found.align}")
    if found.swizzle != source.swizzle:
        raise LayoutError(f"result pointer swizzle must match source, {write(source)}")
    return found


def apply_swizzle(given: Pointer | IntTuple, swizzle: Swizzle | XorShift | CoordSwizzle) -> Pointer | Tree:
    """The pointer under a swizzle, aligned as far as the bits that move allow; or a number swizzled."""
    if not isinstance(given, Pointer):
        return value_at(given, swizzle)
    if not isinstance(swizzle, Swizzle):
        raise LayoutError(f"ApplySwizzleOp: expected SwizzleType, got {write(swizzle)}")
    align = max(given.natural, gcd(given.align, (1 << swizzle.m) * given.bits // 8))
    return replace(given, align=align, swizzle=None if swizzle == IDENTITY else swizzle)


def decomposition(tensor: View) -> View:
    """A view without swizzle or offset in its layout: the pointer has moved to where the origin lies."""
    layout = tensor.layout
    if not isinstance(layout, ComposedLayout):
        return tensor
    if isinstance(tensor, MemRef):
        return MemRef(moved(tensor.pointer, _origin(layout)), innermost(layout))
    return CoordTensor(shifted(tensor.base, _origin(layout)), innermost(layout))


def _origin(layout: ComposedLayout) -> Tree:
    inner = layout.inner
    offset = shifted(layout.offset, _origin(inner)) if isinstance(inner, ComposedLayout) else layout.offset
    outer: Function = layout.outer
    return value_at(offset, outer)


# ---- loads and stores


def alloca(declared: Declared, layout: AnyLayout) -> MemRef:
    """Memory of a block or thread, under the layout."""
    found = as_memref(the_one(declared, "memref.alloca"))
    if write(found.layout) != write(layout):
        raise LayoutError(f"memref.alloca: {write(found)} does not lie as {write(layout)}")
    return found


def load(view: View, coord: IntTuple) -> Value:
    """The element at a coordinate; of a coordinate tensor the coordinate that it holds."""
    held = value_at(coord, view.layout)
    return shifted(view.base, held) if isinstance(view, CoordTensor) else Scalar(view.pointer.element)


def store(value: Value, memory: MemRef, coord: IntTuple) -> Results:
    """An element to a coordinate."""
    _same_element("memref.store", value, memory.pointer)
    value_at(coord, memory.layout)
    return NOTHING


def load_vec(view: View) -> Scalar:
    """All elements of a view as one vector; of a coordinate tensor of integers these."""
    if isinstance(view, MemRef):
        return vector(view)
    count, base = size(view.layout), view.base
    if type(count) is not int or isinstance(base, tuple) or not isinstance(base, int | SymInt):
        raise LayoutError(f"memref.load_vec: {write(view)} holds no known number of integers")
    wide = isinstance(base, SymInt) and base.width > 32
    return Scalar(f"vector<{count}x{'i64' if wide else 'i32'}>")


def store_vec(value: Value, memory: MemRef) -> Results:
    """A vector to all elements of a view."""
    wanted = vector(memory)
    if value != wanted:
        raise LayoutError(f"memref.store_vec: {write(memory)} holds {wanted.text}, got {write(value)}")
    return NOTHING


def vector(memory: MemRef) -> Scalar:
    """The vector of a view's elements, in the order of its layout."""
    if isinstance(memory.layout, ComposedLayout):
        raise LayoutError("MemRefLoadVecOp: MemRefType with ComposedLayout is not supported")
    count = size(memory.layout)
    if type(count) is not int:
        raise LayoutError(f"MemRefLoadVecOp: layout size must be static and leaf int, got {write(count)}")
    return Scalar(f"vector<{count}x{memory.pointer.element}>")


def ptr_load(declared: Declared, source: Pointer) -> Value:
    """An element, a vector of them, or other bits that begin where the pointer points."""
    found = the_one(declared, "ptr.load")
    _bits_of(found, source)
    return found


def ptr_store(value: Value, target: Pointer) -> Results:
    """An element, a vector of them, or other bits to where the pointer points."""
    _bits_of(value, target)
    return NOTHING


def _bits_of(value: Value, at: Pointer) -> int:
    text = value.text if isinstance(value, Scalar) else write(value)
    try:
        return at.bits if text.endswith(at.element) else element_bits(text, text)
    except TilewrightError:
        raise LayoutError(f"a value of type {text} is not held where {write(at)} points") from None


def _same_element(name: str, value: Value, at: Pointer) -> None:
    text = value.text if isinstance(value, Scalar) else write(value)
    if text != at.element and not (text.startswith("vector<") and text.endswith(f"x{at.element}>")):
        raise LayoutError(f"{name}: {write(at)} points at {at.element}, not at {text}")


def as_memref(value: Value) -> MemRef:
    """The value, which is a memref."""
    if not isinstance(value, MemRef):
        raise LayoutError(f"expected a memref, got {write(value)}")
    return value


# ---- the rest


def print_(values: tuple[Value, ...], _format: str) -> Results:
    """Prints values; it has no result."""
    return NOTHING


def assume(declared: Declared, _value: Value, _fact: Value) -> Value:
    """A value of which a fact holds."""
    return the_one(declared, "assume")


def extract_aligned_pointer_as_index(declared: Declared, _view: MemRef) -> Value:
    """The address that a memref starts at, as an index or a pointer of LLVM."""
    found = the_one(declared, "extract_aligned_pointer_as_index")
    if not isinstance(found, Scalar):
        raise LayoutError(f"an address is an index or a pointer of LLVM, not {write(found)}")
    return found
