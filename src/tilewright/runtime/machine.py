"""Has the machine that a kernel is compiled for its instructions? The simulator asks the same."""

from __future__ import annotations

from xdsl.dialects.builtin import ModuleOp

from tilewright.arch.target import Target
from tilewright.errors import CompileError
from tilewright.targets.launch import kernel_of
from tilewright.targets.simulator.admission import lacks, lacks_atom, needs


def require_machine(module: ModuleOp, target: Target) -> None:
    """Nothing, where the target's machine has all that a kernel at stage `final` asks for.

    Raises:
        CompileError: it lacks an instruction; the message says who has it, and at which line it is.
    """
    func = kernel_of(module)
    lacking = lacks(needs(func), target.arch, target.kind)
    if lacking is None and target.kind == "cuda":  # elsewhere lanes do what atoms do
        lacking = lacks_atom(func, target.arch)
    if lacking is not None:
        raise CompileError(lacking)
