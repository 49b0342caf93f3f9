"""`fx.struct`: structures, unions, and shared memory."""

from tilewright.lang.fly.composites import *
from tilewright.lang.fly.composites import struct as Struct
from tilewright.lang.fly.composites import union as Union
from tilewright.lang.fly.shared import Arena as Arena
from tilewright.lang.fly.shared import SharedAllocator as SharedAllocator
from tilewright.lang.fly.storage import *
