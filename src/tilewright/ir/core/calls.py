"""Calls of functions of one block, replaced by what these do."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from xdsl.dialects.func import CallOp, FuncOp, ReturnOp
from xdsl.ir import Operation, Region, SSAValue
from xdsl.rewriter import InsertPoint, Rewriter
from xdsl.traits import SymbolTable

from tilewright.errors import CompileError
from tilewright.ir.core.location import place
from tilewright.ir.core.rewrite import erase

MOST_CALLS = 1 << 12


def inline(func: FuncOp, scope: Operation, once: Callable[[Operation], bool]) -> None:
    """Puts the callees' ops in the place of a function's calls, callees' calls included.

    Args:
        func: is changed.
        scope: where the names of callees are looked up: the function as it stands in its module.
        once: is it an op without operands whose result is the same for all calls? It comes to the function's start.

    Raises:
        CompileError: a callee calls itself, has no body or several blocks, or there are more than `MOST_CALLS` calls.
    """
    _Inlining(func, scope, once).expand(func.body, (func.sym_name.data,))


class _Inlining:
    def __init__(self, func: FuncOp, scope: Operation, once: Callable[[Operation], bool]) -> None:
        self._start, self._scope, self._once = func.body.blocks[0], scope, once
        self._kept: dict[tuple[str, int], Operation] = {}
        self._calls = 0

    def expand(self, region: Region, path: tuple[str, ...]) -> None:
        """Replaces the calls within a region, which was reached by these functions."""
        for call in [op for op in region.walk() if isinstance(op, CallOp)]:
            name = (call.callee.nested_references.data or (call.callee.root_reference,))[-1].data
            self._check(call, name, path)
            body = self._callee(call, name).body.clone()
            self._share(body, name)
            self.expand(body, (*path, name))
            self._put(call, body)

    def _check(self, call: CallOp, name: str, path: tuple[str, ...]) -> None:
        self._calls += 1
        if name in path:
            chain = " calls ".join((*path[path.index(name) :], name))
            raise CompileError(f"recursion is not simulated: {chain}\n{place(call)}")
        if self._calls > MOST_CALLS:
            raise CompileError(f"{path[0]} makes more than {MOST_CALLS} calls; write loops\n{place(call)}")

    def _callee(self, call: CallOp, name: str) -> FuncOp:
        known = (SymbolTable.lookup_symbol(table, call.callee) for table in _tables(self._scope))
        found = next((op for op in known if op is not None), None)
        if not isinstance(found, FuncOp):
            raise CompileError(f"{name} is called, which is no function here\n{place(call)}")
        if len(found.body.blocks) != 1:
            raise CompileError(f"{name} is called, which has {len(found.body.blocks)} blocks, not 1\n{place(call)}")
        return found

    def _share(self, body: Region, name: str) -> None:
        """What is the same for all calls stands at the start of the function, for the first call."""
        for number, op in enumerate([op for op in body.walk() if not op.operands and self._once(op)]):
            first = self._kept.setdefault((name, number), op)
            if first is op:
                assert op.parent is not None
                assert self._start.first_op is not None, "it ends"
                self._start.insert_op_before(op.parent.detach_op(op), self._start.first_op)
            else:
                for old, new in zip(op.results, first.results, strict=True):
                    old.replace_all_uses_with(new)
                erase(op)

    @staticmethod
    def _put(call: CallOp, body: Region) -> None:
        block, last = body.block, body.block.last_op
        assert isinstance(last, ReturnOp)
        given = tuple(last.operands)
        erase(last)
        arguments: dict[SSAValue, SSAValue] = dict(zip(block.args, call.operands, strict=True))
        Rewriter.inline_block(block, InsertPoint.before(call), tuple(call.operands))
        for result, value in zip(call.results, given, strict=True):
            result.replace_all_uses_with(arguments.get(value, value))
        erase(call)


def _tables(op: Operation | None) -> Iterator[Operation]:
    """The tables of symbols around an op, from the inside."""
    while op is not None:
        if op.has_trait(SymbolTable):
            yield op
        op = op.parent_op()
