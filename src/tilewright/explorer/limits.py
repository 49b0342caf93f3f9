"""What a request may be."""

from __future__ import annotations

MOST = 1 << 16  # bytes of a question
