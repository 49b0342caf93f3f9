import json

import pytest

from tilewright.atoms import catalog
from tilewright.cli.main import main


def test_searching_lists_the_names(capsys):
    assert main(["atoms", "16x8x8", "tf32"]) == 0
    assert "SM80_16x8x8_F32TF32TF32F32_TN" in capsys.readouterr().out


def test_long_lists_say_how_many_there_are(capsys):
    assert main(["atoms", "--kind", "mma", "SM90_64"]) == 0
    assert "more not shown" in capsys.readouterr().out


def test_one_architecture(capsys):
    assert main(["atoms", "--arch", "gfx950", "16x16x128", "E4M3E4M3", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["shape_mnk"] == [16, 16, 128]


def test_a_name_shows_the_atom(capsys):
    assert main(["atoms", "SM80_16x8x16_F32F16F16F32_TN"]) == 0
    out = capsys.readouterr().out
    assert "((4,8),(2,2,2)):((32,1),(16,8,128))" in out
    assert "mma.sync.aligned.m16n8k16" in out


def test_a_copy_atom_in_an_element_type(capsys):
    assert main(["atoms", "SM75_U32x4_LDSM_N", "--element", "float32", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["tv_layout_src"] == "(32,4):(4,1)"


def test_the_picture_is_written_once(capsys, tmp_path):
    path = tmp_path / "atom.svg"
    assert main(["atoms", "SM75_U32x1_LDSM_N", "--svg", str(path)]) == 0
    assert path.read_text().startswith("<svg")
    path.write_text("mine")
    assert main(["atoms", "SM75_U32x1_LDSM_N", "--svg", str(path)]) == 2
    assert path.read_text() == "mine"


@pytest.mark.parametrize(
    "arguments",
    [
        ["nosuch"],
        ["SM75_U32x4_LDSM_N", "--element", "float7"],
        ["SM75_U32x4_LDSM_N", "--element", "٣"],
        ["SM75_U32x4_LDSM_N", "--svg", ""],
        ["ldsm", "--svg", "x.svg"],
        ["--kind", "copy", "--element", "zz"],
        ["--kind", "copy", "--element", "f16"],
    ],
)
def test_bad_input_is_one_line_and_status_2(arguments, capsys):
    assert main(["atoms", *arguments]) == 2
    assert len(capsys.readouterr().err.strip().splitlines()) == 1


def test_the_permutation_demo_states_the_corrections(capsys):
    assert main(["demo", "permutation"]) == 0
    out = capsys.readouterr().out
    assert "128 accumulators" in out
    assert "columns 0-7 and 16-23" in out


def test_the_permutation_demo_as_data(capsys):
    assert main(["demo", "permutation", "--dtype", "float16", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["choices"]["best"] == 8


def test_layouts_of_operands_in_shared_memory_are_listed_and_shown(tmp_path, capsys):
    assert main(["atoms", "--kind", "smem", "K", "SW", "_Atom"]) == 0
    assert capsys.readouterr().out.endswith("Layout_K_SW128_Atom\n3 atoms\n")
    path = tmp_path / "atom.svg"
    assert main(["atoms", "Layout_K_SW128_Atom", "--element", "e4m3", "--svg", str(path)]) == 0
    text = capsys.readouterr().out
    assert "Sw<3,4,3> o 0 o (8,128):(128,1), in elements of 8 bits" in text
    assert path.read_text().startswith("<svg")
    assert main(["atoms", "Layout_MN_SW128_32B_Atom", "--json"]) == 0
    data = json.loads(capsys.readouterr().out)
    assert (data["kind"], data["layout"], data["alignment_bytes"]) == ("smem", "Sw<2,4,2> o 0 o (64,4):(1,64)", 1024)


@pytest.mark.parametrize("word", ["wgmma", "ldmatrix", "stmatrix", "tcgen05.mma", "cp.async", "v_mfma"])
def test_words_of_instructions_find_their_atoms(word: str) -> None:
    found = catalog.list(word)
    assert found
    for name in found[::50]:
        kind = catalog.mma if name in catalog.list(kind="mma") else catalog.copy
        assert word in kind(name).instruction
