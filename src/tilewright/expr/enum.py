"""`fx.enum`: sets of words."""

from tilewright.lang.fly.values.enums import AtomicOp as AtomicOp
from tilewright.lang.fly.values.enums import AtomicOrdering as AtomicOrdering
from tilewright.lang.fly.values.enums import SyncScope as SyncScope
