"""Kernels made wrong at one place: another value in the place of an expression, or a statement that does not belong."""

from __future__ import annotations

import ast
import contextlib
import io
import json
import lzma
import random
import warnings
from pathlib import Path

import numpy as np
from fx_programs import loaded

from tilewright.errors import CompileError, KernelError, TilewrightError
from tilewright.passes.fly.pipeline import STAGES

VALUES = (
    *("tid", "bid", "None", "A", "B", "fx", "fx.Float32", "fx.Int32(3)", "1.5", "'x'", "(1, 2)", "[1]", "-1", "0"),
    *("fx.Boolean(True)", "2**40", "tile_mn", "tv", "fx.T.f32", "atom", "smem", "r", "a"),
)
STATEMENTS = (
    *("lambda: tid", "del tid", "tid = None", "for q in A: pass", "while tid: tid -= 1", "if tid: return"),
    *("return tid", "with tid: pass", "x = A[...]", "x = A[0:2]", "x = tid[0]", "x = not A", "x = tid in [1, 2]"),
    *("assert tid > -1", "x = [i for i in range(tid)]", "x = sum(range(4)) + tid", "x = max(tid, 3)", "x = f'{tid}'"),
    *("x = {tid: 1}", "x = int(tid)", "x = bool(tid)", "import os", "class Z: pass", "x = tid if A else bid"),
    *("x, y = tid", "x = fx.size(tid)", "x = tid ** 2", "x = -A", "x = A @ B", "fx.printf(tid)", "fx.printf('{}', A)"),
    *("x = (y := tid)", "fx.copy(A, B)", "fx.copy()", "x = fx.Vector([1, 2]) + tid", "x = fx.make_layout((), ())"),
    *("x = fx.make_shape(1.5)", "x = fx.make_layout(0, 1)", "x = fx.make_tile(A)", "x = fx.Array[fx.Float32, 0]"),
    *("fx.gpu.barrier(1)", "x = fx.SharedAllocator().allocate(5).peek()[0]", "nonexistent()", "x = tid.nothing"),
    *("tid.x = 3", "A.y = 3", "A[tid] = A", "x = (i for i in [tid])", "x = yield_(tid)", "while A: break"),
)
DATA = Path(__file__).parents[1] / "data" / "flydsl_dumps.json.xz"
SHAPES = {
    "add": ((1, 4096),) * 3,
    "transpose": ((128, 128),) * 2,
    "pointers": ((128, 32),) * 2,
    "direct": ((1, 4096),) * 2,
    "reduce": ((1024,), (4,)),
}
CONSTANTS = {"transpose": (True,), "pointers": (33,), "direct": (False,)}
_CHANGED = (ast.Name, ast.Constant, ast.Call, ast.BinOp, ast.Tuple, ast.Attribute, ast.Compare, ast.Subscript)


class _Replace(ast.NodeTransformer):
    """Puts another value in the place of the expression of a number; counts them."""

    def __init__(self, at: int, text: str) -> None:
        self._at, self._text, self.count = at, text, 0

    def visit(self, node: ast.AST) -> ast.AST:
        node = self.generic_visit(node)
        if not isinstance(node, _CHANGED) or not isinstance(getattr(node, "ctx", ast.Load()), ast.Load):
            return node
        self.count += 1
        return ast.parse(self._text, mode="eval").body if self.count == self._at else node


def mutant(source: str, kernel: str, rng: random.Random) -> str:
    """The file with the kernel made wrong somewhere in its body."""
    tree = ast.parse(source)
    function = next(x for x in tree.body if isinstance(x, ast.FunctionDef) and x.name == kernel)
    body = ast.Module(function.body, [])
    if rng.random() < 0.4:
        at, text = rng.randrange(len(body.body)), rng.choice(STATEMENTS)
        function.body[at:at] = ast.parse(f"if True:\n    {text}").body
    else:
        counted = _Replace(-1, "0")
        counted.visit(ast.parse(ast.unparse(body)))
        function.body = _Replace(rng.randint(1, counted.count), rng.choice(VALUES)).visit(body).body
    return ast.unparse(ast.fix_missing_locations(tree))


def source() -> str:
    text = json.loads(lzma.decompress(DATA.read_bytes()))["kernels"].partition("from flydsl.utils.smem_allocator")[0]
    return str(text).replace("import torch\n", "").replace("flydsl", "tilewright")


def verdict(seed: int, path: Path) -> str:
    """What became of a mutant: `ran`, or the name of its error; any error that is not ours passes.

    What runs gives the same bytes at every stage, where the stage takes it.
    """
    rng = random.Random(seed)
    name = rng.choice(list(SHAPES))
    text = mutant(source(), f"{name}_kernel", rng)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", SyntaxWarning)
        module = loaded(path, text)
    given = [np.random.default_rng(seed).integers(-9, 10, shape).astype(np.float32) for shape in SHAPES[name]]
    arrays = [array.copy() for array in given]
    try:
        with contextlib.redirect_stdout(io.StringIO()):
            getattr(module, name)(*arrays, *CONSTANTS.get(name, ()))
    except KernelError as error:
        if error.location is None or error.location.file != str(path):
            raise AssertionError(f"no line of {path}: {error}") from error
        return "KernelError"
    except TilewrightError as error:
        return type(error).__name__
    for stage in STAGES[1:]:
        again = [array.copy() for array in given]
        with contextlib.redirect_stdout(io.StringIO()), contextlib.suppress(CompileError):
            getattr(module, name).simulate(stage, *again, *CONSTANTS.get(name, ()))
            assert [x.tobytes() for x in again] == [x.tobytes() for x in arrays], f"{stage} of seed {seed}"
    return "ran"
