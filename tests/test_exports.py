"""Public names: sorted, real, documented; front doors hold nothing else; the import is light."""

from __future__ import annotations

import ast
import builtins
import importlib
import inspect
import json
import subprocess
import sys
from types import ModuleType

import pytest
from imports import MODULES

IMPORT_SECONDS = 0.1


def exporting() -> list[str]:
    return [name for name, path in MODULES.items() if "__all__" in path.read_text()]


@pytest.fixture(params=exporting())
def module(request: pytest.FixtureRequest) -> ModuleType:
    return importlib.import_module(request.param)


def test_all_is_sorted_and_real(module: ModuleType) -> None:
    names = list(module.__all__)
    assert len(set(names)) == len(names)
    assert names in (sorted(names), sorted(names, key=str.casefold))
    assert [name for name in module.__all__ if not hasattr(module, name)] == []


def test_all_shadows_no_builtin(module: ModuleType) -> None:
    assert [name for name in module.__all__ if hasattr(builtins, name)] == []


def test_public_names_have_docstrings(module: ModuleType) -> None:
    public = [(name, getattr(module, name)) for name in module.__all__]
    documented = [(n, v) for n, v in public if inspect.isclass(v) or inspect.isroutine(v) or inspect.ismodule(v)]
    assert [name for name, value in documented if not (value.__doc__ or "").strip()] == []


def test_public_methods_have_docstrings(module: ModuleType) -> None:
    classes = [v for n in module.__all__ if inspect.isclass(v := getattr(module, n))]
    members = [
        f"{cls.__name__}.{name}"
        for cls in classes
        for name, value in vars(cls).items()
        if not name.startswith("_") and (inspect.isroutine(value) or isinstance(value, property))
        if not (inspect.getdoc(getattr(cls, name)) or "").strip()
    ]
    assert members == []


def doors() -> list[str]:
    """Packages that say what they export, and FlyDSL's modules, which show what the files behind them export."""
    packages = [name for name in exporting() if MODULES[name].name == "__init__.py"]
    return packages + [name for name in MODULES if name.split(".")[1:2] in (["expr"], ["utils"])]


@pytest.mark.parametrize("name", doors())
def test_front_doors_hold_reexports_only(name: str) -> None:
    allowed = (ast.Import, ast.ImportFrom, ast.Expr, ast.Assign, ast.AnnAssign, ast.If)
    body = ast.parse(MODULES[name].read_text()).body
    assert [ast.unparse(node)[:60] for node in body if not isinstance(node, allowed) and not _lazy_hook(node)] == []


def _lazy_hook(node: ast.stmt) -> bool:
    # PEP 562: a door whose house is heavy opens when a name is asked for.
    return isinstance(node, ast.FunctionDef) and node.name in {"__getattr__", "__dir__"}


def test_import_is_light() -> None:
    """Neither numpy nor xdsl is loaded, and the import costs less than 0.1 s of CPU (best of three processes)."""
    code = (
        "import sys, time, json; before = set(sys.modules); t = time.process_time(); import tilewright;"
        "print(json.dumps([time.process_time() - t, sorted(set(sys.modules) - before)]))"
    )
    runs = [json.loads(subprocess.check_output([sys.executable, "-c", code])) for _ in range(3)]
    loaded = {name.split(".")[0] for name in runs[0][1]}
    assert loaded & {"numpy", "ml_dtypes", "xdsl"} == set()
    assert min(seconds for seconds, _ in runs) < IMPORT_SECONDS


def test_a_kernel_language_loads_what_runs_it_when_it_runs() -> None:
    """Neither the dialect of structures, a sixth of what is imported, nor other targets than the simulator."""
    heavy = {"xdsl.dialects.llvm", "tilewright.targets.host.compiler", "tilewright.targets.llvm_emitter.emit"}
    code = "import sys, tilewright.expr, tilewright.compiler; print(*sys.modules)"
    assert heavy & set(subprocess.check_output([sys.executable, "-c", code], text=True).split()) == set()
