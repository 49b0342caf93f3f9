"""`fx.utils`: attributes of classes, and arithmetic by name."""

from tilewright.lang.fly.absent import refusing as _refusing
from tilewright.lang.fly.options import lazy_classattr as lazy_classattr

globals()["__getattr__"] = _refusing(__name__)  # unseen by type checkers, for whom such names are wrong
