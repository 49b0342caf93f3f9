"""Which operation accesses memory how."""

from __future__ import annotations

from tilewright.dumps.fly import access, machine
from tilewright.dumps.fly.access import Reading


def reading_of(name: str) -> Reading | None:
    """How an operation accesses memory; None where it does not, or not in a way that is known.

    >>> reading_of("rocdl.ds.read.tr16.b64") is reading_of("llvm.load"), reading_of("arith.addi")
    (True, None)
    """
    found = access.READINGS.get(name) or machine.READINGS.get(name)
    return found or (access.pointer_load if name.startswith(access.TRANSPOSING) else None)
