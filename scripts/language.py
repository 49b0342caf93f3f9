"""Writes docs/language.md, the functions of the kernel language, from their table: `make language`.

`tests/lang/test_table.py` checks that the page is what this writes.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from tilewright.lang.addresses import ADDRESSES
from tilewright.lang.asynchronous import ASYNC_ROWS, WAITING
from tilewright.lang.atomic_vectors import VECTOR_ROWS
from tilewright.lang.atomics import ATOMIC_FUNCTIONS
from tilewright.lang.atoms import ATOM_FUNCTIONS
from tilewright.lang.barriers import BARRIERS, CLUSTER_ROWS
from tilewright.lang.bits import BIT_ROWS, BITS
from tilewright.lang.block_reductions import BLOCK_REDUCTIONS
from tilewright.lang.buffers import BUFFERS
from tilewright.lang.bulk import BULK_ROWS
from tilewright.lang.checks import CHECKS
from tilewright.lang.conversions import CONVERSIONS
from tilewright.lang.functions import FUNCTIONS
from tilewright.lang.launch import LAUNCH
from tilewright.lang.loops import LOOP_ROWS
from tilewright.lang.matrix import MATRIX_ROWS
from tilewright.lang.methods import METHODS
from tilewright.lang.movmatrix import MOVMATRIX_ROWS
from tilewright.lang.narrow import NARROW_ROWS
from tilewright.lang.numbers import NUMBER_ROWS, NUMBERS
from tilewright.lang.ordered import ORDERED_FUNCTIONS, ORDERED_ROWS
from tilewright.lang.paired import PAIRED, PAIRED_ROWS
from tilewright.lang.printing import PRINTERS
from tilewright.lang.reductions import REDUCTIONS, REDUX_ROWS
from tilewright.lang.rows import Function, Method
from tilewright.lang.spellings import SPELLINGS
from tilewright.lang.tcgen05 import TCGEN05_FUNCTIONS, TCGEN05_ROWS
from tilewright.lang.tmem import TMEM_FUNCTIONS, TMEM_ROWS
from tilewright.lang.variables import SCALARS
from tilewright.lang.warps import BLOCK, WARPS
from tilewright.lang.wgmma import WGMMA_FUNCTIONS, WGMMA_ROWS
from tilewright.lang.words import Row

PAGE = Path(__file__).parent.parent / "docs" / "language.md"
HEAD = """\
# The kernel language

A kernel is a function under `@T.prim_func`; its source is read, never executed. These are the functions that it can
call. The page is written by `make language` from the table in `tilewright/lang/functions.py`. [Kernels by
example](kernels.md) show them at work.

A buffer has `A.shape`, `A.dtype`, `A.layout`, its memory `A.data`, the address `A.ptr_to([i, j])` of an element, and
several elements of a row as one access: `v = A.vload([i, j], "float32x4")`, where `v[0]` is the first of four, and
`B.vstore([i, j], v)`.

A kernel may call functions of your own, methods of captured objects, and a `def` or `lambda` of its own: their
statements are read in the place of the call, with their own names, in branches and loops of run time too. What a
`return` in a branch of run time gives is chosen there; out of a loop one gives nothing. In a kernel `return` ends the
thread. Texts, tuples and dicts that are known have Python's slices, `in`, methods and functions (`zip`, `sorted`,
..). Texts are joined by `+` and by f-strings. A number whose name is assigned in a loop or branch
goes through it and keeps its type: begin it as `T.float32(0.0)`, or declare a register, `x: T.float32 = 0.0`; `x:
T.let = v` names a value. Types have short names, `T.f32` and `T.u8`, and `@T.inline` marks helpers as TIRx does. A
name of TIRx that is not here says what to write instead. `T.from_source(text, stage)` reads a printed script. Of
captured objects, dicts and arrays a kernel sees attributes and items that are numbers, texts, tuples of them or
layouts. An error in a helper stands at its line, and names the callers.
"""
SECTIONS: Sequence[tuple[str, Sequence[Function | Method | Row]]] = (
    ("The launch", LAUNCH),
    ("Loops", LOOP_ROWS),
    ("Buffers", (*BUFFERS, *SCALARS)),
    ("What a buffer can do", [*METHODS.values()]),
    ("Values", (*CONVERSIONS, *SPELLINGS)),
    ("Functions of numbers", (*NUMBERS, *NUMBER_ROWS, *NARROW_ROWS)),
    ("Two numbers in a word", (*PAIRED, *PAIRED_ROWS)),
    ("Bits", (*BITS, *BIT_ROWS)),
    ("Barriers and checks", (*BARRIERS, *BLOCK, *CLUSTER_ROWS, *CHECKS)),
    ("What a warp does together", (*WARPS, *REDUCTIONS, *BLOCK_REDUCTIONS, *REDUX_ROWS)),
    ("Atomic accesses", (*ADDRESSES, *ATOMIC_FUNCTIONS, *ORDERED_FUNCTIONS, *ORDERED_ROWS, *VECTOR_ROWS)),
    ("Instructions of the atom table", (*ATOM_FUNCTIONS, *MATRIX_ROWS, *MOVMATRIX_ROWS)),
    ("Warpgroup products", (*WGMMA_FUNCTIONS, *WGMMA_ROWS)),
    ("Tensor memory", (*TMEM_FUNCTIONS, *TCGEN05_FUNCTIONS, *TMEM_ROWS, *TCGEN05_ROWS)),
    ("Printing", PRINTERS),
    ("Asynchronous work", (*ASYNC_ROWS, *BULK_ROWS, *WAITING)),
)


def page() -> str:
    """The text of the page."""
    named = [row for _, rows in SECTIONS for row in rows]
    rest = [row for row in FUNCTIONS if row not in named]
    sections = [*SECTIONS, *([("More", rest)] if rest else [])]
    return "\n".join([HEAD, *(_section(title, rows) for title, rows in sections)])


def _section(title: str, rows: Sequence[Function | Method | Row]) -> str:
    lines = [f"| `{row.signature}` | {row.summary} |" for row in rows]
    return "\n".join([f"## {title}", "", "| function | effect |", "|---|---|", *lines, ""])


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
