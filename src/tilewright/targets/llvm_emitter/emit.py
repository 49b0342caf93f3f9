"""`emit_llvm`: a kernel whose threads are loops as LLVM IR, with the two functions that the host calls.

`tw_launch(memory, first, last, report)` runs the blocks from `first` to `last`, x counting fastest, on what the
parameters point to; it gives 1 where an assertion does not hold, and then says in the report which, and where: its
number, the value, the block, the thread; then what has been printed, and how long that is. Behind these the report
says whether Ctrl-C is heeded, which is not here, and the extents of the grid. `tw_free` frees what has been printed.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from xdsl.dialects.builtin import ModuleOp

from tilewright.ir.core.bounds import Claim
from tilewright.ir.tile.shared import POOL_ALIGNMENT, SharedMemory
from tilewright.targets.launch import Launch, Parameter, kernel_of, parameters_of, shape_of
from tilewright.targets.llvm_emitter.statements import STATEMENTS
from tilewright.targets.llvm_emitter.types import Value, in_memory, of_element
from tilewright.targets.llvm_emitter.writer import Writer

_LIBRARY = """
define i32 @tw_launch(ptr %memory, i64 %first, i64 %last, ptr %report) {{
  %large = call ptr @malloc(i64 {large})
  %text = getelementptr i64, ptr %report, i64 4
  %size = getelementptr i64, ptr %report, i64 5
  %out = {opened}
  %width = getelementptr i64, ptr %report, i64 7
  %columns = load i64, ptr %width
  %height = getelementptr i64, ptr %report, i64 8
  %rows = load i64, ptr %height
  br label %head
head:
  %block = phi i64 [ %first, %0 ], [ %next, %good ]
  %more = icmp slt i64 %block, %last
  br i1 %more, label %body, label %over
body:
  %x = srem i64 %block, %columns
  %row = sdiv i64 %block, %columns
  %y = srem i64 %row, %rows
  %z = sdiv i64 %row, %rows
  %status = call i32 @tw_block(i64 %x, i64 %y, i64 %z, ptr %memory, ptr %large, ptr %report, ptr %out)
  %next = add i64 %block, 1
  %failed = icmp ne i32 %status, 0
  br i1 %failed, label %bad, label %good
good:
  br label %head
bad:
  %at = getelementptr i64, ptr %report, i64 2
  store i64 %block, ptr %at
  br label %over
over:
  %result = phi i32 [ 0, %head ], [ 1, %bad ]
  call void @free(ptr %large)
  {closed}
  ret i32 %result
}}
define void @tw_free(ptr %text) {{
  call void @free(ptr %text)
  ret void
}}
declare ptr @malloc(i64)
declare void @free(ptr)
"""
_PRINTS = "declare ptr @open_memstream(ptr, ptr)\ndeclare i32 @fclose(ptr)\n"
_SELDOM = '!0 = !{!"branch_weights", i32 1048576, i32 1}\n'


@dataclass(frozen=True)
class LText:
    """The text, how it is launched, and its assertions by their numbers, with their places in the source."""

    source: str
    launch: Launch
    assertions: tuple[tuple[Claim, str], ...]


def emit_llvm(module: ModuleOp, restrict: bool = True) -> LText:
    """The text of a kernel at stage `final` whose blocks are of one thread.

    Args:
        module: the kernel.
        restrict: promise the compiler that the parameters do not overlap.

    Raises:
        CompileError: an op that the emitter does not know, or an element type that it cannot compute with.
    """
    func = kernel_of(module)
    launch, out = shape_of(func), Writer(STATEMENTS)
    parameters, arguments = parameters_of(func), func.body.block.args
    for number, (argument, parameter) in enumerate(zip(arguments, parameters, strict=True)):
        out.values[argument] = Value(f"%p{number}", "ptr" if parameter.shape else _kind(parameter))
    out.block(func.body.block)
    if pool := SharedMemory.of(func).pool:
        out.arrays.insert(0, f"  %pool = alloca [{pool} x i8], align {POOL_ALIGNMENT}")
    given = ", ".join(_declared(number, parameter, restrict) for number, parameter in enumerate(parameters))
    context = "i64 %block_x, i64 %block_y, i64 %block_z, ptr %large, ptr %report, ptr %out"
    kernel = [
        f"define internal i32 @tw_kernel({', '.join(filter(None, (context, given)))}) noinline {{",
        *("entry:", *out.arrays, *out.lines, "  ret i32 0", "}"),
    ]
    prints = "fprintf" in out.used
    library = _LIBRARY.format(
        large=out.large,
        opened="call ptr @open_memstream(ptr %text, ptr %size)" if prints else "getelementptr i8, ptr null, i64 0",
        closed="call i32 @fclose(ptr %out)" if prints else "",
    )
    texts = [*out.globals, *kernel, *_called(parameters), library + _PRINTS * prints, *out.functions(), _SELDOM]
    return LText("\n".join(texts), launch, tuple(out.assertions))


def _kind(parameter: Parameter) -> str:
    return of_element(parameter.element)


def _declared(number: int, parameter: Parameter, restrict: bool) -> str:
    if not parameter.shape:
        return f"{_kind(parameter)} %p{number}"
    return f"ptr {'noalias ' * (restrict and parameter.size is not None)}%p{number}"


def _called(parameters: Sequence[Parameter]) -> list[str]:
    """The function that finds the parameters and calls the kernel."""
    lines, given = [], []
    for number, parameter in enumerate(parameters):
        lines += [
            f"  %a{number} = getelementptr ptr, ptr %memory, i64 {number}",
            f"  %m{number} = load ptr, ptr %a{number}",
        ]
        if parameter.shape:
            given.append(f"ptr %m{number}")
            continue
        kind = _kind(parameter)
        stored = in_memory(kind)
        lines.append(f"  %n{number} = load {stored}, ptr %m{number}, align 1")
        if stored != kind:
            lines.append(f"  %b{number} = icmp ne {stored} %n{number}, 0")
        given.append(f"{kind} %{'b' if stored != kind else 'n'}{number}")
    listed = ", ".join(["i64 %x, i64 %y, i64 %z, ptr %large, ptr %report, ptr %out", *given])
    return [
        "define internal i32 @tw_block(i64 %x, i64 %y, i64 %z, ptr %memory, ptr %large, ptr %report, ptr %out) {",
        *lines,
        f"  %status = call i32 @tw_kernel({listed})",
        "  ret i32 %status",
        "}",
    ]
