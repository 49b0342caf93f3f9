"""`fx`: the functions and types of FlyDSL's language: `import tilewright.expr as fx`."""

from tilewright.expr import (
    arith,
    coop,
    derived,
    extern,
    gpu,
    ktrace,
    llvm,
    math,
    numeric,
    nvvm,
    primitive,
    random,
    rocdl,
    tdm_ops,
    typing,
)
from tilewright.expr.arith import (
    ceildiv,
    cmpf,
    cmpi,
    constant_vector,
    fastmath,
    index_cast,
    max,
    maximumf,
    maxnumf,
    min,
    minimumf,
    minnumf,
    shrui,
)
from tilewright.expr.derived import *
from tilewright.expr.gpu import *
from tilewright.expr.llvm import *
from tilewright.expr.math import *
from tilewright.expr.numeric import *
from tilewright.expr.primitive import *
from tilewright.expr.struct import *
from tilewright.expr.typing import *
