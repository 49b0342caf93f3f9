"""`fx.primitive`: layouts, atoms and memory."""

from tilewright.lang.fly.addresses import *
from tilewright.lang.fly.constexpr import *
from tilewright.lang.fly.functions.algebra import *
from tilewright.lang.fly.functions.algebra import slice as slice
from tilewright.lang.fly.functions.algebra import zip as zip
from tilewright.lang.fly.functions.arithmetic import *
from tilewright.lang.fly.functions.atoms import *
from tilewright.lang.fly.functions.construction import *
from tilewright.lang.fly.functions.memory import *
from tilewright.lang.fly.functions.operations import *
from tilewright.lang.fly.functions.printing import *
from tilewright.lang.fly.functions.queries import *
from tilewright.lang.fly.typing import *
from tilewright.lang.fly.values.enums import *
