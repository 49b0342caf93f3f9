"""One run of the permute demo: compile, simulate, check, count, draw."""

from __future__ import annotations

from dataclasses import dataclass
from shutil import which
from typing import Any

import numpy as np

from tilewright.cli.demos.definition import mismatches
from tilewright.cli.demos.permute_kernels import in_global, in_shared, layouts
from tilewright.cli.demos.permute_setup import Array, Setup
from tilewright.errors import DispatchError, UsageError
from tilewright.figures import Figure, draw, stack
from tilewright.layout.axes import MEMORY
from tilewright.runtime.compile import compile as compile_kernel
from tilewright.runtime.kernel import CompiledKernel
from tilewright.script.tirx import PrimFunc
from tilewright.targets.simulator.report import SimulationReport
from tilewright.tirx.layout import TileLayout
from tilewright.variants.call import WARP
from tilewright.variants.permute_layout.warp_scheduled import WarpScheduled

KERNELS = {"global": in_global, "shared": in_shared}
BUFFERS = {"global": ("A_buf", "B_buf"), "shared": ("A_stage", "B_stage")}
IN_ORDER = WarpScheduled(name="warp_in_order", priority=21, in_order=True)


@dataclass(frozen=True)
class Run:
    """A compiled kernel, what its simulation counted, and the coordinates whose elements came out wrong.

    `on_host` is None where no C++ compiler is there.
    """

    setup: Setup
    compiled: CompiledKernel
    counted: SimulationReport
    wrong: tuple[int, ...]
    on_host: tuple[int, ...] | None

    @staticmethod
    def of(setup: Setup) -> Run:
        """Compiles the kernel and runs it: on the scale factors, and on numbers of which no two are equal."""
        kernel = KERNELS[setup.staging](setup.pipe, setup.blk, setup.kind.name)
        compiled = _compile(kernel, setup, "simulator")
        source, result = _memory(setup, setup.stages)
        counted = compiled.simulate(source, result)
        wrong = {*mismatches(source, result, setup.pre, setup.post), *_wrong(compiled, setup)}
        host = tuple(_wrong(_compile(kernel, setup, "host"), setup)) if which("g++") else None
        return Run(setup, compiled, counted, tuple(sorted(wrong)), host)

    @property
    def plan(self) -> Any:
        """The plan of the permutation."""
        return self.compiled.plans[0]

    @property
    def status(self) -> int:
        """1 if any element came out wrong, else 0."""
        return int(bool(self.wrong or self.on_host))

    def phases(self) -> dict[str, tuple[int, int]]:
        """Wavefronts and ideal of a stage's read and write phase, as the simulator counted them."""
        source, result = BUFFERS[self.setup.staging]
        wanted = {"read": ("load", source), "write": ("store", result)}
        return {name: self._wavefronts(kind, buffer) for name, (kind, buffer) in wanted.items()}

    def _wavefronts(self, kind: str, buffer: str) -> tuple[int, int]:
        found = list(self.counted.select(kind=kind, buffer=buffer))
        return sum(a.wavefronts for a in found) // self.setup.pipe, sum(a.ideal for a in found) // self.setup.pipe

    def picture(self) -> Figure:
        """Both layouts as lines of banks: the words that each instruction of one stage reads, and writes."""
        sides = dict(zip(("read", "write"), layouts(1, self.setup.blk), strict=True))
        tiles = {name: _without_units(layout) for name, layout in sides.items()}
        figures = {
            f"{name} {tile.notation()}, {wavefronts} wavefronts, ideal {ideal}": draw(
                tile, kind="memory", element_bits=self.setup.kind.bits, access=Order(self.plan)
            )
            for (name, tile), (wavefronts, ideal) in zip(tiles.items(), self.phases().values(), strict=True)
        }
        stage = f"one stage of {self.setup.blk} x {self.setup.kind}"
        return stack(f"permute_layout, {stage}: a colour is one instruction of the warp", figures)


@dataclass(frozen=True)
class Order:
    """A plan as the access that a picture shows: (lane, register) to the element."""

    plan: Any

    @property
    def shape(self) -> tuple[int, int]:
        """Lanes and registers."""
        return WARP, self.plan.steps

    @property
    def size(self) -> int:
        """All elements."""
        return WARP * int(self.plan.steps)

    def __call__(self, place: int) -> int:
        """The element, colexicographically."""
        found: int = self.plan.element(place % WARP, place // WARP)
        return found


def _without_units(layout: TileLayout) -> TileLayout:
    kept = [it for it in layout.shard if it.extent > 1]
    return TileLayout.from_iters(kept)


def _compile(kernel: PrimFunc, setup: Setup, target: str) -> CompiledKernel:
    try:
        return compile_kernel(kernel, target=target, variants=() if setup.swizzle else (IN_ORDER,))
    except DispatchError as error:
        reasons = "; ".join(f"{variant}: {reason}" for variant, reason in error.reasons)
        raise UsageError(f"no variant permutes stages of {setup.blk} x {setup.kind} ({reasons})") from None


def _wrong(compiled: CompiledKernel, setup: Setup) -> list[int]:
    source, result = _memory(setup, _distinct(setup))
    compiled(source, result)
    return mismatches(source, result, setup.pre, setup.post)


def _memory(setup: Setup, values: Array) -> tuple[Array, Array]:
    # The buffers as raw memory: the values where the source's layout puts them, and zeros.
    source, result = (np.zeros(layout.cosize(), setup.kind.numpy()) for layout in (setup.pre, setup.post))
    source[setup.pre.table()[MEMORY]] = values.reshape(-1)
    return source, result


def _distinct(setup: Setup) -> Array:
    # Bit patterns 0, 1, 2, ..; they repeat only where the type has fewer than there are elements.
    return np.arange(setup.stages.size).astype(f"u{setup.kind.bytes}").view(setup.kind.numpy())
