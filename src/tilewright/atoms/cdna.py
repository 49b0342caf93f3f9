"""AMD CDNA: MFMA on 64 lanes, dense and block-scaled, by one rule for all element types.

The lanes of a wave form groups along K: four of 16 lanes for 16x16 tiles, two of 32 for 32x32 ones. Within its group
a lane holds one row of A (one column of B) and K / groups neighbours along K. Forms of several blocks do a product of
its own with each group: 2 of 32x32, 4 of 16x16, 16 of 4x4 (of float64 4 of 4x4, and groups along K).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import partial
from itertools import chain, product

from tilewright.atoms import naming
from tilewright.atoms.mma import MmaAtom
from tilewright.atoms.registry import Row
from tilewright.dtypes import dtype
from tilewright.errors import UsageError, shown
from tilewright.layout.layout import Layout

WAVE = Layout(64)
_SPELLED = ("CDNA3", "CDNA4")  # which write types apart from tiles, and blocks between them
_GROUPS = {16: 4, 32: 2}
_C = {
    16: Layout(((16, 4), (4, 1)), ((16, 4), (1, 16))),
    32: Layout(((32, 2), (4, 4)), ((32, 4), (1, 8))),
}
# A double fills two registers, and the rows of one value index go over the lane groups instead.
_C_F64 = Layout(((16, 4), 4), ((16, 1), 4))
_AB_F64_BLOCKS = Layout(((4, 4, 4), 1), ((1, 16, 4), 4))
_C_F64_BLOCKS = Layout(((4, 4, 4), 1), ((4, 16, 1), 4))
# tile -> C of as many blocks as fill the wave: in registers of their own, of 4x4 ones in lanes of their own
_C_BLOCKS = {
    4: Layout(((4, 16), 4), ((4, 16), 1)),
    16: Layout(((16, 4), (4, 4)), ((16, 4), (1, 256))),
    32: Layout(((32, 2), (4, 4, 2)), ((32, 4), (1, 8, 1024))),
}

# generation -> (architecture, ((instruction types, letters, "MxNxK ..."), ...))
_TABLE = {
    "CDNA1": ("gfx908", (
        ("f32", "F32F32F32F32", "32x32x2 16x16x4"),
        ("f16", "F32F16F16F32", "32x32x8 16x16x16"),
        ("bf16", "F32BF16BF16F32", "32x32x4 16x16x8"),
        ("i8", "S32S8S8S32", "32x32x8 16x16x16"),
    )),
    "CDNA2": ("gfx90a", (
        ("f32", "F32F32F32F32", "32x32x2 16x16x4"),
        ("f16", "F32F16F16F32", "32x32x8 16x16x16"),
        ("bf16", "F32BF16BF16F32", "32x32x4 16x16x8"),
        ("bf16_1k", "F32BF16BF16F32", "32x32x8 16x16x16"),
        ("i8", "S32S8S8S32", "32x32x8 16x16x16"),
        ("f64", "F64F64F64F64", "16x16x4"),
    )),
    "CDNA3": ("gfx942", (
        ("f32", "F32F32F32F32", "32x32x2 16x16x4"),
        ("xf32", "F32TF32TF32F32", "32x32x4 16x16x8"),
        ("f16", "F32F16F16F32", "32x32x8 16x16x16"),
        ("bf16", "F32BF16BF16F32", "32x32x8 16x16x16"),
        ("i8", "S32S8S8S32", "32x32x16 16x16x32"),
        ("fp8_fp8", "fnuz E4M3 E4M3", "32x32x16 16x16x32"),
        ("fp8_bf8", "fnuz E4M3 E5M2", "32x32x16 16x16x32"),
        ("bf8_fp8", "fnuz E5M2 E4M3", "32x32x16 16x16x32"),
        ("bf8_bf8", "fnuz E5M2 E5M2", "32x32x16 16x16x32"),
        ("f64", "F64F64F64F64", "16x16x4"),
    )),
    "CDNA4": ("gfx950", (
        ("f32", "F32F32F32F32", "32x32x2 16x16x4"),
        ("f16", "F32F16F16F32", "32x32x8 16x16x16 32x32x16 16x16x32"),
        ("bf16", "F32BF16BF16F32", "32x32x8 16x16x16 32x32x16 16x16x32"),
        ("i8", "S32S8S8S32", "32x32x16 16x16x32 32x32x32 16x16x64"),
        ("fp8_fp8", "F32E4M3E4M3F32", "32x32x16 16x16x32"),
        ("fp8_bf8", "F32E4M3E5M2F32", "32x32x16 16x16x32"),
        ("bf8_fp8", "F32E5M2E4M3F32", "32x32x16 16x16x32"),
        ("bf8_bf8", "F32E5M2E5M2F32", "32x32x16 16x16x32"),
        ("f64", "F64F64F64F64", "16x16x4"),
    )),
}  # fmt: skip
_FLOATS = (("f32", "F32F32F32F32", "32x32x1 16x16x1 4x4x1"), ("f16", "F32F16F16F32", "32x32x4 16x16x4 4x4x4"))
_WHOLE = ("i8", "S32S8S8S32", "32x32x4 16x16x4 4x4x4")
_NARROW_BF16 = ("bf16", "F32BF16BF16F32", "32x32x2 16x16x2 4x4x2")
_DOUBLE = ("f64", "F64F64F64F64", "4x4x4")
_NEWER = (*_FLOATS, ("bf16", "F32BF16BF16F32", "32x32x4 16x16x4 4x4x4"), _WHOLE, _DOUBLE)
# generation -> as in `_TABLE`, of several blocks
_BLOCKS: Mapping[str, tuple[tuple[str, str, str], ...]] = {
    "CDNA1": (*_FLOATS, _NARROW_BF16, _WHOLE),
    "CDNA2": (
        *_FLOATS, _NARROW_BF16, ("bf16_1k", "F32BF16BF16F32", "32x32x4 16x16x4 4x4x4"), _WHOLE, _DOUBLE,
    ),
    "CDNA3": _NEWER,
    "CDNA4": _NEWER,
}  # fmt: skip
_SCALED = ("E4M3", "E5M2", "E2M3", "E3M2", "E2M1")
_SCALED_SHAPES = ("16x16x128", "32x32x64")


def mfma(
    m: int, n: int, k: int, types: tuple[str, str, str, str], *, arch: str = "", name: str = "",
    instruction: str = "", scale: tuple[str, int] | None = None,
) -> MmaAtom:  # fmt: skip
    """The MFMA of an m x m x k tile with element types D, A, B, C.

    Raises:
        UsageError: a tile that is not 16x16 or 32x32, or K that the lane groups do not divide.

    >>> print(mfma(16, 16, 4, ("float32",) * 4).tv_layout_A)
    ((16,4),1):((1,16),16)
    """
    if m != n or m not in _GROUPS or k % _GROUPS[m] or not 1 <= k <= 256:
        raise UsageError(f"MFMA tiles are 16x16xK (K a multiple of 4) and 32x32xK (of 2), not {_tile(m, n, k)}")
    found = [dtype(t) for t in types]
    groups, per_lane = _GROUPS[m], k // _GROUPS[m]
    ab = Layout(((m, groups), per_lane), ((1, m * per_lane), m))
    double = found[0].name == "float64"
    if double and m != 16:
        raise UsageError(f"the float64 MFMA is 16x16x4, not {_tile(m, n, k)}")
    d, a, b, c = (t.name for t in found)
    return MmaAtom(
        name or f"MFMA_{m}x{n}x{k}_{d}_{a}_{b}", (m, n, k), (d, a, b, c), WAVE, ab, ab, _C_F64 if double else _C[m],
        arch, instruction, "FlyDSL cdna3/cdna4 mfma; AMD matrix instruction tables", scale=scale,
    )  # fmt: skip


def mfma_blocks(
    m: int, k: int, types: tuple[str, str, str, str], *, arch: str = "", name: str = "", instruction: str = ""
) -> MmaAtom:
    """The MFMA of as many m x m x k products as fill the wave: 2 of 32x32, 4 of 16x16, 16 of 4x4, of float64 4.

    Lane and register of element (i, k, block) of A are lane `i + m block` and register k; of float64 lane
    `i + 4 block + 16 k`.

    Raises:
        UsageError: another tile, or more than 8 elements along K.

    Source: AMD's matrix instruction calculator; CDNA3 ISA, "Matrix Arithmetic Instructions".

    >>> found = mfma_blocks(4, 4, ("float32", "float16", "float16", "float32"))
    >>> print(found.blocks, found.tv_layout_A, found.tv_layout_C)
    16 ((4,16),4):((1,16),4) ((4,16),4):((4,16),1)
    """
    d, a, b, c = (dtype(t).name for t in types)
    double = d == "float64"
    if m not in ((4,) if double else _C_BLOCKS) or type(k) is not int or not 1 <= k <= 8 or (double and k != m):
        raise UsageError(f"MFMA of several blocks are 4x4, 16x16 and 32x32, of float64 4x4x4, not {_tile(m, m, k)}")
    blocks = m if double else 64 // m
    ab = _AB_F64_BLOCKS if double else Layout(((m, blocks), k), ((1, m * k), m))
    return MmaAtom(
        name or f"MFMA_{m}x{m}x{k}_{blocks}B_{d}_{a}_{b}", (m, m, k), (d, a, b, c), WAVE, ab, ab,
        _C_F64_BLOCKS if double else _C_BLOCKS[m], arch, instruction, "AMD matrix instruction calculator",
        blocks=blocks,
    )  # fmt: skip


def find_mfma(m: int, n: int, k: int, types: tuple[str, str, str, str], scaled: bool = False) -> MmaAtom:
    """The instruction of that tile and those types (D, A, B, C), of CDNA3 where it has it; of one block, or of several.

    Raises:
        UsageError: no generation has it; the message lists the tiles that these types have.

    >>> find_mfma(32, 32, 8, ("f32", "f16", "f16", "f32")).name
    'CDNA3_32x32x8_F32F16F16F32'
    """
    wanted = tuple(dtype(t).name for t in types)
    rows = _scaled_rows() if scaled else chain(_dense_rows(), _block_rows())
    fitting = [row for row in rows if _types(row[2]) == wanted]
    for _, shape, _, build in fitting:
        if shape == _tile(m, n, k):
            return build()
    tiles = ", ".join(dict.fromkeys(row[1] for row in fitting)) or "none"
    d, a, b, c = wanted
    kind = f"{' scaled' if scaled else ''} {_tile(m, n, k)} MFMA"
    raise UsageError(f"there is no{kind} {d} = {a} x {b} + {c}; tiles: {tiles}")


def _dense_rows() -> Iterator[tuple[str, str, str, Callable[[], MmaAtom]]]:
    for generation in ("CDNA3", "CDNA4", "CDNA2", "CDNA1"):
        for suffix, letters, shapes in _TABLE[generation][1]:
            for shape in shapes.split():
                yield generation, shape, letters, partial(_atom, generation, suffix, letters, shape)


def _block_rows() -> Iterator[tuple[str, str, str, Callable[[], MmaAtom]]]:
    for generation in ("CDNA3", "CDNA4", "CDNA2", "CDNA1"):
        for suffix, letters, shapes in _BLOCKS[generation]:
            for shape in shapes.split():
                yield generation, shape, letters, partial(_of_blocks, generation, suffix, letters, shape)


def _scaled_rows() -> Iterator[tuple[str, str, str, Callable[[], MmaAtom]]]:
    for a, b, shape in product(_SCALED, _SCALED, _SCALED_SHAPES):
        yield "CDNA4", shape, f"F32{a}{b}F32", partial(_scaled, a, b, shape)


def _types(letters: str) -> tuple[str, str, str, str]:
    if not letters.startswith("fnuz"):
        return naming.types(letters)
    a, b = (f"{naming.types(f'F32{item}{item}F32')[1].removesuffix('fn')}" for item in letters.split()[1:])
    return "float32", f"{a}fnuz", f"{b}fnuz", "float32"


def _atom(generation: str, suffix: str, letters: str, shape: str) -> MmaAtom:
    m, n, k = map(int, shape.split("x"))
    types = _types(letters)
    return mfma(
        m, n, k, types, arch=_TABLE[generation][0], name=_name(generation, letters, shape),
        instruction=f"v_mfma_{_accumulator(types)}_{shape}{'_' * (generation in _SPELLED)}{suffix}",
    )  # fmt: skip


def _of_blocks(generation: str, suffix: str, letters: str, shape: str) -> MmaAtom:
    m, _, k = map(int, shape.split("x"))
    types, count = _types(letters), _count(letters, shape)
    between = f"_{count}b_" if generation in _SPELLED else ""
    return mfma_blocks(
        m, k, types, arch=_TABLE[generation][0], name=_name(generation, letters, f"{shape}_{count}B"),
        instruction=f"v_mfma_{_accumulator(types)}_{shape}{between}{suffix}",
    )  # fmt: skip


def _count(letters: str, shape: str) -> int:
    """How many blocks it has."""
    m = int(shape.split("x")[0])
    return m if letters.startswith("F64") else 64 // m


def _accumulator(types: tuple[str, str, str, str]) -> str:
    return {"float64": "f64", "int32": "i32"}.get(types[0], "f32")


def _scaled(a: str, b: str, shape: str) -> MmaAtom:
    m, n, k = map(int, shape.split("x"))
    letters = f"F32{a}{b}F32"
    return mfma(
        m, n, k, naming.types(letters), arch="gfx950", name=f"CDNA4_{shape}_{letters}_SCALED",
        instruction=f"v_mfma_scale_f32_{shape}_f8f6f4", scale=("float8_e8m0fnu", 32),
    )  # fmt: skip


def _name(generation: str, letters: str, shape: str) -> str:
    letters = "F32{1}{2}F32".format(*letters.split()) if letters.startswith("fnuz") else letters
    return f"{generation}_{shape}_{letters}"


def mma_rows() -> Iterator[Row[MmaAtom]]:
    """The rows of this file for the catalog."""
    for generation, (_, families) in _TABLE.items():
        for suffix, letters, shapes in families:
            for shape in shapes.split():
                yield _name(generation, letters, shape), _atom, (generation, suffix, letters, shape)
        for suffix, letters, shapes in _BLOCKS[generation]:
            for shape in shapes.split():
                name = _name(generation, letters, f"{shape}_{_count(letters, shape)}B")
                yield name, _of_blocks, (generation, suffix, letters, shape)
    for a, b, shape in product(_SCALED, _SCALED, _SCALED_SHAPES):
        yield f"CDNA4_{shape}_F32{a}{b}F32_SCALED", _scaled, (a, b, shape)


def _tile(m: object, n: object, k: object) -> str:
    return f"{shown(m)}x{shown(n)}x{shown(k)}"
