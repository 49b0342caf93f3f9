"""There are no MLIR bindings here: whoever imports a part of them is told what to use instead."""

from __future__ import annotations

from typing import NoReturn


def __getattr__(name: str) -> NoReturn:
    """`_mlir.ir`, and `_mlir.dialects.llvm`, whose import asks for `__path__`."""
    if name.startswith("__") and name != "__path__":
        raise AttributeError(name)
    part = "" if name == "__path__" else f", and no _mlir.{name}"
    raise ImportError(
        f"tilewright has no MLIR bindings{part}: numbers are fx.Int32, fx.Float32, ..; vectors "
        "fx.Vector; types fx.T; memory fx.ptr_load, fx.ptr_store, tensors; intrinsics fx.gpu, fx.rocdl. See docs/fx.md"
    )
