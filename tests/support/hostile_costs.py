"""Arguments that nobody means, for the analyses and the atoms: a value or our own error, soon."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from typing import Any

from hostile import NAMES, argument, complaint
from strategies import Dice

import tilewright as tw
from tilewright import Layout
from tilewright.analysis.banks import rank as f2_banks
from tilewright.analysis.banks import rule as banks
from tilewright.analysis.swizzle import half_tile
from tilewright.atoms import catalog, ops, rocdl
from tilewright.tirx.layout import S, TileLayout

MMA = catalog.mma("SM80_16x8x16_F32F16F16F32_TN")
LDMATRIX = catalog.copy("SM75_U32x4_LDSM_N").with_element(16)
TILED_MMA = tw.make_tiled_mma(MMA, Layout((2, 2, 1)), (32, 32, 16))
TILED_COPY = tw.make_tiled_copy_A(LDMATRIX, TILED_MMA)
ROWS = Layout((8, 8), (1, 8))
OBJECTS = (MMA, LDMATRIX, TILED_MMA, TILED_COPY, TILED_MMA.get_slice(3), TILED_COPY.get_slice(3))
SPECIAL = (
    *OBJECTS,
    ROWS,
    Layout((128, 64), (64, 1)),
    Layout(((4, 8), (2, 2)), ((32, 1), (16, 8))),
    tw.make_identity_tensor((128, 128)),
    TileLayout(S[(8, 64) : (64, 1)]),
    tw.Access(ROWS, instruction="ldmatrix.x1"),
    tw.Access(instruction="tma"),
    [tw.Access(instruction="wgmma"), tw.Access(ROWS)],
    [tw.Access(ROWS, vector_bits=128, kind="store"), ROWS],
    [16 * lane for lane in range(32)],
    [[8 * lane for lane in range(32)]] * 2,
    [None] * 32,
    "SM80_16x8x16_F32F16F16F32_TN",
    "SM75_U32x4_LDSM_N",
    "float16",
    "A",
    "Z",
    int,
    object(),
)
# What an argument of that name may well be, so that calls get past the first check.
LIKELY: Mapping[str, tuple[Any, ...]] = {
    "arch": ("sm_80", "sm_90", "gfx942", "gfx950", "gfx1200", "sm_1"),
    "kind": ("load", "store", "mma", "copy", "tv", "banks"),
    "instruction": (
        "auto",
        "ldmatrix.x1",
        "ldmatrix.x4",
        "stmatrix.x2",
        "ds_read_b128",
        "cp.async",
        "ldmatrix.x3",
        "tma",
        "wgmma",
    ),
    "element_bits": (4, 6, 8, 16, 32, 128),
    "element_bytes": (1, 2, 4, 8, 16, 3),
    "width_bytes": (1, 2, 4, 8, 16, 3),
    "vector_bits": (8, 32, 64, 128, 24),
    "active": ([True] * 32, range(16), 0xFF, [], -1, (0, 0)),
    "base_bytes": (0, 4, 16, -4, 2**70),
    "merge": ("auto", True, False),
    "layout": (Layout((128, 64), (64, 1)), Layout((8, 64), (64, 1)), tw.parse("Sw<3,3,3> o 0 o (8,64):(64,1)")),
    "dtype": ("f16", "e4m3", 32, 6, "e2m3"),
    "element": ("f16", "e4m3", 32, 6, "e2m3"),
    "name": ("Layout_K_SW128_Atom", "K_SW64", "GMMA::Layout_MN_INTER_Atom", "SM75_U32x4_LDSM_N"),
    "thread_value": (ROWS, Layout((32, 4), (4, 1)), Layout((8, 64), (1, 8))),
    "operand": ("A", "B", "C"),
    "shape": ((128, 128), (32, 16), 64),
    "m": (16, 32),
    "n": (8, 16, 32),
    "k": (4, 16, 32),
}
# Steps within the bank count: their arguments are vectors that the public functions have checked.
INTERNAL = {
    "rank_above",
    "xor_columns",
    "count",
    "group_costs",
    "lanes_of",
    "units_wanted",
    "lanes_merge",
    "column_major",
    "row_major",
    "table",
}
FUNCTIONS: Mapping[str, Callable[..., Any]] = {
    **{
        name: getattr(tw.analysis, name)
        for name in tw.analysis.__all__
        if inspect.isfunction(getattr(tw.analysis, name))
    },
    **{
        f"{module.__name__}.{name}": value
        for module in (catalog, ops, rocdl, banks, f2_banks, half_tile)
        for name, value in vars(module).items()
        if inspect.isfunction(value) and value.__module__ == module.__name__ and name[0] != "_" and name not in INTERNAL
    },
    **{name: getattr(tw, name) for name in tw.__all__ if name not in NAMES and inspect.isfunction(getattr(tw, name))},
    **{
        f"{type(held).__name__}.{name}": getattr(held, name)
        for held in OBJECTS
        for name in dir(held)
        if name[0] != "_" and inspect.ismethod(getattr(held, name))
    },
    "Access": tw.Access,
    "LinearLayout": tw.LinearLayout,
    "draw": tw.draw,
    "arch.get": tw.arch.get,
}
# It calls what it is given, whose exceptions are its own.
FUNCTIONS = {name: function for name, function in FUNCTIONS.items() if name != "explain"}


def call(pick: Dice) -> str:
    """One call with arguments that are likely, special or anything; what is wrong with it, or nothing."""
    name = pick.one(tuple(FUNCTIONS))
    named = {}
    for parameter in inspect.signature(FUNCTIONS[name]).parameters.values():
        if parameter.kind in (parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD):
            continue
        if parameter.default is parameter.empty or pick.integer(0, 1):
            named[parameter.name] = _argument(pick, parameter.name)
    return complaint(name, FUNCTIONS[name], [], named)


def _argument(pick: Dice, name: str) -> Any:
    if name in LIKELY and pick.integer(0, 3):
        return pick.one(LIKELY[name])
    return pick.one(SPECIAL) if pick.integer(0, 1) else argument(pick)
