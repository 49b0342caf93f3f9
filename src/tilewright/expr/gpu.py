"""`fx.gpu`: where a thread is, and what threads do together."""

from tilewright.lang.fly.functions.gpu import *
from tilewright.lang.fly.legacy_shared import lds_space as lds_space
from tilewright.lang.fly.legacy_shared import lds_space as smem_space
from tilewright.lang.fly.shared import SharedAllocator as SharedAllocator
