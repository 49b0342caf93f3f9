"""Random and mutated texts for the parsers, and what came of each."""

from __future__ import annotations

import contextlib
import gzip
import json
import random
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from pasted import rows

from tilewright.errors import LayoutError, NotationError
from tilewright.layout.linear.linear import LinearLayout
from tilewright.notation import (
    parse,
    parse_coord,
    parse_fly,
    parse_int_tuple,
    parse_layout,
    parse_linear,
    parse_swizzle,
    parse_tiler,
    parse_tirx,
    parse_triton,
    placement,
    text,
    to_cpp,
    to_cute,
    to_fly,
    to_linear,
    to_tirx,
    to_triton,
)

DATA = Path(__file__).parents[1] / "data"
PARSERS: tuple[Callable[[str], Any], ...] = (
    *(parse,) * 9,
    parse_coord,
    parse_fly,
    parse_int_tuple,
    parse_layout,
    parse_linear,
    parse_swizzle,
    parse_tiler,
    parse_tirx,
    parse_triton,
)
GROWN = [
    "S[(8, 2, 4, 2):(4@laneid,1@warpid,1@laneid,1)] + R[2:4@warpid] + 5@warpid",
    "T.TileLayout(T.S[(8, 2):(4 @ Axis.laneid, 1)] + (3 @ Axis.laneid + 5))",
    "ComposeLayout(SwizzleLayout(per_element=3, swizzle_len=3, atom_len=3), TileLayout(S[(8,64):(64@m,1@m)]))",
    "T.ComposeLayout(3, 3, 3, T.TileLayout(T.S[512:1]), swizzle_inner=False)",
    'TileLayout.from_iters(offset={"warpid": 5})',
    "tCsA: Sw<3,4,3>_smem_ptr[16b](0x78ed00000480) o ((_128,_16),_1,_4):((_64,_1),_0,_16)",
    "tensor<ptr<f32, smem, align<1024>, S<3,4,3>> o ((32,2),(8,8)):((1,2048),(32,256))>",
    "ArithTuple(0,_8) o ((_64,_128),4):((_1@0,_1@1),_64@0)",
    '!cute.memref<f16, smem, align<128>, S<3,4,3>, "((128,16),1,4,7):((64,1),0,16,8192)">',
    "ComposedLayout<Swizzle<3,3,3>,Int<0>,Layout<Shape<Int<8>,Stride<int,_2>>,Stride<_1,Stride<_8,ScaledBasis<_1,0,1>>>>>",
    "{lane = [[0, 1], [0, 2]], register = [[1, 0]]} -> {col = 4, row = 2}",
    "- reg=1 -> (0, 1)\n  reg=2 -> (0, 2)\n- lane=1 -> (1, 0)\nwhere out dims are: [dim0 (size 2), dim1 (size 4)]",
    "#ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [8, 4], warpsPerCTA = [4, 1], order = [1, 0]}>",
    "#a = #triton_gpu.blocked<{sizePerThread=[2],threadsPerWarp=[4],warpsPerCTA=[2],order=[0]}>\ntensor<64xf16, #a>",
    "#ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = true, elementBitWidth = 16, rank = 3}>",
    "#ttg.slice<{dim=0,parent=#ttg.blocked<{sizePerThread=[1,4],threadsPerWarp=[8,4],warpsPerCTA=[4,1],order=[1,0]}>}>",
    "#ttg.swizzled_shared<{vec=8,perPhase=1,maxPhase=8,order=[1,0],CTAsPerCGA=[2,1],CTASplitNum=[2,1],CTAOrder=[1,0]}>",
    "#ttg.linear<{register = [[0, 1]], lane = [[1, 0], [2, 0]], warp = [], block = []}>",
    "#ttg.dot_op<{opIdx=0,kWidth=4,parent=#ttg.amd_mfma<{version=3,warpsPerCTA=[2,2],instrShape=[16,16,16],"
    "isTransposed=true,tilesPerWarp=[2,1]}>}>",
    "#ttg.nvidia_mma<{versionMajor = 3, versionMinor = 0, warpsPerCTA = [4, 1], instrShape = [16, 64, 16]}>",
    "#ttg.amd_wmma<{version = 2, ctaLayout = {register = [[0, 1]], warp = [[0, 2], [1, 0]]}}>",
    "gl.SliceLayout(1, gl.BlockedLayout(size_per_thread=[1, 4], threads_per_warp=[8, 4], warps_per_cta=[4, 1], "
    "order=[1, 0]))",
    "DotOperandLayout(0, NVMMADistributedLayout(version=[2, 0], warps_per_cta=[4, 1], instr_shape=[16, 8]), k_width=2)",
    "PaddedSharedLayout([[8, 4]], offset_bases=[[0, 1], [0, 2], [0, 4], [1, 0]], cga_layout=[], shape=[2, 8])",
    "Sw<1,4,3> o 0 o [Sw<2,0,3> o M0|(192&192)=192 o (8,64):(64,1)]",
    "(?{i64 div=8},4):(1@0@1+2@laneid,?E2)",
    "!fly.composed_layout<S<3,3,3> o (0,0) o (8,64):(1E0,1E1)>",
]
PIECES = [
    *"()[]{}<>,:;|@+-*=?#&.!\"_oSRTE0128\t\n\x00é∘²'\\/$%",
    *["->", "_4", "64", "4096", "9223372036854775807", "9223372036854775808", "Sw", "E0", "E1E0", "1E0", "laneid", "m"],
    *["warpid", "TLane", "Axis", "div", "i64", "TileLayout", "ComposeLayout", "SwizzleLayout", "from_iters", "True"],
    *["swizzle_inner=", "#ttg.blocked<{", "}>", "order=", "parent=", "tensor<64x64xf16,", "where out dims are:"],
    *["(size ", " is a ", "dimension", "!fly.layout<", "Sw<3,3,3>", "S[8:1]", "R[2:4@tx]", "M0|(1&1)=", "o 0 o"],
]


def seeds() -> list[str]:
    """Readable texts of every notation."""
    known = json.loads(gzip.decompress((DATA / "notation_texts.json.gz").read_bytes()))
    pasted = [row["text"] for row in rows()]
    return [*GROWN * 40, *pasted * 4, *known["cute"][::8], *(words for _, words in known["fly"][::8])]


def strings(rng: random.Random, count: int) -> Iterator[str]:
    """Texts: token soup, character soup, and seeds with one to four faults."""
    known = seeds()
    for _ in range(count):
        kind = rng.random()
        if kind < 0.2:
            yield "".join(rng.choices(PIECES, k=rng.randint(0, 24)))
        elif kind < 0.25:
            yield "".join(map(chr, rng.choices(range(1, 400), k=rng.randint(0, 60))))
        else:
            words = rng.choice(known)
            for _ in range(rng.choice([1, 1, 1, 2, 4])):
                words = rng.choice(FAULTS)(rng, words, known)
            yield words[:20000]


def _cut(rng: random.Random, words: str) -> tuple[int, int]:
    a, b = sorted((rng.randint(0, len(words)), rng.randint(0, len(words))))
    return a, b


def drop(rng: random.Random, words: str, known: list[str]) -> str:
    at = rng.randint(0, len(words))
    return words[:at] + words[at + rng.randint(1, 3) :]


def insert(rng: random.Random, words: str, known: list[str]) -> str:
    at = rng.randint(0, len(words))
    return words[:at] + rng.choice(PIECES) + words[at:]


def replace(rng: random.Random, words: str, known: list[str]) -> str:
    at = rng.randint(0, len(words))
    return words[:at] + rng.choice(PIECES) + words[at + 1 :]


def repeat(rng: random.Random, words: str, known: list[str]) -> str:
    a, b = _cut(rng, words)
    return words[:b] + words[a:b] * rng.choice([1, 1, 2, 80]) + words[b:]


def truncate(rng: random.Random, words: str, known: list[str]) -> str:
    return words[: rng.randint(0, len(words))]


def splice(rng: random.Random, words: str, known: list[str]) -> str:
    other = rng.choice(known)
    return words[: rng.randint(0, len(words))] + other[rng.randint(0, len(other)) :]


def wrap(rng: random.Random, words: str, known: list[str]) -> str:
    return f"({words})" if rng.random() < 0.5 else f"[{words}|4]"


def renumber(rng: random.Random, words: str, known: list[str]) -> str:
    places = [at for at, char in enumerate(words) if char.isdigit()]
    at = rng.choice(places) if places else 0
    return words[:at] + str(rng.choice([0, 1, 2, 3, 8, 64, 2**62])) + words[at + 1 :]


FAULTS = (renumber, renumber, renumber, drop, insert, replace, repeat, truncate, splice, wrap)


def outcome(words: str, parser: Callable[[str], Any]) -> tuple[str, float]:
    """What came of a text, and the CPU seconds: read, refused, or the name of what must not happen."""
    started = time.process_time()
    try:
        found = parser(words)
        convert(found)
        return ("read" if reads_back(found) else "does not read back"), time.process_time() - started
    except NotationError:
        found = "cannot be read"
    except LayoutError:
        found = "no such object"
    except Exception as error:
        found = f"{type(error).__name__}: {error}"
    return found, time.process_time() - started


def convert(found: Any) -> None:
    """Every view of the object, which may be refused."""
    places = [placement] if isinstance(found, LinearLayout) else []
    for view in (to_cute, to_tirx, to_linear, to_fly, to_cpp, to_triton, *places):
        with contextlib.suppress(LayoutError):
            view(found)


def reads_back(found: Any) -> bool:
    """Does the object's own text give the object again? Coordinates by name have no text."""
    return isinstance(found, dict) or text(parse(text(found))) == text(found)


GOOD = ("read", "cannot be read", "no such object")
