"""`tilewright.utils`: the environment and the log, by FlyDSL's names."""

from tilewright.lang.fly.options import env as env
from tilewright.lang.fly.options import log as log
