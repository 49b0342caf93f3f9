"""The table of functions: every name of `T` has its row, every row its words, and the page is the table."""

from __future__ import annotations

import ast
import importlib.util
import inspect
import pydoc
import re
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from tilewright.dtypes import DTYPES
from tilewright.errors import KernelError
from tilewright.lang.functions import BY_NAME, FUNCTIONS
from tilewright.lang.loops import LOOP_ROWS, LOOPS
from tilewright.lang.names import Annotation, Decorator, Instruction, Name, Namespace, Primitive
from tilewright.lang.namespaces import NAMES
from tilewright.lang.rows import Function
from tilewright.script import tirx as T


def generator() -> ModuleType:
    path = Path(__file__).parents[2] / "scripts" / "language.py"
    spec = importlib.util.spec_from_file_location("language", path)
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def leaves(value: Any) -> list[Name]:
    if isinstance(value, Namespace):
        return [leaf for inner in value.names.values() for leaf in leaves(inner)]
    assert isinstance(value, Name)
    return [value]


def test_the_page_is_what_the_table_says() -> None:
    module = generator()
    assert module.PAGE.read_text(encoding="utf-8") == module.page(), "run `make language`"


POOLS = ("SMEMPool.", "TMEMPool.")  # whose methods have no name of their own


def test_every_name_has_its_row() -> None:
    found = {leaf.path for value in NAMES.values() for leaf in leaves(value) if type(leaf) is Name}
    assert found == {row.name for row in FUNCTIONS if not row.name.startswith(POOLS)} | set(LOOPS) - {"range"}
    assert len(BY_NAME) == len(FUNCTIONS)
    others = [leaf for value in NAMES.values() for leaf in leaves(value) if type(leaf) is not Name]
    assert all(isinstance(leaf, Annotation | Decorator | Instruction | Primitive) for leaf in others)
    assert set(DTYPES) <= set(BY_NAME)


@pytest.mark.parametrize("row", FUNCTIONS, ids=lambda row: row.name)
def test_a_row_says_what_it_does(row: Function) -> None:
    assert row.summary.endswith((".", "?"))
    assert row.signature.startswith(f"T.{row.name}")
    if row.name.startswith(POOLS):
        return
    value: Any = T
    for part in row.name.split("."):
        value = getattr(value, part)
    with pytest.raises(KernelError, match="has a meaning only inside a kernel"):
        value()


def test_help_says_of_every_name_how_it_is_written_and_what_it_does() -> None:
    rows = {row.name: row for row in (*LOOP_ROWS, *FUNCTIONS)}
    for leaf in (leaf for value in NAMES.values() for leaf in leaves(value) if type(leaf) is Name):
        row = rows[leaf.path]
        assert leaf.__doc__ == f"{row.signature}\n\n{row.summary}"
        assert leaf == Name(leaf.path)
    assert "T.exp(value)" in pydoc.plain(pydoc.render_doc(T.exp))


@pytest.mark.parametrize("row", [*FUNCTIONS, *LOOP_ROWS], ids=lambda row: row.name)
def test_what_a_row_writes_is_a_call_of_its_builder(row: Function) -> None:
    """Python reads it as the same parameters: their names, their kinds, and which may be left out."""
    head = row.signature.removeprefix(f"T.{row.name}")
    written = ast.parse(re.sub(r"=<[^>]*>", "=0", f"def f{head}: ...")).body[0]
    assert isinstance(written, ast.FunctionDef)
    _, *parameters = inspect.signature(row.build).parameters.values()
    of_kind = {kind: [one.name for one in parameters if one.kind is kind] for kind in inspect._ParameterKind}
    assert [one.arg for one in written.args.args] == of_kind[inspect.Parameter.POSITIONAL_OR_KEYWORD]
    assert [one.arg for one in written.args.kwonlyargs] == of_kind[inspect.Parameter.KEYWORD_ONLY]
    assert ([written.args.vararg.arg] if written.args.vararg else []) == of_kind[inspect.Parameter.VAR_POSITIONAL]


def test_a_call_that_a_function_does_not_take_is_told_how_it_is_written() -> None:
    with pytest.raises(KernelError, match=r"T\.fma: .*; it is written T\.fma\(left, right, added\)"):

        @T.prim_func
        def kernel(A: T.Buffer((1,), "float32")) -> None:
            T.device_entry()
            T.cta_id([1])
            T.thread_id([1])
            A[0] = T.fma(A[0], A[0])
