"""Functions as xDSL reads them, made as they are: its constructor checks again what its reader has put together."""

from __future__ import annotations

from functools import lru_cache

from xdsl.dialects.builtin import FunctionType, StringAttr
from xdsl.dialects.func import FuncOp
from xdsl.dialects.utils import parse_func_op_like
from xdsl.ir import Attribute
from xdsl.parser import Parser

_NAMED = ("sym_name", "function_type", "sym_visibility")


def read(parser: Parser) -> FuncOp:
    """The function whose text follows its op's name."""
    visibility = parser.parse_optional_visibility_keyword()
    name, inputs, outputs, body, attributes, of_arguments, of_results = parse_func_op_like(
        parser, reserved_attr_names=_NAMED
    )
    properties: dict[str, Attribute | None] = {
        "sym_name": StringAttr(name),
        "function_type": _function_type(tuple(inputs), tuple(outputs)),
        "sym_visibility": visibility,
        "arg_attrs": of_arguments,
        "res_attrs": of_results,
    }
    return FuncOp.create(
        properties={name: value for name, value in properties.items() if value is not None},
        attributes=dict(attributes.data) if attributes is not None else {},
        regions=[body],
    )


@lru_cache(256)
def _function_type(inputs: tuple[Attribute, ...], outputs: tuple[Attribute, ...]) -> FunctionType:
    return FunctionType.from_lists(inputs, outputs)
