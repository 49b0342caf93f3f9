"""What is said for all that is traced within a `with`, and by the environment."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from contextvars import ContextVar
from functools import wraps
from logging import Logger, getLogger
from types import MappingProxyType, SimpleNamespace
from typing import NoReturn, ParamSpec, TypeVar

from xdsl.dialects.builtin import LocationAttr

from tilewright.errors import KernelError
from tilewright.lang.core.frames import location
from tilewright.lang.fly.protocol import as_dsl_value

__all__ = [
    "CompilationContext",
    "capture_user_location",
    "dsl_loc_tracing",
    "dsl_wrap_result",
    "env",
    "lazy_classattr",
    "log",
    "tracing_context",
    "tracing_option",
]

Given = ParamSpec("Given")
Made = TypeVar("Made")
_OPTIONS: ContextVar[Mapping[str, object]] = ContextVar("tilewright_tracing_options", default=MappingProxyType({}))


@contextmanager
def tracing_context(func: object = None, **options: object) -> Iterator[None]:
    """Within it `tracing_option` finds these options; inner ones hide outer ones."""
    token = _OPTIONS.set({**_OPTIONS.get(), **options})
    try:
        yield
    finally:
        _OPTIONS.reset(token)


class CompilationContext:
    """What a compiler is told about what is traced within; here it has no effect."""

    @staticmethod
    def compile_hints(hints: Mapping[str, object]) -> AbstractContextManager[None]:
        """Within it `tracing_option("compile_hints")` finds them.

        >>> with CompilationContext.compile_hints({"waves_per_eu": 2}):
        ...     tracing_option("compile_hints")["waves_per_eu"]
        2
        """
        return tracing_context(compile_hints=hints)

    @staticmethod
    def get_current() -> NoReturn:
        """Raises `KernelError`: a module of MLIR's bindings, into which one might write, is not there."""
        raise KernelError("no module of MLIR's bindings is being written; a SharedAllocator needs no place in it")


def tracing_option(key: str, default: object = None) -> object:
    """An option of the enclosing `tracing_context`.

    >>> with tracing_context(width=4):
    ...     tracing_option("width"), tracing_option("height", 2)
    (4, 2)
    """
    return _OPTIONS.get().get(key, default)


def tracing_options() -> Mapping[str, object]:
    """All options of the enclosing ones."""
    return _OPTIONS.get()


def dsl_loc_tracing(fn: Callable[Given, Made]) -> Callable[Given, Made]:
    """The function itself: every op has the place of the user's line."""
    return fn


def dsl_wrap_result(target: object = None) -> Callable[..., object]:
    """A decorator: what a function gives becomes a value of the language, of a class where one is said."""

    def decorated(function: Callable[..., object], like: object) -> Callable[..., object]:
        @wraps(function)
        def wrapper(*args: object, **named: object) -> object:
            return as_dsl_value(function(*args, **named), like)

        return wrapper

    if callable(target) and not isinstance(target, type):
        return decorated(target, None)
    return lambda function: decorated(function, target)


def capture_user_location() -> LocationAttr:
    """The place in the user's source that is being traced."""
    return location()


def environment() -> SimpleNamespace:
    """What FlyDSL's variables of the environment say: `env.compile.arch`, .."""
    backend = os.environ.get("FLYDSL_COMPILE_BACKEND", "rocm")
    return SimpleNamespace(
        compile=SimpleNamespace(arch=os.environ.get("ARCH", ""), only=_said("COMPILE_ONLY"), backend=backend),
        runtime=SimpleNamespace(
            enable_cache=_said("FLYDSL_RUNTIME_ENABLE_CACHE", "1"),
            cache_dir=os.environ.get("FLYDSL_RUNTIME_CACHE_DIR", ""),
        ),
        debug=SimpleNamespace(dump_ir=_said("FLYDSL_DUMP_IR"), dump_dir=os.environ.get("FLYDSL_DUMP_DIR", "")),
    )


def log() -> Logger:
    """The log of kernels."""
    return getLogger("tilewright")


def _said(name: str, default: str = "0") -> bool:
    return os.environ.get(name, default).lower() in ("1", "true", "yes", "on")


class lazy_classattr:  # noqa: N801  # FlyDSL's spelling
    """An attribute of a class that a function gives each time it is looked at."""

    def __init__(self, fn: Callable[[], object]) -> None:
        self._function = fn

    def __get__(self, instance: object, owner: type | None = None) -> object:
        return self._function()


env = environment()
