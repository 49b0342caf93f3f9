"""Identifiers of the emitted text: from a whitelist, never a reserved word, never twice."""

from __future__ import annotations

import re

from tilewright.errors import CompileError

_IDENTIFIER = re.compile(r"[A-Za-z_][A-Za-z0-9_]{0,255}")
_WORDS = """
    alignas alignof and and_eq asm auto bitand bitor bool break case catch char char16_t char32_t char8_t class compl
    concept const const_cast consteval constexpr constinit continue co_await co_return co_yield decltype default delete
    do double dynamic_cast else enum explicit export extern false float for friend goto if inline int long mutable
    namespace new noexcept not not_eq nullptr operator or or_eq private protected public register reinterpret_cast
    requires return short signed sizeof static static_assert static_cast struct switch template this thread_local throw
    true try typedef typeid typename union unsigned using virtual void volatile wchar_t while xor xor_eq
    threadIdx blockIdx blockDim gridDim warpSize main NULL printf"""
_RESERVED = frozenset(_WORDS.split())
KERNEL = "_kernel"  # behind the name of a kernel of its own
KEPT = 200  # characters of a hint that are kept, so that a number and a suffix find room


def is_identifier(text: str) -> bool:
    """May the text be a name in the emitted source?

    >>> is_identifier("A_buf"), is_identifier("float"), is_identifier("a;b"), is_identifier("__half")
    (True, False, False, False)
    """
    return bool(_IDENTIFIER.fullmatch(text)) and text not in _RESERVED and not text.startswith("__")


def kernel_name(name: str, suffix: str = KERNEL) -> str:
    """The C name of a kernel, with the suffix behind it.

    Raises:
        CompileError: the kernel's name is no identifier.
    """
    if not is_identifier(name):
        raise CompileError(f"{name!r} cannot name a kernel: it takes letters, digits and _, and no word of C++")
    return f"{name}{suffix}"


class Names:
    """Hands out names, each once."""

    def __init__(self, *taken: str) -> None:
        self._taken = set(taken)

    def fresh(self, hint: str | None, fallback: str, suffix: str = "") -> str:
        """A new name made from the hint if that is an identifier, else from `fallback`."""
        stem = hint[:KEPT] if hint and is_identifier(hint) else fallback
        number, name = 0, f"{stem}{suffix}"
        while name in self._taken:
            number += 1
            name = f"{stem}_{number}{suffix}"
        self._taken.add(name)
        return name
