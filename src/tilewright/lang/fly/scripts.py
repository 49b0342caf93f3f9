"""The kernels of a function of fx as scripts of `T`, each of which reads back."""

from __future__ import annotations

from collections.abc import Sequence

from tilewright.errors import CompileError, KernelError
from tilewright.lang.scripts import from_source
from tilewright.runtime.fly.known import Known
from tilewright.runtime.fly.scripted import scripted
from tilewright.runtime.on_fly import FlyModule


def script_of(name: str, module: FlyModule, arguments: Sequence[Known]) -> str:
    """Each launch of a call as a kernel of `T` at stage `final`.

    Raises:
        CompileError: a kernel does what `T` has no words for.
    """
    texts = scripted(module, arguments)
    try:
        for text in texts:
            from_source(text, "final")
    except KernelError as error:
        raise CompileError(f"T has no words for a kernel of {name}: {error}") from error
    return "\n".join(texts)
