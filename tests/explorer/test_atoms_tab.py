"""The tab of MMAs and copies shows the owners that the layouts and PTX say, and counts banks as the analysis does."""

from __future__ import annotations

import contextlib
import io
import json

import pytest
from explored import drawn, lines_run

import tilewright as tw
from tilewright.atoms.tiled_copy import make_tiled_copy_tv
from tilewright.explorer.atoms.held import MOST
from tilewright.explorer.engine import Engine
from tilewright.explorer.fields import FieldError
from tilewright.explorer.tabs.atoms_presets import COPY, PRESETS
from tilewright.figures.links import linked
from tilewright.figures.scene import Place, Scene

ENGINE = Engine()
TAB = ENGINE.tabs["atoms"]
BY_NAME = {preset.name: dict(preset.inputs) for preset in PRESETS}
TWO_BY_TWO = BY_NAME["2x2 atoms, N permuted"]
TITLE = "{} in shared memory, the best first (see: in the tab Banks)"


def asked(tab="atoms", **inputs):
    return ENGINE.reply({"ask": "answer", "tab": tab, "inputs": inputs})


def owned(panel):
    """(thread, value) -> the coordinates that the panel shows for it."""
    pairs = zip(panel.cells.coordinate, panel.cells.owner, strict=True)
    return {tuple(owner): tuple(coordinate) for coordinate, owners in pairs for owner in owners}


def table(reply, title):
    (found,) = (one for one in reply["tables"] if one["title"] == title)
    return found["rows"]


def test_the_owners_of_m16n8k16_are_those_of_the_figures_in_ptx():
    a, b, c = map(owned, drawn(asked()))
    lanes = [divmod(lane, 4) for lane in range(32)]
    for lane, (group, inside) in enumerate(lanes):
        for v in range(8):
            assert a[lane, v] == (group + 8 * (v // 2 % 2), 2 * inside + v % 2 + 8 * (v // 4))
        for v in range(4):
            assert b[lane, v] == (group, 2 * inside + v % 2 + 8 * (v // 2))
            assert c[lane, v] == (group + 8 * (v // 2), 2 * inside + v % 2)


@pytest.mark.parametrize("name", ["MFMA 16x16x16", "MFMA of 16 blocks", "WMMA 16x16x16", "SM70 quad pairs"])
def test_the_owners_of_an_atom_are_those_of_its_layouts(name):
    atom = tw.atoms.mma(BY_NAME[name]["mma"])
    for operand, panel in zip("ABC", drawn(asked(**BY_NAME[name])), strict=True):
        rows, layout = atom.tile(operand)[0], atom.tv_layout(operand)
        assert owned(panel) == {
            (thread, value): (layout(thread, value) % rows, layout(thread, value) // rows)
            for thread in range(atom.threads)
            for value in range(layout[1].size)
        }


def test_the_parts_of_a_tiled_mma_are_its_partitions():
    reply = asked(**TWO_BY_TWO, thread="70")
    atom = tw.atoms.mma("SM80_16x8x16_F32F16F16F32_TN")
    tiled = tw.make_tiled_mma(atom, (2, 2, 1), (32, tw.parse("(8,2,2):(1,16,8)"), 16))
    for operand, panel, row in zip("ABC", drawn(reply), reply["tables"][0]["rows"], strict=True):
        shown, tile = owned(panel), tw.make_identity_tensor(tiled.tile(operand))
        for thread in (0, 70, 127):
            part = tiled.get_slice(thread).partition(operand, tile)
            assert [shown[thread, value] for value in range(part.size)] == [part(value) for value in range(part.size)]
        assert row["cells"][4] == " ".join(f"({m},{n})" for m, n in (shown[70, v] for v in range(int(row["cells"][3]))))


def test_the_owners_of_a_tiled_copy_are_its_partitions():
    reply = asked(**BY_NAME["(32,8) threads of (1,4) values"])
    atom = tw.atoms.copy("UniversalCopy128b").with_element("float32")
    tiled = make_tiled_copy_tv(atom, tw.Layout((32, 8), (8, 1)), tw.Layout((1, 4)))
    tile = tw.make_identity_tensor(tiled.tile_shape)
    (both,) = map(owned, drawn(reply))  # source and destination, which are alike
    for thread in range(0, 256, 17):
        for part in (tiled.get_slice(thread).partition_S(tile), tiled.get_slice(thread).partition_D(tile)):
            assert [both[thread, value] for value in range(4)] == [part(value) for value in range(4)]


def test_a_thread_links_the_operands():
    scene = Scene.from_json(asked()["scenes"][0])
    places = linked(scene, Place(0, 3, 5), by="thread")  # lane 14 has row 3, columns 4 and 5
    owners = {
        Place(number, cell.row, cell.column)
        for number, panel in enumerate(scene.panels)
        for cell in panel.cells
        if any(owner.thread == 14 for owner in cell.key.owner)
    }
    assert set(places) == owners
    assert len(owners) == 8 + 4 + 4
    assert (TAB.held, TAB.holds, TAB.link) == ("thread", "thread", "thread")


def test_moments_are_the_values_of_the_thread_in_their_order():
    reply = asked(thread="9")
    panels = drawn(reply)
    whole, *values = reply["frames"]
    assert [len(cells) for _, _, cells in whole["marks"]] == [8, 4, 4]
    walked = [(panel, panels[panel].cells.owner[cells[0]]) for ((_, panel, cells),) in (f["marks"] for f in values)]
    assert walked == [(panel, ((9, value),)) for panel, count in enumerate((8, 4, 4)) for value in range(count)]
    assert "register 1, bits 16 to 31" in values[3]["text"]


@pytest.mark.parametrize("name", ["2x2 atoms, N permuted", "wgmma 64x64x16", "WMMA 16x16x16", "ldmatrix x4"])
def test_the_tab_of_banks_counts_the_same(name):
    reply = asked(**BY_NAME[name])
    kept = [one for one in reply["tables"] if "in shared memory" in one["title"]]
    assert kept
    for row in (row for one in kept for row in (one["rows"][0], one["rows"][-1])):
        assert row["tab"] == "banks"
        if "wgmma" in row["cells"][1]:  # read without lanes: the tab says what the tile repeats
            assert dict(asked("banks", **row["apply"])["facts"])["repeats"] == row["cells"][0]
            continue
        (cost,) = table(asked("banks", **row["apply"]), "what they cost")
        assert cost["cells"][2:4] == row["cells"][2:4]


@pytest.mark.parametrize("name", ["2x2 atoms, N permuted", "(32,8) threads of (1,4) values"])
def test_the_lines_of_python_give_the_same(name):
    reply, said = asked(**BY_NAME[name]), io.StringIO()
    with contextlib.redirect_stdout(said):
        lines_run(reply["python"])
    best = [one["rows"][0]["cells"] for one in reply["tables"] if "in shared memory" in one["title"]]
    for _, _, wavefronts, ideal, *_ in best:
        assert f"{wavefronts} wavefronts" in said.getvalue()
        assert wavefronts == ideal  # nothing is wasted in the best


def test_a_plain_tile_costs_eight_times_what_a_swizzled_one_does():
    rows = {row["cells"][0]: row["cells"] for row in table(asked(), TITLE.format("A"))}
    tiled = tw.make_tiled_mma(tw.atoms.mma("SM80_16x8x16_F32F16F16F32_TN"))
    for name in ("Layout_K_SW128_Atom", "plain, by rows"):
        tile = tw.parse(rows[name][5])
        report = tw.bank_conflicts(tile, (tiled, "A"), copy=tw.atoms.copy(rows[name][1]))
        assert rows[name][2:4] == [str(report.wavefronts), str(report.ideal)]
    assert int(rows["plain, by rows"][2]) == 8 * int(rows["Layout_K_SW128_Atom"][2])


def test_what_is_found_is_what_the_catalog_finds_and_each_row_shows_its_atom():
    words = {"search": "16x8x32", "arch": "sm_89", "a": "float8_e4m3fn", "c": "float32"}
    found = tw.atoms.find(words="16x8x32", arch="sm_89", a="float8_e4m3fn", c="float32")
    rows = asked(**words)["tables"][-1]["rows"]
    assert [row["cells"][0] for row in rows] == [atom.name for atom in found] != []
    assert asked(**words | rows[0]["apply"])["scenes"][0]["title"].startswith(found[0].name)
    (row,) = asked(of=COPY, copies="ldmatrix x4 trans", arch="sm_80")["tables"][-1]["rows"]
    assert row["apply"]["copy"] == "SM75_U16x8_LDSM_T"
    assert asked(search="no such atom")["tables"][-1]["rows"] == []


def test_as_many_values_are_told_as_there_is_room_for():
    reply = asked(mma="SM90_64x256x32_F32E4M3E4M3_SS_TN")
    tv, row = tw.atoms.mma("SM90_64x256x32_F32E4M3E4M3_SS_TN").tv_layout("C"), reply["tables"][0]["rows"][2]
    told, rest = row["cells"][4].split(" .. and ")
    assert told.split() == [f"({tv(0, v) % 64},{tv(0, v) // 64})" for v in range(MOST)]
    assert rest == f"{tv[1].size - MOST} more"
    assert table(reply, TITLE.format("B"))  # 256 x 128 bytes are not too many


def test_several_blocks_are_no_tile_in_shared_memory():
    titles = [one["title"] for one in asked(mma="CDNA1_32x32x4_2B_F32F16F16F32")["tables"]]
    assert titles == ["what thread 0 holds", titles[1]]


def test_the_best_tile_wastes_the_fewest_wavefronts_an_element():
    for name in ("2x2 atoms, N permuted", "ldmatrix x4", "(32,8) threads of (1,4) values"):
        for one in (one for one in asked(**BY_NAME[name])["tables"] if "in shared memory" in one["title"]):
            rows = [row["cells"] for row in one["rows"]]
            assert (found := [int(row[2]) / tw.parse(row[5]).size for row in rows]) == sorted(found)


def test_a_line_of_threads_copies_a_line_of_memory():
    reply = asked(of=COPY, copy="UniversalCopy128b", element="float32", thr="32:1", val="4:1")
    (kept,) = [one["rows"] for one in reply["tables"] if "in shared memory" in one["title"]]
    for row in kept:
        assert int(row["cells"][3]) * 32 == tw.parse(row["cells"][5]).size  # a word of each bank at once


def test_large_atoms_have_small_answers():
    assert len(json.dumps(asked(mma="SM90_64x256x16_F32F16F16_SS")["scenes"])) < 500_000


@pytest.mark.parametrize(
    ("inputs", "field", "position"),
    [
        ({"mma": "SM80_x"}, "mma", -1),
        ({"layout": "(2,"}, "layout", 3),
        ({"layout": "(2,2,1):(1,1,0)"}, "layout", -1),
        ({"mma": "CDNA3_4x4x4_16B_F32F16F16F32", "layout": "(2,1,1)"}, "layout", -1),
        ({"M": "(3,5"}, "M", 4),
        ({"N": "12"}, "N", -1),
        ({"K": "x"}, "K", 0),
        ({"thread": "32"}, "thread", -1),
        ({"arch": "sm_1"}, "arch", -1),
        ({"of": COPY, "copy": "LDSM"}, "copy", -1),
        ({"of": COPY, "element": "float64", "copy": "SM75_U32x1_LDSM_N"}, "element", -1),
        ({"of": COPY, "val": "(1,4)"}, "thr", -1),
        ({"of": COPY, "thr": "(8,4"}, "thr", 4),
        ({"of": COPY, "thr": "(8,2)", "copy": "SM75_U32x4_LDSM_N"}, "thr", -1),
        ({"of": COPY, "thr": "(8,4)", "val": "(1,3)", "copy": "UniversalCopy128b"}, "val", -1),
    ],
)
def test_what_is_wrong_is_told_at_its_field_and_place(inputs, field, position):
    with pytest.raises(FieldError) as refused:
        TAB.answer(TAB.inputs(inputs))
    assert (refused.value.field, refused.value.position) == (field, position)
