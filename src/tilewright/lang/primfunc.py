"""`prim_func`: a function's source becomes a `PrimFunc`, which holds the `tile` module."""

from __future__ import annotations

import ast
import sys
from collections.abc import Callable, Iterable
from types import FrameType
from typing import NoReturn, Unpack, overload

from xdsl.dialects.builtin import ModuleOp

from tilewright.arch.target import Target
from tilewright.errors import KernelError
from tilewright.ir.script.tirx import script
from tilewright.ir.text import verify
from tilewright.ir.tile.bulk import TensorMapType
from tilewright.lang.addresses import TensorMapParameter
from tilewright.lang.calls import NUMBERS, number, view
from tilewright.lang.choices import CHOICES
from tilewright.lang.comprehensions import COMPREHENSIONS
from tilewright.lang.expressions import EXPRESSIONS
from tilewright.lang.inlining import INLINING, run_kernel
from tilewright.lang.names import Buffer, Name, TensorMap, handle
from tilewright.lang.source import KernelSource, read
from tilewright.lang.statements import STATEMENTS
from tilewright.lang.texts import TEXTS
from tilewright.lang.tracer import Handlers, Tracer
from tilewright.lang.values import Handle
from tilewright.lang.variables import VARIABLES
from tilewright.runtime.compile import compile as compile_kernel
from tilewright.runtime.kernel import CompiledKernel
from tilewright.targets.simulator.options import Switches
from tilewright.variants.call import Variant

_EXPRESSIONS: Handlers = {**EXPRESSIONS, **CHOICES, **COMPREHENSIONS, **VARIABLES, **INLINING, **TEXTS}


class PrimFunc:
    """A kernel that has been read: its name, the names of its parameters, and its module at stage `tile`.

    The module is the kernel's alone and is not to be changed; `passes.pipeline.run` works on a copy.
    """

    def __init__(self, name: str, params: tuple[str, ...], module: ModuleOp) -> None:
        self.name = name
        self.params = params
        self.module = module

    def script(self) -> str:
        """The kernel as a script, with everything captured written out."""
        return script(self.module)

    def compile(
        self,
        target: str | Target | None = None,
        variants: Iterable[Variant] = (),
        **switches: Unpack[Switches],
    ) -> CompiledKernel:
        """The kernel compiled for a target, as `tilewright.compile` does it."""
        return compile_kernel(self, target=target, variants=variants, **switches)

    def __call__(self, *arguments: object) -> NoReturn:
        """Refuses: a kernel is compiled before it runs."""
        raise KernelError(f"{self.name} is a kernel; compile it first: tilewright.compile({self.name})(...)")

    def __repr__(self) -> str:
        return f"<PrimFunc {self.name}({', '.join(self.params)})>"


@overload
def prim_func(function: Callable[..., object]) -> PrimFunc: ...
@overload
def prim_func(
    function: None = None, *, private: bool = ..., check_well_formed: bool = ...
) -> Callable[[Callable[..., object]], PrimFunc]: ...
def prim_func(
    function: Callable[..., object] | None = None, *, private: bool = False, check_well_formed: bool = True
) -> PrimFunc | Callable[[Callable[..., object]], PrimFunc]:
    """Reads the source of a function as a kernel, with the constants that it captures; the body is never executed.

    `private` and `check_well_formed` are TVM's options; they have no effect here, where every kernel is checked.

    Raises:
        KernelError: the source is no kernel; the message shows file, line and place.

    Source: TIRx.
    """
    frame = sys._getframe(1)
    return (lambda f: _trace(f, frame)) if function is None else _trace(function, frame)


def _trace(function: Callable[..., object], frame: FrameType) -> PrimFunc:
    return traced(read(function, frame))


def traced(source: KernelSource, shown: bool = False) -> PrimFunc:
    """The kernel of a source; `shown` is the tracer's.

    Raises:
        KernelError: it is no kernel.
    """
    tracer = Tracer(source, _EXPRESSIONS, STATEMENTS, shown)
    tree = tracer.source.tree
    try:
        params = _parameters(tracer, tree)
        run_kernel(tracer, tree.body)
    except RecursionError:
        raise KernelError(f"{tree.name} nests expressions too deeply", tracer.source.locate(tree)) from None
    for name, parameter in params.items():
        if isinstance(parameter, Handle) and parameter not in tracer.arguments:
            raise KernelError(f"the parameter {name!r} is never viewed by T.match_buffer", tracer.source.locate(tree))
    module = ModuleOp([tracer.finish()])
    verify(module)
    return PrimFunc(tree.name, tuple(params), module)


def _parameters(t: Tracer, tree: ast.FunctionDef) -> dict[str, object]:
    arguments = tree.args
    if arguments.vararg or arguments.kwarg or arguments.kwonlyargs or arguments.defaults or arguments.posonlyargs:
        raise KernelError("a kernel's parameters are plain names, A: T.handle", t.source.locate(tree))
    params: dict[str, object] = {}
    for position, argument in enumerate(arguments.args):
        params[argument.arg] = parameter = Handle(argument.arg, position)
        with t.located(argument), t.scopes.outer(t.source.enclosing):
            value = _annotated(t, argument, parameter)
        t.scopes.bind(argument.arg, value)
    return params


def _annotated(t: Tracer, argument: ast.arg, parameter: Handle) -> object:
    annotation = argument.annotation
    if isinstance(annotation, ast.Call):
        function = t.visit(annotation.func)
        if function == Buffer:
            return view(t, parameter, annotation)
        if function == TensorMap and not annotation.args and not annotation.keywords:
            return TensorMapParameter(t.argument(parameter, TensorMapType()))
    kind = None if annotation is None else t.visit(annotation)
    if isinstance(kind, Name) and kind.path in NUMBERS:
        return number(t, parameter, kind.path)
    if kind != handle:
        raise KernelError(
            f"the parameter {argument.arg!r} needs the annotation T.handle, T.Buffer(shape, dtype) or, for a number, "
            f"T.{', T.'.join(NUMBERS)}"
        )
    return parameter
