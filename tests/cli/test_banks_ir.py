"""`tilewright banks FILE.ttgir` on the command line."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from dump_cases import dumps

from tilewright.cli.main import main
from tilewright.notation.ttgir_tokens import MAX_TEXT


def saved(folder: Path, text: str) -> str:
    path = folder / "kernel.ttgir"
    path.write_text(text)
    return str(path)


@pytest.mark.parametrize("name", ["matmul.sm_80", "matmul_tma.sm_90", "softmax.gfx942"])
def test_the_json_has_the_promised_fields(name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["banks", saved(tmp_path, dumps()[name]), "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    fields = {"line", "source", "op", "kind", "instruction", "wavefronts", "ideal", "excess", "repair"}
    assert found["accesses"]
    assert all(fields <= one.keys() for one in found["accesses"])
    assert found["not_analysed"] == []


def test_the_table_shows_every_access(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["banks", saved(tmp_path, dumps()["matmul.sm_90"])]) == 0
    text = capsys.readouterr().out
    assert "wgmma.mma_async descriptor" in text
    assert "kernels.py:12:13" in text


def test_a_conflict_is_status_1_with_a_repair(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = """
    #b = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [32, 1], warpsPerCTA = [1, 1], order = [0, 1]}>
    #s = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [1, 0]}>
    %x = ttg.local_load %m : !ttg.memdesc<32x32xf32, #s, #ttg.shared_memory> -> tensor<32x32xf32, #b>
    """
    assert main(["banks", saved(tmp_path, text), "--arch", "sm_80", "--json"]) == 1
    (found,) = json.loads(capsys.readouterr().out)["accesses"]
    assert (found["wavefronts"], found["ideal"], found["excess"]) == (256, 32, 224)
    assert "#ttg.swizzled_shared" in found["repair"]


@pytest.mark.parametrize(
    ("words", "said"), [(["--at", "0,4"], "leave out"), (["ldmatrix.x4"], "leave out"), (["--svg", "x.svg"], "many")]
)
def test_what_a_dump_cannot_take_is_refused(
    words: list[str], said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["banks", saved(tmp_path, "tt.return"), *words]) == 2
    assert said in capsys.readouterr().err


def test_files_that_are_no_dump_are_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["banks", str(tmp_path / "none.ttgir")]) == 2
    assert main(["banks", saved(tmp_path, " " * (MAX_TEXT + 1))]) == 2
    (tmp_path / "bytes.ttgir").write_bytes(b"\xff\xfe")
    assert main(["banks", str(tmp_path / "bytes.ttgir")]) == 2
    assert "Traceback" not in capsys.readouterr().err


def test_files_of_another_ending_are_told_which_they_need(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "kernel.txt").write_text("tt.return")
    for word in (str(tmp_path / "kernel.txt"), "-"):
        assert main(["banks", word]) == 2
        assert ".ttgir or .mlir" in capsys.readouterr().err


FLY = """gpu.module @m {
  gpu.func @k() kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %b = fly.get_dyn_shared() : !fly.ptr<i8, shared, align<1024>>
    %p = fly.recast_iter(%b) : (!fly.ptr<i8, shared, align<1024>>) -> !fly.ptr<TYPE, shared, align<1024>>
    %v = fly.ptr.load(%p) : (!fly.ptr<f32, shared, align<1024>>) -> f32
    gpu.return
  }
}
"""


def test_a_dump_whose_types_contradict_each_other_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "kernel.mlir"
    path.write_text(FLY.replace("TYPE", "f32"))
    assert main(["banks", str(path)]) == 0
    assert "not verified" not in capsys.readouterr().out
    path.write_text(FLY.replace("TYPE", "f16"))
    assert main(["banks", str(path)]) == 2
    assert "kernel.mlir:5" in capsys.readouterr().err


def test_an_op_that_nobody_knows_leaves_the_types_unverified_and_is_listed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "kernel.mlir"
    path.write_text(FLY.replace("TYPE", "f32").replace("fly.ptr.load", "fly.ptr.lod"))
    assert main(["banks", str(path)]) == 0
    told = capsys.readouterr().out
    assert "not verified" in told
    assert "fly.ptr.lod" in told.partition("not analysed")[2]


@pytest.mark.parametrize("chip", ["gfx950", "gfx942"])
def test_an_architecture_that_contradicts_the_dump_is_said_on_stderr(
    chip: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "kernel.mlir"
    path.write_text(FLY.replace("TYPE", "f32").replace("@m {", '@m [#rocdl.target<chip = "gfx950">] {'))
    for file in (str(path), saved(tmp_path, dumps()["softmax.gfx950"])):
        main(["banks", file, "--arch", chip])
        err = capsys.readouterr().err
        assert ("made for gfx950" in err and "counted for gfx942" in err) == (chip == "gfx942")


@pytest.mark.parametrize("suffix", [".ttgir", ".mlir"])
@pytest.mark.parametrize(
    "text",
    ["", "hello world", "// nothing\n", "#a = #ttg.blocked<{}>", "The file. It ends.", "hello !fly.int_tuple<1>"],
)
def test_text_without_operations_is_refused(
    text: str, suffix: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """It is not a dump without conflicts."""
    path = tmp_path / f"kernel{suffix}"
    path.write_text(text)
    for more in ([], ["--arch", "sm_80"], ["--json"]):
        assert main(["banks", str(path), *more]) == 2
        assert "no operation" in capsys.readouterr().err


def test_a_module_without_accesses_is_clean(tmp_path: Path) -> None:
    path = tmp_path / "kernel.ttgir"
    path.write_text("module {\n}\n")
    assert main(["banks", str(path), "--arch", "sm_80"]) == 0


def test_numpy_is_not_loaded_for_a_dump_of_a_product(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """It takes longer to load than a dump to analyse; what is said is the same without it."""
    file = tmp_path / "matmul.ttgir"
    file.write_text(dumps()["matmul.sm_80"])
    code = (
        "import sys; from tilewright.cli.main import main; main(['banks', sys.argv[1]])\n"
        "assert 'numpy' not in sys.modules"
    )
    told = subprocess.run([sys.executable, "-c", code, str(file)], capture_output=True, text=True, check=True).stdout
    main(["banks", str(file)])
    assert capsys.readouterr().out == told
