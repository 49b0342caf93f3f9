"""What a widget's page asks, and the replies: messages with an `id`, which the reply has, too."""

from __future__ import annotations

import json
from collections.abc import Sequence

from tilewright.errors import UsageError, shown
from tilewright.explorer.engine import Engine

LONGEST = 64  # characters of an id

Buffer = bytes | bytearray | memoryview


def replied(engine: Engine, content: object, buffers: Sequence[Buffer] = ()) -> tuple[dict[str, str], bytes]:
    """The reply to `{"id": .., "ask": TEXT}`, a request, or to `{"id": .., "drop": true}`, a trace in the one buffer.

    It is a message with the same id, and JSON in UTF-8 for its buffer, which notebooks pass on as it is.
    What is neither request nor trace gets a problem; the id is empty where there is none.

    >>> message, reply = replied(Engine(), {"id": "7", "ask": '{"ask": 3}'})
    >>> message, reply.decode()
    ({'id': '7'}, '{"problems":[{"field":"","message":"ask for tabs, answer, svg, not 3","position":-1}]}')
    """
    name = content.get("id") if isinstance(content, dict) else None
    known = isinstance(name, str) and len(name) <= LONGEST
    return {"id": str(name) if known else ""}, _reply(engine, content, buffers).encode()


def _reply(engine: Engine, content: object, buffers: Sequence[Buffer]) -> str:
    asked = content.get("ask") if isinstance(content, dict) else None
    if isinstance(asked, str):
        return engine.text(asked)
    if isinstance(content, dict) and content.get("drop") is True and len(buffers) == 1:
        return engine.drop(bytes(buffers[0]))
    error = UsageError(f"a message asks a text, or drops one buffer, got {shown(content)}")
    return json.dumps({"problems": [{"field": "", "message": str(error), "position": -1}]})
