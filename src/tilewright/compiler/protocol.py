"""`flyc.protocol`: what values are made of, and how users' classes take part."""

from tilewright.lang.fly.protocol import *
