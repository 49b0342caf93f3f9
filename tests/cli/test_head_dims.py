"""Rows of any length walk: tiles of attention, whose rows are no powers of two, get advice without an access named."""

from __future__ import annotations

import pytest

from tilewright.cli.main import main

ROWS = (72, 80, 96, 100, 112, 192, 576)


@pytest.mark.parametrize("columns", ROWS)
@pytest.mark.parametrize("dtype", ["bf16", "f32", "e4m3fn", "e2m1fn"])
def test_swizzle_answers_for_every_head_dim(columns: int, dtype: str, capsys: pytest.CaptureFixture[str]) -> None:
    for tile in (f"(64,{columns})", f"({columns},64):(1,{columns})"):
        assert main(["swizzle", tile, "--dtype", dtype]) in (0, 1)
        out = capsys.readouterr().out
        assert "access    store" in out
        assert "swizzles ranked" in out


@pytest.mark.parametrize("columns", ROWS)
@pytest.mark.parametrize("order", ["rows", "columns"])
def test_a_walk_in_vectors_of_16_bytes_reads_every_byte_once(
    columns: int, order: str, capsys: pytest.CaptureFixture[str]
) -> None:
    fits = columns % 8 == 0
    status = main(["banks", f"(64,{columns})", f"{order} {16 if fits else 8}B", "--dtype", "bf16"])
    out = capsys.readouterr().out
    groups = 64 * columns * 2 // 128
    assert f"ideal {groups}" in out
    assert status == (0 if ": conflict-free" in out else 1)
    assert order == "columns" or status == 0
