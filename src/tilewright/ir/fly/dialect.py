"""The dialects `fly` and `fly_rocdl`."""

from __future__ import annotations

from xdsl.ir import Dialect

from tilewright.ir.fly.attrs import ATTRIBUTES, OLDER, TYPES
from tilewright.ir.fly.ops import OPS

FLY = Dialect("fly", list(OPS.values()), [*TYPES, *OLDER, *ATTRIBUTES])
