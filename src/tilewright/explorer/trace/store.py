"""The traces that a page can look at: those that ship, and the last few that were dropped on it."""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass, field
from hashlib import sha256
from importlib.resources import files
from threading import Lock

from tilewright.errors import UsageError, shown
from tilewright.figures.trace.model import Trace
from tilewright.figures.trace.read import read

# The files are what `scripts/traces.py` writes: the simulator's traces of its kernels and of two of examples/.
SHIPPED = {
    "transpose, plain tile": "transpose",
    "transpose, swizzled tile": "transpose_swizzled",
    "permute in registers": "permute",
    "pipeline of cp.async": "cp_async",
    "mbarrier and bulk copies": "mbarrier",
    "reversed, a barrier missing: a race": "race",
}
DROPPED = "drop:"
KEPT = 4


@dataclass
class Traces:
    """Traces by name; `drop` keeps the last four that were given, by a name made of their content.

    >>> traces = Traces()
    >>> traces["permute in registers"].kernel
    'f'
    >>> traces["drop:0"]
    Traceback (most recent call last):
    tilewright.errors.UsageError: this dropped trace is no longer here (the last 4 are kept): drop its file again
    """

    _kept: OrderedDict[str, Trace] = field(default_factory=OrderedDict)
    _lock: Lock = field(default_factory=Lock)

    def drop(self, data: bytes) -> str:
        """Keeps a trace and gives its name; the one that was asked for longest ago goes.

        Raises:
            UsageError: what `read` refuses.
        """
        name = DROPPED + sha256(data).hexdigest()[:16]
        found = read(data)
        with self._lock:
            self._kept[name] = found
            self._kept.move_to_end(name)
            while len(self._kept) > KEPT:
                self._kept.popitem(last=False)
        return name

    def __getitem__(self, name: str) -> Trace:
        if name in SHIPPED:
            return read(files("tilewright.explorer.trace").joinpath("shipped", f"{SHIPPED[name]}.json").read_bytes())
        if not name.startswith(DROPPED):
            raise UsageError(f"there is no trace {shown(name)}; there are {', '.join(SHIPPED)}")
        with self._lock:
            if name not in self._kept:
                raise UsageError(
                    f"this dropped trace is no longer here (the last {KEPT} are kept): drop its file again"
                )
            self._kept.move_to_end(name)
            return self._kept[name]
