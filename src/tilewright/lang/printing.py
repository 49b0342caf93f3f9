"""What a kernel prints: `T.printf`, `T.cuda.printf` and `T.sim.inspect`."""

from __future__ import annotations

from xdsl.ir import SSAValue

from tilewright.dtypes import dtype
from tilewright.errors import KernelError, UsageError
from tilewright.ir.tile.ops import offsets
from tilewright.ir.tile.printing import Conversion, InspectOp, PrintOp, pieces
from tilewright.lang.rows import Function
from tilewright.lang.tracer import Tracer
from tilewright.lang.values import Value, buffer_type, int_tuple, is_buffer, show

LIMIT = 2**31  # blocks of a launch


def printf(t: Tracer, fmt: Value, *args: Value) -> None:
    """`T.printf("lane %d: %f\\n", lane, value)`: each thread writes a text, as C's printf; a newline is not added."""
    if not isinstance(fmt, str):
        raise KernelError(f"T.printf takes a format such as 'lane %d\\n', got {show(fmt)}")
    try:
        conversions = [piece for piece in pieces(fmt) if isinstance(piece, Conversion)]
    except UsageError as error:
        raise KernelError(str(error)) from None
    if len(conversions) != len(args):
        raise KernelError(f"the format has {len(conversions)} conversions, for {len(args)} values")
    values = [_written(t, value) for value in args]
    for conversion, value in zip(conversions, values, strict=True):
        if not conversion.accepts(value.type):
            raise KernelError(f"%{conversion.style}{conversion.kind} does not write a {value.type}")
    t.insert(PrintOp(fmt, values))


def _written(t: Tracer, value: Value) -> SSAValue:
    """A value that can be printed; a number of Python's is an index, or a float64."""
    if isinstance(value, SSAValue) and not is_buffer(value):
        return value
    if isinstance(value, int):
        return t.index.value(int(value))
    if isinstance(value, float):
        return t.elements.constant(value, dtype("float64"))
    raise KernelError(f"T.printf writes numbers, got {show(value)}")


def inspect(t: Tracer, buffer: Value, block: Value = 0, thread: Value = 0) -> None:
    """`T.sim.inspect(buffer, block=0, thread=0)`: these threads print its elements, on the simulator alone.

    `block` and `thread` are numbers, or tuples of them, that count x fastest.
    """
    if not is_buffer(buffer):
        raise KernelError(f"T.sim.inspect takes a buffer, got {show(buffer)}")
    if offsets(buffer):
        raise KernelError(f"{buffer.name_hint} begins at a run-time elem_offset; T.sim.inspect takes constant ones")
    blocks, threads = int_tuple(block, "a block's number"), int_tuple(thread, "a thread's number")
    if not all(0 <= number < LIMIT for number in (*blocks, *threads)):
        raise KernelError(f"blocks and threads have numbers from 0, below 2^31; got {show(blocks)} and {show(threads)}")
    t.insert(InspectOp(buffer, buffer_type(buffer), buffer.name_hint or "buffer", blocks, threads))


_PRINTF = "Each thread writes a text as C's printf, in the order of the lanes on the simulator."
_INSPECT = "These threads print the buffer's elements, on the simulator alone; numbers, or tuples of them."

PRINTERS = (
    Function("printf", printf, _PRINTF),
    Function("cuda.printf", printf, _PRINTF),
    Function("sim.inspect", inspect, _INSPECT),
)
