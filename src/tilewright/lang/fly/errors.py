"""Errors while tracing as `KernelError`s at the user's line, with the helpers that led there."""

from __future__ import annotations

import dis
from collections.abc import Iterator
from contextlib import contextmanager
from types import TracebackType

from tilewright.errors import KernelError, TilewrightError
from tilewright.lang.core.frames import is_ours, of_traceback, source_location

ENDLESS = (
    "functions that call each other without an end: both ways of a branch are traced where run time decides between "
    "them, so recursion ends only by what is known while tracing; write a loop"
)
PASSED = (AssertionError, KeyboardInterrupt, SystemExit, MemoryError)


# What others' functions say of our values, and what does it here.
ADVICE = (
    (
        TypeError,
        "ufunc",
        "numpy works on what is known while tracing; for numbers of run time there is fx.exp and its kin",
    ),
    (
        IndexError,
        "only integers, slices",
        "an array outside of the kernel takes no index of run time; pass it as an argument",
    ),
    (TypeError, "__round__", "fx.round rounds numbers of run time"),
    (
        KeyError,
        "?",
        "a dict is looked up while tracing, when a number of run time has no value; write `if`, or .select(a, b)",
    ),
    (AttributeError, "cannot assign to field", "structures do not change; write x = x.replace(field=value)"),
    (TypeError, "launch() takes", "write launch(grid=.., block=..)"),
)


def _advice(error: Exception) -> str:
    found = (what for kind, words, what in ADVICE if isinstance(error, kind) and words in str(error))
    return "".join(f"; {what}" for what in found)


@contextmanager
def at_users_line() -> Iterator[None]:
    """What is raised within, but for what the user raises, becomes a `KernelError` where the user's source is.

    Raises:
        KernelError: with the place and its caret, and the places of the helpers that are between.
    """
    try:
        yield
    except KernelError as error:
        if error.location is not None:
            raise
        raise _placed(str(error), error) from (error.__cause__ or None)
    except TilewrightError as error:
        raise _placed(str(error), error) from error
    except PASSED:
        raise
    except RecursionError as error:
        raise _placed(ENDLESS, error) from None
    except Exception as error:
        if _raised_by_user(error.__traceback__):
            raise
        raise _placed(f"{type(error).__name__}: {error}{_advice(error)}", error) from error


def _placed(message: str, error: BaseException) -> KernelError:
    places = of_traceback(error.__traceback__)
    if not places:
        return KernelError(message)
    (first, _), *outer = places
    found = KernelError(message, source_location(first))
    for (file, line, column), name in _named(outer):
        found.called_by(name, f"{file}:{line}:{column + 1}")
    return found


def _named(places: list[tuple[tuple[str, int, int], str]]) -> list[tuple[tuple[str, int, int], str]]:
    """The callers, each once; regions of one function are no calls."""
    return list(dict.fromkeys((place, name) for place, name in places if name != "<lambda>" and name[:2] != "__"))


def _raised_by_user(trace: TracebackType | None) -> bool:
    """Does a `raise` of the user's source stand at the end?"""
    if trace is None:
        return False
    while trace.tb_next is not None:
        trace = trace.tb_next
    code = trace.tb_frame.f_code
    if is_ours(code.co_filename):
        return False
    operation = code.co_code[trace.tb_lasti]
    return dis.opname[operation] in ("RAISE_VARARGS", "RERAISE")
