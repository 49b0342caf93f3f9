"""`fx.typing`: values and types."""

from tilewright.expr.numeric import *
from tilewright.lang.core.numerics.vector import *
from tilewright.lang.fly.aliases import *
from tilewright.lang.fly.annotations import *
from tilewright.lang.fly.functions.gpu import Tuple3D as Tuple3D
from tilewright.lang.fly.protocol import as_dsl_value as as_dsl_value
from tilewright.lang.fly.protocol import as_ir_value as as_ir_value
from tilewright.lang.fly.protocol import is_generic_address_space as is_generic_address_space
from tilewright.lang.fly.protocol import is_target_address_space as is_target_address_space
from tilewright.lang.fly.storage import Align as Align
from tilewright.lang.fly.storage import Array as Array
from tilewright.lang.fly.typing import *
from tilewright.lang.fly.values.atoms import *
from tilewright.lang.fly.values.enums import AddressSpace as AddressSpace
from tilewright.lang.fly.values.int_tuple import *
from tilewright.lang.fly.values.layouts import *
from tilewright.lang.fly.values.memory import Pointer as Pointer
from tilewright.lang.fly.values.memory import Tensor as Tensor
