"""`from_source`: the script of a kernel, at any stage, is the kernel again."""

from __future__ import annotations

import ast
from collections.abc import Mapping

from xdsl.context import Context
from xdsl.passes import ModulePass

from tilewright.errors import KernelError, SourceLocation, UsageError
from tilewright.ir.stages import STAGES
from tilewright.lang.names import Namespace
from tilewright.lang.namespaces import NAMES
from tilewright.lang.primfunc import PrimFunc, traced
from tilewright.lang.source import KernelSource
from tilewright.layout.axes import AXES
from tilewright.passes.cse import Cse
from tilewright.passes.dce import Dce
from tilewright.passes.lower_buffers import LowerBuffers
from tilewright.tirx.compose_layout import ComposeLayout
from tilewright.tirx.spec import R, S
from tilewright.tirx.swizzle_layout import SwizzleLayout
from tilewright.tirx.tile_layout import TileLayout

FILE = "<script>"
_T = Namespace("", NAMES)
# The names that scripts use; nothing of the text is executed.
_LAYOUTS = {"S": S, "R": R, "TileLayout": TileLayout, "ComposeLayout": ComposeLayout, "SwizzleLayout": SwizzleLayout}
SCRIPT_NAMES: Mapping[str, object] = {"T": _T, "Tx": NAMES["tile"], **_LAYOUTS, **AXES}
# What makes of a kernel in the words of `tile` one of a later stage.
_FLAT = LowerBuffers(bounds=False)
_LATER: Mapping[str, tuple[ModulePass, ...]] = {"lowered": (_FLAT,), "final": (_FLAT, Cse(), Dce())}


def from_source(text: str, stage: str = "tile") -> PrimFunc:
    '''The kernel that a script of that stage shows: `from_source(kernel.script(stage), stage)` has the same IR.

    Pure operations may stand elsewhere there. Imports in the text are passed over; T, Tx, layouts and axes are known.
    Nothing is executed.

    Raises:
        KernelError: the text is no script of one kernel; the message shows line and place.
        UsageError: no such stage.

    >>> kernel = from_source("""
    ... def twice(A: T.Buffer((32,), "float32")):
    ...     T.cta_id([1])
    ...     t = T.thread_id([32])
    ...     A[t] = A[t] * 2.0
    ... """)
    >>> final = kernel.compile().script("final")
    >>> from_source(final, "final").script() == final
    True
    '''
    if stage not in STAGES:
        raise UsageError(f"unknown stage {stage!r}; the stages are {', '.join(STAGES)}")
    source = KernelSource(_function(text), FILE, 1, 0, tuple(text.splitlines()), dict(SCRIPT_NAMES), {})
    kernel = traced(source, shown=True)
    for step in _LATER.get(stage, ()):
        step.apply(Context(), kernel.module)
    STAGES[stage].check(kernel.module)
    return kernel


def _function(text: str) -> ast.FunctionDef:
    try:
        nodes = [node for node in ast.parse(text).body if not isinstance(node, ast.Import | ast.ImportFrom)]
    except SyntaxError as error:
        place = SourceLocation(FILE, error.lineno or 1, error.offset or 1, error.text or "")
        raise KernelError(f"the script is no Python: {error.msg}", place) from None
    if len(nodes) != 1 or not isinstance(nodes[0], ast.FunctionDef):
        raise KernelError(f"a script is one function under @T.prim_func, got {len(nodes)} statements")
    return nodes[0]
