"""Expressions of the script printer: values as Python text, with parentheses only where they are needed."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, TypeAlias, cast

from xdsl.dialects import arith, gpu, memref, scf
from xdsl.dialects.builtin import IndexType, UnrealizedConversionCastOp, i1
from xdsl.dialects.func import FuncOp
from xdsl.ir import Block, Operation, SSAValue

from tilewright.atoms.descriptors import WGMMA
from tilewright.ir.core.effects import moved_to
from tilewright.ir.core.element_types import element_dtype
from tilewright.ir.core.facts import PRECEDENCE, UNSIGNED
from tilewright.ir.core.functions import FUNCTION_OF, is_approximate
from tilewright.ir.core.lanes import WarpSizeOp
from tilewright.ir.core.lookup import LookupOp
from tilewright.ir.core.narrow import usual
from tilewright.ir.core.narrowing import NarrowOp
from tilewright.ir.core.ranges import constant_of
from tilewright.ir.script.choices import given
from tilewright.ir.script.signs import is_integer, operand_sign, own_sign, shown_sign, width
from tilewright.ir.script.syntax import (
    ATOM,
    BITWISE,
    CALLS,
    CASTS,
    COMPARE,
    CONDITIONAL,
    NOT,
    SUM,
    UNARY,
    comparison_sign,
    literal,
    sign_of,
)
from tilewright.ir.tile import ops as tile
from tilewright.ir.tile import together
from tilewright.ir.tile.address import AddressOp
from tilewright.ir.tile.among import ShuffleAmongOp, VoteAmongOp
from tilewright.ir.tile.bits import TABLE, BitsOp
from tilewright.ir.tile.descriptors import MatrixDescriptorOp
from tilewright.ir.tile.mbarriers import MbarrierTestOp
from tilewright.ir.tile.ordered import AtomicCasOp, AtomicLoadOp
from tilewright.ir.tile.pairs import PairOp
from tilewright.ir.tile.types import BufferType

Tree: TypeAlias = tuple[str, int]

LONG = 40  # characters


class Expressions:
    """The text of values; each value that needs a name gets one, made from its hint, once."""

    def __init__(self) -> None:
        self._names: dict[SSAValue, str] = {}
        self._taken: set[str] = set()

    def name(self, value: SSAValue) -> str:
        """The value's name."""
        if value not in self._names:
            self._names[value] = self.fresh(value.name_hint or "v")
        return self._names[value]

    def fresh(self, stem: str) -> str:
        """A name that nothing has."""
        hint, number = stem, 0
        while hint in self._taken:
            number += 1
            hint = f"{stem}_{number}"
        self._taken.add(hint)
        return hint

    def write(self, value: SSAValue, text: str) -> None:
        """The value is written so from here on."""
        self._names[value] = text

    @contextmanager
    def block(self) -> Iterator[None]:
        """Names given within are free again afterwards."""
        taken = set(self._taken)
        yield
        self._taken = taken

    def inlined(self, load: Operation) -> bool:
        """Is the load shown where its value is used?"""
        return moved_to(load) is not None

    def shared(self, op: Operation) -> bool:
        """Is the pure op used several times, and too long to be written each time?"""
        if not op.results or op.results[0].first_use is None or op.results[0].has_one_use():
            return False
        value = op.results[0]
        untyped = is_integer(value) and shown_sign(value) is None  # each use gives it a type
        return not untyped and len(self.tree(value)[0]) > LONG

    def of(self, value: SSAValue, around: int = -1, sign: str | None = None) -> str:
        """The value as an expression, in parentheses if it binds no tighter than `around`.

        `sign` is what an integer has to be where it stands; without it, what it is in memory.
        """
        wanted = sign or own_sign(value)
        constant = constant_of(value) if wanted == UNSIGNED and is_integer(value) else None
        if constant is not None:
            return str(constant % (1 << width(value)))
        text, strength = self.tree(value)
        if wanted and is_integer(value) and shown_sign(value) not in (None, wanted):
            return f'T.cast({text}, "{wanted}{width(value)}")'
        return f"({text})" if strength <= around else text

    def writes(self, op: Operation) -> bool:
        """Can the op stand in an expression?"""
        return type(op) in _HANDLERS

    def typed(self, value: SSAValue, around: int = -1, sign: str | None = None) -> str:
        """As `of`; a constant says its type, `T.int32(5)`."""
        text, op = self.of(value, around, sign), value.owner
        inner = op.inputs[0].owner if isinstance(op, UnrealizedConversionCastOp) else op
        if not isinstance(inner, arith.ConstantOp) or isinstance(value.type, IndexType) or value.type == i1:
            return text
        name = f"{sign or own_sign(value)}{width(value)}" if is_integer(value) else str(element_dtype(value.type))
        return text if text.startswith("T.") else f"T.{name}({text.strip('()')})"

    def first(self, op: Operation, around: int = -1) -> str:
        """The op's first operand, which says its type if all of them are constants: `T.int32(2) * 3` is no constant."""
        alone = all(isinstance(operand.owner, arith.ConstantOp) for operand in op.operands)
        write = self.typed if alone else self.of
        return write(op.operands[0], around, operand_sign(op))

    def element(self, buffer: SSAValue, indices: Sequence[SSAValue]) -> str:
        """`buffer[indices]`, also of a buffer's flat storage; of a buffer with one dimension `buffer.data[index]`."""
        owner = buffer.owner
        named = owner.buffer if isinstance(owner, tile.StorageOp) else buffer
        flat = isinstance(owner, tile.StorageOp) and len(cast(BufferType, named.type).shape) == 1
        return f"{self.name(named)}{'.data' * flat}[{', '.join(map(self.of, indices))}]"

    def region(self, region: tile.RegionOp) -> str:
        """`buffer[start:stop, ...]`."""
        ranges = map(self._range, region.starts, region.extents)
        return f"{self.name(region.buffer)}[{', '.join(ranges)}]"

    def _range(self, start: SSAValue | int, extent: SSAValue | int) -> str:
        if isinstance(start, int) and isinstance(extent, int):
            return f"{start}:{start + extent}"
        if extent == 1:
            return self._of(start)
        return f"{self._of(start)}:{self._stop(start, extent)}"

    def _stop(self, start: SSAValue | int, extent: SSAValue | int) -> str:
        difference = extent.owner if isinstance(extent, SSAValue) else None
        if isinstance(difference, arith.SubiOp) and difference.rhs is start:
            return self.of(difference.lhs)
        return self._of(extent) if start == 0 else f"{self._of(start, SUM - 1)} + {self._of(extent, SUM)}"

    def _of(self, index: SSAValue | int, around: int = -1) -> str:
        return str(index) if isinstance(index, int) else self.of(index, around)

    def tree(self, value: SSAValue) -> Tree:
        """The value's text, and how tightly it binds."""
        op = value.owner
        if isinstance(op, Operation) and value not in self._names:
            if sign := sign_of(op):
                return _binary(self, op, sign)
            if handler := _HANDLERS.get(type(op)):
                return handler(self, op)
        return self.name(value), ATOM


def _binary(show: Expressions, op: Operation, sign: str) -> Tree:
    (left, right), needed, strength = op.operands, operand_sign(op), PRECEDENCE[sign]
    constant = constant_of(right)
    if sign == "^" and right.type == i1 and constant:
        return f"not {show.of(left, NOT - 1)}", NOT
    if sign == "-" and constant_of(left) == 0:
        return f"-{show.of(right, UNARY - 1, needed)}", UNARY
    if sign == "+" and constant is not None and constant < 0 and not is_integer(right):
        return f"{show.of(left, SUM - 1)} - {-constant}", SUM
    around = (ATOM - 1, ATOM - 1) if sign in BITWISE else (strength - 1, strength)
    return f"{show.first(op, around[0])} {sign} {show.of(right, around[1], needed)}", strength


def _constant(show: Expressions, op: arith.ConstantOp) -> Tree:
    text = literal(op)
    return text, UNARY if text.startswith("-") else ATOM


def _compare(show: Expressions, op: arith.CmpiOp | arith.CmpfOp) -> Tree:
    right = show.of(op.rhs, COMPARE, operand_sign(op))
    return f"{show.first(op, COMPARE)} {comparison_sign(op)} {right}", COMPARE


def _select(show: Expressions, op: arith.SelectOp) -> Tree:
    needed, condition = operand_sign(op), show.of(op.cond, CONDITIONAL)
    alike = all(isinstance(side.owner, arith.ConstantOp) for side in (op.lhs, op.rhs))
    yes = (show.typed if alike else show.of)(op.lhs, CONDITIONAL, needed)
    return f"{yes} if {condition} else {show.of(op.rhs, CONDITIONAL, needed)}", CONDITIONAL


def _seen(show: Expressions, op: arith.BitcastOp) -> Tree:
    return f'T.reinterpret("{element_dtype(op.result.type)}", {show.of(op.input)})', ATOM


def _bits(show: Expressions, op: BitsOp) -> Tree:
    kind = op.kind.data
    long = "ll" if width(op.result) == 64 else ""
    name = _BITS.get(kind) or f"T.cuda.{op.function.cuda}{long}"
    words = [show.of(word, sign=UNSIGNED) for word in op.words]
    table = [str(op.table.value.data)] * (kind == TABLE)
    return f"{name}({', '.join([*words, *table])})", ATOM


def _narrow(show: Expressions, op: NarrowOp) -> Tree:
    if op.how.data == usual(element_dtype(op.result.type)):
        return _cast_to(show, op, op.result), ATOM
    return f'T.cast({show.of(op.value)}, "{_type_name(op.result)}", "{op.how.data}")', ATOM


def _pair(show: Expressions, op: PairOp) -> Tree:
    return f"T.ptx.cvt.{op.kind.data}({', '.join(show.of(word, sign=UNSIGNED) for word in op.words)})", ATOM


_BITS: Mapping[str, str] = {"popc": "T.popcount", "clz": "T.clz", "ffs": "T.ffs", "prmt": "T.prmt", "lop3": "T.lop3"}


def _call(show: Expressions, op: Operation) -> Tree:
    needed = operand_sign(op)
    name = f"T.cuda.{FUNCTION_OF[type(op)].fast}" if is_approximate(op) and type(op) in FUNCTION_OF else CALLS[type(op)]
    rest = (show.of(operand, sign=needed) for operand in op.operands[1:])
    return f"{name}({', '.join([show.first(op), *rest])})", ATOM


def _truncated(show: Expressions, op: arith.DivSIOp | arith.RemSIOp) -> Tree:
    """C's quotient and what it leaves, of elements: a number that the kernel takes is an index by its name alone."""
    (text, _), first = _call(show, op), op.operands[0]
    if not isinstance(first.owner, Block) or not _is_functions(first.owner):
        return text, ATOM
    given = f'{CALLS[type(op)]}(T.cast({show.name(first)}, "{own_sign(first)}{width(first)}")'
    return f"{given}, {show.of(op.operands[1], sign=operand_sign(op))})", ATOM


def _cast(show: Expressions, op: Operation) -> Tree:
    if isinstance(op, arith.IndexCastOp) and isinstance(op.input.owner, Block) and _is_functions(op.input.owner):
        return show.name(op.input), ATOM  # a number that the kernel takes; as an index it has the same name
    return _cast_to(show, op, op.results[0]), ATOM


def _is_functions(block: Block) -> bool:
    return isinstance(block.parent_op(), FuncOp)


def _cast_to(show: Expressions, op: Operation, result: SSAValue) -> str:
    sign = shown_sign(result)
    name = f"{sign}{width(result)}" if sign else _type_name(result)
    return f'T.cast({show.first(op)}, "{name}")'


def _type_name(value: SSAValue) -> str:
    return "index" if isinstance(value.type, IndexType) else str(element_dtype(value.type))


def _sign_cast(show: Expressions, op: UnrealizedConversionCastOp) -> Tree:
    (value,), (result,) = op.inputs, op.outputs
    if isinstance(value.owner, CASTS):
        return _cast_to(show, value.owner, result), ATOM
    constant, unsigned = constant_of(value), own_sign(result) == UNSIGNED
    if constant is not None:
        return str(constant % (1 << width(result)) if unsigned else constant), ATOM
    return show.of(value, sign=UNSIGNED if unsigned else shown_sign(value)), show.tree(value)[1]


def _negate(show: Expressions, op: arith.NegfOp) -> Tree:
    return f"-{show.first(op, UNARY - 1)}", UNARY


def _thread(show: Expressions, op: gpu.ThreadIdOp) -> Tree:
    return f"t{op.dimension.data}", ATOM


def _block(show: Expressions, op: gpu.BlockIdOp) -> Tree:
    return f"b{op.dimension.data}", ATOM


def _warp_size(show: Expressions, op: WarpSizeOp) -> Tree:
    return "T.warp_size()", ATOM


def _lookup(show: Expressions, op: LookupOp) -> Tree:
    return f"({', '.join(map(str, op.table))}{',' * (len(op.table) == 1)})[{show.of(op.index)}]", ATOM


def _load(show: Expressions, op: tile.LoadOp | memref.LoadOp) -> Tree:
    buffer = op.buffer if isinstance(op, tile.LoadOp) else op.memref
    return show.element(buffer, op.indices), ATOM


def _address(show: Expressions, op: AddressOp) -> Tree:
    return f"T.address_of({show.element(op.memory, op.indices)})", ATOM


def _descriptor(show: Expressions, op: MatrixDescriptorOp) -> Tree:
    steps = f"leading={op.leading.value.data}, stride={op.stride.value.data}"
    unit = "" if op.unit.data == WGMMA.name else f', unit="{op.unit.data}"'
    return f'T.matrix_descriptor({show.of(op.address)}, {steps}, swizzle="{op.mode.data}"{unit})', ATOM


def _mbarrier_test(show: Expressions, op: MbarrierTestOp) -> Tree:
    return f"T.ptx.mbarrier.test_wait({show.of(op.barrier)}, {show.of(op.parity)})", ATOM


def _atomic(show: Expressions, op: tile.AtomicOp) -> Tree:
    name = f"cuda.atomic_{op.kind.data}" if op.words is None else f"ptx.atom.{'.'.join(atomic_words(op))}"
    return _at(show, name, op, op.value), ATOM


def atomic_words(op: tile.AtomicOp) -> Sequence[str]:
    """What the change is, its order and its scope."""
    kind = op.kind.data
    return f"{kind}_" if kind in ("and", "or") else kind, *(op.words or ())


def _atomic_load(show: Expressions, op: AtomicLoadOp) -> Tree:
    return _at(show, f"ptx.ld.{op.order.data}.{op.scope.data}", op), ATOM


def _atomic_cas(show: Expressions, op: AtomicCasOp) -> Tree:
    return _at(show, f"ptx.atom.cas.{op.order.data}.{op.scope.data}", op, op.expected, op.value), ATOM


def _at(show: Expressions, name: str, op: tile.AtomicOp | AtomicLoadOp | AtomicCasOp, *values: SSAValue) -> str:
    address = f"T.address_of({show.element(op.memory, op.indices)})"
    return f"T.{name}({', '.join([address, *map(show.of, values)])})"


def _shuffle(show: Expressions, op: together.ShuffleOp) -> Tree:
    kind = "" if op.kind.data == "idx" else f"_{op.kind.data}"
    arguments = f"0xFFFFFFFF, {show.of(op.value)}, {show.of(op.by)}, {op.width.value.data or 'T.warp_size()'}"
    return f"T.cuda.__shfl{kind}_sync({arguments})", ATOM


def _shuffle_among(show: Expressions, op: ShuffleAmongOp) -> Tree:
    kind = "" if op.kind.data == "idx" else f"_{op.kind.data}"
    given = [show.of(op.mask), show.of(op.value), show.of(op.by), str(op.width.value.data or "T.warp_size()")]
    return f"T.cuda.__shfl{kind}_sync({', '.join(given)})", ATOM


def _vote_among(show: Expressions, op: VoteAmongOp) -> Tree:
    return f"T.cuda.{op.kind.data}_sync({show.of(op.mask)}, {show.of(op.condition)})", ATOM


def _vote(show: Expressions, op: together.VoteOp) -> Tree:
    mask = "0x" + "F" * (16 if op.result.type == together.BALLOTS[64] else 8)
    return f"T.cuda.{op.kind.data}_sync({mask}, {show.of(op.condition)})", ATOM


def _block_vote(show: Expressions, op: together.BlockVoteOp) -> Tree:
    return f"T.cuda.syncthreads_{op.kind.data}({show.of(op.condition)})", ATOM


def _active_mask(show: Expressions, op: together.ActiveMaskOp) -> Tree:
    return f"T.cuda.__activemask({'64' if op.result.type == together.BALLOTS[64] else ''})", ATOM


def _choice(show: Expressions, op: scf.IfOp) -> Tree:
    ((yes,), (no,)) = (given(region.block) for region in op.regions)
    if op.output[0].type == i1 and constant_of(no) == 0:
        return _logic(show, op.cond, "and", yes)
    if op.output[0].type == i1 and constant_of(yes) not in (None, 0):
        return _logic(show, op.cond, "or", no)
    texts = [show.of(value, CONDITIONAL) for value in (yes, op.cond, no)]
    return "{} if {} else {}".format(*texts), CONDITIONAL


def _logic(show: Expressions, left: SSAValue, word: str, right: SSAValue) -> Tree:
    strength = PRECEDENCE[word]
    return f"{show.of(left, strength - 1)} {word} {show.of(right, strength)}", strength


# Each takes ops of its own class, which the type of a table cannot say.
_HANDLERS: dict[type[Operation], Callable[[Expressions, Any], Tree]] = {
    arith.ConstantOp: _constant,
    arith.CmpiOp: _compare,
    arith.CmpfOp: _compare,
    arith.SelectOp: _select,
    arith.NegfOp: _negate,
    gpu.ThreadIdOp: _thread,
    gpu.BlockIdOp: _block,
    LookupOp: _lookup,
    WarpSizeOp: _warp_size,
    AddressOp: _address,
    MatrixDescriptorOp: _descriptor,
    MbarrierTestOp: _mbarrier_test,
    tile.AtomicOp: _atomic,
    AtomicLoadOp: _atomic_load,
    AtomicCasOp: _atomic_cas,
    together.ShuffleOp: _shuffle,
    together.VoteOp: _vote,
    ShuffleAmongOp: _shuffle_among,
    VoteAmongOp: _vote_among,
    together.BlockVoteOp: _block_vote,
    together.ActiveMaskOp: _active_mask,
    BitsOp: _bits,
    NarrowOp: _narrow,
    PairOp: _pair,
    arith.BitcastOp: _seen,
    tile.LoadOp: _load,
    memref.LoadOp: _load,
    UnrealizedConversionCastOp: _sign_cast,
    scf.IfOp: _choice,
    **dict.fromkeys(CALLS, _call),
    **dict.fromkeys((arith.DivSIOp, arith.RemSIOp), _truncated),
    **dict.fromkeys(CASTS, _cast),
}
