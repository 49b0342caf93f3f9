"""`emit`: a kernel at stage `final` as C text."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import ModuleOp

from tilewright.ir.core.bounds import without_assertions
from tilewright.ir.core.dead import without_dead
from tilewright.targets.c_emitter.names import KERNEL
from tilewright.targets.c_emitter.printing import without_inspection
from tilewright.targets.c_emitter.statements import STATEMENTS
from tilewright.targets.c_emitter.tables import CUDA, CTable
from tilewright.targets.c_emitter.writer import CText, Wanted, Writer


def emit(
    module: ModuleOp, table: CTable = CUDA, restrict: bool = True, suffix: str = KERNEL, taken: Sequence[str] = ()
) -> CText:
    """The C text of a kernel, without dead code; its assertions are left out where the dialect has no word for them.

    Args:
        module: a kernel at stage `final`.
        table: the dialect of C.
        restrict: promise the compiler that the parameters do not overlap.
        suffix: what stands behind the kernel's name. taken: names that others have in the same file.

    Raises:
        CompileError: an op that the emitter does not know, an element type that the dialect cannot compute with,
            a name that is no identifier, or more shared memory than a block has.
    """
    checked = module if table.assertion else without_assertions(module)
    wanted = Wanted(restrict, suffix, tuple(taken))
    return Writer(without_dead(without_inspection(checked)), table, STATEMENTS, wanted).text()
