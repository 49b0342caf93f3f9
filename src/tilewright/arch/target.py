"""`Target`: what is being compiled for, and the current one within a `with` block."""

from __future__ import annotations

from collections.abc import Mapping
from contextvars import ContextVar
from types import TracebackType

from tilewright.arch.spec import ArchSpec
from tilewright.arch.table import get
from tilewright.errors import UsageError, close_names, shown

# The architecture of a target that names none. Kernels for `simulator` and `host` are counted as this one's too.
DEFAULT_ARCH: Mapping[str, str] = {"simulator": "sm_90", "host": "sm_90", "cuda": "sm_90a", "hip": "gfx942"}
_ALIASES: Mapping[str, str] = {"rocm": "hip", "cpu": "host", "sim": "simulator"}
COMPILERS: Mapping[str, tuple[str, ...]] = {"host": ("g++", "clang++", "llvmlite")}  # that can be asked for
_OPTIONS = ("-arch=", "-mcpu=", "-compiler=")
VENDORS: Mapping[str, str] = {"cuda": "nvidia", "hip": "amd"}

_STACK: ContextVar[tuple[Target, ...]] = ContextVar("tilewright_targets", default=())


class Target:
    """A target: its kind (`simulator`, `host`, `cuda`, `hip`) and its architecture. Frozen; equal by value.

    Within `with Target("cuda"):` it is the current one of this thread or task.

    Args:
        text: `cuda`, `cuda:sm_90a`, `cuda -arch=sm_90a`, `hip:gfx942`, or `{"kind": "cuda", "arch": "sm_90a"}`;
            `host -compiler=llvmlite` asks for one of the compilers `g++`, `clang++` and `llvmlite`.

    Attributes:
        named: does the text name an architecture? It is no part of what is compared.

    Raises:
        UsageError: an unknown kind, architecture or compiler, or an architecture of another vendor.

    >>> with Target("cuda:sm_100a"):
    ...     print(Target.current())
    cuda:sm_100a
    >>> Target.current() is None
    True
    """

    __slots__ = ("arch", "compiler", "kind", "named")
    kind: str
    arch: ArchSpec
    compiler: str
    named: bool

    def __init__(self, text: str | Mapping[str, str] | Target = "simulator") -> None:
        given = (text.kind, text.arch.name, text.compiler) if isinstance(text, Target) else _split(text)
        kind, arch, compiler = given
        kind = _ALIASES.get(kind, kind)
        if kind not in DEFAULT_ARCH:
            close = close_names(kind, (*DEFAULT_ARCH, *_ALIASES))
            hint = f"did you mean {shown(close[0])}?" if close else f"a target is one of {', '.join(DEFAULT_ARCH)}"
            raise UsageError(f"unknown target {shown(kind)}; {hint}")
        spec = get(arch or DEFAULT_ARCH[kind])
        if spec.vendor != VENDORS.get(kind, spec.vendor):
            raise UsageError(f"target {shown(kind)} does not run on {spec.name}, an architecture of {spec.vendor}")
        known = COMPILERS.get(kind, ())
        if compiler and compiler not in known:
            hint = f"one of {', '.join(known)}" if known else "none can be asked for"
            raise UsageError(f"target {shown(kind)} has no compiler {shown(compiler)}; {hint}")
        object.__setattr__(self, "named", text.named if isinstance(text, Target) else bool(arch))
        object.__setattr__(self, "compiler", compiler)
        object.__setattr__(self, "kind", kind)
        object.__setattr__(self, "arch", spec)

    @staticmethod
    def current(allow_none: bool = True) -> Target | None:
        """The target of the innermost enclosing `with`, or None.

        Raises:
            UsageError: there is none and `allow_none` is false.
        """
        stack = _STACK.get()
        if not stack and not allow_none:
            raise UsageError("no current target; write `with Target(...):` around this")
        return stack[-1] if stack else None

    def __enter__(self) -> Target:
        _STACK.set((*_STACK.get(), self))
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        _STACK.set(_STACK.get()[:-1])

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"Target is frozen; cannot set {name}")

    def __eq__(self, other: object) -> bool:
        mine = self.kind, self.arch, self.compiler
        return isinstance(other, Target) and mine == (other.kind, other.arch, other.compiler)

    def __hash__(self) -> int:
        return hash((self.kind, self.arch, self.compiler))

    def __str__(self) -> str:
        return f"{self.kind}:{self.arch.name}{f' -compiler={self.compiler}' if self.compiler else ''}"

    def __repr__(self) -> str:
        return f"Target({str(self)!r})"


def _split(text: str | Mapping[str, str]) -> tuple[str, str, str]:
    if isinstance(text, Mapping):
        return str(text.get("kind", "")), str(text.get("arch", text.get("mcpu", ""))), str(text.get("compiler", ""))
    if not isinstance(text, str):
        raise UsageError(f"a target is a text such as 'cuda:sm_90a', got {shown(text)}")
    words = text.replace(":", " ", 1).split()
    odd = [word for word in words[1:] if word.startswith("-") and not word.startswith(_OPTIONS)]
    if odd:
        raise UsageError(f"a target has no option {shown(odd[0])}; there are -arch=, -mcpu= and -compiler=")
    named = [w.split("=", 1)[1] for w in words[1:] if w.startswith(("-arch=", "-mcpu="))]
    plain = [w for w in words[1:] if not w.startswith("-")]
    compilers = [w.split("=", 1)[1] for w in words[1:] if w.startswith("-compiler=")]
    return (words[0] if words else ""), (named or plain or [""])[0], (compilers or [""])[0]
