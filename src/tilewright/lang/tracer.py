"""The tracer: walks a kernel's syntax tree by a table of handlers and builds the `tile` module."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import lru_cache

from xdsl.builder import Builder
from xdsl.dialects import func, gpu, scf
from xdsl.dialects.builtin import (
    CallSiteLoc,
    DenseArrayBase,
    FileLineColLoc,
    FunctionType,
    IntAttr,
    IntegerAttr,
    LocationAttr,
    StringAttr,
    UnknownLoc,
    i64,
)
from xdsl.ir import Attribute, Block, BlockArgument, Operation, SSAValue
from xdsl.rewriter import InsertPoint

from tilewright.errors import KernelError, TilewrightError
from tilewright.ir.core.attributes import BLOCK, GRID, POOL, WARPS
from tilewright.ir.core.elements import ElementBuilder
from tilewright.ir.core.rewrite import erase
from tilewright.lang.indices import WrittenIndices
from tilewright.lang.pool import Pool
from tilewright.lang.scopes import Scopes
from tilewright.lang.source import KernelSource
from tilewright.lang.tensor_pool import TensorPool
from tilewright.lang.values import PYTHONS, Handle, Value

MOST_CALLS = 32
BUILTINS = {function.__name__: function for function in PYTHONS}


Handlers = Mapping[type[ast.AST], Callable[..., Value]]


@lru_cache(1 << 12)
def _line(file: str, line: int, column: int) -> FileLineColLoc:
    """A place as an attribute: of many ops it is the same."""
    return FileLineColLoc(StringAttr(file), IntAttr(line), IntAttr(column))


class Tracer:
    """The state of reading one kernel: its names, the function under construction and the insertion point.

    `shown`: is it a script that the printer wrote? There `A[i]` is the flat memory of a buffer of several dimensions,
    and a `while True` ends at its one `break` without a flag.
    """

    def __init__(self, source: KernelSource, expressions: Handlers, statements: Handlers, shown: bool = False) -> None:
        self.source, self.shown = source, shown
        self._visited: ast.AST = source.tree
        self._callers: list[LocationAttr] = []  # where the helpers are called that are being read
        self._handlers = {**expressions, **statements}
        self.scopes = Scopes(source.captured, BUILTINS)
        self.body = Block()
        self.builder = Builder(InsertPoint.at_end(self.body))
        self.builder.operation_insertion_handler = [self._locate]
        self.index = WrittenIndices(self.builder)
        self.elements = ElementBuilder(self.builder)
        self.function = func.FuncOp(source.tree.name, ([], []))
        self.function.body.detach_block(0)
        self.function.body.add_block(self.body)
        self.arguments: dict[Handle, BlockArgument] = {}
        self.pool = Pool()
        self.tensor: TensorPool | None = None
        self.perhaps_unread: list[Operation] = []  # elements that were named as places

    # ---- walking

    def visit(self, node: ast.AST) -> Value:
        """What the node evaluates to; a statement gives None.

        Raises:
            KernelError: with the place of the innermost node that is wrong.
        """
        with self.located(node):
            handler = self._handlers.get(type(node))
            if handler is None:
                raise KernelError(f"{_construct(node)} is not part of the kernel language")
            outer, self._visited = self._visited, node
            value = handler(self, node)
            self._visited = outer
            return value

    @contextmanager
    def located(self, node: ast.AST) -> Iterator[None]:
        """Errors within are `KernelError`s at the node's place, unless they have a place already."""
        try:
            yield
        except KernelError as error:
            if error.location is not None:
                raise
            raise KernelError(str(error), self.source.locate(node)) from error
        except TilewrightError as error:
            raise KernelError(str(error), self.source.locate(node)) from error

    # ---- building

    def insert(self, op: Operation) -> Operation:
        """The op at the insertion point, with the place of the node that is being visited."""
        return self.builder.insert(op)

    def placed(self, op: Operation) -> Operation:
        """The op with the place of the node that is being visited, for who inserts it elsewhere."""
        self._locate(op)
        return op

    def _locate(self, op: Operation) -> None:
        if isinstance(op.location, UnknownLoc):
            op.location = self._location()

    def _location(self) -> LocationAttr:
        place = self.source.locate(self._visited)
        found = _line(place.file, place.line, place.column + 1)
        return CallSiteLoc(found, self._callers[-1]) if self._callers else found

    @contextmanager
    def inlining(self, source: KernelSource, scopes: Scopes) -> Iterator[None]:
        """What is visited within is a helper's, with names of its own; errors say who called it.

        Raises:
            KernelError: helpers call each other without end.
        """
        if len(self._callers) == MOST_CALLS:
            raise KernelError(f"helpers call each other {MOST_CALLS} deep; one that calls itself comes to an end")
        before = self.source, self._visited, self.scopes
        place, caller = self.source.locate(self._visited), self.source.tree.name
        self._callers.append(self._location())
        self.source, self._visited, self.scopes = source, source.tree, scopes
        try:
            yield
        except KernelError as error:
            error.called_by(caller, f"{place.file}:{place.line}:{place.column + 1}")
            raise
        finally:
            self.source, self._visited, self.scopes = before
            self._callers.pop()

    @contextmanager
    def at(self, block: Block) -> Iterator[None]:
        """Building goes on at the end of `block`, with names of its own."""
        outside = self.builder.insertion_point
        self.builder.insertion_point = InsertPoint.at_end(block)
        with self.scopes.block():
            yield
        self.builder.insertion_point = outside

    @contextmanager
    def inside(self, block: Block) -> Iterator[None]:
        """As `at`; then the block ends."""
        with self.at(block):
            yield
            self.builder.insert(scf.YieldOp())

    def launch(self, attribute: str, extents: tuple[int, ...]) -> None:
        """Sets how many blocks (`tile.grid`) or threads (`tile.block`) the function is launched with.

        Raises:
            KernelError: other extents were given before.
        """
        padded = DenseArrayBase.from_list(i64, [*extents, 1, 1][:3])
        before = self.function.attributes.setdefault(attribute, padded)
        if before != padded and isinstance(before, DenseArrayBase):
            given = list(before.get_values())
            raise KernelError(f"launch extents {list(extents)} contradict {given}, given before")

    def thread(self, dimension: str) -> SSAValue:
        """threadIdx of that dimension."""
        result = self.builder.insert(gpu.ThreadIdOp(gpu.DimensionAttr(gpu.DimensionEnum(dimension)))).result
        result.name_hint = f"t{dimension}"
        return result

    def block(self, dimension: str) -> SSAValue:
        """blockIdx of that dimension."""
        result = self.builder.insert(gpu.BlockIdOp(gpu.DimensionAttr(gpu.DimensionEnum(dimension)))).result
        result.name_hint = f"b{dimension}"
        return result

    def argument(self, handle: Handle, kind: Attribute) -> BlockArgument:
        """The function's argument behind a handle, of the larger of the types that its views need."""
        before = self.arguments.get(handle)
        if before is not None and before.type == kind:
            return before
        position = sum(other.position < handle.position for other in self.arguments)
        argument = self.body.insert_arg(kind, position)
        argument.name_hint = handle.name
        if before is not None:
            before.replace_all_uses_with(argument)
            self.body.erase_arg(before)
        self.arguments[handle] = argument
        return argument

    def finish(self) -> func.FuncOp:
        """The finished function.

        Raises:
            KernelError: it has no device code or no launch extents.
        """
        for attribute, call in ((GRID, "T.cta_id([n])"), (BLOCK, "T.thread_id([n])")):
            known = {attribute, WARPS} if attribute == BLOCK else {attribute}
            if not known & self.function.attributes.keys():
                message = f"{self.source.tree.name} says nothing of its launch: {call} is missing"
                raise KernelError(message, self.source.locate(self.source.tree))
        if self.tensor is not None and not self.tensor.committed:
            message = "T.TMEMPool is never committed: nothing is allocated without commit()"
            raise KernelError(message, self.source.locate(self.source.tree))
        for op in dict.fromkeys(self.perhaps_unread):
            if not any(result.uses for result in op.results):
                erase(op)
        self.pool.settle()
        if self.pool.size:
            self.function.attributes[POOL] = IntegerAttr(self.pool.size, i64)
        self.builder.insert(func.ReturnOp())
        self.function.function_type = FunctionType.from_lists([arg.type for arg in self.body.args], [])
        return self.function


def _construct(node: ast.AST) -> str:
    return f"the {'expression' if isinstance(node, ast.expr) else 'statement'} {type(node).__name__}"
