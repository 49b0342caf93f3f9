"""Where a guide to permutations slips, told beside the figures that it prints: those of its own numbers."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from tilewright.analysis.permutation.slips import slips
from tilewright.explorer.answer import Row, Table
from tilewright.explorer.fields import Inputs

HEADS = ("at", "it says", "right is", "why")
Numbers = tuple[tuple[str, str], ...]
MODE: Numbers = (("of", "a mode"), ("F", "16"), ("block", "128"), ("dtype", "float32"))
TENSOR: Numbers = (
    ("of", "a tiled MMA"),
    ("atom", "SM80_16x8x16_F32F16F16F32_TN"),
    ("layout", "(2,2,1)"),
    ("tile", "(128,128,32)"),
)
SCALAR: Numbers = (("of", "a tiled MMA"), ("layout", "(16,16,1)"), ("tile", "(128,128,8)"))
# What the guide says of each of its cases, by the places that it is said at.
SAID: Mapping[Numbers, tuple[str, ...]] = MappingProxyType(
    {
        MODE: (
            "permutation for R = 4",
            "elements of thread 0 for R = 1",
            "shapes of a thread for R = 1 and R = 8",
            "coalescing for R = 1",
            "stores for R = 8",
        ),
        TENSOR: (
            "accumulators of a thread",
            "MMA calls per K step",
            "whose responsibility 32 x 32 is",
            "columns of a warp",
            "choice of the grouping",
            "picture of the warps",
        ),
        SCALAR: ("neighbouring threads",),
    }
)


def table(inputs: Inputs) -> tuple[Table, ...]:
    """The slips of the guide's case that is shown; nothing for other numbers."""
    wanted = [where for case, places in SAID.items() if _is(inputs, case) for where in places]
    rows = tuple(Row(slip[: len(HEADS)]) for slip in slips() if slip.where in wanted) if wanted else ()
    return (Table("where a guide to permutations slips with these numbers", HEADS, rows),) if rows else ()


def _is(inputs: Inputs, case: Numbers) -> bool:
    return all(inputs.text(name).replace(" ", "") == value.replace(" ", "") for name, value in case)
