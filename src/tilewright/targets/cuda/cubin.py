"""What ptxas says of a kernel: read out of its cubin, an ELF file."""

from __future__ import annotations

import struct
from collections.abc import Iterator
from typing import NamedTuple

from tilewright.errors import CompileError

# Attributes of the section `.nv.info`: each holds the number of a symbol, and a value.
_REGISTERS, _FRAME = 0x2F, 0x11
_WITH_SIZE = 4  # the format of an attribute whose bytes follow


class Resources(NamedTuple):
    """Registers of a thread, and bytes of its stack, where registers that did not fit are spilled to."""

    registers: int
    stack_bytes: int


def resources(cubin: bytes) -> Resources:
    """What the one kernel of a cubin takes.

    Raises:
        CompileError: this is no cubin, or says nothing of it.
    """
    try:
        found = dict(_attributes(section(cubin, b".nv.info")))
        return Resources(found[_REGISTERS], found.get(_FRAME, 0))
    except (struct.error, KeyError, ValueError, IndexError, OverflowError):
        raise CompileError("the cubin does not say how many registers its kernel takes") from None


def section(cubin: bytes, name: bytes) -> bytes:
    """The contents of a section of an ELF file of 64 bits.

    Raises:
        ValueError, KeyError, struct.error: it is none, or has no such section.
    """
    if cubin[:5] != b"\x7fELF\x02":
        raise ValueError("no ELF file of 64 bits")
    (table,) = struct.unpack_from("<Q", cubin, 40)
    size, count, names = struct.unpack_from("<HHH", cubin, 58)
    headers = [struct.unpack_from("<IIQQQQ", cubin, table + i * size) for i in range(count)]
    for header in headers:
        start = headers[names][4] + header[0]
        if cubin[start : cubin.index(b"\0", start)] == name:
            return cubin[header[4] : header[4] + header[5]]
    raise KeyError(name)


def _attributes(info: bytes) -> Iterator[tuple[int, int]]:
    at = 0
    while at < len(info):
        kind, attribute, size = struct.unpack_from("<BBH", info, at)
        if kind == _WITH_SIZE:
            if size == 8:
                yield attribute, struct.unpack_from("<I", info, at + 8)[0]
            at += size
        at += 4
