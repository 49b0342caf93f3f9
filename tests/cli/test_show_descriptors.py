"""`tilewright show 0x..`: matrix descriptors field by field."""

from __future__ import annotations

import json

import pytest

import tilewright as tw
from tilewright.atoms.instruction_descriptors import KINDS, InstructionDescriptor
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


TOLD = [
    InstructionDescriptor("f16", "float32", "bfloat16", "bfloat16", 128, 64),
    InstructionDescriptor("i8", "int32", "uint8", "int8", 64, 256, saturate=True),
    InstructionDescriptor("f8f6f4", "float16", "float8_e5m2", "float8_e4m3fn", 128, 8, mn_a=True, negate_b=True),
    InstructionDescriptor(
        "mxf8f6f4", "float32", "float8_e4m3fn", "float6_e2m3fn", 128, 64, scale="float8_e8m0fnu", sfa=3
    ),
]


@pytest.mark.parametrize("told", TOLD, ids=lambda told: told.kind)
def test_an_instruction_descriptor_is_shown_for_every_kind_that_it_fits(
    told: InstructionDescriptor, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["show", f"{told.encode():#x}"]) == 0
    out = capsys.readouterr().out
    assert str(told) in out
    for line in str(told).splitlines()[2:]:
        bits, name, code, meaning = line.split()
        first = int(bits.partition("-")[0])
        last = int(bits.partition("-")[2] or first)
        assert int(code) == told.encode() >> first & (1 << last - first + 1) - 1
        assert meaning == str(getattr(told, name))
    assert main(["show", f"{told.encode():#x}", "--json"]) == 0
    kinds = [one["kind"] for one in json.loads(capsys.readouterr().out)["instructions"]]
    assert kinds == [kind for kind in KINDS if f"kind::{kind}, " in out]
