"""Random mutants of a kernel: a well-formed source in which some expressions are replaced by others."""

from __future__ import annotations

import ast
import copy
import linecache
import random
import warnings
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from tilewright.script import tirx as T
from tilewright.script.tirx import tile as Tx
from tilewright.tirx.layout import ComposeLayout, S, TileLayout

KERNEL = """
def f(A: T.handle, B: T.handle, C: T.handle, D: T.Buffer((32, 16), "uint8"), E: T.Buffer((2, 4, 32))):
    a = T.match_buffer(A, (32, 16), "int32", layout=layout)
    b = T.match_buffer(B, (32, 16), "uint32", layout=swizzled)
    c = T.match_buffer(C, (32, 16), "float32")
    T.device_entry()
    bx = T.cta_id([1])
    tx = T.thread_id([32])
    own = T.alloc_local((4,), "int32")
    pool = T.SMEMPool()
    tile = pool.alloc((16, 16), "int32", layout=folded, align=64)
    pool.move_base_to(2048)
    bytes = pool.alloc((32,), "uint8")
    turned = T.decl_buffer((8, 32), "int32", data=tile.data, elem_offset=0, layout=TileLayout(S[(8, 32) : (1, 8)]))
    pool.commit(4096)
    bytes[tx] = D[tx, 2]
    for i in range(8):
        turned[i, tx] = i * tx
    T.cuda.cta_sync()
    for q in T.unroll(4):
        own[q] = q * tx
    for i in T.serial(0, 4):
        for j in T.unroll(0, 4):
            if tx + 16 * i < j * 3 and not tx % 3 == 1:
                b[tx, j] = (b[tx, j + 1] + 7) // 3 ^ (T.cast(j * i - 1, "uint32") & 255) << 2
            else:
                a[tx, (i * 4 + j + tx) % 16] = -a[tx, j] * (2 + a[tx, tx // 2]) - (a[tx, 1] - 3) // 5 + a[tx, j] % 7
    y = b[tx, 4] // 3 + 7
    b[tx, 4] = y
    z = (y ^ (y >> 1)) * (T.max(y, b[tx, 5]) + y) // (y % 5 + 1)
    b[tx, 5] = z - y
    b[tx, 6] = z * z + (z if z < y else y)
    own[tx & 3] += a[tx, (tx >> 1) ^ 3] + tile[tx % 16, tx // 2] + T.cast(bytes[31 - tx], "int32")
    c[tx, 0] = c[tx, tx * 3 // 4 % 16] / 2.5 - (c[tx, 3] - 1e-3) * c[tx, 0]
    c[tx, 1] = T.max(c[tx, 2], 0.0) if a[tx, 0] != own[1] or tx > 1 else T.cast(own[2], "float32")
    for p, q in T.grid(2, 3):
        x = p * 3 + q % 2
        D[tx, p * 3 + q] = D[tx, x % 4] + T.uint8(3) - T.cast(b[tx, x], "uint8") // 3 % 5
        T.cuda.warp_sync()
        D[tx, (x * 8 + tx % 8) // 4 % 16] = T.cast(T.min(x * 5 + tx, 77 - p) % 9 * 4 // 3, "uint8")
    for s in T.serial(0, 2):
        Tx.warp.permute_layout(E[s, 0:4], E[1 - s, 0:4])
"""

REPLACEMENTS = """
    0 | 1 | -1 | 4 | 64 | 2**40 | 1 << 70 | 3.5 | True | None | 'float32' | 'int8' | 'shared' | () | (1, 2) | [3]
    {1: 2} | lambda: 3 | f'{i}' | T | Tx | S | T.serial | T.cuda | T.handle | T.Buffer | T.Buffer((4,)) | len
    T.Buffer((4,), 'f32') | TileLayout | A | a | b | c | D | E | own | bx | tx | i | j | p | q | s | x | undefined
    layout | swizzled | shape | a[0, 0] | a[tx, j] | b[0, 0] | b[tx, j] >> 1 | b[0:2] | c[0] | c[i] | c[tx, 3]
    c[c[0]] | b[b[0, 0], 0] | E[0, 0, tx] | a.shape | a.dtype | a.layout | S[4, 32] | TileLayout(S[32, 16])
    TileLayout(S[(32, 16) : (-1, 32)]) | min(1, 2) | T.serial(3) | range(3) | T.max(i, j) | T.cast(i, 'float64')
    pool | tile | turned | bytes | tile.data | a.data | pool.offset | pool.alloc((4, 8), 'int8') | 48 | 2048
    T.decl_buffer((4, 8), 'int32', data=own.data) | T.decl_buffer((16,), 'int32', scope='shared.dyn') | pool.alloc
    T.cast(a[tx, 0], 'index') | T.if_then_else(i < 2, 1, 2) | T.float8_e4m3fn(1.0) | T.bool(1) | T.meta_var(i)
    i < 2 | not i | ~i | -b[0, 0] | i if j < 3 else 2.0 | i // 0 | i % 0 | i // j | i % (j + 1) | i << j
    b[0, 0] << 3 | i * i * i * i | tx // 4 | (tx * 4 + x) // 8 | tx % 5
"""
TEXTS = [text.strip() for line in REPLACEMENTS.strip().splitlines() for text in line.split(" | ")]
POOL = [ast.parse(text, mode="eval").body for text in TEXTS]
SURROUNDINGS: Mapping[str, Any] = {
    "T": T,
    "Tx": Tx,
    "S": S,
    "TileLayout": TileLayout,
    "ComposeLayout": ComposeLayout,
    "shape": (4, 32),
    "layout": TileLayout(S[(32, 4, 4) : (16, 1, 4)]),
    "swizzled": ComposeLayout(2, 2, 2, TileLayout(S[32, 16])),
    "folded": ComposeLayout(1, 2, 3, TileLayout(S[16, 16])),
}


@dataclass
class _Replace(ast.NodeTransformer):
    """Replaces the expression of one number."""

    number: int
    by: ast.expr
    seen: int = -1

    def generic_visit(self, node: ast.AST) -> ast.AST:
        if isinstance(node, ast.expr):
            self.seen += 1
            if self.seen == self.number:
                made = copy.deepcopy(self.by)
                if hasattr(made, "ctx") and hasattr(node, "ctx"):
                    made.ctx = node.ctx
                return made
        return super().generic_visit(node)


def mutants(rng: random.Random, count: int) -> Iterator[str]:
    """`count` sources that Python compiles."""
    original = ast.parse(KERNEL)
    expressions = sum(isinstance(node, ast.expr) for node in ast.walk(original))
    while count:
        tree = copy.deepcopy(original)
        for _ in range(rng.choice([1, 1, 1, 2, 3])):
            tree = _Replace(rng.randrange(expressions), rng.choice(POOL)).visit(tree)
        source = "from __future__ import annotations\n" + ast.unparse(ast.fix_missing_locations(tree))
        if _compiles(source):
            count -= 1
            yield source


def define(source: str, name: str) -> Any:
    """The function `f` of a source, which `inspect` finds under `name`."""
    linecache.cache[name] = (len(source), None, source.splitlines(keepends=True), name)
    namespace = dict(SURROUNDINGS)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        exec(compile(source, name, "exec"), namespace)  # a function is made, nothing is called
    return namespace["f"]


def _compiles(source: str) -> bool:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            compile(source, "mutant", "exec")
        except (SyntaxError, ValueError):
            return False
    return True
