"""Scale factors are those of block-scaled fp8, and wrong files are told in one line."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from tilewright.cli.demos import scales
from tilewright.dtypes import dtype
from tilewright.errors import UsageError

FLOAT = dtype("float32")


@given(st.integers(0, 2**32 - 1), st.integers(1, 3), st.integers(1, 3))
def test_float_factors_map_each_block_onto_the_range_of_fp8(seed: int, rows: int, blocks: int) -> None:
    matrix = np.random.default_rng(seed).normal(size=(rows, 32 * blocks)) * 10.0 ** np.arange(-3, rows - 3)[:, None]
    found = scales.factors(matrix, FLOAT)
    assert found.shape == (blocks, rows)
    for block in range(blocks):
        for row in range(rows):
            largest = np.abs(matrix[row, 32 * block : 32 * block + 32]).max()
            assert found[block, row] * 448 == pytest.approx(largest, rel=1e-6)


@given(st.floats(1e-30, 1e30))
@example(448.0)
@example(448.0 * (1 + 2**-52))
@example(7.0)
def test_integer_factors_are_the_smallest_power_of_two_that_fits(value: float) -> None:
    matrix = np.zeros((1, 32))
    matrix[0, 7] = -value
    (exponent,) = scales.factors(matrix, dtype("uint32"))[0] - np.float64(127)
    assert value / 2.0**exponent <= 448
    assert value / 2.0 ** (exponent - 1) > 448


def test_a_zero_block_has_factor_zero() -> None:
    assert scales.factors(np.zeros((2, 32)), FLOAT).tolist() == [[0, 0]]
    assert scales.factors(np.zeros((2, 32)), dtype("uint8")).tolist() == [[0, 0]]


def test_stages_follow_column_blocks_then_rows() -> None:
    matrix = scales.synthetic(256, 64)
    found = scales.stages(matrix, FLOAT, 128)
    assert found.shape == (4, 128)
    assert np.array_equal(found[1], scales.factors(matrix, FLOAT)[0, 128:])


def test_the_synthetic_matrix_is_always_the_same() -> None:
    assert np.array_equal(scales.synthetic(128, 64), scales.synthetic(128, 64))


def test_factors_in_a_file_are_taken_as_they_are(tmp_path: Path) -> None:
    np.save(tmp_path / "sf.npy", np.arange(256, dtype=np.uint32).reshape(2, 1, 4, 32))
    array = scales.read(str(tmp_path / "sf.npy"))
    kind = scales.kind_of(array, None)
    assert kind.name == "uint32"
    assert np.array_equal(scales.stages(array, kind, 128).ravel(), np.arange(256))
    assert np.array_equal(scales.stages(array.astype(">u4"), kind, 128).ravel(), np.arange(256))


def save(path: Path, name: str) -> str:
    """Files that are wrong in one way each."""
    file = path / f"{name}.npy"
    whole = np.arange(256, dtype=np.float32)
    if name == "text":
        file.write_text("not numbers")
    elif name == "empty":
        file.write_bytes(b"")
    elif name == "cut":
        np.save(file, whole)
        file.write_bytes(file.read_bytes()[:-100])
    elif name == "pickled":
        np.save(file, np.array([{"a": 1}], dtype=object), allow_pickle=True)
    elif name == "huge":
        np.save(file, whole)
        file.write_bytes(
            file.read_bytes().replace(b"(256,), ", b"(9999999999999,), ").replace(b"          \n", b"\n", 1)
        )
    elif name == "folder":
        file.mkdir()
    elif name == "archive":
        np.savez(path / "archive.npz", whole)
        file.write_bytes((path / "archive.npz").read_bytes())
    else:
        np.save(
            file, {"strings": np.array(["a"]), "complex": np.zeros(128, complex), "bool": np.zeros(128, bool)}[name]
        )
    return str(file)


WRONG_FILES = ["text", "empty", "cut", "pickled", "huge", "folder", "archive", "strings", "complex", "bool"]


@pytest.mark.parametrize("name", WRONG_FILES)
def test_wrong_files_are_told_in_one_line(name: str, tmp_path: Path) -> None:
    with pytest.raises(UsageError) as error:
        scales.read(save(tmp_path, name))
    assert "\n" not in str(error.value)
    assert name in str(error.value)


@pytest.mark.parametrize(
    ("array", "words"),
    [
        (np.zeros((100, 32), np.float32), "100 rows, no multiple of --blk 128"),
        (np.zeros((128, 33), np.float32), "must be a multiple of 32"),
        (np.zeros((0, 32), np.float32), "0 scale factors"),
        (np.full((128, 32), np.nan), "NaN or infinity in row 0, columns 0 to 31"),
        (np.full((128, 64), np.inf), "NaN or infinity in row 0"),
        (np.zeros(100, np.float32), "100 scale factors, no multiple of --blk 128"),
        (np.zeros(128, np.int64), "scale factors of type int64, not float32; say --dtype int64"),
        (np.broadcast_to(np.float32(1), (2**21, 32)), "between 1 and 1048576 fit"),
    ],
)
def test_wrong_shapes_and_numbers_are_told_in_one_line(array: np.ndarray, words: str) -> None:
    with pytest.raises(UsageError) as error:
        scales.stages(array, FLOAT, 128)
    assert words in str(error.value)
    assert "\n" not in str(error.value)
