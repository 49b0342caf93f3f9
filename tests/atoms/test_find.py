"""Atoms are found by what they multiply, where they run, and what others call their instruction."""

import pytest

from tilewright import arch, atoms
from tilewright.atoms.available import has_atom
from tilewright.cli.main import main
from tilewright.errors import UsageError

ALL = [atoms.mma(name) for name in atoms.list(kind="mma")]
NARROW = [{}, {"sparse": False}, {"sparse": True}, {"scaled": True}, {"threads": 128}, {"space": "shared"}, {"m": 16}]


@pytest.mark.parametrize("name", ["sm_75", "sm_80", "sm_90a", "sm_100a", "sm_120a", "gfx90a", "gfx942", "gfx1100"])
@pytest.mark.parametrize("given", NARROW, ids=str)
def test_what_is_found_is_all_of_which_the_words_hold(name, given):
    spec = arch.get(name)
    wanted = [
        atom
        for atom in ALL
        if has_atom(spec, atom)
        and given.get("sparse") in (None, atom.sparsity > 1)
        and given.get("scaled") in (None, atom.scale is not None)
        and given.get("threads") in (None, atom.thr_layout.size)
        and given.get("space") in (None, atom.spaces[0])
        and given.get("m") in (None, atom.shape_mnk[0])
    ]
    assert list(atoms.find(arch=name, **given)) == wanted


def test_every_atom_is_found_by_its_own_facts():
    for atom in ALL[::97]:
        d, a, b, c = atom.types
        m, n, k = atom.shape_mnk
        found = atoms.find(m, n, k, a=a, b=b, c=c, d=d, space=atom.spaces[0])
        assert atom in found
        assert all(other.types == atom.types and other.shape_mnk == atom.shape_mnk for other in found)


@pytest.mark.parametrize(
    ("words", "arch_", "names"),
    [
        ("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32", "", ["SM80_16x8x16_F32F16F16F32_TN"]),
        ("v_mfma_f32_32x32x8_f16", "gfx942", ["CDNA3_32x32x8_F32F16F16F32"]),
        ("llvm.amdgcn.mfma.f32.32x32x8f16", "gfx942", ["CDNA3_32x32x8_F32F16F16F32"]),
        ("llvm.amdgcn.mfma.f32.32x32x8f16", "gfx908", ["CDNA1_32x32x8_F32F16F16F32"]),
        ("rocdl.mfma.f32.16x16x4f32", "gfx942", ["CDNA3_16x16x4_F32F32F32F32"]),
        ("llvm.amdgcn.mfma.f32.16x16x32.fp8.fp8", "gfx942", ["CDNA3_16x16x32_F32E4M3E4M3F32"]),
        ("llvm.amdgcn.wmma.f32.16x16x16.f16", "gfx1100", ["RDNA3_16x16x16_F32F16F16F32"]),
        ("rocdl.wmma.f32.16x16x16.bf16", "gfx1100", ["RDNA3_16x16x16_F32BF16BF16F32"]),
        ("__builtin_amdgcn_mfma_f32_32x32x8f16", "gfx942", ["CDNA3_32x32x8_F32F16F16F32"]),
        ("__builtin_amdgcn_mfma_f32_16x16x32_fp8_bf8", "gfx942", ["CDNA3_16x16x32_F32E4M3E5M2F32"]),
        ("__builtin_amdgcn_wmma_f32_16x16x16_f16_w32", "gfx1100", ["RDNA3_16x16x16_F32F16F16F32"]),
        ("__builtin_amdgcn_wmma_f32_16x16x16_f16_w32_gfx12", "", ["RDNA4_16x16x16_F32F16F16F32"]),
        ("nvvm.mma.sync m16n8k8 tf32", "sm_80", ["SM80_16x8x8_F32TF32TF32F32_TN"]),
    ],
)
def test_others_names_of_instructions(words, arch_, names):
    assert [name for name in atoms.list(words, kind="mma", arch=arch_) if "SPARSE" not in name] == names


@pytest.mark.parametrize(("word", "bits"), [("fp8", 8), ("f8", 8), ("float8", 8), ("fp6", 6), ("fp4", 4)])
def test_the_name_of_several_types_finds_all_that_multiply_one(word, bits):
    def is_one(kind):
        return kind.kind == "float" and kind.bits == bits

    wanted = {atom.name for atom in ALL if any(map(is_one, atom.dtypes[1:3]))}
    assert wanted <= set(atoms.list(word, kind="mma"))
    assert wanted == {atom.name for atom in (*atoms.find(a=word), *atoms.find(b=word))}
    assert set(atoms.list(f"16x8x32 {word}", kind="mma")) <= {*atoms.list("16x8x32", kind="mma")} & wanted


@pytest.mark.parametrize(
    ("dots", "blanks"), [("ldmatrix.x4.trans", "ldmatrix x4 trans"), ("stmatrix.x2", "stmatrix x2")]
)
def test_dots_part_words_of_an_instruction(dots, blanks):
    assert atoms.list(dots) == atoms.list(blanks) != ()


def test_instructions_of_copies_have_names_too():
    assert atoms.list("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16", kind="copy") == ("SM75_U16x8_LDSM_T",)


@pytest.mark.parametrize(
    "given",
    [{"m": "16"}, {"m": True}, {"a": "f17"}, {"arch": "sm_1"}, {"space": "global"}, {"threads": 3.5}, {"words": 7}],
    ids=str,
)
def test_nonsense_is_refused(given):
    with pytest.raises(UsageError):
        atoms.find(**given)


def test_words_in_the_place_of_a_number_are_sent_where_words_are_read():
    with pytest.raises(UsageError, match=r"words='m16n8k16', or by tw\.atoms\.list"):
        atoms.find("m16n8k16")
    assert {atom.shape_mnk for atom in atoms.find(words="m16n8k16")} == {(16, 8, 16)}


def test_nothing_is_found_of_what_nobody_has():
    assert atoms.find(17) == ()
    assert atoms.find(a="f16", arch="sm_80", words="no such atom") == ()


def test_the_command_lists_those_of_a_type(capsys):
    assert main(["atoms", "16x8x8", "--dtype", "tf32", "--arch", "sm_80", "--all"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "SM80_16x8x8_F32TF32TF32F32_TN"
    assert main(["atoms", "--dtype", "f17"]) != 0
    assert "unknown element type 'f17'" in capsys.readouterr().err
