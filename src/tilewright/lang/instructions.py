"""Instructions of PTX, `T.ptx.<family>.<modifiers>(*operands)`: a row each, found by its words in whatever order.

`T.ptx["cp.async.bulk.wait_group.read"](0)` and `T.ptx.cp.async_.bulk.wait_group.read(0)` are one instruction.
"""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches

from tilewright.errors import KernelError
from tilewright.lang.asynchronous import ASYNC_ROWS
from tilewright.lang.atomic_vectors import VECTOR_ROWS
from tilewright.lang.barriers import CLUSTER_ROWS, REGISTER_ROWS
from tilewright.lang.bits import BIT_ROWS
from tilewright.lang.bulk import BULK_ROWS
from tilewright.lang.matrix import MATRIX_ROWS, mma_instruction
from tilewright.lang.movmatrix import MOVMATRIX_ROWS
from tilewright.lang.narrow import NARROW_ROWS
from tilewright.lang.numbers import NUMBER_ROWS
from tilewright.lang.ordered import ORDERED_ROWS
from tilewright.lang.paired import PAIRED_ROWS
from tilewright.lang.reductions import REDUX_ROWS
from tilewright.lang.rows import Builder
from tilewright.lang.tcgen05 import TCGEN05_ROWS
from tilewright.lang.tmem import TMEM_ROWS
from tilewright.lang.wgmma import WGMMA_ROWS, wgmma_instruction
from tilewright.lang.words import Row, Words

# Every instruction of every family.
INSTRUCTIONS: tuple[Row, ...] = (
    *ASYNC_ROWS,
    *BULK_ROWS,
    *CLUSTER_ROWS,
    *ORDERED_ROWS,
    *VECTOR_ROWS,
    *REGISTER_ROWS,
    *REDUX_ROWS,
    *MOVMATRIX_ROWS,
    *MATRIX_ROWS,
    *NUMBER_ROWS,
    *NARROW_ROWS,
    *PAIRED_ROWS,
    *BIT_ROWS,
    *WGMMA_ROWS,
    *TMEM_ROWS,
    *TCGEN05_ROWS,
)


def instruction(path: str) -> Builder:
    """What an instruction does, by its path in the language.

    Raises:
        KernelError: there is none with these words; the message has those that come near.
    """
    text = spelled(path)
    words = frozenset(text.split("."))
    if words >= {"mma", "sync"}:
        return mma_instruction(text)
    if words >= {"wgmma", "mma_async"}:
        return wgmma_instruction(text)
    for row in INSTRUCTIONS:
        if row.has(words):
            return row.builder(words)
    raise KernelError(f"T.{path} is no instruction that kernels have{_near(words)}")


def spelled(path: str) -> str:
    """The instruction as PTX writes it."""
    parts = path.partition(".")[2].split(".")
    return ".".join(part.replace("__", "::").removesuffix("_") for part in parts)


def _near(words: Words) -> str:
    """What could be meant: the instruction that shares most, and the words that it has not."""
    row = max(INSTRUCTIONS, key=lambda row: len(row.needed & words) - len(row.needed - words), default=None)
    if row is None or not row.needed & words:
        return ""
    missing, foreign = row.needed - words, words - row.needed - row.optional
    parts = [f"it lacks {_list(missing)}"] if missing else []
    for word in sorted(foreign):
        close = get_close_matches(word, row.optional | row.needed, 1)
        parts.append(f"{word!r} is not one of its words" + (f", {close[0]!r} is" if close else ""))
    return f"; of `{_list(row.needed)}` " + ", ".join(parts)


def _list(words: Iterable[str]) -> str:
    return " ".join(sorted(words))
