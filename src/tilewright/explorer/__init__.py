"""The explorer: a local page that shows layouts, threads, phases, counts and the fix; it draws what is answered here.

`engine` answers a tab's inputs with scenes, facts, tables and steps; `server` serves it to a browser on this machine.
"""

from tilewright.explorer.engine import Engine
from tilewright.explorer.server import Server

__all__ = ["Engine", "Server"]
