"""The explorer: a local page that shows layouts, threads, phases, counts and the fix; it draws what is answered here.

`engine` answers a tab's inputs with scenes, facts, tables and steps; `server`, which is imported by itself, since a
browser's Python has no sockets, serves it to a browser on this machine.
"""

from tilewright.explorer.engine import Engine

__all__ = ["Engine"]
