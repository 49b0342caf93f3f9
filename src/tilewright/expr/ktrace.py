"""`fx.ktrace`: timelines of AMD's hardware; not here: each name says what to use instead."""

from tilewright.lang.fly.absent import refusing as _refusing

globals()["__getattr__"] = _refusing(__name__)  # unseen by type checkers, for whom such names are wrong
