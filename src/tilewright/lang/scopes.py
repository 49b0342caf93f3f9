"""The names that a kernel has bound, block by block."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager

from tilewright.errors import KernelError
from tilewright.lang.values import Scalar, Value, admit


class Scopes:
    """Names bound by the kernel, innermost block last, over the constants that it captures.

    The IR has no variables: a number whose name is assigned within a loop or branch goes through it (`carrying`).
    """

    def __init__(self, captured: Mapping[str, object], builtins: Mapping[str, object]) -> None:
        self._outer = [captured, builtins]
        self._blocks: list[dict[str, Value]] = [{}]
        self._own = 0  # the first block that is the function's own

    def within(self) -> Scopes:
        """The names of a function that is defined here: those around it are seen, and its own may hide them."""
        made = Scopes({}, {})
        made._outer, made._blocks = self._outer, [*self._blocks, {}]
        made._own = len(self._blocks)
        return made

    def bind(self, name: str, value: Value) -> None:
        """Binds a name in the innermost block.

        Raises:
            KernelError: an enclosing block has bound it.
        """
        if name not in self._blocks[-1] and any(name in block for block in self._blocks[self._own : -1]):
            raise KernelError(
                f"{name!r} is bound outside this loop or branch, where only numbers may become other ones; "
                "choose another name"
            )
        self._blocks[-1][name] = value

    def shadow(self, names: Iterable[str], values: Iterable[Value]) -> None:
        """The names have these values within the innermost block, where they may change."""
        self._blocks[-1].update(zip(names, values, strict=True))

    @property
    def own(self) -> list[str]:
        """The names that the function itself has bound, in the order in which it did."""
        return list(dict.fromkeys(name for block in self._blocks[self._own :] for name in block))

    def scalar(self, name: str) -> Scalar | None:
        """The variable of that name, if the kernel has declared one."""
        found = next((block[name] for block in reversed(self._blocks) if name in block), None)
        return found if isinstance(found, Scalar) else None

    def assigned(self, name: str) -> Scalar | None:
        """The variable that an assignment to the name means: one of the function itself."""
        own = any(name in block for block in self._blocks[self._own :])
        return self.scalar(name) if own else None

    def look_up(self, name: str) -> Value:
        """The value of a name.

        Raises:
            KernelError: it has none here, or one that kernels cannot use.
        """
        for block in reversed(self._blocks):
            if name in block:
                return block[name]
        for outer in self._outer:
            if name in outer:
                return admit(outer[name], repr(name))
        raise KernelError(f"the name {name!r} is not defined here")

    @contextmanager
    def outer(self, names: Mapping[str, object]) -> Iterator[None]:
        """For a while, names that hide those of the module."""
        self._outer.insert(0, names)
        try:
            yield
        finally:
            self._outer.pop(0)

    @contextmanager
    def block(self) -> Iterator[None]:
        """A loop's or branch's own block of names."""
        self._blocks.append({})
        try:
            yield
        finally:
            self._blocks.pop()
