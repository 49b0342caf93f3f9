"""The `fly` dialect: FlyDSL's types and what its ops infer, through the one layout algebra."""

from tilewright.ir.fly.infer import InferenceError, infer
from tilewright.ir.fly.properties import properties
from tilewright.notation.fly_atoms import parse_fly_atom as atom

__all__ = ["InferenceError", "atom", "infer", "properties"]
