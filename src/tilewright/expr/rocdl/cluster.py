"""`fx.rocdl.cluster`: clusters of blocks."""

from tilewright.lang.fly.functions.clusters import *
