"""`show` says which shared-memory layout atom a tile repeats, and whose order the modes have."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import tilewright as tw
from tilewright.cli.main import main
from tilewright.errors import NotationError
from tilewright.figures.highlight import written
from tilewright.notation.slices import parse_slice

ATOMS = [
    (name, bits)
    for name in ("Layout_K_SW128_Atom", "Layout_MN_SW64_Atom", "Layout_K_SW32_Atom", "Layout_MN_SW128_Atom")
    for bits in (8, 16, 32)
]


def shown(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    assert main(["show", *words]) == 0
    return capsys.readouterr().out


@pytest.mark.parametrize(("name", "bits"), ATOMS)
def test_the_canonical_atom_is_named(name: str, bits: int, capsys: pytest.CaptureFixture[str]) -> None:
    tile = str(tw.atoms.smem(name, bits))
    assert f"canonical: {name} in elements of {bits} bits" in shown(capsys, tile)
    assert json.loads(shown(capsys, tile, "--json"))["canonical"].startswith(name)


@pytest.mark.parametrize("tile", ["(128,64):(64,1)", "Sw<3,0,3> o 0 o (8,64):(64,1)", "Sw<3,3,3>", "(4,8)"])
def test_what_is_no_canonical_tile_is_not_called_so(tile: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert "canonical" not in shown(capsys, tile)
    assert "canonical" not in json.loads(shown(capsys, tile, "--json"))


@pytest.mark.parametrize(
    ("text", "views"),
    [
        ("(128,64):(64,1)", {"tirx"}),
        ("Sw<3,3,3> o 0 o (8,64):(64,1)", {"tirx"}),
        ("S[(8,64):(64,1)]", {"cute", "fly"}),
        ("8:1", set()),
        ("S[8:1]", set()),
    ],
)
def test_modes_in_reverse_are_said_to_be(text: str, views: set[str], capsys: pytest.CaptureFixture[str]) -> None:
    lines = shown(capsys, text).splitlines()
    assert {line.partition(":")[0] for line in lines if "modes in reverse" in line} == views


@pytest.mark.parametrize("ending", ["svg", "html", "png", "pdf", "tex", "txt", "json"])
def test_show_draws_in_the_form_of_the_ending(ending: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / f"a.{ending}"
    assert f"picture   {path}" in shown(capsys, "(8,64):(64,1)", "-o", str(path))
    form = getattr(tw.draw(tw.Layout((8, 64), (64, 1))), "text" if ending == "txt" else ending)()
    assert path.read_bytes() == (form if isinstance(form, bytes) else form.encode())
    assert main(["show", "(8,64):(64,1)", "-o", str(path)]) == 2


@pytest.mark.parametrize(
    ("words", "own"),
    [
        ("SM80_16x8x16_F32F16F16F32_TN", tw.atoms.mma("SM80_16x8x16_F32F16F16F32_TN")),
        ("Copy_Atom<SM75_U32x4_LDSM_N, half_t>", tw.atoms.copy("SM75_U32x4_LDSM_N").with_element("f16")),
        ("MMA_Atom<CDNA3_16x16x16_F32F16F16F32>", tw.atoms.mma("CDNA3_16x16x16_F32F16F16F32")),
    ],
)
def test_an_atom_is_shown_and_drawn(
    words: str, own: tw.atoms.MmaAtom | tw.atoms.CopyAtom, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "a.svg"
    assert str(own) in shown(capsys, words, "-o", str(path))
    assert path.read_text() == tw.draw(own).svg()
    cuda = "CDNA" not in words
    assert main(["show", words, "--as", "cpp"]) == (0 if cuda else 1)
    assert tw.parse(capsys.readouterr().out.strip()) == own if cuda else True
    assert main(["show", words, "--as", "tirx"]) == 2


def test_a_tiled_operation_is_shown_with_what_threads_hold(capsys: pytest.CaptureFixture[str]) -> None:
    tiled = tw.make_tiled_mma(tw.make_mma_atom("SM80_16x8x16_F32F16F16F32_TN"), tw.Layout((2, 2, 1)))
    words = tw.to_cpp(tiled)
    assert str(tiled.tiled_tv_layout("B")) in shown(capsys, words)
    assert json.loads(shown(capsys, words, "--json"))["C"] == str(tiled.tiled_tv_layout("C"))


@pytest.mark.parametrize("shape", ["(8,8)", "(4,(2,8))", "16"])
def test_a_shape_alone_is_drawn_as_the_tile_of_the_analyses(
    shape: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "a.svg"
    out = shown(capsys, shape, "-o", str(path))
    tile = tw.make_layout_right(tw.parse(shape) if "," in shape else (int(shape),))
    assert path.read_text() == tw.draw(tile).svg()
    assert str(tile) in out


@pytest.mark.parametrize("coordinate", ["(3,None)", "(3,_)", "(3,*)"])
def test_what_is_free_is_highlighted_in_every_spelling(
    coordinate: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "a.svg"
    shown(capsys, "(8,8):(8,1)", "-o", str(path), "--highlight", coordinate)
    assert path.read_text() == tw.draw(tw.Layout((8, 8), (8, 1)), highlight=[(3, None)]).svg()


@pytest.mark.parametrize("kind", ["banks", "memory", "shared_tile"])
def test_a_printed_pointer_says_the_width_that_pictures_of_banks_need(
    kind: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    pointed, plain = "Sw<3,4,3>_smem_ptr[16b](0x400) o (8,64):(64,1)", "Sw<3,3,3> o 0 o (8,64):(64,1)"
    shown(capsys, pointed, "--kind", kind, "-o", str(tmp_path / "a.svg"))
    shown(capsys, plain, "--kind", kind, "--element-bits", "16", "-o", str(tmp_path / "b.svg"))
    assert (tmp_path / "a.svg").read_text() == (tmp_path / "b.svg").read_text()
    assert main(["show", plain, "--kind", kind, "-o", str(tmp_path / "c.svg")]) == 2
    assert "--element-bits N" in capsys.readouterr().err
    with_type = tw.draw(tw.parse(pointed, tw.TypedLayout), kind=kind)
    assert with_type.scene.panels == tw.draw(tw.parse(plain), kind=kind, element_bits=16).scene.panels


slices = st.one_of(
    st.none(), st.integers(0, 7), st.builds(slice, st.integers(0, 3), st.integers(4, 8), st.sampled_from([None, 1, 2]))
)
nested = st.recursive(slices, lambda parts: st.lists(parts, min_size=2, max_size=3).map(tuple), max_leaves=6)


@given(nested)
def test_slices_are_read_as_legends_write_them_and_without_outermost_parentheses(asked: object) -> None:
    text = written(asked)
    assert parse_slice(text) == asked
    assert parse_slice(text[1:-1] if isinstance(asked, tuple) else text) == asked


@pytest.mark.parametrize("text", ["(_,3", "_,", ":x", "0:1:2:3", "a", "(1,2)3", "((((" * 50])
def test_what_is_no_slice_has_its_caret(text: str) -> None:
    with pytest.raises(NotationError, match=r"\^"):
        parse_slice(text)


def test_the_command_highlights_slices(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    shown(capsys, "(8,8):(8,1)", "--highlight", "0:4,3", "--highlight", "(0,_)", "-o", str(tmp_path / "a.svg"))
    figure = tw.draw(tw.Layout((8, 8), (8, 1)), highlight=[(slice(0, 4), 3), (0, None)])
    assert (tmp_path / "a.svg").read_text() == figure.svg()
