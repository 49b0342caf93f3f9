"""One object of every kind that has a picture, and the pictures of each."""

from __future__ import annotations

from tilewright import atoms, make_copy_atom, make_tiled_copy_tv
from tilewright.analysis.banks.conflicts import bank_conflicts
from tilewright.analysis.global_memory.sectors import coalescing
from tilewright.analysis.model.access import Access
from tilewright.analysis.permutation.choices import permutation_choices
from tilewright.analysis.permutation.explained import explain_permutation
from tilewright.analysis.permute.schedule import permute_schedule
from tilewright.analysis.swizzle.half_tile import movements
from tilewright.analysis.swizzle.search import suggest_swizzle
from tilewright.atoms.tiled_mma import make_tiled_mma
from tilewright.explorer.trace.store import Traces
from tilewright.figures.draw import draw
from tilewright.figures.figure import Figure
from tilewright.layout.composed import ComposedLayout
from tilewright.layout.construct import make_identity_layout
from tilewright.layout.explain import explain
from tilewright.layout.layout import Layout
from tilewright.layout.linear.linear import LinearLayout
from tilewright.layout.operations import composition
from tilewright.layout.predicates import counterexample, is_injective
from tilewright.layout.swizzle import Swizzle
from tilewright.tirx.layout import ComposeLayout, R, S, SwizzleLayout, TileLayout, explain_element, laneid, warpid

TILE = Layout((8, 64), (64, 1))
ROWS = Layout((8, 8), (1, 8))  # lane t holds the 8 halves of row t
SWIZZLED = ComposedLayout(Swizzle(3, 3, 3), 0, TILE)
FRAGMENT = TileLayout(S[(8, 2, 4, 2) : (4 @ laneid, 1 @ warpid, 1 @ laneid, 1)] + R[2 : 4 @ warpid] + 5 @ warpid)
MMA = atoms.mma("SM80_16x8x8_F32F16F16F32_TN")
COPY = make_tiled_copy_tv(make_copy_atom("UniversalCopy32b", 16), Layout((4, 8), (8, 1)), Layout((1, 2)))

LAYOUTS: dict[str, object] = {
    "rank 0": Layout(()),
    "an integer": Layout(4, 3),
    "rank 1": Layout((40,)),
    "nested rank 1": Layout(((2, 3),), ((1, 8),)),
    "an empty mode": Layout(((), 4)),
    "extents of 1": Layout((1, 1)),
    "rank 2": Layout((3, 5), (5, 1)),
    "nested": Layout(((2, (2, 3)), ((4,), 2))),
    "rank 3": Layout((2, 3, 4)),
    "rank 4": Layout((2, 3, 2, 2), (1, -2, 0, 7)),
    "coordinates": make_identity_layout((4, (2, 4))),
    "coordinates of rank 1": make_identity_layout((4,)),
    "named axes": FRAGMENT.to_layout(),
    "composed": SWIZZLED,
    "composed of rank 1": ComposedLayout(Swizzle(2, 0, 3), 5, Layout(64)),
    "composed of rank 3": ComposedLayout(Swizzle(2, 0, 3), 0, Layout((2, 4, 8))),
    "composed of layouts": ComposedLayout(Layout((4, 4), (4, 1)), 2, Layout((2, 3))),
    "linear": LinearLayout.from_bases([("row", [[1, 1], [2, 2]]), ("col", [[1, 0], [2, 0]])], ["col", "row"]),
    "linear to one": LinearLayout.strided_1d(4, 2, "i", "o"),
    "tile": TileLayout(S[4, 8]),
    "tile with replicas": FRAGMENT,
    "replicas alone": TileLayout(R[4 : 1 @ warpid]),
    "compose": ComposeLayout(SwizzleLayout(1, 1, 2), TileLayout(S[4, 8])),
    "compose with replicas": ComposeLayout(SwizzleLayout(1, 1, 2), TileLayout(S[4, 8] + R[2:32])),
    "swizzle layout": SwizzleLayout(1, 1, 2, swizzle_inner=False),
    "swizzle": Swizzle(2, 1, -3),
    "no swizzle": Swizzle(0, 0, 0),
}

OTHERS: dict[str, object] = {
    "mma": MMA,
    "tiled mma": make_tiled_mma(MMA, Layout((1, 2, 1))),
    "mma through descriptors": atoms.mma("SM90_64x8x16_F32F16F16_SS"),
    "copy": atoms.copy("SM75_U32x1_LDSM_N"),
    "tiled copy": COPY,
    "tiled copy of rank 1": make_tiled_copy_tv(make_copy_atom("UniversalCopy32b", 16), Layout(32), Layout(2)),
    "movement": movements()[0],
    "report": bank_conflicts(TILE, ROWS, element_bits=16),
    "coalescing": coalescing(Layout((32, 64), (64, 1)), Layout((32, 4), (1, 64)), element_bits=16),
    "advice": suggest_swizzle(TILE, [Access(ROWS)], element_bits=16)[0],
    "derivation": explain(composition, Layout((4, 8), (8, 1)), Layout((2, 4), (1, 2))),
    "choice of permutations": permutation_choices(8, 32, 32)[1],
    "choices of permutations": permutation_choices(8, 32, 32),
    "permutation of a tile": explain_permutation(make_tiled_mma(MMA, Layout((1, 2, 1))), (32, 16, 8)),
    "schedule of a permute": permute_schedule(range(64), [*range(0, 64, 2), *range(1, 64, 2)], element_bytes=4),
    "trace": Traces()["transpose, plain tile"],
    "element of a placement": explain_element(FRAGMENT, (2, 5), (8, 16)),
    "thread of a tiled mma": make_tiled_mma(MMA, Layout((1, 2, 1))).get_slice(37),
    "thread of a tiled copy": COPY.get_slice(5),
    "operand": (make_tiled_mma(MMA, Layout((1, 2, 1))), "A"),
    "side": (COPY, "S"),
    "access": Access(ROWS, instruction="ldmatrix.x1"),
    "counterexample": counterexample(is_injective, Layout((4, 2), (1, 2))),
}


def figures() -> dict[str, Figure]:
    """A picture of each kind, by name."""
    found = {name: draw(thing) for name, thing in {**LAYOUTS, **OTHERS}.items()}
    return found | {
        "banks": draw(SWIZZLED, kind="banks", element_bits=16, access=ROWS),
        "grid of banks": draw(SWIZZLED, element_bits=16, color="bank"),
        "memory": draw(SWIZZLED, kind="memory", element_bits=16, access=ROWS),
        "owners of a tile": draw(OTHERS["permutation of a tile"], kind="permutation"),
        "beside": draw(TILE, kind="compare", to=SWIZZLED),
        "slices": draw(TILE, highlight=[(None, 3), (2, None)]),
        "bits": draw(Swizzle(2, 1, 3), kind="swizzle"),
        "placement": draw(FRAGMENT, kind="placement"),
        "shared tile": draw(SWIZZLED, kind="shared_tile", element_bits=16),
        "thread-value": draw(Layout(((2, 2), 2), ((1, 0), 2)), kind="tv", tile=(2, 3)),
    }
