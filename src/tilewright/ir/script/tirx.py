"""Any stage as a Python-like script: what a person would write for the same kernel."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeGuard, cast

from xdsl.dialects import gpu, memref, scf
from xdsl.dialects.builtin import DenseArrayBase, IndexType, IntegerAttr, IntegerType, MemRefType, ModuleOp, StringAttr
from xdsl.dialects.cf import AssertOp
from xdsl.dialects.func import FuncOp
from xdsl.ir import BlockArgument, Operation, SSAValue
from xdsl.traits import IsTerminator

from tilewright.ir.core.attributes import BLOCK, CLUSTER, GRID, LANES, WARPS
from tilewright.ir.core.bounds import claim_of
from tilewright.ir.core.effects import ACCESSES
from tilewright.ir.core.element_types import element_dtype
from tilewright.ir.core.pool import pool_offset
from tilewright.ir.memory import default_layout
from tilewright.ir.script.asynchronous import ASYNCHRONOUS_STATEMENTS
from tilewright.ir.script.control import print_for, print_if, print_while
from tilewright.ir.script.ordered import ORDERED_STATEMENTS
from tilewright.ir.script.printer import Printer, Statement
from tilewright.ir.script.tcgen05 import TCGEN05_STATEMENTS
from tilewright.ir.script.tmem import TMEM_STATEMENTS
from tilewright.ir.script.wgmma import WGMMA_STATEMENTS
from tilewright.ir.tile import ops as tile
from tilewright.ir.tile import printing, together
from tilewright.ir.tile.among import AMONG
from tilewright.ir.tile.atoms import AtomOp, CopyAtomOp, MmaAtomOp
from tilewright.ir.tile.bulk import TensorMapType
from tilewright.ir.tile.scaled import ScaledMmaOp
from tilewright.ir.tile.shared import reserved
from tilewright.ir.tile.sparse import SparseMmaOp
from tilewright.ir.tile.types import GLOBAL, BufferType


def script(module: ModuleOp) -> str:
    """The functions of a module as a Python-like script, at any stage."""
    return "\n".join(_Script().function(op) for op in module.ops if isinstance(op, FuncOp))


class _Script(Printer):
    """Prints one function."""

    def __init__(self) -> None:
        super().__init__(_STATEMENTS, _other)

    def function(self, func: FuncOp) -> str:
        body = func.body.block
        self.emit("@T.prim_func")
        self.emit(f"def {func.sym_name.data}({', '.join(map(self.parameter, body.args))}):")
        self.level = 1
        self.operations([op for op in body.ops if _is_argument(op) and not _is_parameter(op)])
        self.emit("T.device_entry()")
        self.launch(func, "cta_id", GRID, gpu.BlockIdOp)
        if BLOCK in func.attributes:
            self.launch(func, "thread_id", BLOCK, gpu.ThreadIdOp)
        else:
            self.emit("tx = T.thread_id()")
        for attribute, call in ((CLUSTER, "cta_id_in_cluster"), (WARPS, "warp_id"), (LANES, "lane_id")):
            if isinstance(count := func.attributes.get(attribute), IntegerAttr):
                self.emit(f"T.{call}([{count.value.data}])")
        self.operations([op for op in body.ops if not _is_argument(op)])
        if (size := reserved(func)) is not None:
            self.emit(f"T.SMEMPool().commit({size})")
        return "\n".join(self.lines) + "\n"

    def parameter(self, argument: SSAValue) -> str:
        views = [use.operation for use in argument.uses if isinstance(use.operation, tile.MatchBufferOp)]
        if views and _is_parameter(views[0]):
            kind = views[0].result.type
            return f"{self.show.name(views[0].result)}: T.Buffer({_shape_and_dtype(kind)}{_layout(kind)})"
        return self.flat_parameter(argument, bool(views))

    def flat_parameter(self, argument: SSAValue, viewed: bool) -> str:
        kind = argument.type
        if isinstance(kind, TensorMapType):
            return f"{self.show.name(argument)}: T.TensorMap()"
        if not isinstance(kind, MemRefType):
            return f"{self.show.name(argument)}: T.{element_dtype(kind)}"
        buffer = f'T.Buffer({_tuple(kind.get_shape())}, "{element_dtype(kind.element_type)}")'
        return f"{self.show.name(argument)}: {'T.handle' if viewed else buffer}"

    def launch(self, func: FuncOp, call: str, attribute: str, kind: type[Operation]) -> None:
        extents = list(cast("DenseArrayBase[IntegerType]", func.attributes[attribute]).get_values())
        while len(extents) > 1 and extents[-1] == 1:
            extents.pop()
        letter = "b" if kind is gpu.BlockIdOp else "t"
        names = ", ".join(letter + axis for axis in "xyz"[: len(extents)])
        used = any(isinstance(op, kind) and op.results[0].first_use for op in func.walk())
        self.emit(f"{names + ' = ' if used else ''}T.{call}({extents})")


def _is_argument(op: Operation) -> TypeGuard[tile.MatchBufferOp]:
    """Is it a view of an argument?"""
    return isinstance(op, tile.MatchBufferOp) and isinstance(op.source, BlockArgument)


def _is_parameter(op: tile.MatchBufferOp) -> bool:
    """Is it the one view of an argument, under the argument's name: a parameter with a `T.Buffer` annotation?"""
    return op.source.has_one_use() and op.source.name_hint == op.result.name_hint


def _match(out: Printer, op: tile.MatchBufferOp) -> None:
    kind = op.result.type
    if isinstance(op.source.owner, tile.StorageOp):
        base = out.show.name(op.source.owner.buffer)
        offset = "" if op.offset is None else f", elem_offset={out.show.of(op.offset)}"
        text = f"T.decl_buffer({_shape_and_dtype(kind)}, data={base}.data{offset}{_layout(kind)})"
    else:
        text = f"T.match_buffer({out.show.name(op.source)}, {_shape_and_dtype(kind)}{_layout(kind)})"
    out.emit(f"{out.show.name(op.result)} = {text}")


def _alloc_buffer(out: Printer, op: tile.AllocBufferOp) -> None:
    kind = op.result.type
    _alloc(out, op, _shape_and_dtype(kind), kind.scope, _layout(kind))


def _alloca(out: Printer, op: memref.AllocaOp) -> None:
    kind = op.memref.type
    space = kind.memory_space.data if isinstance(kind.memory_space, StringAttr) else GLOBAL
    _alloc(out, op, f'{_tuple(kind.get_shape())}, "{element_dtype(kind.element_type)}"', space, "")


def _alloc(out: Printer, op: Operation, what: str, space: str, layout: str) -> None:
    offset = pool_offset(op)
    call = f'alloc_buffer({what}, scope="{space}"'
    if offset is not None:
        call = f'decl_buffer({what}, byte_offset={offset}, scope="shared.dyn"'
    out.emit(f"{out.show.name(op.results[0])} = T.{call}{layout})")


def _load(out: Printer, op: tile.LoadOp | memref.LoadOp) -> None:
    if not out.show.inlined(op):
        out.define(op.results[0])


def _store(out: Printer, op: tile.StoreOp | memref.StoreOp) -> None:
    buffer = op.buffer if isinstance(op, tile.StoreOp) else op.memref
    out.emit(f"{out.show.element(buffer, op.indices)} = {out.show.of(op.value)}")


def _sync(out: Printer, op: together.SyncOp) -> None:
    out.emit(f"T.cuda.{op.scope.data}_sync()")


def _bar(out: Printer, op: together.BarOp) -> None:
    out.emit(f"T.ptx.bar.{op.kind.data}({out.show.of(op.barrier)}, {op.threads.value.data})")


def _print(out: Printer, op: printing.PrintOp) -> None:
    out.emit(f"T.printf({', '.join([repr(op.format.data), *map(out.show.of, op.values)])})")


def _inspect(out: Printer, op: printing.InspectOp) -> None:
    blocks, threads = (_tuple(numbers.get_values()) for numbers in (op.blocks, op.threads))
    out.emit(f"T.sim.inspect({out.show.name(op.memory)}, block={blocks}, thread={threads})")


def _atom(out: Printer, op: AtomOp) -> None:
    places = ", ".join(out.show.element(place.memory, place.indices) for place in op.places)
    told = _beside(out, op)
    name = "mma_atom" if told else op.name.partition(".")[2]
    out.emit(f'T.{name}("{op.atom.data}", {places}{told})')


def _beside(out: Printer, op: AtomOp) -> str:
    """What a product takes beside its registers."""
    if isinstance(op, SparseMmaOp):
        return f", metadata={out.show.of(op.metadata)}, selector={op.selector}"
    if isinstance(op, ScaledMmaOp):
        return f", scales=({out.show.of(op.scale_a)}, {out.show.of(op.scale_b)}), selector={op.select.ids}"
    return ""


def _sleep(out: Printer, op: together.SleepOp) -> None:
    out.emit(f"T.cuda.nano_sleep({out.show.of(op.time)})")


def _require(out: Printer, op: together.RequireOp) -> None:
    out.emit(f'T.require("{op.instruction.data}", "{op.archs.data}")')


def _registers(out: Printer, op: together.RegistersOp) -> None:
    out.emit(f"T.ptx.setmaxnreg.{op.kind.data}({op.count.value.data})")


def _defined(out: Printer, op: Operation) -> None:
    out.define(op.results[0])


def _assert(out: Printer, op: AssertOp) -> None:
    claim = claim_of(op)
    said = f", verb={claim.verb!r}" if claim.verb != ACCESSES else ""
    value = out.show.of(claim.value)
    asked = value if isinstance(claim.value.type, IndexType) else f'T.cast({value}, "index")'
    within = f"T.within({asked}, {claim.high}, {claim.message!r}{said})"
    out.emit(within if claim.bounds else f"assert {out.show.of(op.arg)}, {claim.message!r}")


def _other(out: Printer, op: Operation) -> None:
    if isinstance(op, tile.PrimitiveOp):
        regions = ", ".join(map(out.show.region, op.regions_used))
        chosen = f', dispatch="{op.variant.data}"' if op.variant else ""
        out.emit(f"Tx.{op.scope.data}.{op.primitive}({regions}{chosen})")
    elif not op.has_trait(IsTerminator):
        out.emit(f"{op.name}({', '.join(map(out.show.of, op.operands))})")


def _shape_and_dtype(kind: BufferType) -> str:
    return f'{_tuple(kind.shape)}, "{kind.dtype}"'


def _layout(kind: BufferType) -> str:
    return "" if kind.layout == default_layout(kind.shape) else f", layout={kind.layout!r}"


def _tuple(shape: Sequence[int]) -> str:
    return f"({', '.join(map(str, shape))}{',' if len(shape) == 1 else ''})"


_STATEMENTS: dict[type[Operation], Statement] = {
    tile.MatchBufferOp: _match,
    tile.AllocBufferOp: _alloc_buffer,
    memref.AllocaOp: _alloca,
    tile.LoadOp: _load,
    memref.LoadOp: _load,
    tile.StoreOp: _store,
    memref.StoreOp: _store,
    together.SyncOp: _sync,
    **ORDERED_STATEMENTS,
    together.BarOp: _bar,
    together.RegistersOp: _registers,
    together.SleepOp: _sleep,
    together.RequireOp: _require,
    MmaAtomOp: _atom,
    CopyAtomOp: _atom,
    SparseMmaOp: _atom,
    ScaledMmaOp: _atom,
    together.ShuffleOp: _defined,
    together.VoteOp: _defined,
    **dict.fromkeys(AMONG, _defined),
    together.BlockVoteOp: _defined,
    together.ActiveMaskOp: _defined,
    printing.PrintOp: _print,
    printing.InspectOp: _inspect,
    AssertOp: _assert,
    scf.ForOp: print_for,
    scf.IfOp: print_if,
    scf.WhileOp: print_while,
    **ASYNCHRONOUS_STATEMENTS,
    **WGMMA_STATEMENTS,
    **TMEM_STATEMENTS,
    **TCGEN05_STATEMENTS,
}
