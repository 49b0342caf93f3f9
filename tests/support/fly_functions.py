"""Random functions over fly's ops on layouts, and what a module's function gives, by the reference functions alone."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from random import Random
from typing import Any

from xdsl.builder import Builder
from xdsl.context import Context
from xdsl.dialects import func
from xdsl.dialects.builtin import ModuleOp, i32, i64
from xdsl.dialects.cf import AssertOp
from xdsl.dialects.llvm import UndefOp
from xdsl.ir import Block, Operation, Region, SSAValue
from xdsl.rewriter import InsertPoint
from xdsl.utils.exceptions import VerifyException

from tilewright.errors import CompileError, LayoutError
from tilewright.ir.core.evaluate import evaluated
from tilewright.ir.fly import reference
from tilewright.ir.fly.dialect_types import FlyType, from_text, type_of
from tilewright.ir.fly.leaves import mapped, run_time_leaves
from tilewright.ir.fly.normal_form import innermost
from tilewright.ir.fly.ops import FlyOp, make
from tilewright.ir.fly.type_writer import write
from tilewright.ir.fly.types import CoordTensor, MemRef, Pointer
from tilewright.ir.fly.worked import in_form
from tilewright.ir.mlir.llvm import ExtractValueOp, InsertValueOp
from tilewright.ir.text import verify
from tilewright.layout.composed import ComposedLayout
from tilewright.layout.layout import Layout
from tilewright.passes.fly.carriers import carriers
from tilewright.passes.registry import pass_of

# ---- evaluation


class FailedError(Exception):
    """An assertion, or an op that is not defined for its operands."""


def outcome(function: func.FuncOp, arguments: Sequence[Any]) -> list[Any]:
    """What the function returns, of which only what that needs is worked out; raises `FailedError`."""
    block = function.body.block
    assert block.last_op is not None
    results = block.last_op.operands
    needed = _needed(block, results)
    known: dict[SSAValue, Any] = dict(zip(block.args, arguments, strict=True))
    for op in block.ops:
        if op in needed:
            operands = [known[operand] for operand in op.operands]
            known.update(zip(op.results, _results(op, operands), strict=True))
    return [known[x] for x in results]


def _needed(block: Block, results: Sequence[SSAValue]) -> set[Operation]:
    asserted = [op for op in block.ops if isinstance(op, AssertOp)]
    found: set[Operation] = set(asserted)
    waiting = [*results, *(x for op in asserted for x in op.operands)]
    while waiting:
        owner = waiting.pop().owner
        if isinstance(owner, Operation) and owner not in found:
            found.add(owner)
            waiting += owner.operands
    return found


def _results(op: Operation, operands: list[Any]) -> Sequence[Any]:
    if isinstance(op, FlyOp):
        try:
            return reference.results(op, operands)
        except LayoutError as error:
            raise FailedError(str(error)) from None
    if isinstance(op, AssertOp):
        if not operands[0]:
            raise FailedError(op.msg.data)
        return ()
    if isinstance(op, UndefOp):
        return [((),) * len(op.res.type.types.data)]
    if isinstance(op, InsertValueOp | ExtractValueOp):
        (place,) = op.position.get_values()
        if isinstance(op, ExtractValueOp):
            return [operands[0][place]]
        fields = list(operands[0])
        fields[place] = operands[1]
        return [tuple(fields)]
    return [evaluated(op, operands)]


def shown(value: Any) -> Any:
    """A value in a form that is equal where the values are."""
    if isinstance(value, MemRef | Pointer):
        pointer = value.pointer if isinstance(value, MemRef) else value
        return write(value), pointer.distance
    return value if isinstance(value, int) else write(value)


def is_wide(value: Any) -> bool:
    """Does an integer of the value leave 31 bits? Types promise that none does."""
    return any(int(n) >= 1 << 31 for n in re.findall("[0-9]+", str(shown(value))))


# ---- what carries values


def carried(kind: Any, value: Any) -> list[Any]:
    """The value as functions take it after `fly-rewrite-func-signature`: by pointers and structures."""
    if len(kinds := carriers(kind)) == 1 and kinds[0] == kind:
        return [value]
    if isinstance(value, MemRef):
        return [value.pointer, *carried(type_of(kind.value.layout), value.layout)]
    return [_struct(kind.value, value)] if kinds else []


def _struct(said: Any, value: Any) -> tuple[Any, ...]:
    parts = {Layout: ("shape", "stride"), ComposedLayout: ("inner", "offset"), CoordTensor: ("base", "layout")}
    names = next((names for kind, names in parts.items() if isinstance(said, kind)), None)
    if names is None:
        return in_form(value, said)[0]
    pairs = [(getattr(said, name), getattr(value, name)) for name in names]
    return tuple(_struct(*pair) for pair in pairs if run_time_leaves(pair[0]))


# ---- judgement

PIPELINES = (
    ("fly-canonicalize",),
    ("fly-layout-lowering",),
    ("fly-rewrite-func-signature", "fly-canonicalize", "fly-layout-lowering", "fly-int-swizzle-simplify", "cse", "dce"),
)


def judged(seed: int) -> list[str]:
    """Of one random function, what became of it under each pipeline: `same`, `fails`, `refused`, or what is wrong."""
    random = Random(seed)
    return compared(*random_function(random, random.randint(3, 10)))


def compared(module: ModuleOp, arguments: Sequence[Any]) -> list[str]:
    """Of the function of a module, as `judged`."""
    function = _function(module)
    inputs, outputs = function.function_type.inputs.data, function.function_type.outputs.data
    wanted = _wanted(lambda: outcome(function, arguments))
    if any(is_wide(value) for value in wanted or ()):
        return []
    # What nothing carries, because its type tells it whole, is not returned, but fails where making it does.
    packed = [x for pair in zip(inputs, arguments, strict=True) for x in carried(*pair)]
    whole = wanted and [x for pair in zip(outputs, wanted, strict=True) for x in carried(*pair)]
    return [
        _judged(module.clone(), pipeline, *((packed, whole) if "signature" in pipeline[0] else (arguments, wanted)))
        for pipeline in PIPELINES
    ]


def _wanted(work: Callable[[], list[Any]]) -> list[Any] | None:
    try:
        return work()
    except FailedError:
        return None


def _judged(module: ModuleOp, pipeline: Sequence[str], given: Sequence[Any], expected: list[Any] | None) -> str:
    try:
        for name in pipeline:
            pass_of(name).apply(Context(), module)
            verify(module)
        found: list[Any] | None = outcome(_function(module), given)
    except FailedError:
        found = None
    except CompileError as error:
        return "refused" if expected is None else f"wrong: {pipeline} refuses: {error}"
    if expected is None or found is None:
        return "fails" if found is expected else f"wrong: {pipeline} gives {found}, expected {expected}"
    same = list(map(shown, found)) == list(map(shown, expected))
    return "same" if same else f"wrong: {pipeline} gives {found}, expected {expected}"


def _function(module: ModuleOp) -> func.FuncOp:
    return next(op for op in module.ops if isinstance(op, func.FuncOp))


# ---- generation

NUMBERS = (1, 2, 3, 4, 8, 16, 24, 32, 64)

TILES = ("[4|8]", "[2|*]", "[*|4]", "[4]", "[2|2|2]", "[2:1|4:2]", "4", "[(2,2):(1,2)|3]")
SWIZZLES = ("S<1,0,2>", "S<2,1,3>", "S<3,3,3>")
# fmt: off
ONE = (
    "size", "cosize", "coshape", "coprofile", "rank", "depth", "get_shape", "get_stride", "coalesce",
    "right_inverse", "left_inverse", "make_layout_like", "make_fragment_layout_like", "make_identity_layout",
    "int_tuple_product", "int_tuple_product_each", "flatten", "complement", "composed_get_offset",
    "composed_get_outer", "get_layout", "get_iter", "decomposition", "make_identity_tensor",
)
TWO = (
    "crd2idx", "idx2crd", "get_flat_coord", "get_1d_coord", "get_hier_coord", "composition", "complement",
    "logical_divide", "zipped_divide", "tiled_divide", "flat_divide", "logical_product", "tiled_product",
    "flat_product", "blocked_product", "raked_product", "int_tuple_add", "int_tuple_sub", "int_tuple_mul",
    "int_tuple_div", "int_tuple_mod", "int_tuple_product_like", "ceil_div", "shape_div", "elem_less", "equal",
    "append", "prepend", "slice", "dice", "zip", "make_layout", "make_ordered_layout", "make_view", "add_offset",
    "coalesce", "crd2idx", "slice", "crd2idx",
)
# fmt: on
THREE = ("make_composed_layout", "crd2crd", "tile_to_shape")
WITH: Mapping[str, Callable[[Random], dict[str, Any]]] = {
    "get": lambda r: {"mode": (r.randrange(3),)},
    "select": lambda r: {"indices": tuple(r.sample(range(3), r.randint(1, 2)))},
    "take": lambda r: {"begin": 0, "end": r.randint(1, 2)},
    "group": lambda r: {"begin": 0, "end": r.randint(1, 2)},
    "recast_layout": lambda r: {"new_type_bits": r.choice([8, 16, 32]), "old_type_bits": r.choice([8, 16, 32])},
}


def random_function(random: Random, ops: int = 8) -> tuple[ModuleOp, list[Any]]:
    """A module with one function of about so many ops, and arguments that its types allow."""
    integers = [i32] * random.randint(2, 4) + [i64] * random.randint(0, 1)
    pointer = from_text(f"!fly.ptr<f32, {random.choice(['global', 'shared'])}, align<16>>")
    others = [from_text(_argument(random)) for _ in range(random.randint(0, 2))]
    block = Block(arg_types=[*integers, pointer, *others])
    builder = Builder(InsertPoint.at_end(block))
    pool: list[SSAValue] = [_tuple(random, block, builder) for _ in range(4)]
    pool += [_static(random, builder) for _ in range(5)]
    pool += [x for x in (_layout(random, block, builder) for _ in range(3)) if x is not None]
    pool += [x for x in block.args if isinstance(x.type, FlyType)]
    for _ in range(ops * 12):
        made = _at_a_coordinate(random, pool, block, builder) if random.random() < 0.3 else _some(random, pool)
        if made is not None:
            builder.insert(made)
            pool += [x for x in made.results if isinstance(x.type, FlyType)]
            ops -= 1
        if not ops:
            break
    returned = [op.results[0] for op in list(block.ops)[-5:]]
    builder.insert(func.ReturnOp(*returned))
    kinds = [x.type for x in returned]
    function = func.FuncOp("f", (list(block.arg_types), kinds), Region(block))
    numbers = [random.choice(NUMBERS) for _ in integers]
    given = [mapped(kind.value, lambda leaf: leaf.div * random.choice(NUMBERS)) for kind in others]
    return ModuleOp([function]), [*numbers, pointer.value, *given]


def _argument(random: Random) -> str:
    profile = _profile(random)

    def leaf() -> str:
        return random.choice(["?", "?{i64}", "?{div=4}", "2", "4", "8"])

    shape, stride = (_text(profile, leaf) for _ in range(2))
    return random.choice(
        [
            f"!fly.int_tuple<{shape}>",
            f"!fly.layout<{shape}:{stride}>",
            f"!fly.memref<f32, global, {shape}:{stride}>",
            f"!fly.composed_layout<S<2,1,3> o {random.choice(['0', '?'])} o {shape}:{stride}>",
            f"!fly.coord_tensor<{random.choice(['?', '2'])}, {shape}:{stride}>",
        ]
    )


def _some(random: Random, pool: list[SSAValue]) -> FlyOp | None:
    kind = random.random()
    operands = [random.choice(pool[-8:] if random.random() < 0.6 else pool) for _ in range(3)]
    name, attributes = "", {}
    if kind < 0.25:
        name, operands = random.choice(ONE), operands[:1]
    elif kind < 0.75:
        name, operands = random.choice(TWO), operands[:2]
    elif kind < 0.85:
        name = random.choice(THREE)
    else:
        name, operands = random.choice(list(WITH)), operands[:1]
        attributes = WITH[name](random)
    try:
        return make(name, operands, attributes)
    except VerifyException:
        return None


def _at_a_coordinate(random: Random, pool: list[SSAValue], block: Block, builder: Builder) -> FlyOp | None:
    """An op on a layout or view and a coordinate of its profile, or an index."""
    layout = random.choice(pool)
    said: Any = getattr(layout.type, "value", None)
    shape = getattr(innermost(said.layout if isinstance(said, MemRef | CoordTensor) else said), "shape", None)
    if shape is None:
        return None
    name = random.choice(["crd2idx", "crd2idx", "slice", "slice", "dice", "idx2crd", "get_1d_coord", "get_flat_coord"])
    profile = _profile_of(shape, random) if name in ("crd2idx", "slice", "dice") else "leaf"
    coord = _tuple(random, block, builder, profile, none=name in ("slice", "dice"))
    operands = [layout, coord] if name in ("slice", "dice") else [coord, layout]
    try:
        return make(name, operands)
    except VerifyException:
        return None


def _profile_of(shape: Any, random: Random) -> Any:
    if not isinstance(shape, tuple) or random.random() < 0.2:
        return "leaf"
    return tuple(_profile_of(part, random) for part in shape)


def _profile(random: Random, depth: int = 2) -> Any:
    if depth == 0 or random.random() < 0.5:
        return "leaf"
    return tuple(_profile(random, depth - 1) for _ in range(random.randint(1, 3)))


def _text(profile: Any, leaf: Callable[[], str]) -> str:
    return f"({','.join(_text(p, leaf) for p in profile)})" if isinstance(profile, tuple) else leaf()


def _tuple(random: Random, block: Block, builder: Builder, profile: Any = None, none: bool = True) -> SSAValue:
    def leaf() -> str:
        if random.random() < 0.45:
            return random.choice(["?", "?", "?{i64}"] if any(x.type == i64 for x in block.args) else ["?"])
        return random.choice(["1", "2", "3", "4", "8", "16", *(["*", "*", "0"] if none else [])])

    text = _text(_profile(random) if profile is None else profile, leaf)
    kind = from_text(f"!fly.int_tuple<{text}>")
    leaves = run_time_leaves(kind.value)
    given = [random.choice([x for x in block.args if str(x.type) == f"i{leaf.width}"]) for leaf in leaves]
    name = random.choice(["make_int_tuple", "make_shape", "make_coord"]) if text.startswith("(") else "make_int_tuple"
    return builder.insert(make(name, given, results=[kind])).results[0]


def _layout(random: Random, block: Block, builder: Builder) -> SSAValue | None:
    profile = _profile(random)
    parts = [_tuple(random, block, builder, profile, none=False) for _ in range(2)]
    try:
        return builder.insert(make("make_layout", parts)).results[0]
    except VerifyException:
        return None


def _static(random: Random, builder: Builder) -> SSAValue:
    layouts = ("(4,8):(1,4)", "(8,8):(8,1)", "((2,2),4):((1,4),8)", "8:1", "(4,2,2):(1,8,4)", "6:2", "(16,4):(1,16)")
    text = random.choice(
        [
            f"!fly.layout<{random.choice(layouts)}>",
            f"!fly.tile<{random.choice(TILES)}>",
            f"!fly.swizzle<{random.choice(SWIZZLES)}>",
            f"!fly.composed_layout<{random.choice(SWIZZLES)} o 0 o {random.choice(layouts)}>",
        ]
    )
    return builder.insert(make("static", [], results=[from_text(text)])).results[0]
