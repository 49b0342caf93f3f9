"""The dialects `fly`, `fly_rocdl` and `fly_nvvm`."""

from __future__ import annotations

from xdsl.ir import Dialect

from tilewright.ir.fly import dialect_attributes, dialect_types
from tilewright.ir.fly.ops import OLDER, OPS

_OPS = [*OPS.values(), *OLDER.values()]
_ATTRIBUTES = [*dialect_types.TYPES, *dialect_types.OLDER, *dialect_attributes.ATTRIBUTES]


def _dialect(name: str) -> Dialect:
    prefix = f"{name}."
    return Dialect(
        name,
        [op for op in _OPS if op.name.startswith(prefix)],
        [attribute for attribute in _ATTRIBUTES if attribute.name.startswith(prefix)],
    )


FLY, FLY_ROCDL, FLY_NVVM = _dialect("fly"), _dialect("fly_rocdl"), _dialect("fly_nvvm")
