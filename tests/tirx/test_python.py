"""TIRx objects as Python values: copied, pickled, hashed, frozen, read back from their texts, and fed with numpy."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import tilewright
from tilewright.errors import LayoutError
from tilewright.tirx import layout as tirx
from tilewright.tirx.layout import (
    ComposeLayout,
    Iter,
    R,
    S,
    SwizzleLayout,
    TileLayout,
    explain_element,
    laneid,
    m,
    mma_atom_layout,
    mma_shared_layout,
    sf_smem_layout,
    sf_tmem_layout,
    tcgen05_atom_layout,
    tid_in_wg,
    tmem_datapath_layout,
    tmem_mma_operand_layout,
    warpid,
    wg_local_layout,
)

FRAGMENT = TileLayout(S[(8, 2, 4, 2) : (4 @ laneid, 1 @ warpid, 1 @ laneid, 1)] + R[2 : 4 @ warpid] + 5 @ warpid)
CARRY = TileLayout([Iter(2, 3 @ laneid + 4 @ m)])
COMPOSED = ComposeLayout(3, 3, 3, TileLayout(S[8, 64]))
LAYOUTS = [
    FRAGMENT,
    CARRY,
    COMPOSED,
    ComposeLayout(1, 2, 3, TileLayout(S[(8, 8) : (1, 8)]), swizzle_inner=False),
    SwizzleLayout(3, 3, 3),
    SwizzleLayout(0, 2, 4, swizzle_inner=False),
    TileLayout.from_iters(),
    TileLayout.from_iters(offset={"warpid": 3}),
    TileLayout(R[4:1]),
    TileLayout(S[(2, 4) : (0 @ laneid, 0)]),
    TileLayout(S[8:-1] + R[2 : -3 @ laneid] + (-5) @ tid_in_wg + 7),
]
VALUES = [*LAYOUTS, S, R, S[8:1] + R[2:4] + 5, Iter(2, 3, "laneid"), laneid, FRAGMENT.apply(3), 3 @ laneid + 4]
VALUES += [explain_element(COMPOSED, (3, 5), (8, 64), 16)]


@pytest.mark.parametrize("value", VALUES, ids=repr)
def test_values_survive_copying_and_pickling(value: Any) -> None:
    for again in (copy.copy(value), copy.deepcopy(value), pickle.loads(pickle.dumps(value))):
        assert again == value
        assert hash(again) == hash(value)
        assert repr(again) == repr(value)


@pytest.mark.parametrize("value", [v for v in VALUES if v is not laneid], ids=repr)
def test_values_are_frozen(value: Any) -> None:
    for name in ("parts", "per_element", "tile_layout", "has_shard", "_points", "anything"):
        with pytest.raises(AttributeError):
            setattr(value, name, 1)
        with pytest.raises(AttributeError):
            delattr(value, name)


@pytest.mark.parametrize("layout", LAYOUTS, ids=repr)
def test_texts_are_python_and_read_back(layout: Any) -> None:
    names = {name: getattr(tirx, name) for name in tirx.__all__}
    assert eval(repr(layout), names) == layout
    assert tilewright.parse(repr(layout)) == layout
    if not isinstance(layout, SwizzleLayout):
        assert tilewright.parse(layout.notation()) == layout


def test_what_is_handed_out_belongs_to_the_caller() -> None:
    FRAGMENT.apply(3)[0]["laneid"] = 99
    assert FRAGMENT.apply(3).base()["laneid"] != 99
    with pytest.raises(TypeError):
        FRAGMENT.offset["x"] = 1  # type: ignore[index]  # it cannot be assigned to


PACKED = TileLayout(S[(8, 8) : (8, 1)])
QUESTIONS: list[Callable[[Any], Any]] = [
    lambda n: TileLayout(S[(n(8), n(4)) : (n(4) @ laneid, n(1))] + n(5)),
    lambda n: TileLayout(n(5) + S[n(8)]),
    lambda n: TileLayout(S[n(8) : (n(4), "laneid")]),
    lambda n: TileLayout.from_iters([Iter(n(8), n(1), "m")], [], {"warpid": n(3)}).size(),
    lambda n: FRAGMENT.apply(n(2), n(5), shape=[n(8), n(16)]),
    lambda n: TileLayout(S[(64, 64) : (300, 1)]).apply(n(50), n(50)),
    lambda n: FRAGMENT.slice([n(8), n(16)], [(n(0), n(2)), [n(0), n(16)]]),
    lambda n: FRAGMENT.group([n(8), n(16)]),
    lambda n: FRAGMENT.group_many([[n(8), n(16)], [n(16), n(8)]]),
    lambda n: PACKED.tile(TileLayout(S[n(2)]), [n(2), n(1)], [n(8), n(8)]),
    lambda n: PACKED.is_tile_inner(TileLayout(S[16, 8]), [n(16), n(8)], [n(8), n(8)]),
    lambda n: (PACKED.pack(n(2)), PACKED.unpack(n(2)), COMPOSED.pack(n(2)), COMPOSED.unpack(n(2))),
    lambda n: PACKED.broadcast(n(2), n(-1)),
    lambda n: (FRAGMENT.permute_dims([n(3), n(2), n(1), n(0)]), FRAGMENT.permute_by_groups([n(0), n(4)], [n(0)])),
    lambda n: ComposeLayout(n(3), n(2), n(3), PACKED, swizzle_inner=bool(n(1))),
    lambda n: SwizzleLayout(n(3), n(2), n(3), n(1)).apply(n(99)),
    lambda n: (tmem_datapath_layout("F", n(64), n(8), n(1)), wg_local_layout(n(16), rows=n(64))),
    lambda n: tcgen05_atom_layout("16x64b", (n(64), n(64)), "float32"),
    lambda n: (mma_atom_layout("float16", n(3)), mma_shared_layout("float16", n(3), (n(64), n(64)))),
    lambda n: tmem_mma_operand_layout("D", (n(64), n(8)), M=n(64), cta_group=n(1)),
    lambda n: (sf_smem_layout(n(128), n(4), n(1), n(4), n(2)), sf_tmem_layout(n(128), n(4), n(1), n(4), n(2))),
    lambda n: explain_element(COMPOSED, (n(3), n(5)), (n(8), n(64)), n(16)),
]


@pytest.mark.parametrize("kind", [np.int8, np.uint8, np.int32, np.uint64], ids=lambda kind: kind.__name__)
def test_numpy_integers_are_integers(kind: type) -> None:
    def number(value: int) -> Any:
        return kind(value) if np.iinfo(kind).min <= value <= np.iinfo(kind).max else value

    for question in QUESTIONS:
        assert repr(question(number)) == repr(question(int))


def test_arrays_are_sequences_of_integers() -> None:
    assert FRAGMENT.slice(np.array([8, 16]), np.array([[0, 2], [0, 16]])) == FRAGMENT.slice([8, 16], [(0, 2), (0, 16)])
    assert FRAGMENT.permute_dims(np.array([3, 2, 1, 0])) == FRAGMENT.permute_dims([3, 2, 1, 0])
    assert FRAGMENT.apply(2, 5, shape=np.array([8, 16])) == FRAGMENT.apply(2, 5, shape=(8, 16))
    assert SwizzleLayout(1, 1, 1).compose(np.array([2, 4])) == SwizzleLayout(1, 1, 1).compose((2, 4))
    assert repr(explain_element(COMPOSED, np.array([3, 5]), np.array([8, 64]))) == repr(
        explain_element(COMPOSED, (3, 5), (8, 64))
    )


@pytest.mark.parametrize(
    ("make", "reason"),
    [
        (lambda: SwizzleLayout(3, 3, 3, "no"), "True or False"),
        (lambda: ComposeLayout(3, 3, 3, PACKED, None), "True or False"),
        (lambda: FRAGMENT.apply((2, 5), shape=(8, 16)), r"one by one, as in apply\(2, 5"),
        (lambda: FRAGMENT.permute_dims([-1, 0, 1, 2]), "each of the 4 iters, 0 to 3, once"),
        (lambda: FRAGMENT.permute_by_groups([0, 3, 2, 4], [0, 1, 2]), "separators ascend"),
        (lambda: FRAGMENT.slice([8, 16], [(0, 2)]), "2 dimensions and 1 ranges"),
        (lambda: FRAGMENT.slice([8, 16], [range(2), range(16)]), "pair in every dimension"),
        (lambda: FRAGMENT.split_axes("wrap"), "at a level among thread, warp"),
        (lambda: TileLayout([Iter(4, tilewright.SymInt())]).table(), "run-time value"),
        (lambda: PACKED.pack(tilewright.SymInt()), "num must be known"),
    ],
)
def test_messages_say_what_to_do(make: Callable[[], Any], reason: str) -> None:
    with pytest.raises(LayoutError, match=reason):
        make()
