"""Accesses named by atoms on the command line are those of the objects, and say what is wrong with them."""

from __future__ import annotations

import json

import pytest

import tilewright as tw
from tilewright.analysis.held.question import Accessor
from tilewright.asked.accesses import tile as question_tile
from tilewright.cli.main import main

WGMMA = "SM90_64x64x16_F32F16F16_SS<GMMA::Major::K,GMMA::Major::K>"
MMA = "SM80_16x8x16_F32F16F16F32_TN"
LDMATRIX = "SM75_U32x4_LDSM_N"
PLAIN, SWIZZLED = "(64,64):(64,1)", "Sw<3,3,3> o 0 o (64,64):(64,1)"


@pytest.mark.parametrize(
    ("tile", "access", "held", "copy", "status"),
    [
        (PLAIN, LDMATRIX, tw.atoms.copy(LDMATRIX), None, 1),
        (PLAIN, f"A of {MMA}", (tw.atoms.mma(MMA), "A"), None, 1),
        (SWIZZLED, f"B of {MMA} by SM75_U32x2_LDSM_N", (tw.atoms.mma(MMA), "B"), "SM75_U32x2_LDSM_N", 0),
        (SWIZZLED, f"A of {WGMMA}", (tw.atoms.mma(WGMMA), "A"), None, 0),
    ],
)
def test_atoms_name_accesses(
    tile: str, access: str, held: Accessor, copy: str | None, status: int, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["banks", tile, access, "--dtype", "f16", "--json"]) == status
    found = json.loads(capsys.readouterr().out)["reports"][0]
    by = tw.atoms.copy(copy) if copy else None
    report = json.loads(json.dumps(tw.bank_conflicts(question_tile(tile)[0], held, element_bits=16, copy=by).to_json()))
    assert found | report == found
    assert found["access"] == access


@pytest.mark.parametrize(
    ("access", "message"),
    [
        ("SM75_U32x9_LDSM_N", "there is no copy atom 'SM75_U32x9_LDSM_N'"),
        ("UniversalCopy128b", "say side 'S' where it reads the tile"),
        (f"A of {WGMMA}", "is no canonical shared-memory layout"),
        ("tma", "no lanes, and no bank conflicts that are known"),
    ],
)
def test_what_is_wrong_is_said(access: str, message: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["banks", PLAIN, access, "--dtype", "f16"]) == 2
    assert message in capsys.readouterr().err


def test_swizzles_serve_what_atoms_name(capsys: pytest.CaptureFixture[str]) -> None:
    asked = ["--access", f"A of {MMA}", "--access", "UniversalCopy128b D"]
    assert main(["swizzle", PLAIN, *asked, "--dtype", "f16"]) == 0
    assert "Sw<3,3,3> in elements of 16 bits" in capsys.readouterr().out
