"""The table of architectures by name."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from tilewright.arch import amd, nvidia
from tilewright.arch.products import sold_as
from tilewright.arch.spec import ArchSpec
from tilewright.errors import UsageError, close_names, shown
from tilewright.numerals import is_digits

_TABLE: Mapping[str, ArchSpec] = MappingProxyType({spec.name: spec for spec in (*nvidia.SPECS, *amd.SPECS)})


def names() -> tuple[str, ...]:
    """The names of all architectures.

    >>> "sm_90a" in names(), "gfx950" in names()
    (True, True)
    """
    return tuple(_TABLE)


def get(name: str | ArchSpec) -> ArchSpec:
    """The architecture of that name; a target's text such as `cuda:sm_90a` or `hip:gfx942` names one too.

    Raises:
        UsageError: there is no such architecture; the message suggests near ones.

    >>> get("sm_90a").shared_per_block // 1024, get("hip:gfx942").lanes
    (227, 64)
    """
    if isinstance(name, ArchSpec):
        return name
    found = _TABLE.get(_plain(name)) if isinstance(name, str) else None
    if found is None:
        raise UsageError(f"unknown architecture {shown(name)}{_hint(name)}")
    return found


def _plain(name: str) -> str:
    text = name.strip().lower().rsplit("cuda:")[-1].rsplit("hip:")[-1].rsplit("rocm:")[-1]
    text = text.split(":")[0]
    return f"sm_{text[2:]}" if text.startswith("sm") and is_digits(text[2:3]) else text


def _hint(name: object) -> str:
    if isinstance(name, str) and (known := sold_as(_plain(name))):
        return f"; {known}"
    close = close_names(_plain(name), _TABLE, 3, 0.5) if isinstance(name, str) else []
    return f"; did you mean {' or '.join(close)}?" if close else f"; known: {', '.join(_TABLE)}"
