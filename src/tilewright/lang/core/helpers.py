"""Which functions that a traced one calls are rewritten too: users' own. One place decides."""

from __future__ import annotations

from functools import lru_cache
from types import CodeType, FunctionType, MethodType, ModuleType

from tilewright.lang.core.frames import OTHERS, is_ours
from tilewright.lang.core.rewrite.functions import rewritten


def rewritten_for_call(function: object, runtime: ModuleType) -> object:
    """A user's function or method with its control flow rewritten for run time; anything else as it is.

    Args:
        runtime: what rewritten source calls.
    """
    if type(function) is MethodType:
        made = rewritten_for_call(function.__func__, runtime)
        return MethodType(made, function.__self__) if callable(made) else function
    if type(function) is not FunctionType or not is_users(function):
        return function
    return rewritten(function, runtime, required=False)


def is_users(function: FunctionType) -> bool:
    """Did a user write it?"""
    return _is_users(function.__code__, function.__module__)


@lru_cache(4096)
def _is_users(code: CodeType, module: str | None) -> bool:
    return not is_ours(code.co_filename) and (module or "").partition(".")[0] not in OTHERS
