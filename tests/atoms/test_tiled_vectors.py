"""TiledMma and TiledCopy beside what CUTLASS (to the letter) and FlyDSL (as functions) print."""

import re

import pytest
from atom_vectors import layout, rows, same_coordinates, same_function, same_tv_layout, static, without_blanks

from tilewright.atoms import catalog
from tilewright.atoms.copy_universal import universal_copy
from tilewright.atoms.tiled_copy import (
    make_tiled_copy_A,
    make_tiled_copy_B,
    make_tiled_copy_C,
    make_tiled_copy_tv,
)
from tilewright.atoms.tiled_mma import make_tiled_mma
from tilewright.dtypes import dtype
from tilewright.layout.construct import make_identity_tensor
from tilewright.layout.layout import Layout
from tilewright.layout.operations import make_layout_tv
from tilewright.notation import parse
from tilewright.notation.fly_atoms import parse_fly_atom

MATCHING = {"A": make_tiled_copy_A, "B": make_tiled_copy_B, "C": make_tiled_copy_C}
CUTE, FLY = rows("cute_tiled"), rows("flydsl_tiled")


def tiler(text):
    return parse(text) if text else None


@pytest.mark.parametrize("row", [r for r in CUTE if r["op"] == "tiled_mma"], ids=lambda r: str(r["plain"]))
def test_cute_tiled_mma(row):
    plain, result = row["plain"], row["result"]
    m, n, k = row["config"]["cta"]
    tiled = make_tiled_mma(
        catalog.mma(row["config"]["atom"]), layout(plain["atom_layout"]), tiler(plain["permutation"])
    )
    shapes = {"A": (m, k), "B": (n, k), "C": (m, n)}
    found = {"thr_layout_vmnk": tiled.thr_layout_vmnk, "tile_mnk": without_blanks(tiled.tile_size_mnk)}
    for x, shape in shapes.items():
        found[f"layout{x}_TV"] = tiled.tiled_tv_layout(x)
        found[f"thrfrg_{x}"] = tiled.thrfrg(x, Layout(shape))
        found[f"partition_shape_{x}"] = str(tiled.partition_fragment(x, shape)).split(":")[0]
    for key in result:
        if match := re.fullmatch(r"partC_t(\d+)", key):
            part = tiled.get_slice(int(match[1])).partition_C(make_identity_tensor((m, n)))
            found[key] = part.inner
            coordinates = [without_blanks(part(i)) for i in range(len(result[f"{key}_coords"]))]
            assert coordinates == result[f"{key}_coords"]
    if tiled.atom_layout[2].size > 1:
        del found["layoutC_TV"]
        assert same_tv_layout(tiled, "C", result["layoutC_TV"])
    assert {key: str(value) for key, value in found.items() if key in result} == {
        k: result[k] for k in found if k in result
    }
    assert len(found.keys() & result.keys()) >= 5


@pytest.mark.parametrize("row", [r for r in CUTE if r["op"] != "tiled_mma"], ids=lambda r: str(r["config"]))
def test_cute_tiled_copy(row):
    plain, config, result = row["plain"], row["config"], row["result"]
    atom = catalog.copy(config["copy_atom"]).with_element(dtype(config["val_type"]).bits)
    cta = tuple(config["cta"])
    if "tiled_mma" in plain:
        given = plain["tiled_mma"]
        mma = make_tiled_mma(catalog.mma(given["atom"]), layout(given["atom_layout"]), tiler(given["permutation"]))
        tiled = MATCHING[row["op"][-1]](atom, mma)
    else:
        tiled = make_tiled_copy_tv(atom, layout(plain["thr_layout"]), layout(plain["val_layout"]))
    found = {
        "tiler_mn": without_blanks(tiled.tile_shape),
        "tiled_layout_TV": tiled.layout_tv,
        "layoutS_TV": tiled.layoutS_TV,
        "layoutD_TV": tiled.layoutD_TV,
        "tidfrg_S": tiled.tidfrg_S(Layout(cta)),
        "tidfrg_D": tiled.tidfrg_D(Layout(cta)),
    }
    for key in result:
        if key.startswith("frag_"):
            found[key] = mma.partition_fragment(key[-1], cta)
        if key.startswith("retile_"):
            found[key] = tiled.retile(mma.partition_fragment(key[-1], cta))
    for key, value in found.items():
        assert str(value) == result[key], key


def memory(text):
    """The layout in fly's `type, space, LAYOUT`."""
    return text.split(", ", 2)[2]


def same_memory(part, text):
    inner = part if isinstance(part, Layout) else part.inner
    wanted = memory(text)
    if "?" in wanted:  # run-time strides: the shape says what there is to say
        return str(Layout(inner.shape)) == str(Layout(layout(static(wanted)).shape))
    return same_function(inner, wanted)


@pytest.mark.parametrize("row", [r for r in FLY if r["kind"] == "layout_tv"], ids=lambda r: r["id"])
def test_fly_layout_tv(row):
    thr, val = layout(row["thr"]), layout(row["val"])
    tile, tv = make_layout_tv(thr, val)
    assert same_function(tv, row["expected"]["layout_tv"])
    # fly drops one-tuples, so its tile of two one-dimensional layouts is that of their product's only mode.
    if isinstance(thr.shape, tuple) or isinstance(val.shape, tuple):
        assert without_blanks(tile) == row["expected"]["tiler_mn"]


@pytest.mark.parametrize("row", [r for r in FLY if r["kind"] == "tiled_copy"], ids=lambda r: r["id"])
def test_fly_tiled_copy(row):
    expected = row["expected"]
    tiled = make_tiled_copy_tv(parse_fly_atom(row["copy_atom"]), layout(row["thr"]), layout(row["val"]))
    thread = tiled.get_slice(row["thr_idx"])
    tensor = layout(static(row["tensor"]))
    fragment = thread.make_fragment_like(thread.partition_S(tensor))
    assert same_function(tiled.layout_src_tv_tiled, expected["layout_src_tv_tiled"])
    assert same_function(tiled.layout_dst_tv_tiled, expected["layout_dst_tv_tiled"])
    assert same_function(tiled.layout_tv_tiled, expected["layout_tv_tiled"])
    assert without_blanks(list(tiled.tile_mn)) == expected["tile_mn"].replace("|", ",")
    assert same_memory(thread.partition_S(tensor), expected["partition_S"])
    assert same_memory(thread.partition_D(tensor), expected["partition_D"])
    assert same_coordinates(thread.partition_S(make_identity_tensor(tensor.shape)), expected["partition_S_coord"])
    assert same_memory(fragment, expected["fragment_like"])
    assert same_memory(thread.retile(fragment), expected["retile(fragment)"])


@pytest.mark.parametrize("row", [r for r in FLY if r["kind"] == "tiled_mma"], ids=lambda r: r["id"])
def test_fly_tiled_mma(row):
    expected = {k: v for k, v in row["expected"].items() if k not in row.get("wrong_keys", ())}
    permutation = tiler(row.get("permutation"))
    tiled = make_tiled_mma(parse_fly_atom(row["mma_atom"]), layout(row["atom_layout"]), permutation)
    thread = tiled.get_slice(row["thr_idx"])
    m, n, k = row["M"], row["N"], row["K"]
    assert without_blanks(tiled.tile_size_mnk) == expected["tile_size_mnk"]
    assert same_function(tiled.thr_layout_vmnk, expected["thr_layout_vmnk"])
    for x, shape in {"A": (m, k), "B": (n, k), "C": (m, n)}.items():
        tensor, coordinates = Layout(shape, (shape[1], 1)), make_identity_tensor(shape)
        fragment = getattr(thread, f"make_fragment_{x}")(tensor)
        bits = [int(b) for b in re.findall(r"universal_copy<(\d+)>, (\d+)>", row["expected"][f"tiled_copy_{x}"])[0]]
        matching = MATCHING[x](universal_copy(bits[0]).with_element(bits[1]), tiled).get_slice(row["thr_idx"])
        checks = {
            f"tv_layout_{x}_tiled": lambda text, x=x: same_tv_layout(tiled, x, text),
            f"partition_{x}": lambda text, x=x, t=tensor: same_memory(thread.partition(x, t), text),
            f"partition_{x}_coord": lambda text, x=x, c=coordinates: same_coordinates(thread.partition(x, c), text),
            f"partition_shape_{x}": lambda text, x=x, s=shape: (
                str(Layout(tiled.partition_shape(x, s))).split(":")[0] == text
            ),
            f"fragment_{x}": lambda text, f=fragment: same_memory(f, text),
            f"tiled_copy_{x}.partition_S_coord": lambda text, c=coordinates, th=matching: same_coordinates(
                th.partition_S(c), text
            ),
            f"tiled_copy_{x}.retile(fragment_{x})": lambda text, f=fragment, th=matching: same_memory(
                th.retile(f), text
            ),
        }
        for key, check in checks.items():
            if key in expected:
                assert check(expected[key]), key
