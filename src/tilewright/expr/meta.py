"""`fx.meta`: options of what is traced."""

from tilewright.lang.fly.options import capture_user_location as capture_user_location
from tilewright.lang.fly.options import dsl_loc_tracing as dsl_loc_tracing
from tilewright.lang.fly.options import dsl_wrap_result as dsl_wrap_result
from tilewright.lang.fly.options import tracing_context as tracing_context
from tilewright.lang.fly.options import tracing_option as tracing_option
