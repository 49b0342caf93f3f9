"""Types of what atoms do: their canonical text, and what is refused, in FlyDSL's sentences."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tilewright.errors import NotationError
from tilewright.ir.fly.atom_text import canonical, layouts_of
from tilewright.ir.fly.type_reader import read
from tilewright.ir.fly.type_writer import write
from tilewright.ir.text import parse_module, print_module
from tilewright.notation.fly_atoms import parse_fly_atom
from tilewright.notation.fly_text import type_parts

ROCDL = "!fly_rocdl."
PLAIN = "signA = false, signB = false, clamp = false"
SIGNED = "signA = true, signB = false, clamp = false"
DATA = Path(__file__).parents[2] / "data/flydsl_atoms.json"
RECORDED = sorted({row["type"] for row in json.loads(DATA.read_text()) if not row.get("peer_wrong")})


@pytest.mark.parametrize(
    ("written", "released"),
    [
        ("cdna4.lds_read_trans<trans=4b,64>", "cdna4.lds_read_trans<trans = 4b, 64>"),
        ("cdna3.buffer_copy<32, cache = 0>", "cdna3.buffer_copy<32>"),
        ("cdna5.tensor_load<shape=[8,64], elem=f16, tensor2tdm=(1E1,1E0), padAmount=8, padInterval=64, iterCount=1>",
         "cdna5.tensor_load<shape = [8, 64], elem = f16, tensor2tdm = (1E1,1E0), padInterval = 64, padAmount = 8>"),
        ("cdna3.buffer_atomic<#fly<atomic_op add>, f32>", "cdna3.buffer_atomic<add, f32>"),
        ("cdna3.buffer_copy<32, cache = 2>", "cdna3.buffer_copy<32, cache = 2>"),
        ("gfx11.wmma<16x16x16, (f16, f16) -> f32>", f"gfx11.wmma<16x16x16, (f16, f16) -> f32, {PLAIN}>"),
        ("gfx1250.tdm_2d<warps=1, pad=2, 8, cache=0>",
         "gfx1250.tdm_2d<warps = 1, pad = 2, 8, cache = 0, barrier = false, timeout = false>"),
        ("gfx1250.wmma_scale<16x16x128, (f8E5M2, f8E5M2) -> f32, opselA = 0, opselB = 1>",
         "gfx1250.wmma_scale<16x16x128, (f8E5M2, f8E5M2) -> f32, opselA = 0, opselB = 1, modC = 0, reuseA = false, "
         "reuseB = false, blockSize = 32>"),
        (f"gfx1250.wmma<16x16x32,(f16,f16)->f32, {PLAIN}, modC = 0, reuseA = true, reuseB = false>",
         f"gfx1250.wmma<16x16x32, (f16, f16) -> f32, {PLAIN}, reuseA = true>"),
    ],
)  # fmt: skip
def test_a_type_has_one_text(written: str, released: str) -> None:
    assert canonical(ROCDL + written) == ROCDL + released


def test_every_recorded_atom_is_written_as_it_was_recorded() -> None:
    assert [write(read(text)) for text in RECORDED] == RECORDED


def test_what_an_atom_does_is_a_type_of_its_own() -> None:
    for text in RECORDED:
        module = parse_module(f"func.func private @f({type_parts(text, text)[1][0]})")
        assert type_parts(text, text)[1][0] in print_module(module)


REFUSED = [
    ("gfx11.wmma<16x16x32, (f16, f16) -> f32, " + PLAIN, "GFX11 WMMA requires M=N=K=16, got 16x16x32"),
    ("gfx11.wmma<16x16x16, (f16, bf16) -> f32, " + SIGNED,
     "unsupported GFX11 WMMA configuration: 16x16x16 with A='f16', B='bf16', Acc='f32'"),
    ("gfx11.wmma<16x16x16, (f16, f16) -> f32, " + SIGNED, "GFX11 WMMA fp16/bf16 path does not accept signA"),
    ("gfx120x.wmma<32x16x16, (f16, f16) -> f32, " + PLAIN, "GFX120X WMMA requires M=N=16, got 32x16"),
    ("gfx120x.wmma<16x16x64, (bf16, bf16) -> f32, " + PLAIN, "GFX120X WMMA floating-point forms require M=N=K=16"),
    ("gfx120x.wmma<16x16x32, (i8, i8) -> i32, " + PLAIN, "GFX120X WMMA IU8 requires K=16, got 16x16x32"),
    ("gfx120x.wmma<16x16x64, (i4, i4) -> i32, " + PLAIN, "GFX120X WMMA IU4 requires K=16 or K=32, got 16x16x64"),
    ("gfx120x.wmma<16x16x16, (f8E5M2, f8E5M2) -> f32, " + SIGNED, "GFX120X WMMA floating-point path does not accept"),
    ("gfx1250.wmma<32x16x32, (f16, f16) -> f32, " + PLAIN, "GFX1250 WMMA requires M=N=16, got 32x16"),
    ("gfx1250.wmma<16x16x16, (f16, f16) -> f32, " + PLAIN, "unsupported GFX1250 WMMA configuration: 16x16x16"),
    ("gfx1250.wmma<16x16x32, (f16, f16) -> f32, " + SIGNED, "signA/signB/clamp are only valid for integer"),
    ("cdna3.mfma<16x16x16, (i8, f16) -> i32", "integer MFMA requires both A and B to be i8"),
    ("cdna3.mfma<16x16x32, (i8, i8) -> f32", "integer MFMA requires i32 accumulator, got 'f32'"),
    ("cdna3.mfma<16x16x16, (f16, f16) -> f16", "elemTyAcc must be f32, got 'f16'"),
    ("cdna3.mfma<16x16x16, (f64, f16) -> f32", "elemTyA must be f16, bf16, f32, f8E4M3FNUZ, f8E5M2FNUZ, got 'f64'"),
    ("cdna3.mfma<7x7x3, (f32, f32) -> f32", "there is no 7x7x3 MFMA"),
    ("cdna3.mfma<4x4x8, (f16, f16) -> f32", "there is no 4x4x8 MFMA"),
    ("cdna3.mfma<16x16, (f16, f16) -> f32", "unknown MMA operation|expected a tile MxNxK"),
    ("cdna3.mfma<16x16x16, f16 -> f32", "expected operand types"),
    ("cdna4.mfma_scale<16x16x64, (f8E5M2, f8E5M2) -> f32, opselA = 0, opselB = 0", "unsupported MNK for CDNA4"),
    ("cdna4.mfma_scale<16x16x128, (f8E5M2, f16) -> f32, opselA = 0, opselB = 0", "elemTyB must be one of f8E4M3FN"),
    ("cdna4.mfma_scale<16x16x128, (f8E5M2, f8E5M2) -> f32, opselA = 4, opselB = 0", r"opselA must be in \[0, 3\]"),
    ("cdna3.buffer_copy_lds<64", "unsupported bitSize = 64 for BufferCopyLDS; expected 32 or 128"),
    ("cdna4.buffer_load_async_lds<64", "unsupported bitSize = 64 for BufferLoadAsyncLDS; expected 32, 96 or 128"),
    ("cdna4.lds_read_trans<trans = 8b, 32", r"unsupported \(bitSize, transGranularity\) = \(32, 8\)"),
    ("cdna3.buffer_atomic<xor, i32", "AtomicOp to be one of: add, max, min, and, or, inc, dec"),
    ("cdna3.buffer_copy<many", "expected a number|buffer_copy"),
    ("gfx1250.tdm_2d<warps = 6, pad = 0, 0, cache = 0, barrier = false, timeout = false", "numWarps must be"),
    ("gfx1250.tdm_2d<warps = 1, pad = 8, 0, cache = 0, barrier = false, timeout = false", "must both be zero or both"),
    ("gfx1250.tdm_2d<warps = 1, pad = 24, 4, cache = 0, barrier = false, timeout = false", "must be a power of two"),
    ("cdna5.tensor_store<shape = [8, 4, 64], elem = f16, tensor2tdm = (1E2,1E1,1E0), iterCount = 8",
     "at most 2 dims, got 3"),
    ("gfx11.wmma<16x16x16, (f16, f16) -> f32, sign = true", "expected !fly_rocdl.gfx11.wmma<.., .A, B. -> D, signA"),
    ("gfx11.wmma<16x16x16", "expected !fly_rocdl.gfx11.wmma<.., .A, B. -> D, signA = .."),
    ("rdna3.wmma<16x16x32, (f16, f16) -> f32", "RDNA3 WMMA requires M=N=K=16, got 16x16x32"),
    ("rdna3.wmma<16x16x16, (f16, bf16) -> f32", "unsupported RDNA3 WMMA configuration: 16x16x16 with A='f16', B='bf"),
    ("gfx120x.swmmac<16x16x64, (f16, f16) -> f32", "unsupported GFX120X SWMMAC configuration: 16x16x64 with A='f16'"),
    ("gfx120x.swmmac<16x16x32, (f16, f16) -> f32, " + SIGNED, "GFX120X SWMMAC floating-point path does not accept"),
    ("gfx1250.tdm_gather<index = 8, pad = 0, 0, cache = 0", "the index width must be 16 or 32, got 8"),
    ("gfx1250.tdm_gather<index = 32, pad = 48, 8, cache = 0", "must be a power of two"),
    ("gfx1250.tdn<rank = 2", "unknown operation of atoms '!fly_rocdl.gfx1250.tdn'"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "sentence"), REFUSED)
def test_what_does_not_exist_is_refused(text: str, sentence: str) -> None:
    with pytest.raises(NotationError, match=sentence):
        canonical(f"{ROCDL}{text}>")


NVVM = [
    ("sm80.cp.async<16", "cp.async bitSize must be 32/64/128, got 16"),
    ("sm75.ldmatrix<num = 3, trans = false", "ldmatrix num must be 1/2/4, got 3"),
    ("sm75.ldmatrix<num = 4", "expected !fly_nvvm.sm75.ldmatrix<num = .., trans = ..>"),
    ("sm80.mma.sync<16x8x32, (f16, f16) -> f32", "mma.sync.aligned shape 16x8x32, only 16x8x16 is supported"),
    ("sm80.mma.sync<16x8x16, (f16, f32) -> f32", "requires f16 inputs, got 'f16', 'f32'"),
    ("sm80.mma.sync<16x8x16, (f16, f16) -> i32", "requires f32 accumulator, got 'i32'"),
]


@pytest.mark.parametrize(("text", "sentence"), NVVM)
def test_what_nvidia_lacks_is_refused(text: str, sentence: str) -> None:
    with pytest.raises(NotationError, match=sentence):
        canonical(f"!fly_nvvm.{text}>")


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("!fly.copy_atom<!fly_nvvm.sm80.cp.async<128>, 16>", "SM80_CP_ASYNC_CACHEGLOBAL<uint128_t>"),
        ("!fly.copy_atom<!fly_nvvm.sm80.cp.async<64>, 16>", "SM80_CP_ASYNC_CACHEALWAYS<uint64_t>"),
        *((f"!fly.copy_atom<!fly_nvvm.sm75.ldmatrix<num = {n}, trans = false>, 16>", f"SM75_U32x{n}_LDSM_N")
          for n in (1, 2, 4)),
        *((f"!fly.copy_atom<!fly_nvvm.sm75.ldmatrix<num = {n}, trans = true>, 16>", f"SM75_U16x{2 * n}_LDSM_T")
          for n in (1, 2, 4)),
        ("!fly.mma_atom<!fly_nvvm.sm80.mma.sync<16x8x16, (f16, f16) -> f32>>", "SM80_16x8x16_F32F16F16F32_TN"),
        ("!fly.mma_atom<!fly_nvvm.sm80.mma.sync<16x8x16, (bf16, bf16) -> f32>>", "SM80_16x8x16_F32BF16BF16F32_TN"),
    ],
)  # fmt: skip
def test_atoms_of_nvidia_are_those_of_the_table(text: str, name: str) -> None:
    assert write(read(text)) == text
    assert (parse_fly_atom(text).name, layouts_of(text)) == (name, "all")


def test_kinds_without_layouts_have_none() -> None:
    """A kind is called opaque only where no text of it has an atom."""
    texts = {
        "rdna3.wmma<16x16x16, (f16, f16) -> f32>": "mma_atom",
        f"gfx120x.swmmac<16x16x32, (f16, f16) -> f32, {PLAIN}>": "mma_atom",
        "gfx1250.tdm_gather<index = 32, pad = 0, 0, cache = 0>": "copy_atom",
    }
    for operation, kind in texts.items():
        text = f"!fly.{kind}<{ROCDL}{operation}{', 16' * (kind == 'copy_atom')}>"
        assert write(read(text)) == text
        assert layouts_of(text) == "none"
        with pytest.raises(NotationError):
            parse_fly_atom(text)
