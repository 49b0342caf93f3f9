"""`fx.meta`: options of what is traced."""

from tilewright.lang.fly.options import (
    capture_user_location,
    dsl_loc_tracing,
    dsl_wrap_result,
    tracing_context,
    tracing_option,
)

__all__ = [
    "capture_user_location",
    "dsl_loc_tracing",
    "dsl_wrap_result",
    "tracing_context",
    "tracing_option",
]
