"""What the permute demo permutes: options and files become scale factors in stages."""

from __future__ import annotations

import argparse
from dataclasses import dataclass
from typing import Any

import numpy

from tilewright.cli.demos import scales
from tilewright.cli.demos.permute_kernels import layouts
from tilewright.dtypes import DType, dtype
from tilewright.errors import UsageError
from tilewright.tirx.layout import TileLayout

Array = numpy.ndarray[Any, Any]

ROWS = 128  # rows of a matrix that go together; a stage holds a multiple of them


@dataclass(frozen=True)
class Setup:
    """What is permuted: scale factors of shape (pipe, blk), their type and origin, the layouts, and how."""

    stages: Array
    kind: DType
    origin: str
    pre: TileLayout
    post: TileLayout
    staging: str
    swizzle: bool

    @property
    def pipe(self) -> int:
        """The number of stages."""
        return len(self.stages)

    @property
    def blk(self) -> int:
        """The elements of a stage."""
        return int(self.stages.shape[1])

    @property
    def name(self) -> str:
        """A file name made of the parameters."""
        return f"permute-{self.kind}-{self.pipe}x{self.blk}{'' if self.swizzle else '-in-order'}"


def prepare(args: argparse.Namespace) -> Setup:
    """The scale factors that the options ask for, and the layouts that fit them.

    Raises:
        UsageError: options or a file that do not fit each other.
    """
    if args.blk < ROWS or args.blk % ROWS:
        raise UsageError(f"--blk {args.blk}: a stage holds a multiple of {ROWS} scale factors")
    if args.pipe is not None and args.pipe < 1:
        raise UsageError(f"--pipe {args.pipe}: at least one stage is needed")
    if (args.pipe or 1) * args.blk > scales.MAX_FACTORS:
        raise UsageError(f"--pipe {args.pipe} --blk {args.blk}: at most {scales.MAX_FACTORS} scale factors fit")
    array, kind, origin = _array(args)
    stages = scales.stages(array, kind, args.blk)
    if args.pipe not in (None, len(stages)):
        raise UsageError(f"--pipe {args.pipe}: {len(stages)} x {args.blk} scale factors come from {origin}")
    pre, post = layouts(len(stages), args.blk)
    return Setup(stages, kind, origin, pre, post, args.staging, not args.no_swizzle)


def _array(args: argparse.Namespace) -> tuple[Array, DType, str]:
    if args.input is None:
        matrix = scales.synthetic(args.blk, scales.BLOCK * (args.pipe or 2))
        return matrix, dtype(args.dtype or "float32"), f"a random {_shape(matrix)} matrix"
    array = scales.read(args.input)
    what = "the matrix" if scales.is_matrix(array) else "the scale factors"
    return array, scales.kind_of(array, args.dtype), f"{what} {_shape(array)} of {args.input}"


def _shape(array: Array) -> str:
    return " x ".join(map(str, array.shape))
