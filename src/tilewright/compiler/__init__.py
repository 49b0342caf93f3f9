"""`flyc`: decorators and arguments of FlyDSL's language: `import tilewright.compiler as flyc`."""

from tilewright.compiler import protocol
from tilewright.lang.fly.absent import refusing as _refusing
from tilewright.lang.fly.arguments import from_dlpack, from_torch_tensor
from tilewright.lang.fly.decorators import compile as compile
from tilewright.lang.fly.decorators import jit, kernel
from tilewright.lang.fly.jit import Jit
from tilewright.lang.fly.kernel import Kernel
from tilewright.lang.fly.pointers import from_c_void_p

__all__ = ["Jit", "Kernel", "from_c_void_p", "from_dlpack", "from_torch_tensor", "jit", "kernel", "protocol"]

globals()["__getattr__"] = _refusing(__name__)  # unseen by type checkers, for whom such names are wrong
