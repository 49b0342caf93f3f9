"""`tilewright show 0x..`: matrix descriptors field by field."""

from __future__ import annotations

import json

import pytest

import tilewright as tw
from tilewright.cli.main import main

HALVES = tw.tile_to_shape(tw.atoms.smem("Layout_K_SW128_Atom", "f16"), (64, 64), (0, 1))


@pytest.mark.parametrize("unit", ["wgmma", "tcgen05"])
def test_every_field_and_both_majors(unit: str, capsys: pytest.CaptureFixture[str]) -> None:
    found = tw.descriptor(HALVES, "f16", unit=unit, start=2048)
    assert main(["show", f"{int(found):#x}", "--shape", "64x64"]) == 0
    out = capsys.readouterr().out
    assert str(found) in out
    assert f"K-major: {found.layout('f16', (64, 64))}\n" in out
    assert f"MN-major: {found.layout('f16', (64, 64), 'MN')}\n" in out
    assert "atoms: Layout_K_SW128_Atom, Layout_MN_SW128_Atom" in out


def test_as_json(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["show", "0x4000004000010040", "--json", "--element", "e4m3"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["fields"][0] == {
        "bits": "0-13",
        "field": "start",
        "code": 64,
        "meaning": "the operand begins at byte 1024 of shared memory",
    }
    assert found["operands"]["K"] == "Sw<3,4,3> o 1024 o ((8,8),32):((128,1024),1)"


@pytest.mark.parametrize(
    ("given", "message"),
    [
        (["0x4000"], "bit 14 is set, which no field has"),
        (["0xg"], "0x and at most 16 hexadecimal digits"),
        (["0x" + "1" * 200], "the driver's secret"),
        (["0x0", "--shape", "64"], "a shape is MNxK"),
        (["0x0", "--element", "f17"], "unknown element type"),
    ],
)
def test_what_is_none(given: list[str], message: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["show", *given]) != 0
    assert message in capsys.readouterr().err
