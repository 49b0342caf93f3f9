"""Constructs of MLIR's own dialects, and what is no module, repeated."""

from __future__ import annotations

from collections.abc import Mapping

from repeated import Construct, attributed, function, joined, nested, typed, whole

_CHAIN = "  %x{j} = arith.addi %x{i}, %x{i} : i32"
_LOOP = "scf.for %i{i} = %c to %c step %c {\n"

MLIR: Mapping[str, Construct] = {
    "chained arith.addi": function("%x0: i32", _CHAIN),
    "constants": function("", "  %x{i} = arith.constant {i} : i32"),
    "floats": function("", "  %x{i} = arith.constant {i}.5 : f32"),
    "vector constants": function("", "  %x{i} = arith.constant dense<{i}> : vector<4xi32>"),
    "one long dense constant": function("", "  %x = arith.constant dense<[%s]> : tensor<?xi32>"),
    "chained select": function("%c: i1, %x0: i32", "  %x{j} = arith.select %c, %x{i}, %x0 : i32"),
    "index chains": function("%x0: index", "  %x{j} = arith.muli %x{i}, %x0 : index"),
    "index differences": function("%x0: index, %y: index", "  %x{j} = arith.floordivsi %x{i}, %y : index"),
    "casts": function(
        "%x0: index",
        "  %y{j} = arith.index_cast %x{i} : index to i32\n  %x{j} = arith.index_cast %y{j} : i32 to index",
    ),
    "tiny functions": joined("", "func.func @f{i}(%a: i32) -> i32 {\n  func.return %a : i32\n}\n"),
    "empty functions": joined("", "func.func @f{i}() { func.return }\n"),
    "declarations": joined("", "func.func private @f{i}(i32)\n"),
    "calls": function("", "  func.call @f() : () -> ()"),
    "calls of others": lambda n: (
        function("", "  func.call @g{i}() : () -> ()")(n) + joined("", "func.func private @g{i}()\n")(n)
    ),
    "arguments": lambda n: f"func.func @f({joined(', ', '%a{i}: i32')(n)}) {{\n  func.return\n}}\n",
    "results": lambda n: (
        f"func.func @f(%a: i32) -> ({joined(', ', 'i32')(n)}) {{\n"
        f"  func.return {joined(', ', '%a')(n)} : {joined(', ', 'i32')(n)}\n}}\n"
    ),
    "operands": lambda n: (
        f'func.func @f(%a: i32) {{\n  "a.b"({joined(", ", "%a")(n)}) : ({joined(", ", "i32")(n)}) -> ()\n'
        "  func.return\n}\n"
    ),
    "results of one op": lambda n: (
        f'func.func @f() {{\n  %x:{n} = "a.b"() : () -> ({joined(", ", "i32")(n)})\n  func.return\n}}\n'
    ),
    "results used each": lambda n: (
        f'func.func @f() {{\n  %x:{n} = "a.b"() : () -> ({joined(", ", "i32")(n)})\n'
        + joined("\n", '  "a.c"(%x#{i}) : (i32) -> ()')(n)
        + "\n  func.return\n}\n"
    ),
    "unknown ops": function("%a: i32", '  "a.b"(%a) : (i32) -> ()'),
    "generic ops": function("%x0: i32", '  %x{j} = "arith.addi"(%x{i}, %x{i}) : (i32, i32) -> i32'),
    "ops with attributes": function("%a: i32", '  "a.b"(%a) {x = {i} : i64} : (i32) -> ()'),
    "blocks": whole("func.func @f() {\n  cf.br ^b0\n", "^b{i}:\n  cf.br ^b{j}", "\n^b{i}:\n  func.return\n}\n"),
    "arguments of a block": lambda n: (
        f"func.func @f(%x: i32) {{\n  cf.br ^b({joined(', ', '%x')(n)} : {joined(', ', 'i32')(n)})\n"
        f"^b({joined(', ', '%a{i}: i32')(n)}):\n  func.return\n}}\n"
    ),
    "values, then branches": lambda n: (
        "func.func @f(%c: i1) {\n"
        + joined("\n", "  %x{i} = arith.constant {i} : i32\n")(n)
        + joined("\n", "  scf.if %c {\n  }\n")(n)
        + "  func.return\n}\n"
    ),
    "ops of one long type": lambda n: (
        f"!t = memref<{'1x' * n}f32>\nfunc.func @f() {{\n"
        + joined("\n", "  %m{i} = memref.alloca() : !t")(n // 8)
        + "\n  func.return\n}\n"
    ),
    "blocks backwards": lambda n: (
        f"func.func @f() {{\n  cf.br ^b{n}\n"
        + "".join(f"^b{i + 1}:\n  cf.br ^b{i}\n" for i in range(n))
        + "^b0:\n  func.return\n}\n"
    ),
    "blocks that branch": whole(
        "func.func @f(%c: i1) {\n  cf.br ^b0\n",
        "^b{i}:\n  cf.cond_br %c, ^b{j}, ^b0",
        "\n^b{i}:\n  func.return\n}\n",
    ),
    "blocks with values": whole(
        "func.func @f(%x: i32) {\n  cf.br ^b0(%x : i32)\n",
        "^b{i}(%a{i}: i32):\n  cf.br ^b{j}(%a{i} : i32)",
        "\n^b{i}(%a{i}: i32):\n  func.return\n}\n",
    ),
    "blocks that use the first value": whole(
        "func.func @f(%c: i1, %x: i32) {\n  %y = arith.addi %x, %x : i32\n  cf.br ^b0\n",
        "^b{i}:\n  %z{i} = arith.addi %y, %x : i32\n  cf.cond_br %c, ^b{j}, ^last",
        "\n^b{i}:\n  cf.br ^last\n^last:\n  func.return\n}\n",
    ),
    "ladder of blocks": whole(
        "func.func @f(%c: i1) {\n  cf.br ^a0\n",
        "^a{i}:\n  cf.cond_br %c, ^a{j}, ^b{j}\n^b{j}:\n  cf.cond_br %c, ^a0, ^a{j}",
        "\n^a{i}:\n  func.return\n}\n",
    ),
    "blocks that nothing enters": whole("func.func @f() {\n  func.return\n", "^b{i}:\n  func.return", "\n}\n"),
    "loops": function("%c: index", "  scf.for %i{i} = %c to %c step %c {\n  }"),
    "loops inside one another": nested("func.func @f(%c: index) {\n", _LOOP, "", "}\n", "  func.return\n}\n"),
    "loops of one value": function(
        "%c: index, %x0: i32",
        "  %x{j} = scf.for %i{i} = %c to %c step %c iter_args(%y = %x{i}) -> (i32) {\n    scf.yield %y : i32\n  }",
    ),
    "values that a loop carries": lambda n: (
        "func.func @f(%c: index, %x: i32) {\n"
        f"  %r:{n} = scf.for %i = %c to %c step %c iter_args({joined(', ', '%a{i} = %x')(n)})"
        f" -> ({joined(', ', 'i32')(n)}) {{\n"
        f"    scf.yield {joined(', ', '%a{i}')(n)} : {joined(', ', 'i32')(n)}\n  }}\n  func.return\n}}\n"
    ),
    "branches": function("%c: i1", "  scf.if %c {\n  }"),
    "branches of one value": function(
        "%c: i1, %x0: i32",
        "  %x{j} = scf.if %c -> (i32) {\n    scf.yield %x{i} : i32\n  } else {\n    scf.yield %x0 : i32\n  }",
    ),
    "branches inside one another": nested("func.func @f(%c: i1) {\n", "scf.if %c {\n", "", "}\n", "  func.return\n}\n"),
    "while loops": function(
        "%x: i32, %c: i1",
        "  %w{i} = scf.while (%y = %x) : (i32) -> i32 {\n    scf.condition(%c) %y : i32\n  } do {\n"
        "  ^b(%z: i32):\n    scf.yield %z : i32\n  }",
    ),
    "modules": joined("", "builtin.module {\n}\n"),
    "named modules": joined("", "builtin.module @m{i} {\n}\n"),
    "modules inside one another": nested("", "builtin.module {\n", "", "}\n", ""),
    "modules of gpu": joined("", "gpu.module @m{i} {\n}\n"),
    "functions of gpu": whole("gpu.module @m {\n", "  gpu.func @f{i}() kernel {\n    gpu.return\n  }", "\n}\n"),
    "allocations": function("", "  %m{i} = memref.alloca() : memref<{j}xf32>"),
    "loads of memory": function("%m: memref<64xf32>, %i: index", "  %x{i} = memref.load %m[%i] : memref<64xf32>"),
    "stores to memory": function(
        "%m: memref<64xf32>, %i: index, %x: f32", "  memref.store %x, %m[%i] : memref<64xf32>"
    ),
    "loads and stores": function(
        "%m: memref<64xf32>, %i: index",
        "  %x{i} = memref.load %m[%i] : memref<64xf32>\n  memref.store %x{i}, %m[%i] : memref<64xf32>",
    ),
    "indices of one load": lambda n: (
        f"func.func @f(%m: memref<{'1x' * n}f32>, %i: index) {{\n"
        f"  %x = memref.load %m[{', '.join(['%i'] * n)}] : memref<{'1x' * n}f32>\n  func.return\n}}\n"
    ),
    "vector extracts": function("%v: vector<4xf32>", "  %x{i} = vector.extract %v[1] : f32 from vector<4xf32>"),
    "vector inserts": function(
        "%x: f32, %v0: vector<4xf32>", "  %v{j} = vector.insert %x, %v{i} [1] : f32 into vector<4xf32>"
    ),
    "vector shuffles": lambda n: (
        "func.func @f(%v: vector<4xf32>) {\n"
        f"  %w = vector.shuffle %v, %v [{joined(', ', '1')(n)}] : vector<4xf32>, vector<4xf32>\n  func.return\n}}\n"
    ),
    "vector elements": lambda n: (
        f"func.func @f(%x: f32) {{\n  %v = vector.from_elements {joined(', ', '%x')(n)} : vector<{n}xf32>\n"
        "  func.return\n}\n"
    ),
    "assertions": function("%c: i1", '  cf.assert %c, "it holds {i}"'),
    "threads": function("", "  %x{i} = gpu.thread_id x"),
    "barriers": function("", "  gpu.barrier"),
    "math": function("%x0: f32", "  %x{j} = math.exp %x{i} : f32"),
    "llvm casts": function("%x0: i64", "  %p{i} = llvm.inttoptr %x0 : i64 to !llvm.ptr"),
    "comments": joined("\n", "// {i}"),
    "blank lines": lambda n: "\n" * n,
    "blanks": lambda n: " " * n,
    "a long name": lambda n: f"func.func @{'f' * n}() {{ func.return }}",
    "a long string": lambda n: f'func.func @f() attributes {{x = "{"s" * n}"}} {{ func.return }}',
    "escapes": lambda n: f'func.func @f() attributes {{x = "{chr(92)}0A{chr(92) + "0A" * n}"}} {{ func.return }}',
    "strings": attributed(lambda n: f"[{joined(', ', chr(34) + 's{i}' + chr(34))(n)}]"),
    "an array": attributed(lambda n: f"[{joined(', ', '{i}')(n)}]"),
    "a dense array": attributed(lambda n: f"array<i64: {joined(', ', '{i}')(n)}>"),
    "a dense tensor": attributed(lambda n: f"dense<[{joined(', ', '{i}')(n)}]> : tensor<{n}xi32>"),
    "a dense tensor of rows": attributed(lambda n: f"dense<[{joined(', ', '[{i}]')(n)}]> : tensor<{n}x1xi32>"),
    "a dense tensor of floats": attributed(lambda n: f"dense<[{joined(', ', '{i}.5')(n)}]> : tensor<{n}xf32>"),
    "deep dense": attributed(lambda n: f"dense<{'[' * n}1{']' * n}> : tensor<{'1x' * n}i32>"),
    "a dictionary": attributed(lambda n: f"{{{joined(', ', 'k{i} = {i}')(n)}}}"),
    "a dictionary of units": lambda n: f"func.func @f() attributes {{{joined(', ', 'k{i}')(n)}}} {{ func.return }}\n",
    "symbols": attributed(lambda n: f"@a{joined('', '::@b{i}')(n)}"),
    "deep arrays": attributed(lambda n: "[" * n + "]" * n),
    "deep dictionaries": attributed(lambda n: "{a = " * n + "1" + "}" * n),
    "types": attributed(lambda n: f"[{joined(', ', 'memref<{j}xf32>')(n)}]"),
    "floats of many digits": attributed(lambda n: f"1.{'1' * n}"),
    "an integer of many digits": attributed(lambda n: "1" * n),
    "hexadecimal": attributed(lambda n: f"0x{'1' * n}"),
    "affine maps": attributed(lambda n: f"affine_map<({joined(', ', 'd{i}')(n)}) -> (d0)>"),
    "an affine sum": attributed(lambda n: f"affine_map<(d0) -> ({joined(' + ', 'd0')(n)})>"),
    "an affine product": attributed(lambda n: f"affine_map<(d0) -> ({joined(' * ', '2')(n)})>"),
    "affine results": attributed(lambda n: f"affine_map<(d0) -> ({joined(', ', 'd0 + {i}')(n)})>"),
    "affine sets": attributed(lambda n: f"affine_set<(d0) : ({joined(', ', 'd0 - {i} >= 0')(n)})>"),
    "affine brackets": attributed(lambda n: f"affine_map<(d0) -> ({'(' * n}d0{')' * n})>"),
    "a memref of many dimensions": typed(lambda n: f"memref<{'1x' * n}f32>"),
    "a memref of unknown dimensions": typed(lambda n: f"memref<{'?x' * n}f32>"),
    "a vector of many dimensions": typed(lambda n: f"vector<{'1x' * n}f32>"),
    "a vector of scalable dimensions": typed(lambda n: f"vector<{'[1]x' * n}f32>"),
    "a tensor of many dimensions": typed(lambda n: f"tensor<{'1x' * n}f32>"),
    "strided memrefs": typed(lambda n: f"memref<{'1x' * n}f32, strided<[{joined(', ', '1')(n)}]>>"),
    "memrefs of maps": typed(lambda n: f"memref<4xf32, affine_map<(d0) -> ({joined(' + ', 'd0')(n)})>>"),
    "a tuple": typed(lambda n: f"tuple<{joined(', ', 'i32')(n)}>"),
    "deep tuples of MLIR": typed(lambda n: "tuple<" * n + ">" * n),
    "a function type": typed(lambda n: f"({joined(', ', 'i32')(n)}) -> ()"),
    "deep function types": typed(lambda n: "() -> " * n + "()"),
    "complex types": typed(lambda n: "complex<" * n + "f32" + ">" * n),
    "structs of llvm": typed(lambda n: f"!llvm.struct<({joined(', ', 'i32')(n)})>"),
    "deep structs": typed(lambda n: "!llvm.struct<(" * n + "i32" + ")>" * n),
    "arrays of llvm": typed(lambda n: "!llvm.array<1 x " * n + "i32" + ">" * n),
    "unknown types": function("", '  %x{i} = "a.b"() : () -> !a.t<{i}>'),
    "an unknown type": typed(lambda n: f"!a.t<{joined(', ', '{i}')(n)}>"),
    "deep unknown types": typed(lambda n: "!a.t<" * n + ">" * n),
    "attribute aliases": lambda n: joined("", "#a{i} = {i} : i32\n")(n) + "func.func @f() { func.return }\n",
    "aliases of aliases": lambda n: (
        "#a0 = 1 : i32\n" + joined("", "#a{j} = [#a{i}]\n")(n) + f'"a.b"() {{x = #a{n}}} : () -> ()\n'
    ),
    "aliases doubled": lambda n: (
        "#a0 = 1 : i32\n" + joined("", "#a{j} = [#a{i}, #a{i}]\n")(n) + f'"a.b"() {{x = #a{n}}} : () -> ()\n'
    ),
    "type aliases": lambda n: joined("", "!t{i} = memref<{j}xf32>\n")(n) + "func.func @f(%a: !t0) { func.return }\n",
    "type aliases of aliases": lambda n: (
        "!t0 = i32\n" + joined("", "!t{j} = tuple<!t{i}>\n")(n) + f"func.func @f(%a: !t{n}) {{ func.return }}\n"
    ),
    "type aliases used": lambda n: (
        joined("", "!t{i} = memref<{j}xf32>\n")(n) + joined("", "func.func private @f{i}(!t{i})\n")(n)
    ),
    "locations": function("%x0: i32", '  %x{j} = arith.addi %x{i}, %x{i} : i32 loc("a.py":{j}:3)'),
    "location aliases": lambda n: (
        function("%x0: i32", "  %x{j} = arith.addi %x{i}, %x{i} : i32 loc(#loc{i})")(n)
        + joined("", '#loc{i} = loc("a.py":{j}:3)\n')(n)
    ),
    "locations by others": lambda n: (
        function("%x0: i32", "  %x{j} = arith.addi %x{i}, %x{i} : i32 loc(#loc{i})")(n)
        + '#loc = loc("a.py":1:3)\n'
        + joined("", "#loc{i} = loc(callsite(#loc at #loc))\n")(n)
    ),
    "location aliases in a chain": lambda n: (
        f"func.func @f() {{\n  func.return loc(#loc{n})\n}}\n"
        + '#loc0 = loc("a.py":1:3)\n'
        + joined("", '#loc{j} = loc("n"(#loc{i}))\n')(n)
    ),
    "location aliases doubled": lambda n: (
        f"func.func @f() {{\n  func.return loc(#loc{n})\n}}\n"
        + '#loc0 = loc("a.py":1:3)\n'
        + joined("", "#loc{j} = loc(callsite(#loc{i} at #loc{i}))\n")(n)
    ),
    "fused locations": lambda n: (
        "func.func @f() {\n  func.return loc(fused[" + joined(", ", '"a.py":{j}:1')(n) + "])\n}\n"
    ),
    "deep locations": lambda n: (
        "func.func @f() {\n  func.return loc(" + 'callsite("a" at ' * n + "unknown" + ")" * n + ")\n}\n"
    ),
    "named locations": lambda n: "func.func @f() {\n  func.return loc(" + '"a"(' * n + "unknown" + ")" * n + ")\n}\n",
    "values used before they are defined": function("", '  "a.b"(%x{j}) : (i32) -> ()\n  %x{i} = "a.c"() : () -> i32'),
    "values never defined": function("", '  "a.b"(%x{i}) : (i32) -> ()'),
    "wrong ops": function("%a: f32", "  %x{i} = arith.addi %a, %a : f32"),
    "wrong functions": joined("", "func.func @f{i}(%a: i32) -> f32 {\n  func.return %a : i32\n}\n"),
    "functions of one name": joined("", "func.func @f() { func.return }\n"),
    "values of one name": function("%x: i32", "  %x = arith.addi %x, %x : i32"),
    "labels of one name": whole("func.func @f() {\n", "^b:\n  func.return", "\n}\n"),
    "regions of an unknown op": lambda n: f'"a.b"() ({joined(", ", "{}")(n)}) : () -> ()\n',
    "deep regions": lambda n: '"a.b"() ({\n' * n + "}) : () -> ()\n" * n,
    "buffers": function("%p: !tile.buffer<64xf32>, %i: index", "  %x{i} = tile.load %p[%i] : !tile.buffer<64xf32>"),
    "open brackets": lambda n: "(" * n,
    "open quotes": lambda n: '"' * n,
    "open comments": lambda n: "/" * n,
    "percent signs": lambda n: "%" * n,
    "hashes": lambda n: "#" * n,
    "one word": lambda n: "a" * n,
    "digits": lambda n: "1" * n,
    "hats": lambda n: "^a" * n,
    "minus signs": lambda n: "-" * n,
    "back slashes": lambda n: f'"{chr(92) * n}',
    "results without an op": lambda n: joined(", ", "%a{i}")(n) + " = ",
    "a result of many": lambda n: "func.func @f() {\n  " + joined(", ", "%a{i}")(n) + ' = "a.b"() : () -> ()\n}\n',
    "expected errors": joined("\n", "// expected-error @+1 {{word {i}}}"),
    "marks between modules": joined("\n", "// -----"),
}
