"""`fx.utils.arith`: arithmetic by name."""

from tilewright.expr.arith import *
from tilewright.expr.arith import _to_raw as _to_raw
from tilewright.lang.fly.absent import refusing as _refusing
from tilewright.lang.fly.options import dsl_loc_tracing as dsl_loc_tracing
from tilewright.lang.fly.options import tracing_context as tracing_context
from tilewright.lang.fly.options import tracing_option as tracing_option

globals()["__getattr__"] = _refusing(__name__)  # unseen by type checkers, for whom such names are wrong
