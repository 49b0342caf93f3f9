"""`fission`: one thread does the work of its block, by loops over the threads that end where these wait."""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects import scf
from xdsl.dialects.builtin import DenseArrayBase, ModuleOp, i64
from xdsl.dialects.func import FuncOp, ReturnOp
from xdsl.ir import Operation, Region
from xdsl.passes import ModulePass

from tilewright.errors import CompileError
from tilewright.ir.core.attributes import BLOCK
from tilewright.ir.core.location import place
from tilewright.ir.stages import STAGES
from tilewright.ir.tile.asynchronous import ASYNCHRONOUS
from tilewright.ir.tile.atoms import AtomOp
from tilewright.ir.tile.cluster import CLUSTER_OPS
from tilewright.ir.tile.polling import polls
from tilewright.ir.tile.remote import RemoteOp
from tilewright.ir.tile.tmem import TMEM_OPS
from tilewright.ir.tile.together import BarOp, SyncOp
from tilewright.ir.tile.wgmma import WGMMA_OPS
from tilewright.passes.fission.cutting import Cutting
from tilewright.passes.fission.plan import Plan, is_memory
from tilewright.passes.fission.threads import Threads


@dataclass(frozen=True)
class Fission(ModulePass):
    """Every kernel of stage `final` becomes one whose blocks have one thread, with the same effect on memory.

    Threads take their turns in loops, which end at each barrier of the block, or of the warp. Values that live on
    beyond are kept in an array, an element for each thread, or worked out anew where that takes pure ops alone. Loops
    and branches around a barrier stand around these loops; threads that part there fail an assertion.
    It is for kernels without races: what threads do between two barriers is done in another order than lanes have.

    Attributes:
        lanes: of a warp of the target.

    Raises:
        CompileError: threads wait in a way that no loops have: at numbered barriers, for other blocks, or for what
            works asynchronously; or warps work together by a matrix instruction.
    """

    name = "fission"
    lanes: int = 32

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        """Changes the module in place."""
        STAGES["final"].check(op)
        for func in op.ops:
            if isinstance(func, FuncOp) and not func.is_declaration:
                self._function(func)

    def _function(self, func: FuncOp) -> None:
        for op in func.walk():
            refuse(op)
        extents = func.attributes.get(BLOCK)
        sizes = tuple(extents.get_values()) if isinstance(extents, DenseArrayBase) else ()
        if len(sizes) != 3 or min(sizes) < 1:
            name = f"the function {func.sym_name.data!r}"
            raise CompileError(f"{name} has no attribute {BLOCK} with three positive extents\n{place(func)}".rstrip())
        x, y, z = sizes
        plan = Plan.of(func.body.block, (x, y, z))
        body = Cutting.body(func, plan, Threads((x, y, z), self.lanes))
        func.regions[0].move_blocks(Region())
        body.move_blocks(func.body)
        func.attributes[BLOCK] = DenseArrayBase.from_list(i64, [1, 1, 1])


def refuse(op: Operation) -> None:
    """Raises `CompileError` for an op by which threads wait as no loops can."""
    why = _why_not(op)
    if why:
        raise CompileError(f"threads of a block cannot become loops: {why}\n{place(op)}".rstrip())


def _why_not(op: Operation) -> str:
    if isinstance(op, BarOp):
        return "warps wait for each other at numbered barriers"
    if isinstance(op, SyncOp | RemoteOp) and (not isinstance(op, SyncOp) or op.scope.data == "cluster"):
        return "blocks of a cluster work together"
    if isinstance(op, CLUSTER_OPS):
        return "blocks of a cluster work together"
    if isinstance(op, scf.WhileOp) and polls(op):
        return "a loop waits for what other threads write"
    if isinstance(op, (*ASYNCHRONOUS, *WGMMA_OPS, *TMEM_OPS)):
        return f"{op.name} works asynchronously"
    if isinstance(op, ReturnOp) and op.operands:
        return "the function gives results"
    if isinstance(op, scf.ForOp | scf.WhileOp | scf.IfOp) and any(map(is_memory, (*op.operands, *op.results))):
        return "a loop or branch carries memory"
    if isinstance(op, AtomOp):
        return f"the instruction {op.atom.data} is one step of all lanes"
    return ""
