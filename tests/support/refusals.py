"""Kernels that are refused where they are defined: what the message says, and where its caret stands."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeAlias

import pytest

from tilewright.errors import KernelError
from tilewright.script import tirx as T

Kernel: TypeAlias = Callable[..., Any]


def refusals(cases: list[Any]) -> Callable[[str, str], Callable[[Kernel], Kernel]]:
    """The decorator `refused(message, at)` that notes a kernel, its message and the text at the caret in `cases`."""

    def refused(message: str, at: str) -> Callable[[Kernel], Kernel]:
        def note(kernel: Kernel) -> Kernel:
            cases.append(pytest.param(kernel, message, at, id=kernel.__name__))
            return kernel

        return note

    return refused


def check_refused(kernel: Kernel, message: str, at: str) -> None:
    """The kernel is refused with that message, and the caret stands at that text."""
    with pytest.raises(KernelError) as caught:
        T.prim_func(kernel)
    assert message in str(caught.value)
    place = caught.value.location
    assert place is not None
    assert place.file == inspect.getfile(kernel)
    assert place.text[place.column :].startswith(at)
    assert Path(place.file).read_text().splitlines()[place.line - 1] == place.text
