"""How a data file hands its atoms to the catalog: rows of (name, builder, arguments), built when asked for."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias, TypeVar

T = TypeVar("T")
Row: TypeAlias = tuple[str, Callable[..., T], tuple[object, ...]]
