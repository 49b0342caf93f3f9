"""`Writer`: the text of one function while it grows, and the C expression of every value in scope."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from typing import Any, TypeAlias

from xdsl.dialects.builtin import IndexType, IntegerAttr, ModuleOp
from xdsl.ir import Attribute, Block, Operation, SSAValue

from tilewright.dtypes import DType
from tilewright.errors import CompileError
from tilewright.ir.core.bounds import Claim
from tilewright.ir.core.element_types import element_dtype
from tilewright.ir.core.ranges import TightRanges
from tilewright.ir.tile.among import AMONG
from tilewright.ir.tile.cluster import ClusterWaitOp
from tilewright.ir.tile.mbarriers import MbarrierWaitOp
from tilewright.ir.tile.polling import polls
from tilewright.ir.tile.shared import POOL_ALIGNMENT, SharedMemory
from tilewright.ir.tile.together import BarOp, BlockVoteOp, ShuffleOp, SyncOp, VoteOp
from tilewright.targets.c_emitter.helpers import HELPERS, ORDERED, PTX
from tilewright.targets.c_emitter.names import KERNEL, Names, kernel_name
from tilewright.targets.c_emitter.tables import CTable
from tilewright.targets.c_emitter.values import WIDE, Expr, index_type
from tilewright.targets.launch import Launch, Parameter, kernel_of, parameters_of, shape_of, where

Handlers: TypeAlias = Mapping[type[Operation], Callable[["Writer", Any], None]]

NARROW: Mapping[str, int] = {"unsigned char": 1 << 8, "unsigned short": 1 << 16}  # C types of small numbers
TENSOR_MAP = "tw_tensor_map"  # of 128 bytes, which lie where the launch puts them
_WORD = re.compile(r"\w+")
TABLE_ROW = 16  # numbers in a line of a table
WAITING = (SyncOp, BlockVoteOp, ShuffleOp, VoteOp, *AMONG, BarOp, MbarrierWaitOp, ClusterWaitOp)
LONG = 16  # leaves above which an expression that is used twice gets a name


@dataclass(frozen=True)
class CText:
    """The text of a kernel, its name there, how it is launched as far as it says so, and its parameters.

    `before` is what stands before the kernel, of each kind (headers, helpers, functions), which texts may share;
    `kernel` is its constants and itself. `taken` are the names of what it has in the file.
    `shared_bytes` are those of the arrays in the text, `pool_bytes` what the launch must add to them, `local_bytes` are
    a thread's; `assertions` are those that the text checks, by their numbers there, with their places in the source.
    `places` are those where threads may wait, by their numbers there.
    """

    before: tuple[tuple[str, ...], ...]
    kernel: str
    name: str
    launch: Launch
    parameters: tuple[Parameter, ...]
    shared_bytes: int
    pool_bytes: int = 0
    assertions: tuple[tuple[Claim, str], ...] = ()
    places: tuple[str, ...] = ()
    taken: tuple[str, ...] = ()
    local_bytes: int = 0

    @property
    def source(self) -> str:
        """The whole text."""
        return together([self])


def together(texts: Sequence[CText]) -> str:
    """The text of several kernels in one file: what they share stands there once, and they in their order."""
    kinds = zip(*(text.before for text in texts), strict=True)
    shared = dict.fromkeys(one for kind in kinds for part in kind for one in part)
    return "\n".join([*shared, *(text.kernel for text in texts)]) + "\n"


@dataclass(frozen=True)
class Wanted:
    """How a text is wanted: with the promise that parameters do not overlap, with what behind the kernel's name, and
    without which names, which are others' in the same file.
    """

    restrict: bool = True
    suffix: str = KERNEL
    taken: tuple[str, ...] = ()


class Writer:
    """Walks a function once, in order; `exprs` holds the C expression of every value in scope."""

    def __init__(self, module: ModuleOp, table: CTable, handlers: Handlers, wanted: Wanted) -> None:
        self.func = kernel_of(module)
        self.table, self.restrict, self.handlers = table, wanted.restrict, handlers
        self.launch = shape_of(self.func)
        self.name = kernel_name(self.func.sym_name.data, wanted.suffix)
        self.names = Names(self.name, *HELPERS, *ORDERED, *PTX, *wanted.taken)
        self.ranges = TightRanges()
        self.exprs: dict[SSAValue, Expr] = {}
        self.declarations: list[str] = []
        self.lines: list[str] = []
        self.types: set[str] = set()
        self.tables: dict[tuple[int, ...], str] = {}
        self.assertions: list[tuple[Claim, str]] = []
        self.places: list[str] = []
        self.loop = -1  # the place of the loop that asks, if any
        self.turns: list[str] = []
        self.functions: dict[str, str] = {}  # that stand before the kernel, made for what it does
        self.stacked = 0  # bytes of arrays of registers so far
        self.level, self.memory = 1, SharedMemory.of(self.func)

    def text(self) -> CText:
        """Writes the function."""
        self.refuse_large_arrays()
        found, arguments = parameters_of(self.func, maps=self.table.assembly), self.func.body.block.args
        for argument, parameter in zip(arguments, found, strict=True):
            self.exprs[argument] = self.argument(argument, parameter)
        self.block(self.func.body.block)
        own = [self.parameter(*pair) for pair in zip(arguments, found, strict=True)]
        parameters = [*self.table.context, *own]
        size = self.launch.cluster
        words = {"threads": self.launch.threads, "cluster": f"__cluster_dims__({size}, 1, 1) " * (size > 1)}
        kernel = self.table.kernel.format(name=self.name, parameters=", ".join(parameters), **words)
        body = "\n".join([kernel, *self.declarations, *self.lines, "}"])
        used = [text for name, text in self.table.helpers.items() if f"{name}<" in body or f"{name}(" in body]
        helpers = [text.format(function=self.table.function) for text in used]
        headers = sorted({self.table.headers[ctype] for ctype in self.types if ctype in self.table.headers})
        tables = [self.constant(name, numbers) for numbers, name in self.tables.items()]
        before = (tuple(headers), tuple(helpers), tuple(self.functions.values()))
        memory, taken = self.memory, (self.name, *self.tables.values())
        return CText(
            before, "\n".join([*tables, body]), self.name, self.launch, tuple(found), memory.arrays, memory.pool,
            tuple(self.assertions), tuple(self.places), taken, self.stacked,
        )  # fmt: skip

    def refuse_large_arrays(self) -> None:
        """Raises `CompileError` where the arrays of a block take more than the dialect gives them."""
        if self.memory.arrays > self.table.shared_bytes:
            raise CompileError(
                f"the arrays of the kernel take {self.memory.arrays} bytes of shared memory, a block has "
                f"{self.table.shared_bytes} for them; a pool, T.SMEMPool(), can be larger"
            )

    def argument(self, argument: SSAValue, parameter: Parameter) -> Expr:
        """A parameter as an expression."""
        if parameter.map:
            self.functions.setdefault(TENSOR_MAP, f"struct alignas(64) {TENSOR_MAP} {{ long long words[16]; }};")
            return Expr(self.names.fresh(argument.name_hint, "map"), TENSOR_MAP)
        if parameter.shape:
            return Expr(self.names.fresh(argument.name_hint, "arg", "_ptr"), "")
        return Expr(self.names.fresh(argument.name_hint, "arg"), self.ctype(argument.type))

    def parameter(self, argument: SSAValue, parameter: Parameter) -> str:
        """A parameter's declaration; one that the body does not use has no name, so that no compiler warns."""
        name = self.exprs[argument].text
        used = any(re.search(rf"\b{name}\b", line) for line in self.lines)
        if parameter.map:
            return f"const __grid_constant__ {TENSOR_MAP} {name * used}".rstrip()
        self.known(parameter.element)
        restrict = self.table.restrict * (self.restrict and parameter.size is not None)
        return " ".join(filter(None, [parameter.c_type, restrict, name * used]))

    # ---- statements

    def block(self, block: Block) -> None:
        """The ops of a block, in order."""
        for op in block.ops:
            self.statement(op)

    def statement(self, op: Operation) -> None:
        """One op, by its handler."""
        handler = self.handlers.get(type(op))
        if handler is None:
            raise CompileError(f"the {self.table.name} emitter does not know the op {op.name}\n{where(op)}")
        if self.table.place and isinstance(op, WAITING):
            self.line(self.table.place.format(number=self.numbered(op)))
        if self.table.loop and polls(op):
            with self.asking(op):
                handler(self, op)
        else:
            handler(self, op)

    def numbered(self, op: Operation) -> int:
        """A new number for the op's place."""
        self.places.append(where(op))
        return len(self.places) - 1

    @contextmanager
    def asking(self, op: Operation) -> Iterator[None]:
        """Around a loop that asks for what other threads do."""
        outer, self.loop = self.loop, self.numbered(op)
        self.line(self.table.loop.format(number=self.loop))
        yield
        self.loop = outer
        self.line(self.table.loop.format(number=outer))

    def line(self, text: str) -> None:
        """Adds a line at the present depth."""
        self.lines.append("  " * self.level + text)

    @contextmanager
    def braces(self, head: str) -> Iterator[None]:
        """Writes what follows between braces after `head`."""
        self.line(f"{head} {{")
        self.level += 1
        yield
        self.level -= 1
        self.line("}")

    @contextmanager
    def turn(self, counter: Expr, stride: Attribute | None) -> Iterator[None]:
        """Within a loop over threads, whose numbers lie so far apart."""
        if isinstance(stride, IntegerAttr):
            self.turns.append(f"{stride.value.data} * {counter.text}")
        yield
        if isinstance(stride, IntegerAttr):
            self.turns.pop()

    @property
    def thread(self) -> str:
        """The number of the thread whose turn it is."""
        return " + ".join(self.turns) or "0"

    def define(self, value: SSAValue, made: Expr, named: bool) -> None:
        """The value's expression, put into a variable first where it is to be `named`."""
        if value.uses:
            self.exprs[value] = self.settled(made, value, 0) if named else made

    def settled(self, made: Expr, value: SSAValue, leaves: int = LONG) -> Expr:
        """The expression, or a variable that holds it if it has more leaves."""
        if made.leaves <= leaves:
            return made
        name = self.names.fresh(value.name_hint, "v")
        self.line(f"const {made.ctype} {name} = {made.text};")
        return Expr(name, made.ctype, low=made.low)

    def variable(self, value: SSAValue, start: Expr | None) -> Expr:
        """A variable for a value that control flow assigns."""
        name, ctype = self.names.fresh(value.name_hint, "v"), self.ctype(value.type)
        self.line(f"{ctype} {name}{'' if start is None else f' = {start.cast(ctype).text}'};")
        self.exprs[value] = made = Expr(name, ctype)
        return made

    # ---- values

    @cached_property
    def pool(self) -> str:
        """The name of the pool, which its first use declares."""
        name = self.names.fresh("pool", "pool")
        text = self.table.pool.format(alignment=POOL_ALIGNMENT, name=name, size=self.memory.pool)
        self.declarations.append(f"  {text}")
        return name

    def constants(self, numbers: tuple[int, ...]) -> str:
        """The name of a constant table, which stands before the kernel."""
        if numbers not in self.tables:
            self.tables[numbers] = self.names.fresh("table", "table")
        return self.tables[numbers]

    def constant(self, name: str, numbers: tuple[int, ...]) -> str:
        """The declaration of a constant table, in the narrowest type."""
        low, high = min(numbers), max(numbers)
        narrow = (ctype for ctype, top in NARROW.items() if low >= 0 and high < top)
        rows = [numbers[start : start + TABLE_ROW] for start in range(0, len(numbers), TABLE_ROW)]
        text = ",\n".join(f"  {', '.join(map(str, row))}" for row in rows)
        return self.table.constant.format(ctype=next(narrow, index_type((low, high))), name=name, numbers=text)

    def ctype(self, kind: Attribute) -> str:
        """The C type of a type.

        Raises:
            CompileError: the dialect has no such element type.
        """
        if isinstance(kind, IndexType):
            return WIDE
        return self.known(element_dtype(kind))

    def known(self, element: DType) -> str:
        """The C type of an element type, as `ctype`."""
        if element.name not in self.table.elements:
            raise CompileError(f"{self.table.name} has no buffers of {element.name}")
        self.types.add(element.c_name)
        return element.c_name

    def converted(self, kind: Attribute, op: Operation) -> None:
        """Declares the C type of an element that the op converts.

        Raises:
            CompileError: the dialect does not convert it.
        """
        element = element_dtype(kind)
        if element.name not in self.table.computes | self.table.converts:
            raise CompileError(f"{self.table.name} cannot compute with {element.name}\n{where(op)}")
        self.types.add(element.c_name)

    def element(self, buffer: SSAValue, indices: Sequence[SSAValue]) -> str:
        """`buffer[index]`."""
        return f"{self.exprs[buffer].text}[{self.exprs[indices[0]].text}]"

    def assign(self, targets: Sequence[Expr], values: Sequence[SSAValue]) -> None:
        """All at once: a value may name another target."""
        made = [self.exprs[value] for value in values]
        for at, (target, value) in enumerate(zip(targets, made, strict=True)):
            if _words(value) & {before.text for before in targets[:at]}:
                made[at] = Expr(self.names.fresh(None, "next"), target.ctype)
                self.line(f"const {target.ctype} {made[at].text} = {value.cast(target.ctype).text};")
        for target, value in zip(targets, made, strict=True):
            if value.text != target.text:
                self.line(f"{target.text} = {value.cast(target.ctype).text};")


def _words(value: Expr) -> set[str]:
    """The names in an expression, and its numbers."""
    return set(_WORD.findall(value.text))
