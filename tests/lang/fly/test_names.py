"""The names of FlyDSL's modules: functions with types and words, vectors by name, the machine, what is refused."""

from __future__ import annotations

import importlib
import inspect
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

import tilewright.compiler as flyc
import tilewright.expr as fx
from tilewright.arch import Target
from tilewright.errors import KernelError
from tilewright.lang.fly.absent import ABSENT
from tilewright.runtime.device import get_rocm_arch, get_warp_size

MODULES = ("arith", "coop", "derived", "gpu", "llvm", "math", "numeric", "primitive", "random", "rocdl", "struct",
           "typing")  # fmt: skip
SIGNATURES = Path(__file__).parents[2] / "data" / "fx_signatures.txt"
NAMES = Path(__file__).parents[2] / "data" / "fx_names.txt"
MOST_REFUSED = {"expr.utils.arith": 10, "compiler": 7}
OURS = {"congruent", "weakly_congruent"}  # spelled is_profile_congruent there


def released() -> list[tuple[str, list[str]]]:
    """Functions of the release with their parameters."""
    lines = [line for line in SIGNATURES.read_text().splitlines() if line and not line.startswith("#")]
    names = [line.rstrip(")").partition("(") for line in lines]
    return [(name, [p.strip() for p in given.split(",")] if given else []) for name, _, given in names]


def test_the_releases_functions_have_its_parameters() -> None:
    """Where a name stands twice, one of the lines says it."""
    wanted: dict[str, list[list[str]]] = {}
    for name, parameters in released():
        wanted.setdefault(name, []).append(parameters)
    for name, ways in wanted.items():
        if name in OURS:
            continue
        found: object = fx
        for part in name.split("."):
            found = getattr(found, part)
        assert callable(found)
        mine = [("*" * (p.kind is p.VAR_POSITIONAL)) + p.name for p in inspect.signature(found).parameters.values()]
        mine = [p for p in mine if p not in ("self", "state")]
        fits = any(set(way) <= set(mine) for way in ways)
        assert fits or name == "make_composed_layout", f"{name}: {ways}, here {mine}"


def modules() -> dict[str, list[str]]:
    """The release's modules with their names."""
    lines = [line.split(": ") for line in NAMES.read_text().splitlines() if not line.startswith("#")]
    return {module: names.split() for module, names in lines}


@pytest.mark.parametrize(("name", "words"), modules().items(), ids=list(modules()))
def test_the_releases_modules_have_its_names(name: str, words: list[str]) -> None:
    """Or say by the table what to use instead."""
    module = importlib.import_module(f"tilewright.{name}")
    refused = [word for word in words if not is_there(module, word)]
    assert len(refused) <= MOST_REFUSED.get(name, 0)


def is_there(module: ModuleType, word: str) -> bool:
    if word in vars(module):
        return True
    with pytest.raises(ImportError, match=rf"{module.__name__}\.{word} is not here: "):
        getattr(module, word)
    return False


@pytest.mark.parametrize("name", ABSENT)
def test_what_is_absent_stays_so(name: str) -> None:
    """A name that a pattern of the table refuses is not one that the module has."""
    module = importlib.import_module(f"tilewright.{name}")
    patterns = [pattern for pattern in ABSENT[name] if pattern.isidentifier()]
    assert [word for word in patterns if word in vars(module)] == []
    with pytest.raises(AttributeError, match="has no name __wrapped__"):
        module.__wrapped__


@pytest.mark.parametrize("name", MODULES)
def test_functions_have_types_and_words(name: str) -> None:
    module = importlib.import_module(f"tilewright.expr.{name}")
    for word in vars(module):
        found = getattr(module, word)
        if word.startswith("__") or not inspect.isfunction(found):
            continue
        assert found.__doc__, word
        missing = [p.name for p in inspect.signature(found).parameters.values() if p.annotation is p.empty]
        assert not missing, f"{word}: {missing}"


@flyc.kernel
def vectors_kernel(A: fx.Tensor, B: fx.Tensor):
    at = fx.thread_idx.x * 4
    x = fx.ptr_load(fx.get_iter(A) + at, fx.Float32x4)
    fx.ptr_store(x**2 + fx.Float32x4([1, 2, 3, 4]) + fx.Vector[fx.Float32, 4](0.5), fx.get_iter(B) + at)


@flyc.jit
def vectors(A: fx.Tensor, B: fx.Tensor):
    vectors_kernel(A, B).launch(grid=1, block=8)


def test_vectors_by_name() -> None:
    a, b = np.arange(32, dtype=np.float32), np.zeros(32, np.float32)
    vectors(a, b)
    assert b.tolist() == (a**2 + np.tile([1, 2, 3, 4], 8) + 0.5).tolist()


def test_the_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    assert (get_rocm_arch(), get_warp_size()) == ("gfx942", 64)
    monkeypatch.setenv("ARCH", "gfx1201")
    assert (get_rocm_arch(), get_warp_size()) == ("gfx1201", 32)
    with Target("simulator:sm_90"), pytest.raises(KernelError, match=r"sm_90 has none; fx\.UniversalFMA"):
        fx.make_mma_atom(fx.rocdl.MFMA(16, 16, 4, fx.Float32))


def test_bindings_say_what_to_use_instead() -> None:
    with pytest.raises(ImportError, match=r"no MLIR bindings, and no _mlir\.ir: numbers are fx\.Int32"):
        importlib.import_module("tilewright._mlir").ir
    with pytest.raises(ImportError, match="no MLIR bindings: numbers are"):
        importlib.import_module("tilewright._mlir.dialects.llvm")


def test_divisions_by_name() -> None:
    sides = [(a, b) for a in (-7, -6, 0, 6, 7) for b in (-3, 2)]
    assert [int(fx.ceildiv(a, b)) for a, b in sides] == [-(-a // b) for a, b in sides]
    assert [int(fx.arith.divsi(a, b)) for a, b in sides] == [int(a / b) for a, b in sides]
    assert int(fx.ceildiv(fx.Uint32(2**32 - 1), 2)) == 2**31
    assert int(fx.arith.AddFOp(1.0, 2.0).result) == 3


def test_units_of_modes() -> None:
    assert str(fx.E(1, 0) * 2 * 3) == "6E1E0"
    assert (fx.Basis(6, (1, 0)).value, fx.Basis(6, (1, 0)).modes) == (6, (1, 0))
