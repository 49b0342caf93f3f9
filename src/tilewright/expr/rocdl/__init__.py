"""`fx.rocdl`: AMD's operations."""

from tilewright.expr.rocdl import cdna3 as cdna3
from tilewright.expr.rocdl import cdna4 as cdna4
from tilewright.expr.rocdl import cdna5 as cdna5
from tilewright.expr.rocdl import cluster as cluster
from tilewright.expr.rocdl import experimental as experimental
from tilewright.expr.rocdl import rdna3 as rdna3
from tilewright.expr.rocdl import rdna4 as rdna4
from tilewright.expr.rocdl import tdm_ops as tdm_ops
from tilewright.expr.rocdl import universal as universal
from tilewright.expr.rocdl.universal import *
from tilewright.lang.fly.absent import refusing as _refusing

globals()["__getattr__"] = _refusing(__name__)  # unseen by type checkers, for whom such names are wrong
