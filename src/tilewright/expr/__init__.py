"""`fx`: the functions and types of FlyDSL's language: `import tilewright.expr as fx`."""

from tilewright.expr import arith as arith
from tilewright.expr import coop as coop
from tilewright.expr import derived as derived
from tilewright.expr import extern as extern
from tilewright.expr import gpu as gpu
from tilewright.expr import ktrace as ktrace
from tilewright.expr import llvm as llvm
from tilewright.expr import math as math
from tilewright.expr import numeric as numeric
from tilewright.expr import nvvm as nvvm
from tilewright.expr import primitive as primitive
from tilewright.expr import random as random
from tilewright.expr import rocdl as rocdl
from tilewright.expr import tdm_ops as tdm_ops
from tilewright.expr import typing as typing
from tilewright.expr.arith import ceildiv as ceildiv
from tilewright.expr.arith import cmpf as cmpf
from tilewright.expr.arith import cmpi as cmpi
from tilewright.expr.arith import constant_vector as constant_vector
from tilewright.expr.arith import fastmath as fastmath
from tilewright.expr.arith import index_cast as index_cast
from tilewright.expr.arith import max as max
from tilewright.expr.arith import maximumf as maximumf
from tilewright.expr.arith import maxnumf as maxnumf
from tilewright.expr.arith import min as min
from tilewright.expr.arith import minimumf as minimumf
from tilewright.expr.arith import minnumf as minnumf
from tilewright.expr.arith import shrui as shrui
from tilewright.expr.derived import *
from tilewright.expr.gpu import *
from tilewright.expr.llvm import *
from tilewright.expr.math import *
from tilewright.expr.numeric import *
from tilewright.expr.primitive import *
from tilewright.expr.struct import *
from tilewright.expr.typing import *
