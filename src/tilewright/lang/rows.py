"""`Function`: a row of the table of what a kernel can call."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from inspect import Parameter, signature
from typing import TypeVar

from tilewright.errors import KernelError
from tilewright.lang.tracer import Tracer
from tilewright.lang.values import Value

# Takes the tracer, then what the call is given; each row's own parameters are its signature.
Builder = Callable[..., Value]
Made = TypeVar("Made")


@dataclass(frozen=True)
class Function:
    """A function of the language: its name after `T.`, what it builds, and what it does in one line.

    `lazy`: the builder takes the arguments' syntax, because it decides what of it is evaluated, and where.
    """

    name: str
    build: Builder
    summary: str
    lazy: bool = False

    @property
    def signature(self) -> str:
        """The call as it is written.

        >>> def build(t, shape, dtype="float32"): ...
        >>> Function("alloc_local", build, "Registers.").signature
        "T.alloc_local(shape, dtype='float32')"
        """
        return _written(f"T.{self.name}", self.build, given=1)


@dataclass(frozen=True)
class Method:
    """What a buffer can do, by its name; the builder takes the tracer, then the buffer's method, then syntax."""

    name: str
    build: Builder
    summary: str

    @property
    def signature(self) -> str:
        """The call as it is written, of a buffer A.

        >>> def build(t, access, begin, dtype=None): ...
        >>> Method("vload", build, "Neighbours.").signature
        'A.vload(begin, dtype=None)'
        """
        return _written(f"A.{self.name}", self.build, given=2)


_signature = lru_cache(1024)(signature)


def bound(
    build: Callable[..., Made], name: str, t: Tracer, positional: Sequence[object], named: Mapping[str, object]
) -> Made:
    """The builder's answer to a call of that name.

    Raises:
        KernelError: arguments that it does not take.
    """
    try:
        taken = _signature(build).bind(t, *positional, **named)
    except TypeError as error:
        raise KernelError(f"{name}: {error}; it is written {_written(name, build, given=1)}") from None
    return build(*taken.args, **taken.kwargs)


def _written(name: str, build: Builder, given: int) -> str:
    """A call of that name as it is written, without the first so many parameters; a `*` comes before what is named.

    >>> def build(t, shape, *, dtype="float32"): ...
    >>> _written("T.alloc", build, given=1)
    "T.alloc(shape, *, dtype='float32')"
    """
    shown, named = list[str](), False
    for parameter in list(_signature(build).parameters.values())[given:]:
        if parameter.kind is Parameter.KEYWORD_ONLY and not named:
            shown.append("*")
        named = named or parameter.kind in (Parameter.KEYWORD_ONLY, Parameter.VAR_POSITIONAL)
        shown.append(_shown(parameter))
    return f"{name}({', '.join(shown)})"


def _shown(parameter: Parameter) -> str:
    star = "*" if parameter.kind is Parameter.VAR_POSITIONAL else ""
    default = "" if parameter.default is Parameter.empty else f"={parameter.default!r}"
    return f"{star}{parameter.name}{default}"
