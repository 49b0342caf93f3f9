"""The operations of the algebra without guards: conditions are answered by whoever asks for the inference."""

from __future__ import annotations

from types import SimpleNamespace

from tilewright.layout.dispatch import Form
from tilewright.layout.operation_table import TABLE

algebra = SimpleNamespace(**{op.public: op.unguarded() for op in TABLE if op.form & Form.FUNCTION})
