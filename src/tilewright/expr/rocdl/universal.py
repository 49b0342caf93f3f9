"""`fx.rocdl.universal`: AMD's operations on every target."""

from tilewright.lang.fly.functions.buffers import *
from tilewright.lang.fly.functions.cdna4 import *
from tilewright.lang.fly.functions.clusters import *
from tilewright.lang.fly.functions.dpp import *
from tilewright.lang.fly.functions.matrix import *
from tilewright.lang.fly.functions.packed import *
from tilewright.lang.fly.functions.raw_buffers import *
from tilewright.lang.fly.functions.rocdl import *
from tilewright.lang.fly.functions.waves import *
