"""`tilewright.utils`: the environment and the log, by FlyDSL's names."""

from tilewright.lang.fly.options import env, log

__all__ = ["env", "log"]
