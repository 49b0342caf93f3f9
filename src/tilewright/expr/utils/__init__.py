"""`fx.utils`: attributes of classes, and arithmetic by name."""

from tilewright.lang.fly.options import lazy_classattr as lazy_classattr
