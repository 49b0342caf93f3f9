"""Every kind of picture, 8x8 and 64x64: bytes and CPU milliseconds of SVG, PNG and PDF, as a table of Markdown.

python benchmarks/pictures.py [WORD..]     those whose name has one of the words; the budget of SVG is 300 kB and 50 ms
"""

from __future__ import annotations

import statistics
import sys
import time
from collections.abc import Callable, Iterator

import numpy as np

import tilewright as tw
from tilewright import Access, ComposedLayout, Layout, LinearLayout, Swizzle
from tilewright.analysis.permutation.choices import permutation_choices
from tilewright.analysis.permutation.explained import explain_permutation
from tilewright.analysis.swizzle.half_tile import movements
from tilewright.atoms.shared_atoms import shared_atom
from tilewright.explorer.trace.store import Traces
from tilewright.figures import Figure, draw
from tilewright.tirx.layout import R, S, TileLayout, explain_element, laneid, warpid

TURNS = 3
Draw = Callable[[], Figure]
MMA = tw.atoms.mma("SM80_16x8x16_F32F16F16F32_TN")
WGMMA = tw.atoms.mma("SM90_64x8x16_F32F16F16_SS")
LDMATRIX = tw.atoms.copy("SM75_U32x4_LDSM_N")


def rows(n: int) -> Layout:
    return Layout((n, n), (n, 1))


def swizzled(n: int) -> ComposedLayout:
    return ComposedLayout(Swizzle(3, 3, 3), 0, rows(n))


def fragment(n: int, copies: int = 1) -> TileLayout:
    spread = S[(8, n // 8, 4, n // 4) : (4 @ laneid, 1 @ warpid, 1 @ laneid, 1)]
    return TileLayout(spread + R[copies : 16 @ warpid] if copies > 1 else spread)


def linear(n: int) -> LinearLayout:
    bits = [1 << i for i in range(n.bit_length() - 1)]
    return LinearLayout.from_bases([("row", [[b, b] for b in bits]), ("col", [[b, 0] for b in bits])], ["col", "row"])


def owned(n: int) -> Layout:
    return Layout((32, n * n // 32), (n * n // 32, 1))


def shared(n: int) -> Layout:
    return Layout(((32, 2), n * n // 32), ((n * n // 32, 0), 1))


def report(n: int, swizzle: bool = False) -> tw.BankReport:
    return tw.bank_conflicts(swizzled(n) if swizzle else rows(n), columns(n), element_bits=16)


def columns(n: int) -> Layout:
    return Layout((min(n, 32), n), (1, n)) if n <= 32 else Layout((32, n), (1, 64))


def tiled(n: int) -> tw.TiledMma:
    return tw.make_tiled_mma(MMA, Layout((1, 1, 1) if n == 8 else (4, 8, 1)))


def copied(n: int) -> tw.TiledCopy:
    atom = tw.make_copy_atom("UniversalCopy128b", 16)
    return tw.make_tiled_copy_tv(
        atom,
        Layout((8, 1) if n == 8 else (32, 8), (1, 1) if n == 8 else (8, 1)),
        Layout((1, 8)) if n == 8 else Layout((2, 8), (8, 1)),
    )


KINDS: dict[str, Callable[[int], Figure]] = {
    "grid": lambda n: draw(rows(n)),
    "grid, swizzled": lambda n: draw(swizzled(n)),
    "grid, coloured by bank": lambda n: draw(swizzled(n), color="bank", element_bits=16),
    "grid, slices highlighted": lambda n: draw(rows(n), highlight=[(None, 3), (2, None)]),
    "grid, named axes": lambda n: draw(fragment(n), shape=(n, n)),
    "grid, named axes, two copies": lambda n: draw(fragment(n, 2), shape=(n, n)),
    "grid, linear layout": lambda n: draw(linear(n)),
    "grid, tensor": lambda n: draw(tw.Tensor(np.arange(n * n), rows(n))),
    "compare": lambda n: draw(rows(n), kind="compare", to=swizzled(n)),
    "derivation": lambda n: draw(tw.explain(tw.zipped_divide, rows(n), (4, 8))),
    "tv": lambda n: draw(owned(n), kind="tv", tile=(n, n)),
    "tv, several owners": lambda n: draw(shared(n), kind="tv", tile=(n, n)),
    "placement, two copies": lambda n: draw(fragment(n, 2), kind="placement", shape=(n, n)),
    "shared tile": lambda n: draw(swizzled(n), kind="shared_tile", element_bits=16),
    "permute": lambda n: draw(tw.permute_schedule(rows(n), Layout((n, n)), element_bytes=4)),
    "banks": lambda n: draw(swizzled(n), kind="banks", element_bits=16),
    "banks, whole": lambda n: draw(swizzled(n), kind="banks", element_bits=16, whole=True),
    "banks, with an access": lambda n: draw(swizzled(n), kind="banks", element_bits=16, access=columns(n)),
    "memory": lambda n: draw(swizzled(n), kind="memory", element_bits=32),
    "phases": lambda n: draw(report(n)),
    "sectors": lambda n: draw(tw.coalescing(rows(n), columns(n), element_bits=16)),
    "advice": lambda n: draw(tw.suggest_swizzle(rows(n), [Access(columns(n))], element_bits=16)[0]),
    "permutation, a choice": lambda n: draw(permutation_choices(n // 4, n * n // 4, 32)[2]),
    "permutation, all choices": lambda n: draw(permutation_choices(n // 4, n * n // 16, 32)),
}
FIXED: dict[str, Draw] = {
    "mma 16x8x16": lambda: draw(MMA),
    "mma 64x8x16, descriptors": lambda: draw(WGMMA),
    "tiled mma 64x64x16": lambda: draw(tiled(64)),
    "tiled mma 64x64x16, a thread": lambda: draw(tiled(64).get_slice(37)),
    "permutation of a 64x64 tile": lambda: draw(explain_permutation(tiled(64), (64, 64, 32)), kind="permutation"),
    "walk to a 128x128 tile": lambda: draw(explain_permutation(tiled(64), (128, 128, 32))),
    "trace, moments of a transpose": lambda: draw(Traces()["transpose, plain tile"]),
    "element of a fragment": lambda: draw(explain_element(fragment(64, 2), 37)),
    "copy, ldmatrix.x4": lambda: draw(LDMATRIX),
    "operand A of a tiled mma": lambda: draw((tiled(64), "A")),
    "access, columns of a 64x64 tile": lambda: draw(Access(columns(64)), tile=(64, 64)),
    "counterexample, 64x64": lambda: draw(tw.counterexample(tw.is_injective, Layout((64, 64), (1, 63)))),
    "tiled copy 64x64": lambda: draw(copied(64)),
    "operand, K_SW128 atom": lambda: draw(shared_atom("K_SW128"), element_bits=16),
    "swizzle Sw<3,3,3>": lambda: draw(Swizzle(3, 3, 3), kind="swizzle"),
    "staging 16x16": lambda: draw(movements()[0], plain=True),
    "banks 128x64": lambda: draw(Layout((128, 64), (64, 1)), kind="banks", element_bits=16),
    "grid 256x256": lambda: draw(rows(256)),
}
FORMS: dict[str, Callable[[Figure], str | bytes]] = {"SVG": Figure.svg, "PNG": Figure.png, "PDF": Figure.pdf}


def cases() -> Iterator[tuple[str, Draw]]:
    for name, kind in KINDS.items():
        yield f"{name} 8x8", lambda kind=kind: kind(8)
        yield f"{name} 64x64", lambda kind=kind: kind(64)
    yield from FIXED.items()


def milliseconds(work: Callable[[], object]) -> float:
    def once() -> float:
        start = time.process_time()
        work()
        return time.process_time() - start

    return statistics.median(once() for _ in range(TURNS)) * 1e3


def row(name: str, make: Draw) -> str:
    figure = make()
    cells = [f"{milliseconds(make):.0f}"]
    for form in FORMS.values():
        cells += [f"{len(form(figure)) / 1e3:.0f}", f"{milliseconds(lambda form=form: form(figure)):.0f}"]
    return f"| {name} | {' | '.join(cells)} |"


if __name__ == "__main__":
    print(f"| picture | draw ms | {' | '.join(f'{form} kB | ms' for form in FORMS)} |")
    print("|---|" + "---|" * (1 + 2 * len(FORMS)))
    for name, make in cases():
        if not sys.argv[1:] or any(word in name for word in sys.argv[1:]):
            print(row(name, make), flush=True)
