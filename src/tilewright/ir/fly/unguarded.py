"""The operations of the algebra without guards: conditions are answered by whoever asks for the inference."""

from __future__ import annotations

from types import SimpleNamespace
from typing import TYPE_CHECKING

from tilewright.layout.dispatch import Form
from tilewright.layout.operation_table import TABLE

if TYPE_CHECKING:
    from tilewright.layout import operations as algebra
else:
    algebra = SimpleNamespace(**{op.public: op.unguarded() for op in TABLE if op.form & Form.FUNCTION})

__all__ = ["algebra"]
