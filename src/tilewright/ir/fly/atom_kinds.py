"""The types `!fly.universal_copy<128>`, `!fly_rocdl.gfx11.wmma<..>` by name: what each says, and which are refused."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Literal, TypeAlias

from tilewright.ir.fly.atom_types import (
    ATOMIC,
    MFMA,
    NO_SIGNS,
    PADDING_DEMANDS,
    RDNA3,
    SCALED_ELEMENTS,
    SOME_BITS,
    SWMMAC,
    TDM_DEMANDS,
    TDM_FLAGS,
    TENSOR_MOVE,
    TENSOR_MOVE_DEMANDS,
    UNSIGNED,
    Demand,
    bits,
    configuration,
    depth,
    element,
    floats,
    i8,
    mfma_element,
    number,
    of,
    one_of,
    shape,
    signless,
    tile,
    trans,
    within,
)

TENSOR_MOVE_OPTIONS = (
    ("atomicBarrier", "false"),
    ("cacheModifier", "0"),
    ("iterCount", "1"),
    ("padInterval", "0"),
    ("padAmount", "0"),
)

Layouts: TypeAlias = Literal["all", "some", "none"]


@dataclass(frozen=True, slots=True)
class Kind:
    """What a type of this name says, and what is demanded of it.

    Args:
        required: the settings that it must have.
        implied: those that older texts leave out, with the values that they mean; they are written.
        optional: those that it may have, with the values that are not written.
        demands: of its settings.
        forms: of the tile and the elements of an MMA, told where the table of atoms has no such MMA.
        last: demands that are looked at after the forms.
        items: how many parts have no name.
        more: how many others there may be.
        layouts: of `all` such atoms, of `some` or of `none` a table here holds them.
    """

    required: tuple[str, ...] = ()
    implied: tuple[tuple[str, str], ...] = ()
    optional: tuple[tuple[str, str], ...] = ()
    demands: tuple[Demand, ...] = ()
    forms: tuple[Demand, ...] = ()
    last: tuple[Demand, ...] = ()
    items: int = 1
    more: int = 0
    layouts: Layouts = "all"


KINDS: Mapping[str, Kind] = MappingProxyType(
    {
        "!fly.universal_copy": Kind(demands=(SOME_BITS,)),
        "!fly.universal_fma": Kind(
            demands=(
                (
                    lambda o: o.mnk == (1, 1, 1),
                    lambda o: f"expected 1x1x1 dimensions for universal FMA, got {tile(o)}",
                ),
                (
                    lambda o: len(set(o.types)) == 1,
                    lambda o: "expected all element types to be the same for universal FMA",
                ),
            ),
            items=2,
        ),
        "!fly.universal_atomic": Kind(demands=(ATOMIC,), items=2, more=1),
        "!fly_rocdl.cdna3.buffer_copy": Kind(optional=(("cache", "0"),), demands=(SOME_BITS,)),
        "!fly_rocdl.cdna3.buffer_copy_lds": Kind(
            demands=(bits("BufferCopyLDS", (32, 128), "32 or 128", ", and 128 requires gfx950"),)
        ),
        "!fly_rocdl.cdna3.buffer_atomic": Kind(demands=(ATOMIC,), items=2),
        "!fly_rocdl.cdna4.buffer_load_async_lds": Kind(
            demands=(bits("BufferLoadAsyncLDS", (32, 96, 128), "32, 96 or 128"),)
        ),
        "!fly_rocdl.cdna4.global_load_async_lds": Kind(
            demands=(bits("GlobalLoadAsyncLDS", (32, 96, 128), "32, 96 or 128"),)
        ),
        "!fly_rocdl.cdna4.lds_read_trans": Kind(
            ("trans",),
            demands=(
                (
                    lambda o: (number(o.items[0]), trans(o)) in ((64, 4), (64, 8), (64, 16), (96, 6)),
                    lambda o: (
                        f"unsupported (bitSize, transGranularity) = ({o.items[0]}, {trans(o)}) for LDS read transpose"
                    ),
                ),
            ),
        ),
        MFMA: Kind(
            forms=(
                (lambda o: len(set(i8(o))) == 1, lambda o: "integer MFMA requires both A and B to be i8"),
                (
                    lambda o: not all(i8(o)) or o.types[2] == "i32",
                    lambda o: f"integer MFMA requires i32 accumulator, got '{o.types[2]}'",
                ),
                (lambda o: all(i8(o)) or o.types[2] == "f32", element(2, ("f32",))[1]),
                *(mfma_element(i) for i in range(2)),
            ),
            items=2,
        ),
        "!fly_rocdl.cdna4.mfma_scale": Kind(
            ("opselA", "opselB"),
            demands=(
                (
                    lambda o: o.mnk in ((16, 16, 128), (32, 32, 64)),
                    lambda o: f"unsupported MNK for CDNA4 MFMA_Scale: {tile(o)} (expected 16x16x128 or 32x32x64)",
                ),
                *SCALED_ELEMENTS,
                *(within(setting, 0, 3) for setting in ("opselA", "opselB")),
            ),
            items=2,
        ),
        "!fly_rocdl.rdna3.wmma": Kind(
            forms=(shape("RDNA3", 3), configuration("RDNA3", RDNA3)), items=2, layouts="none"
        ),
        "!fly_rocdl.gfx11.wmma": Kind(
            implied=UNSIGNED,
            forms=(shape("GFX11", 3), configuration("GFX11")),
            last=(signless("GFX11", "fp16/bf16", NO_SIGNS),),
            items=2,
        ),
        "!fly_rocdl.gfx120x.swmmac": Kind(
            implied=UNSIGNED,
            forms=(shape("GFX120X", 2, "SWMMAC"), configuration("GFX120X", SWMMAC, "SWMMAC")),
            last=(signless("GFX120X", "floating-point", NO_SIGNS.replace("WMMA", "SWMMAC")),),
            items=2,
            layouts="none",
        ),
        "!fly_rocdl.gfx120x.wmma": Kind(
            implied=UNSIGNED,
            last=(signless("GFX120X", "floating-point", NO_SIGNS),),
            forms=(
                shape("GFX120X", 2),
                depth(floats, (16,), "GFX120X WMMA floating-point forms require M=N=K=16, got {tile}"),
                depth(of("i8"), (16,), "GFX120X WMMA IU8 requires K=16, got {tile}"),
                depth(of("i4"), (16, 32), "GFX120X WMMA IU4 requires K=16 or K=32, got {tile}"),
                configuration("GFX120X"),
            ),
            items=2,
        ),
        "!fly_rocdl.gfx1250.wmma": Kind(
            implied=UNSIGNED,
            optional=(("modC", "0"), ("reuseA", "false"), ("reuseB", "false")),
            demands=(signless("", "", "signA/signB/clamp are only valid for integer (iu4/iu8) WMMA, got A='{a}'"),),
            forms=(shape("GFX1250", 2), configuration("GFX1250", {((16, 16, 32), ("i4", "i4", "i32"))})),
            items=2,
            layouts="some",
        ),
        "!fly_rocdl.gfx1250.wmma_scale": Kind(
            ("opselA", "opselB"),
            implied=(("modC", "0"), ("reuseA", "false"), ("reuseB", "false"), ("blockSize", "32")),
            demands=(
                (
                    lambda o: o.settings["blockSize"] in ("16", "32"),
                    lambda o: f"blockSize must be 16 or 32, got {o.settings['blockSize']}",
                ),
                (
                    lambda o: o.mnk in ((16, 16, 128), (32, 16, 128)),
                    lambda o: f"unsupported MNK for GFX1250 WMMA_Scale: {tile(o)} (expected 16x16x128 or 32x16x128)",
                ),
                SCALED_ELEMENTS[0],
                (
                    lambda o: o.mnk[0] == 16 or o.types[:2] == ("f4E2M1FN",) * 2,
                    lambda o: (
                        "GFX1250 WMMA_Scale 32x16x128 requires f4E2M1FN A and B, "
                        f"got A='{o.types[0]}', B='{o.types[1]}'"
                    ),
                ),
                *SCALED_ELEMENTS[1:],
                *(within(s, 0, 1, f"{s} must be in [0, 1] (row0/row1)") for s in ("opselA", "opselB")),
                within("modC", 0, 65535, "modC must fit the i16 intrinsic field [0, 65535]"),
            ),
            items=2,
            layouts="some",
        ),
        **dict.fromkeys(
            ("!fly_rocdl.cdna5.tensor_load", "!fly_rocdl.cdna5.tensor_store"),
            Kind(TENSOR_MOVE, optional=TENSOR_MOVE_OPTIONS, demands=TENSOR_MOVE_DEMANDS, items=0, layouts="none"),
        ),
        "!fly_rocdl.gfx1250.tdm": Kind(
            ("rank", "warps", "pad", "cache"), TDM_FLAGS, (("iwidth", ""),), demands=TDM_DEMANDS, layouts="none"
        ),
        "!fly_rocdl.gfx1250.tdm_2d": Kind(
            ("warps", "pad", "cache"), TDM_FLAGS, (("iwidth", ""),), demands=TDM_DEMANDS, layouts="none"
        ),
        "!fly_rocdl.gfx1250.tdm_gather": Kind(
            ("index", "pad", "cache"),
            demands=(
                one_of("index", (16, 32), "the index width must be 16 or 32"),
                *PADDING_DEMANDS,
            ),
            layouts="none",
        ),
        "!fly_nvvm.sm75.ldmatrix": Kind(
            ("num", "trans"), demands=(one_of("num", (1, 2, 4), "ldmatrix num must be 1/2/4"),), items=0
        ),
        "!fly_nvvm.sm80.cp.async": Kind(
            demands=(
                (
                    lambda o: number(o.items[0]) in (32, 64, 128),
                    lambda o: f"cp.async bitSize must be 32/64/128, got {o.items[0]}",
                ),
            )
        ),
        "!fly_nvvm.sm80.mma.sync": Kind(
            forms=(
                (
                    lambda o: o.mnk == (16, 8, 16),
                    lambda o: f"unsupported SM80 mma.sync.aligned shape {tile(o)}, only 16x8x16 is supported",
                ),
                (
                    lambda o: o.types[:2] == ("f16", "f16"),
                    lambda o: f"SM80 mma.sync.aligned requires f16 inputs, got '{o.types[0]}', '{o.types[1]}'",
                ),
                (
                    lambda o: o.types[2] == "f32",
                    lambda o: f"SM80 mma.sync.aligned requires f32 accumulator, got '{o.types[2]}'",
                ),
            ),
            items=2,
        ),
    }
)
