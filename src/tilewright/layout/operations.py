"""The operations of the algebra as users call them: functions of this module, and methods of every layout.

All are made from the rows of `operation_table`.
"""

from __future__ import annotations

from tilewright.layout import explain_method
from tilewright.layout.base import LayoutBase
from tilewright.layout.by_mode import Parts, by_mode
from tilewright.layout.dispatch import Form, Function
from tilewright.layout.operation_table import TABLE
from tilewright.layout.predicates import (
    image,
    is_bijective,
    is_compact,
    is_contiguous,
    is_injective,
    is_surjective,
)
from tilewright.layout.symbolic.substitution import substitute
from tilewright.layout.table import table
from tilewright.layout.view import View


def _summary(function: Function) -> str:
    return (function.__doc__ or "").split(">>>")[0].rstrip()


# What is made from no row: it does the same to every kind of layout.
OF_EVERY_LAYOUT: dict[str, Function] = {
    function.__name__: function
    for function in (
        *(substitute, table, image, is_injective, is_surjective, is_bijective, is_compact, is_contiguous),
        explain_method.explain,
    )
}

_BUILT = [(op, op.build()) for op in TABLE]

_RUNS: dict[str, Function] = {op.public: run for op, run in _BUILT if op.form & Form.FUNCTION}
_PARTS = Parts(_RUNS["get"], _RUNS["replace"])
_BY_MODE = {op.public: by_mode(_RUNS[op.public], _PARTS) for op in TABLE if op.by_mode}
FUNCTIONS: dict[str, Function] = _RUNS | _BY_MODE
METHODS: dict[str, Function | property] = {
    **{op.public: run for op, run in _BUILT if op.form & Form.METHOD},
    **{op.public: property(run, doc=_summary(run)) for op, run in _BUILT if op.form & Form.PROPERTY},
    **OF_EVERY_LAYOUT,
}
OF_VIEWS: dict[str, Function] = {op.public: run for op, run in _BUILT if op.of_views and op.form & Form.METHOD}

for _name, _method in OF_VIEWS.items():
    setattr(View, _name, _method)
for _name, _method in METHODS.items():
    setattr(LayoutBase, _name, _method)


def __getattr__(name: str) -> Function:
    if name not in FUNCTIONS:
        raise AttributeError(f"module {__name__} has no attribute {name!r}")
    return FUNCTIONS[name]
