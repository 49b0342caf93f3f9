"""FlyDSL's parameters are ours, by name and in order; type objects stand for names and for bits."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable
from operator import attrgetter
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

import tilewright as tw
from tilewright.dtypes import DTYPES, DType
from tilewright.tirx.layout import (
    S,
    TileLayout,
    copy_fragment_layout,
    explain_element,
    mma_atom_layout,
    mma_atom_shape,
    mma_shared_layout,
    tcgen05_atom_layout,
)

TABLE = Path(__file__).parent / "data" / "fx_signatures.txt"
LINE = re.compile(r"^([\w.]+)\((.*)\)$", re.MULTILINE)
VARIADIC = inspect.Parameter.VAR_POSITIONAL


def signatures() -> list[tuple[str, tuple[str, ...]]]:
    return [(name, tuple(filter(None, rest.split(", ")))) for name, rest in LINE.findall(TABLE.read_text())]


def parameters(name: str) -> list[inspect.Parameter]:
    found = list(inspect.signature(attrgetter(name)(tw)).parameters.values())
    return found[1:] if name[0].isupper() and "." in name else found


@pytest.mark.parametrize(("name", "wanted"), signatures())
def test_positions(name: str, wanted: tuple[str, ...]) -> None:
    """What is given by position there has the same name and place here."""
    found = parameters(name)
    positional = [p.name for p in found if p.kind is p.POSITIONAL_OR_KEYWORD]
    if any(p.kind is VARIADIC for p in found):
        return
    named = list(wanted)
    keywords = {p.name for p in found}
    assert len(positional) >= len([p for p in wanted if p in positional])
    assert [p for p in positional if p in named] == [p for p in named if p in positional]
    assert {*named} <= keywords


@pytest.mark.parametrize(("name", "wanted"), signatures())
def test_keywords(name: str, wanted: tuple[str, ...]) -> None:
    """Every parameter with a name can be given by it."""
    found = {p.name: p.kind for p in parameters(name)}
    starred = [p[1:] for p in wanted if p[0] == "*"]
    named = [p for p in wanted if p[0] != "*"]
    assert [p for p in named if found.get(p) in (None, VARIADIC)] == []
    assert [p for p in starred if found.get(p) is not VARIADIC] == []


LAYOUT = tw.Layout((8, 64), (64, 1))
BY_ROWS = tw.Layout((8, 8), (1, 8))


def test_keywords_of_the_documents() -> None:
    assert tw.select((4, 8, 16), indices=[0, 2]) == (4, 16)
    assert tw.group((2, 3, 4), begin=1, end=3) == (2, (3, 4))
    assert tw.recast_layout(LAYOUT, old_type_bits=16, new_type_bits=8) == tw.recast_layout(LAYOUT, 16, 8)
    assert tw.slice(src=LAYOUT, coord=(None, 3)) == tw.slice((None, 3), LAYOUT)
    assert tw.make_layout(shape=(8, 64), stride=(64, 1)) == LAYOUT
    assert tw.make_ordered_layout((8, 64), order=(1, 0)) == LAYOUT
    assert tw.get((8, 16), mode=1) == 16
    assert tw.append((2, 3), 1, n=4) == (2, 3, 1, 1)
    assert LAYOUT.get_flat_coord(index=65) == tw.get_flat_coord(index=65, layout=LAYOUT) == (1, 1)
    swizzled = tw.make_composed_layout(inner=tw.Swizzle(3, 3, 3), offset=0, outer=LAYOUT)
    assert swizzled == tw.make_composed_layout(tw.Swizzle(3, 3, 3), LAYOUT)
    atom = tw.make_mma_atom(mma_op_type="SM80_16x8x16_F32F16F16F32_TN")
    assert tw.make_tiled_mma(atom, permutation_mnk=(32, 32, 16)) == tw.make_tiled_mma(atom, None, (32, 32, 16))
    with pytest.raises(tw.UsageError, match="one thing"):
        tw.make_tiled_mma(atom, None, (32, 32, 16), permutation_mnk=(32, 32, 16))


@pytest.mark.parametrize("of", [tw.size, tw.rank, tw.depth, tw.get])
@pytest.mark.parametrize("path", [(0,), (1,), (1, 0), (1, 1), (-1, -1)])
@pytest.mark.parametrize("value", [(4, (2, (8, 3))), tw.Layout((4, (2, (8, 3))), (1, (64, (4, 0))))])
def test_a_mode_is_said_in_any_of_the_ways(of: Callable[..., Any], path: tuple[int, ...], value: Any) -> None:
    """One after the other as in CuTe's C++, or `mode=` as in CuTe DSL; not in two ways."""
    inner = value
    for position in path:
        inner = tw.get(inner, position)
    assert of(value, *path) == of(value, mode=list(path)) == of(value, mode=path)
    assert of(inner) == of(value, *path) or of is tw.get
    with pytest.raises(tw.LayoutError, match="one way"):
        of(value, 0, mode=[0])
    with pytest.raises(tw.LayoutError, match="has no mode 2"):
        of(value, mode=[2])


def test_keywords_of_the_peers() -> None:
    n = tw.SymInt("n")
    assert tw.get_leaves((4, (n, 8), n + 1), dynamic_only=True) == (n, n + 1)
    assert tw.get_leaves((4, (n, 8)), dynamic_only=False) == tw.get_leaves((4, (n, 8))) == (4, n, 8)
    assert tw.make_fragment_like(LAYOUT, dtype=tw.Float32) == tw.make_fragment_like(LAYOUT)
    assert tw.select((4, 8, 16), mode=[0, 2]) == tw.select((4, 8, 16), indices=[0, 2])
    for bad in (lambda: tw.make_fragment_like(LAYOUT, dtype="float17"), lambda: tw.get_leaves((4, 8), dynamic_only=1)):
        with pytest.raises(tw.TilewrightError, match=r"float17|dynamic_only"):
            bad()
    for options in ({"indices": [1]}, {"mode": [1]}):
        with pytest.raises(tw.LayoutError, match=r"one way, got them one after the other and as (indices|mode)"):
            tw.select((4, 8, 16), [0], **options)


@pytest.mark.parametrize("value", [None, (4, None), (4, (None, 2)), 1 @ tw.Axis.laneid, (4, 1 @ tw.Axis.laneid)])
def test_what_has_no_extent_has_no_size(value: Any) -> None:
    with pytest.raises(tw.LayoutError, match="has no size"):
        tw.size(value)
    with pytest.raises(tw.LayoutError, match=r"has no (product|size)"):
        tw.int_tuple_product(None)


TAKES_BITS: dict[str, Callable[[Any], Any]] = {
    "recast_layout old": lambda kind: tw.recast_layout(LAYOUT, kind, 8),
    "recast_layout new": lambda kind: tw.recast_layout(LAYOUT, 8, kind),
    "recast_layout composed": lambda kind: tw.recast_layout(tw.ComposedLayout(tw.Swizzle(2, 3, 3), 0, LAYOUT), kind, 8),
    "recast_swizzle": lambda kind: tw.recast_swizzle(tw.Swizzle(2, 3, 3), kind, 8),
    "bank_conflicts": lambda kind: tw.bank_conflicts(LAYOUT, BY_ROWS, element_bits=kind),
    "bank_conflicts vector": lambda kind: tw.bank_conflicts(LAYOUT, BY_ROWS, element_bits=kind, vector_bits=kind),
    "coalescing": lambda kind: tw.coalescing(LAYOUT, BY_ROWS, element_bits=kind, vector_bits=kind),
    "widest_vector": lambda kind: tw.widest_vector(LAYOUT, BY_ROWS, element_bits=kind),
    "suggest_swizzle": lambda kind: str(tw.suggest_swizzle(LAYOUT, BY_ROWS, element_bits=kind)[0]),
    "Access": lambda kind: tw.Access(BY_ROWS, kind),
    "permutation_choices": lambda kind: tw.permutation_choices(16, 128, kind),
    "make_copy_atom": lambda kind: tw.make_copy_atom(tw.UniversalCopy(128), kind),
    "UniversalCopy": lambda kind: tw.UniversalCopy(kind),
    "with_element": lambda kind: tw.UniversalCopy(128).with_element(kind),
    "smem": lambda kind: tw.atoms.smem("Layout_K_SW128_Atom", kind),
    "recognise": lambda kind: tw.recognise(tw.atoms.smem("Layout_K_SW128_Atom", kind), kind),
    "BufferCopy": lambda kind: tw.rocdl.BufferCopy(kind),
    "LDSReadTrans": lambda kind: tw.rocdl.LDSReadTrans(kind, 64),
    "copy_fragment_layout": lambda kind: copy_fragment_layout("SM75_U32x4_LDSM_N", kind),
    "explain_element": lambda kind: explain_element(TileLayout(S[(8, 8) : (8, 1)]), (1, 2), (8, 8), element_bits=kind),
}
TAKES_TYPES: dict[str, Callable[[Any], Any]] = {
    "UniversalFMA": tw.UniversalFMA,
    "UniversalAtomicAdd": tw.UniversalAtomicAdd,
    "UniversalAtomic": lambda kind: tw.UniversalAtomic("max", kind),
    "MFMA": lambda kind: tw.rocdl.MFMA(32, 32, 8, kind),
    "MFMA accumulator": lambda kind: tw.rocdl.MFMA(32, 32, 8, kind, "float32", elem_ty_b=kind),
    "WMMA": lambda kind: tw.rocdl.WMMA(16, 16, 16, kind),
    "BufferAtomicPkAdd": tw.rocdl.BufferAtomicPkAdd,
    "mma_atom_layout": lambda kind: mma_atom_layout(kind, 3),
    "mma_atom_shape": lambda kind: mma_atom_shape(kind, 3),
    "mma_shared_layout": lambda kind: mma_shared_layout(kind, 3, (64, 64)),
    "tcgen05_atom_layout": lambda kind: tcgen05_atom_layout("32x32b", (128, 64), kind),
}
STANDS_FOR_F16 = SimpleNamespace(__tilewright_dtype__=tw.Float16)  # as the number types of a language do


class OfAnotherLibrary:
    __tilewright_dtype__ = "float16"


@pytest.mark.parametrize("kind", [STANDS_FOR_F16, OfAnotherLibrary, OfAnotherLibrary()])
def test_the_protocol_takes_a_type_or_its_name(kind: Any) -> None:
    assert tw.recast_layout(LAYOUT, kind, 32) == tw.recast_layout(LAYOUT, 16, 32)


@pytest.mark.parametrize("wrong", [16, 1.5, b"f16", [tw.Float16], property(lambda self: tw.Float16)])
def test_the_protocol_says_what_it_takes(wrong: Any) -> None:
    kind = type("Mine", (), {"__tilewright_dtype__": wrong})
    with pytest.raises(tw.UsageError, match=r"Mine.__tilewright_dtype__ is a DType or its name, such as tw.Float16"):
        tw.recast_layout(LAYOUT, kind, 32)


@pytest.mark.parametrize("name", ["float17", ""])
def test_a_name_that_is_none_is_refused_by_itself(name: str) -> None:
    with pytest.raises(tw.UsageError, match=f"unknown element type '{name}'"):
        tw.recast_layout(LAYOUT, SimpleNamespace(__tilewright_dtype__=name), 32)


@pytest.mark.parametrize("name", TAKES_BITS)
def test_types_for_bits(name: str) -> None:
    use = TAKES_BITS[name]
    assert use(tw.Float16) == use("f16") == use(STANDS_FOR_F16) == use(16)


@pytest.mark.parametrize("name", TAKES_TYPES)
def test_types_for_names(name: str) -> None:
    use = TAKES_TYPES[name]
    assert use(tw.Float16) == use(STANDS_FOR_F16) == use("float16")


def test_types_for_bytes() -> None:
    def schedule(size: Any) -> tw.PermuteSchedule:
        return tw.permute_schedule(range(128), range(128), element_bytes=size)

    assert schedule(tw.Float32) == schedule("f32") == schedule(4)


@pytest.mark.parametrize("name", [n for n in tw.__all__ if isinstance(getattr(tw, n), DType)])
def test_type_objects_are_the_types_of_that_name(name: str) -> None:
    kind = getattr(tw, name)
    assert DTYPES[kind.name] is kind
    assert kind.name.replace("_", "").lower() in (name.lower(), {"Boolean": "bool"}.get(name))
    assert kind.width == kind.bits


@pytest.mark.parametrize("bad", [None, 1.5, "zz", object(), [], -8, 0])
def test_what_is_no_type_and_no_bits(bad: Any) -> None:
    with pytest.raises(tw.TilewrightError):
        tw.recast_layout(LAYOUT, bad, 8)
    with pytest.raises(tw.TilewrightError):
        tw.bank_conflicts(LAYOUT, BY_ROWS, element_bits=bad)
    with pytest.raises(tw.TilewrightError):
        tw.UniversalCopy(bad)
