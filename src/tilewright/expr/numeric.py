"""`fx.numeric`: the typed numbers."""

from tilewright.lang.core.numerics.numeric import *
from tilewright.lang.core.numerics.types import *
