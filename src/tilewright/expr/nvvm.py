"""`fx.nvvm`: NVIDIA's operations."""

from tilewright.lang.fly.functions.nvvm import (
    CpAsync,
    CpAsync32b,
    CpAsync64b,
    CpAsync128b,
    LdMatrix,
    LdMatrixX1,
    LdMatrixX2,
    LdMatrixX4,
    MmaSync,
    commit_group,
    cp_async_commit_group,
    cp_async_wait_group,
    wait_group,
)

__all__ = [
    "CpAsync",
    "CpAsync128b",
    "CpAsync32b",
    "CpAsync64b",
    "LdMatrix",
    "LdMatrixX1",
    "LdMatrixX2",
    "LdMatrixX4",
    "MmaSync",
    "commit_group",
    "cp_async_commit_group",
    "cp_async_wait_group",
    "wait_group",
]
