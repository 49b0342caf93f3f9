"""Constructs of the fly dialect, repeated."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from repeated import Construct, at, function, joined, typed, whole

from tilewright.errors import TilewrightError
from tilewright.ir.fly.infer import result_types

NONE: Mapping[str, int | str] = MappingProxyType({})


def called(op: str, *kinds: Construct, attributes: Mapping[str, int | str] = NONE) -> Construct:
    """One op of fly on values of types that grow, whose results the function returns."""

    def text(n: int) -> str:
        types = [kind(n) for kind in kinds]
        arguments = ", ".join(f"%a{i}: {kind}" for i, kind in enumerate(types))
        operands = ", ".join(f"%a{i}" for i in range(len(types)))
        results = _results(op, types, attributes)
        several = len(results) > 1
        given = f"%r{f':{len(results)}' if several else ''} = " if results else ""
        returned = ", ".join(f"%r#{i}" for i in range(len(results))) if several else "%r" * len(results)
        written = ", ".join(f'{name} = "{x}"' if isinstance(x, str) else f"{name} = {x} : i32"
                            for name, x in attributes.items())  # fmt: skip
        return (
            f"func.func @f({arguments}) -> ({', '.join(results)}) {{\n"
            f'  {given}"fly.{op}"({operands}) <{{{written}}}> : ({", ".join(types)}) -> ({", ".join(results)})\n'
            f"  func.return {returned}{' : ' if results else ''}{', '.join(results)}\n}}\n"
        )

    return text


def _results(op: str, types: list[str], attributes: Mapping[str, int | str]) -> tuple[str, ...]:
    """The types of its results; where inference refuses the op, another."""
    try:
        return tuple(text for text in result_types(op, types, attributes) if text)
    except TilewrightError:
        return ("i32",)


def _tuple(leaf: str) -> Construct:
    return lambda n: f"({joined(',', leaf)(n)})" if n > 1 else at(leaf, 0)


def _tree(leaf: str) -> Construct:
    """Nested to the left, as deep as it is long."""
    return lambda n: "(" * n + at(leaf, 0) + "".join(f",{at(leaf, i)})" for i in range(n))


def _layout(shape: Construct, stride: Construct) -> Construct:
    return lambda n: f"!fly.layout<{shape(n)}:{stride(n)}>"


def _fly(kind: str, value: Construct) -> Construct:
    return lambda n: f"!fly.{kind}<{value(n)}>"


_I32 = "!fly.int_tuple<?>"
_ONES, _STARS = _tuple("1"), _tuple("?")
_SHAPES: Mapping[str, tuple[Construct, Construct]] = {
    "ones": (_tuple("1"), _tuple("0")),
    "twos of stride 0": (_tuple("2"), _tuple("0")),
    "one run-time extent among ones": (lambda n: f"(?{',1' * max(1, n - 1)})", lambda n: f"(1{',0' * max(1, n - 1)})"),
    "run-time extents": (_STARS, _tuple("1")),
    "run-time extents and strides": (_STARS, _STARS),
    "deep": (_tree("1"), _tree("0")),
    "deep and run-time": (_tree("?"), _tree("?")),
}
_LAYOUTS = {name: _layout(*parts) for name, parts in _SHAPES.items()}
_TUPLES = {name: _fly("int_tuple", shape) for name, (shape, _) in _SHAPES.items()}
_ORDERS = {name: (lambda _: "(0,1)") if "deep" in name else _tuple("{i}") for name in _SHAPES}
_COORDINATES = {name: _fly("int_tuple", _tree("?") if "deep" in name else _STARS) for name in _SHAPES}
_OPS_OF_ONE = (
    "size", "cosize", "coshape", "rank", "depth", "get_shape", "get_stride", "coalesce", "right_inverse",
    "left_inverse", "complement", "make_layout_like", "make_fragment_layout_like", "flatten", "coprofile", "is_static"
)  # fmt: skip
_OPS_OF_TWO = (
    "composition", "logical_divide", "zipped_divide", "logical_product", "blocked_product", "raked_product", "zip",
    "make_composed_layout", "append"
)  # fmt: skip
_OPS_OF_A_TUPLE = (
    "size", "rank", "int_tuple_product", "int_tuple_product_each", "make_identity_layout", "flatten", "get_leaves"
)  # fmt: skip
_OPS_OF_TUPLES = (
    "make_layout", "int_tuple_add", "int_tuple_mul", "int_tuple_div", "int_tuple_mod", "ceil_div", "shape_div",
    "elem_less", "equal"
)  # fmt: skip
_OPS_OF_AN_INTEGER = ("crd2idx", "idx2crd", "get_flat_coord", "get_1d_coord", "get_hier_coord")
_CHAINED = (
    "int_tuple_add", "int_tuple_sub", "int_tuple_mul", "int_tuple_div", "int_tuple_mod", "ceil_div", "shape_div"
)  # fmt: skip
_RECAST = {"old_type_bits": 16, "new_type_bits": 8}

FLY: Mapping[str, Construct] = {
    **{f"{op} of {name}": called(op, kind) for op in _OPS_OF_ONE for name, kind in _LAYOUTS.items()},
    **{
        f"recast_layout of {name}": called("recast_layout", kind, attributes=_RECAST) for name, kind in _LAYOUTS.items()
    },
    **{f"print of {name}": called("print", kind, attributes={"format": "%s"}) for name, kind in _LAYOUTS.items()},
    **{f"{op} of two, {name}": called(op, kind, kind) for op in _OPS_OF_TWO for name, kind in _LAYOUTS.items()},
    **{
        f"{op} of one, {name}": called(op, kind, lambda _: "!fly.layout<4:1>")
        for op in _OPS_OF_TWO
        if "product" not in op and op != "zip"
        for name, kind in _LAYOUTS.items()
    },
    **{
        f"tile_to_shape, {name}": called("tile_to_shape", kind, _TUPLES[name], _fly("int_tuple", _ORDERS[name]))
        for name, kind in _LAYOUTS.items()
    },
    **{f"{op} of the tuple {name}": called(op, kind) for op in _OPS_OF_A_TUPLE for name, kind in _TUPLES.items()},
    **{f"{op} of tuples, {name}": called(op, kind, kind) for op in _OPS_OF_TUPLES for name, kind in _TUPLES.items()},
    **{
        f"{op} of a coordinate, {name}": called(op, _COORDINATES[name], kind)
        for op in ("crd2idx", "get_hier_coord")
        for name, kind in _LAYOUTS.items()
    },
    **{
        f"crd2crd of a coordinate, {name}": called("crd2crd", _COORDINATES[name], kind, kind)
        for name, kind in _TUPLES.items()
    },
    **{
        f"{op} of one integer, {name}": called(op, lambda _: _I32, kind)
        for op in _OPS_OF_AN_INTEGER
        for name, kind in _LAYOUTS.items()
    },
    "idx2crd of one integer, a run-time shape": called("idx2crd", lambda _: _I32, _fly("int_tuple", _STARS)),
    "crd2idx, lowered, one integer in run-time extents": lambda n: (
        "func.func @f(%s: {s}, %l: !fly.layout<{e}:{e}>, %i: i32) -> i32 {{\n"
        "  %c = fly.make_int_tuple(%i) : (i32) -> !fly.int_tuple<?>\n"
        "  %r = fly.crd2idx(%c, %l) : (!fly.int_tuple<?>, !fly.layout<{e}:{e}>) -> !fly.int_tuple<?>\n"
        "  %x = fly.get_scalar(%r) : (!fly.int_tuple<?>) -> i32\n  func.return %x : i32\n}}\n"
    ).format(s="i32", e=_STARS(n)),
    "size, lowered, of run-time extents": lambda n: (
        "func.func @f(%l: !fly.layout<{e}:{e}>) -> i32 {{\n"
        "  %r = fly.size(%l) : (!fly.layout<{e}:{e}>) -> !fly.int_tuple<?>\n"
        "  %x = fly.get_scalar(%r) : (!fly.int_tuple<?>) -> i32\n  func.return %x : i32\n}}\n"
    ).format(e=_STARS(n)),
    "chained crd2idx, static": function(
        f"%l: !fly.layout<(4,8):(8,1)>, %x0: {_I32}",
        f"  %x{{j}} = fly.crd2idx(%x{{i}}, %l) : ({_I32}, !fly.layout<(4,8):(8,1)>) -> {_I32}",
    ),
    "chained crd2idx, static, used": whole(
        f"func.func @f(%l: !fly.layout<(4,8):(8,1)>, %i: i32) -> i32 {{\n"
        f"  %x0 = fly.make_int_tuple(%i) : (i32) -> {_I32}\n",
        f"  %x{{j}} = fly.crd2idx(%x{{i}}, %l) : ({_I32}, !fly.layout<(4,8):(8,1)>) -> {_I32}",
        f"\n  %r = fly.get_scalar(%x{{i}}) : ({_I32}) -> i32\n  func.return %r : i32\n}}\n",
    ),
    "chained crd2idx, run-time, used": whole(
        f"func.func @f(%l: !fly.layout<(?,?):(?,?)>, %i: i32) -> i32 {{\n"
        f"  %x0 = fly.make_int_tuple(%i) : (i32) -> {_I32}\n",
        f"  %x{{j}} = fly.crd2idx(%x{{i}}, %l) : ({_I32}, !fly.layout<(?,?):(?,?)>) -> {_I32}",
        f"\n  %r = fly.get_scalar(%x{{i}}) : ({_I32}) -> i32\n  func.return %r : i32\n}}\n",
    ),
    "chained crd2idx, each of a layout of its own": whole(
        f"func.func @f(%i: i32) -> i32 {{\n  %x0 = fly.make_int_tuple(%i) : (i32) -> {_I32}\n",
        "  %l{i} = fly.static : !fly.layout<(4,{j}):({j},1)>\n"
        f"  %x{{j}} = fly.crd2idx(%x{{i}}, %l{{i}}) : ({_I32}, !fly.layout<(4,{{j}}):({{j}},1)>) -> {_I32}",
        f"\n  %r = fly.get_scalar(%x{{i}}) : ({_I32}) -> i32\n  func.return %r : i32\n}}\n",
    ),
    **{
        f"chained {op}": whole(
            f"func.func @f(%i: i32, %k: i32) -> i32 {{\n  %x0 = fly.make_int_tuple(%i) : (i32) -> {_I32}\n"
            f"  %y = fly.make_int_tuple(%k) : (i32) -> {_I32}\n",
            f"  %x{{j}} = fly.{op}(%x{{i}}, %y) : ({_I32}, {_I32}) -> {_I32}",
            f"\n  %r = fly.get_scalar(%x{{i}}) : ({_I32}) -> i32\n  func.return %r : i32\n}}\n",
        )
        for op in _CHAINED
    },
    "layouts that all differ": function("", "  %l{i} = fly.static : !fly.layout<(4,{j}):({j},1)>"),
    "sizes of layouts that all differ": function(
        "",
        "  %l{i} = fly.static : !fly.layout<(4,{j}):({j},1)>\n"
        "  %s{i} = fly.rank(%l{i}) : (!fly.layout<(4,{j}):({j},1)>) -> !fly.int_tuple<2>",
    ),
    "pointers moved in a chain": function(
        "%p0: !fly.ptr<f32, global>, %o: !fly.int_tuple<?>",
        "  %p{j} = fly.add_offset(%p{i}, %o) : (!fly.ptr<f32, global>, !fly.int_tuple<?>) -> !fly.ptr<f32, global>",
    ),
    "loads": function(
        "%p: !fly.memref<f32, global, (4,8):(1,4)>, %o: !fly.int_tuple<?>",
        "  %x{i} = fly.memref.load(%p, %o) : (!fly.memref<f32, global, (4,8):(1,4)>, !fly.int_tuple<?>) -> f32",
    ),
    "stores": function(
        "%p: !fly.memref<f32, global, (4,8):(1,4)>, %o: !fly.int_tuple<?>, %x: f32",
        "  fly.memref.store(%x, %p, %o) : (f32, !fly.memref<f32, global, (4,8):(1,4)>, !fly.int_tuple<?>) -> ()",
    ),
    "swizzles composed": typed(lambda n: f"!fly.composed_layout<{'S<3,3,3> o 0 o ' * n}8:1>"),
    "tiles": typed(lambda n: f"!fly.tile<[{'|'.join(['4'] * n)}]>"),
    "bases": typed(lambda n: f"!fly.basis<1{'E0' * n}>"),
    "tuples": typed(_fly("int_tuple", _tuple("{i}"))),
    "deep tuples": typed(_fly("int_tuple", _tree("{i}"))),
    "functions of layouts that all differ": joined(
        "", "func.func @f{i}(%l: !fly.layout<(4,{j}):({j},1)>) {\n  func.return\n}\n"
    ),
}

_HOLE = "has a mode of stride 0, whose coordinate no index determines"
# What is said of those that are no valid texts, even where they are short.
REFUSED: Mapping[str, str] = {
    "get_hier_coord of a coordinate, twos of stride 0": _HOLE,
    **{f"{op} of one integer, twos of stride 0": _HOLE for op in _OPS_OF_AN_INTEGER if op != "crd2idx"},
    **{f"{op} of two, deep and run-time": "more than" for op in ("logical_divide", "zipped_divide")},
}
