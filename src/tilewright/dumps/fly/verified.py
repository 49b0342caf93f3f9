"""Is a FlyDSL dump what it says? Its ops' own rules, as `tilewright opt` checks them."""

from __future__ import annotations

from tilewright.errors import NotationError
from tilewright.ir.diagnostics import DiagnosticError
from tilewright.ir.reader import Source, problems, read


def unverified(text: str, name: str) -> tuple[str, ...]:
    """A note where the text holds what is not read here, so that its types stand as they are written; else nothing.

    Raises:
        NotationError: an op whose types contradict each other.

    >>> unverified("func.func @f() { func.return }", "k.mlir"), unverified("other.op", "k.mlir")[0][:38]
    ((), 'the types of the dump are not verified')
    """
    try:
        wrong = problems(read(Source(name, text)))
    except DiagnosticError as error:
        if error.diagnostic.contradicts:
            raise NotationError(str(error)) from None
        return (f"the types of the dump are not verified: {str(error).splitlines()[0]}",)
    if wrong:
        raise NotationError("\n".join(map(str, wrong)))
    return ()
