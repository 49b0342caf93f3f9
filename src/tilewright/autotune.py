"""`tilewright.autotune`: the decorator, and the module that FlyDSL has under this name."""

import sys
from collections.abc import Callable
from types import ModuleType

from tilewright.lang.fly.autotune import Autotuner, Config, autotune, do_bench

__all__ = ["Autotuner", "Config", "autotune", "do_bench"]


class _Called(ModuleType):
    """The module is the decorator too, as `import tilewright.autotune` puts it where the decorator was."""

    def __call__(self, *args: object, **named: object) -> Callable[..., Autotuner]:
        """What `autotune` gives."""
        made: Callable[..., Autotuner] = autotune(*args, **named)  # type: ignore[arg-type]  # which says what is wrong
        return made


sys.modules[__name__].__class__ = _Called
