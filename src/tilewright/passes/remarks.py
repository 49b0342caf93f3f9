"""What a pass was asked for and leaves as it is: remarks, which change nothing."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Protocol, runtime_checkable

from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass


@runtime_checkable
class Remarking(Protocol):
    """A pass that says so."""

    def remarks(self, op: ModuleOp) -> Iterable[str]:
        """Sentences about the module as it is before the pass, each with the place of an op behind it."""


def remarks(step: ModulePass, module: ModuleOp) -> list[str]:
    """What the pass will leave; of most passes nothing.

    >>> from tilewright.passes.registry import pass_of
    >>> remarks(pass_of("cse"), ModuleOp([]))
    []
    """
    return [found.rstrip() for found in step.remarks(module)] if isinstance(step, Remarking) else []
