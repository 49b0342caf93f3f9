"""What becomes of a random call of a `fly` op."""

from __future__ import annotations

import time
from collections.abc import Callable

from fly_calls import Call, call
from strategies import Chooser

from tilewright.errors import LayoutError, NotationError
from tilewright.ir.fly.infer import result_types
from tilewright.ir.fly.type_reader import read
from tilewright.ir.fly.type_writer import write

GOOD = ("inferred", "refused")
SLOW = 1.0


def outcome(pick: Chooser, draw: Callable[[Chooser], Call] = call) -> tuple[str, str, Call]:
    """The op, what became of a call of it, and the call."""
    made = draw(pick)
    start = time.process_time()
    what = _outcome(made)
    seconds = time.process_time() - start
    return made[0], what if seconds < SLOW else f"slow: {seconds:.1f} s", made


def _outcome(made: Call) -> str:
    try:
        found = result_types(*made)
    except (LayoutError, NotationError):
        return "refused"
    except Exception as error:
        return f"foreign: {type(error).__name__} {str(error)[:200]}"
    changed = [text for text in found if write(read(text)) != text]
    return f"not read back: {changed}" if changed else "inferred"
