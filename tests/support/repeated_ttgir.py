"""Constructs of dumps of Triton, repeated."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from operator import mul

from dump_cases import dumps
from repeated import Construct, joined, nested, whole

_HEAD = (
    "#blocked = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>\n"
    "#b2 = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0]}>\n"
    "#shared = #ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 8, order = [1, 0]}>\n"
    "#smem = #ttg.shared_memory\n"
    'module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:80", '
    '"ttg.threads-per-warp" = 32 : i32} {\n'
)
_T = "tensor<128xf32, #blocked>"
_P = "tensor<128x!tt.ptr<f32>, #blocked>"
_O = "tensor<128xi32, #blocked>"
_M = "!ttg.memdesc<64x64xf16, #shared, #smem, mutable>"
_V = "tensor<64x64xf16, #b2>"


def _kernel(before: str, part: str, after: str = "", arguments: str = "%p: !tt.ptr<f32>, %n: i32") -> Construct:
    begin = f"{_HEAD}  tt.func public @k({arguments}) {{\n{before}\n"
    return whole(begin, part, f"\n{after}\n    tt.return\n  }}\n}}\n")


_POINTER = (
    f"    %p0 = tt.splat %p : !tt.ptr<f32> -> {_P}\n"
    f"    %o0 = tt.make_range {{end = 128 : i32, start = 0 : i32}} : {_O}\n"
    "    %c0 = arith.constant 0 : i32\n    %c1 = arith.constant 1 : i32\n    %t = arith.cmpi slt, %n, %c0 : i32"
)
_LOAD = f"    %v = tt.load %p{{i}} : {_P}"
_ALLOC = f"    %m0 = ttg.local_alloc : () -> {_M}\n    %v0 = arith.constant dense<0.0> : {_V}"

TTGIR: Mapping[str, Construct] = {
    "chained addptr": _kernel(_POINTER, f"    %p{{j}} = tt.addptr %p{{i}}, %o0 : {_P}, {_O}", _LOAD),
    "chained addptr, loaded each": _kernel(
        _POINTER,
        f"    %p{{j}} = tt.addptr %p{{i}}, %o0 : {_P}, {_O}\n    %v{{i}} = tt.load %p{{j}} : {_P}",
    ),
    "offsets in a chain": _kernel(
        _POINTER,
        f"    %o{{j}} = arith.addi %o{{i}}, %o0 : {_O}",
        f"    %q = tt.addptr %p0, %o{{i}} : {_P}, {_O}\n    %v = tt.load %q : {_P}",
    ),
    "offsets doubled": _kernel(
        _POINTER,
        f"    %o{{j}} = arith.addi %o{{i}}, %o{{i}} : {_O}",
        f"    %q = tt.addptr %p0, %o{{i}} : {_P}, {_O}\n    %v = tt.load %q : {_P}",
    ),
    "offsets multiplied": _kernel(
        _POINTER,
        f"    %o{{j}} = arith.muli %o{{i}}, %o{{i}} : {_O}",
        f"    %q = tt.addptr %p0, %o{{i}} : {_P}, {_O}\n    %v = tt.load %q : {_P}",
    ),
    "selections": _kernel(
        _POINTER,
        f"    %p{{j}} = arith.select %t, %p{{i}}, %p0 : {_P}",
        _LOAD,
    ),
    "selections of both": _kernel(
        _POINTER,
        f"    %p{{j}} = arith.select %t, %p{{i}}, %p{{i}} : {_P}",
        _LOAD,
    ),
    "pointers through scf.if": _kernel(
        _POINTER,
        f"    %p{{j}} = scf.if %t -> ({_P}) {{\n      scf.yield %p{{i}} : {_P}\n    }} else {{\n"
        f"      scf.yield %p0 : {_P}\n    }}",
        _LOAD,
    ),
    "pointers through scf.if, moved": _kernel(
        _POINTER,
        f"    %p{{j}} = scf.if %t -> ({_P}) {{\n      %q = tt.addptr %p{{i}}, %o0 : {_P}, {_O}\n"
        f"      scf.yield %q : {_P}\n    }} else {{\n      scf.yield %p{{i}} : {_P}\n    }}",
        _LOAD,
    ),
    "pointers through scf.if, loaded each": _kernel(
        _POINTER,
        f"    %p{{j}} = scf.if %t -> ({_P}) {{\n      scf.yield %p{{i}} : {_P}\n    }} else {{\n"
        f"      scf.yield %p0 : {_P}\n    }}\n    %v{{i}} = tt.load %p{{j}} : {_P}",
    ),
    "pointers through scf.for": _kernel(
        _POINTER,
        f"    %p{{j}} = scf.for %i{{i}} = %c0 to %n step %c1 iter_args(%q{{i}} = %p{{i}}) -> ({_P}) : i32 {{\n"
        f"      %r{{i}} = tt.addptr %q{{i}}, %o0 : {_P}, {_O}\n      scf.yield %r{{i}} : {_P}\n    }}",
        _LOAD,
    ),
    "pointers through scf.for, loaded each": _kernel(
        _POINTER,
        f"    %p{{j}} = scf.for %i{{i}} = %c0 to %n step %c1 iter_args(%q{{i}} = %p{{i}}) -> ({_P}) : i32 {{\n"
        f"      %v{{i}} = tt.load %q{{i}} : {_P}\n"
        f"      %r{{i}} = tt.addptr %q{{i}}, %o0 : {_P}, {_O}\n      scf.yield %r{{i}} : {_P}\n    }}",
    ),
    "values carried by one loop": lambda n: (
        f"{_HEAD}  tt.func public @k(%p: !tt.ptr<f32>, %n: i32) {{\n{_POINTER}\n"
        f"    %r:{n} = scf.for %i = %c0 to %n step %c1 iter_args({joined(', ', '%q{i} = %p0')(n)}) -> "
        f"({joined(', ', _P)(n)}) : i32 {{\n"
        f"      %v = tt.load %q{n - 1} : {_P}\n"
        f"      scf.yield {joined(', ', '%q{i}')(n)} : {joined(', ', _P)(n)}\n    }}\n"
        f"    %w = tt.load %r#0 : {_P}\n    tt.return\n  }}\n}}\n"
    ),
    "values carried by one loop, loaded each": lambda n: (
        f"{_HEAD}  tt.func public @k(%p: !tt.ptr<f32>, %n: i32) {{\n{_POINTER}\n"
        f"    %r:{n} = scf.for %i = %c0 to %n step %c1 iter_args({joined(', ', '%q{i} = %p0')(n)}) -> "
        f"({joined(', ', _P)(n)}) : i32 {{\n"
        + joined("\n", f"      %v{{i}} = tt.load %q{{i}} : {_P}")(n)
        + f"\n      scf.yield {joined(', ', '%q{i}')(n)} : {joined(', ', _P)(n)}\n    }}\n    tt.return\n  }}\n}}\n"
    ),
    "values rotated by one loop": lambda n: (
        f"{_HEAD}  tt.func public @k(%p: !tt.ptr<f32>, %n: i32) {{\n{_POINTER}\n"
        f"    %r:{n} = scf.for %i = %c0 to %n step %c1 iter_args({joined(', ', '%q{i} = %p0')(n)}) -> "
        f"({joined(', ', _P)(n)}) : i32 {{\n"
        f"      %v = tt.load %q0 : {_P}\n"
        f"      scf.yield {joined(', ', '%q{j}')(n - 1) + ', ' if n > 1 else ''}%q0 : {joined(', ', _P)(n)}\n    }}\n"
        "    tt.return\n  }\n}\n"
    ),
    "loads": _kernel(_POINTER, f"    %v{{i}} = tt.load %p0 : {_P}"),
    "local loads": _kernel(_ALLOC, f"    %v{{j}} = ttg.local_load %m0 : {_M} -> {_V}"),
    "local stores": _kernel(_ALLOC, f"    ttg.local_store %v0, %m0 : {_V} -> {_M}"),
    "allocations": _kernel(
        "", f"    %m{{i}} = ttg.local_alloc : () -> {_M}\n    %v{{i}} = ttg.local_load %m{{i}} : {_M} -> {_V}"
    ),
    "views of views": _kernel(
        _ALLOC,
        f"    %m{{j}} = ttg.memdesc_trans %m{{i}} {{order = array<i32: 0, 1>}} : {_M} -> {_M}",
        f"    %v = ttg.local_load %m{{i}} : {_M} -> {_V}",
    ),
    "views of views, loaded each": _kernel(
        _ALLOC,
        f"    %m{{j}} = ttg.memdesc_trans %m{{i}} {{order = array<i32: 0, 1>}} : {_M} -> {_M}\n"
        f"    %v{{j}} = ttg.local_load %m{{j}} : {_M} -> {_V}",
    ),
    "conversions": _kernel(
        _ALLOC,
        f"    %v{{j}} = ttg.convert_layout %v{{i}} : {_V} -> tensor<64x64xf16, #b3>",
    ),
    "reductions": _kernel(
        _ALLOC,
        f'    %r{{i}} = "tt.reduce"(%v0) <{{{{axis = 1 : i32}}}}> ({{{{\n    ^bb0(%a: f16, %b: f16):\n'
        "      %s = arith.addf %a, %b : f16\n      tt.reduce.return %s : f16\n"
        f"    }}}}) : ({_V}) -> tensor<64xf16, #ttg.slice<{{{{dim = 1, parent = #b2}}}}>>".replace("{{", "{").replace(
            "}}", "}"
        ),
    ),
    "layouts that all differ": lambda n: (
        joined(
            "",
            "#l{i} = #ttg.blocked<{sizePerThread = [{j}], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>\n",
        )(n)
        + _HEAD
        + "  tt.func public @k(%p: !tt.ptr<f32>) {\n"
        + joined(
            "\n",
            "    %q{i} = tt.splat %p : !tt.ptr<f32> -> tensor<128x!tt.ptr<f32>, #l{i}>\n"
            "    %v{i} = tt.load %q{i} : tensor<128x!tt.ptr<f32>, #l{i}>",
        )(n)
        + "\n    tt.return\n  }\n}\n"
    ),
    "shared layouts that all differ": lambda n: (
        joined("", "#s{i} = #ttg.padded_shared<[{j}:+8] {order = [1, 0], shape = [64, 64]}>\n")(n)
        + _HEAD
        + "  tt.func public @k(%p: !tt.ptr<f32>) {\n"
        + joined(
            "\n",
            "    %m{i} = ttg.local_alloc : () -> !ttg.memdesc<64x64xf16, #s{i}, #smem, mutable>\n"
            f"    %v{{i}} = ttg.local_load %m{{i}} : !ttg.memdesc<64x64xf16, #s{{i}}, #smem, mutable> -> {_V}",
        )(n)
        + "\n    tt.return\n  }\n}\n"
    ),
    "swizzles that all differ": lambda n: (
        joined("", "#s{i} = #ttg.swizzled_shared<{vec = {j}, perPhase = {j}, maxPhase = 4, order = [1, 0]}>\n")(n)
        + _HEAD
        + "  tt.func public @k(%p: !tt.ptr<f32>) {\n"
        + joined(
            "\n",
            "    %m{i} = ttg.local_alloc : () -> !ttg.memdesc<64x64xf16, #s{i}, #smem, mutable>\n"
            f"    %v{{i}} = ttg.local_load %m{{i}} : !ttg.memdesc<64x64xf16, #s{{i}}, #smem, mutable> -> {_V}",
        )(n)
        + "\n    tt.return\n  }\n}\n"
    ),
    "shapes that all differ": _kernel(
        "",
        "    %m{i} = ttg.local_alloc : () -> !ttg.memdesc<8x{j}xf16, #shared, #smem, mutable>\n"
        "    %v{i} = ttg.local_load %m{i} : !ttg.memdesc<8x{j}xf16, #shared, #smem, mutable> -> tensor<8x{j}xf16, #b2>",
    ),
    "slices of slices": lambda n: (
        _HEAD
        + "  tt.func public @k(%p: !tt.ptr<f32>) {\n    %v = tt.load %p : tensor<64xf32, "
        + "#ttg.slice<{dim = 0, parent = " * n
        + "#b2"
        + "}>" * n
        + ">\n    tt.return\n  }\n}\n"
    ),
    "aliases of aliases": lambda n: (
        "#a0 = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>\n"
        + joined("", "#a{j} = #a{i}\n")(n)
        + _HEAD
        + f"  tt.func public @k(%p: tensor<128x!tt.ptr<f32>, #a{n}>) {{\n"
        f"    %v = tt.load %p : tensor<128x!tt.ptr<f32>, #a{n}>\n    tt.return\n  }}\n}}\n"
    ),
    "slices by aliases": lambda n: (
        joined("", "#a{j} = #ttg.slice<{dim = 0, parent = #a{i}}>\n")(n)
        + _HEAD
        + f"  tt.func public @k(%p: tensor<128x!tt.ptr<f32>, #a{n}>) {{\n"
        f"    %v = tt.load %p : tensor<128x!tt.ptr<f32>, #a{n}>\n    tt.return\n  }}\n}}\n"
    ),
    "functions": lambda n: (
        _HEAD
        + joined("", f"  tt.func @k{{i}}(%p: {_P}) {{\n    %v = tt.load %p : {_P}\n    tt.return\n  }}\n")(n)
        + "}\n"
    ),
    "loops inside one another": nested(
        f"{_HEAD}  tt.func public @k(%p: !tt.ptr<f32>, %n: i32) {{\n{_POINTER}\n",
        "scf.for %i{i} = %c0 to %n step %c1 : i32 {\n",
        f"%v = tt.load %p0 : {_P}\n",
        "}\n",
        "  tt.return\n  }\n}\n",
    ),
    "locations": lambda n: (
        f"{_HEAD}  tt.func public @k(%p: {_P}) {{\n"
        + joined("\n", f"    %v{{i}} = tt.load %p : {_P} loc(#loc{{i}})")(n)
        + "\n    tt.return\n  }\n}\n"
        + joined("", '#loc{i} = loc("a.py":{j}:3)\n')(n)
    ),
    "locations in a chain": lambda n: (
        f"{_HEAD}  tt.func public @k(%p: {_P}) {{\n    %v = tt.load %p : {_P} loc(#loc{n})\n    tt.return\n  }}\n}}\n"
        + '#loc0 = loc("a.py":1:3)\n'
        + joined("", '#loc{j} = loc("n"(#loc{i}))\n')(n)
    ),
    "locations in a chain, of each": lambda n: (
        f"{_HEAD}  tt.func public @k(%p: {_P}) {{\n"
        + joined("\n", f"    %v{{i}} = tt.load %p : {_P} loc(#loc{{i}})")(n)
        + "\n    tt.return\n  }\n}\n"
        + '#loc0 = loc("a.py":1:3)\n'
        + joined("", '#loc{j} = loc("n"(#loc{i}))\n')(n)
    ),
    "stages of a ring": _kernel(
        "    %r = ttg.local_alloc : () -> !ttg.memdesc<4x64x64xf16, #shared, #smem, mutable>\n"
        "    %c0 = arith.constant 0 : i32",
        f"    %m{{i}} = ttg.memdesc_index %r[%c0] : !ttg.memdesc<4x64x64xf16, #shared, #smem, mutable> -> {_M}\n"
        f"    %v{{i}} = ttg.local_load %m{{i}} : {_M} -> {_V}",
    ),
    **{f"dump {name}": partial(mul, text) for name, text in sorted(dumps().items())},
}
