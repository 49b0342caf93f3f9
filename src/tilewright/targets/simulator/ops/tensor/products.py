"""Products in tensor memory."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from tilewright.atoms.available import has_atom
from tilewright.atoms.descriptors import TCGEN05
from tilewright.atoms.instruction_descriptors import InstructionDescriptor
from tilewright.atoms.mma import MmaAtom
from tilewright.dtypes import DType, dtype
from tilewright.errors import AlignmentError, LayoutError, SimulationError, UsageError
from tilewright.ir.tile.tcgen05 import Tcgen05MmaOp
from tilewright.ir.tile.tmem import COLUMNS, LANES
from tilewright.targets.launch import where
from tilewright.targets.simulator.agents.transfers import Side
from tilewright.targets.simulator.collective.described import Described
from tilewright.targets.simulator.collective.products import Matrices
from tilewright.targets.simulator.collective.sparse import pattern_of
from tilewright.targets.simulator.distinct import distinct_values
from tilewright.targets.simulator.memory.access import Array
from tilewright.targets.simulator.memory.tensor import LANE_BITS, TOGETHER
from tilewright.targets.simulator.ops.tensor.factors import Factors, of_scaled, scaled
from tilewright.targets.simulator.ops.tensor.issue import Issued, issues, send, shared
from tilewright.targets.simulator.ops.tensor.metadata import places
from tilewright.targets.simulator.ops.tensor.metadata import read as read_metadata
from tilewright.targets.simulator.ops.tensor.tile import Tile
from tilewright.targets.simulator.ops.tensor.warps import tensor_site
from tilewright.targets.simulator.order.clocks import Numbers
from tilewright.targets.simulator.program import Compiler, Frame
from tilewright.targets.simulator.sites import Site
from tilewright.tirx.hardware.tmem import DATAPATHS, MMA_DATAPATHS, Datapath

BYTE = 8
STATIONARY = {32: "G", 64: "E", 128: "D"}  # the datapaths of tcgen05.mma.ws by M


@dataclass(frozen=True, eq=False)
class MmaStep:
    """The products that threads begin; `known` are the instructions of the descriptors that were met."""

    op: Tcgen05MmaOp
    slots: tuple[int, ...]
    writes: Site
    adds: Site
    reads: Site
    around: tuple[Site, ...]
    known: dict[int, tuple[InstructionDescriptor, MmaAtom]] = field(default_factory=dict)

    @staticmethod
    def of(compiler: Compiler, op: Tcgen05MmaOp) -> MmaStep:
        """The step of an op."""
        slots = tuple(compiler.slot(value) for value in (op.d, op.a, op.b, op.told, op.scale_d, *op.beside))
        writes, adds = (tensor_site(op, kind, op.d) for kind in ("store", "load"))
        around = tuple(tensor_site(op, "load", value) for value in op.beside)
        return MmaStep(op, slots, writes, adds, tensor_site(op, "load", op.a), around)

    def __call__(self, frame: Frame) -> None:
        """Begins them."""
        for issued, (d, a, b, told, scale, *beside) in issues(frame, self.op, self.slots):
            instruction, atom = self._instruction(issued, told)
            Begin(self, issued, instruction, atom, beside)(d, a, b, bool(scale))

    def _instruction(self, issued: Issued, told: int) -> tuple[InstructionDescriptor, MmaAtom]:
        if told not in self.known:
            try:
                found = InstructionDescriptor.decode(told, self.op.kind.data)
                atom = found.atom(self.op.source, self.op.ctas, self.op.factors, self.op.ws)
                if found.sparse != self.op.sparse:
                    has = ("dense", "sparse")[found.sparse]
                    raise UsageError(f"that says a {has} A, and the instruction is {'not ' * found.sparse}.sp")
                if self.op.ws and self.op.source == "TS":
                    raise UsageError("where A of a tcgen05.mma.ws lies in tensor memory is not known here")
                if found.sparse and found.m // self.op.ctas != LANES:
                    raise UsageError(
                        f"where metadata of {found.m // self.op.ctas} rows of a CTA lies is not known here"
                    )
            except (LayoutError, UsageError) as error:
                raise SimulationError(f"{issued.name} tells a product {told:#x}: {error}\n{where(self.op)}") from error
            spec = issued.active.lanes.machine.tally.spec
            if not has_atom(spec, atom):
                raise SimulationError(f"tcgen05 is of {atom.arch}, not of {spec.name}\n{where(self.op)}")
            self.known[told] = found, atom
        return self.known[told]


@dataclass(frozen=True, eq=False)
class Held:
    """What a CTA has of the operands of products: its rows of A, its columns of B, its D, factors; what it accesses."""

    left: Array
    right: Array
    start: Array
    factors: tuple[Array, ...]
    sides: list[Side]


@dataclass(frozen=True, eq=False)
class Begin:
    """One product of each thread; the rows of A and D, and the columns of B, are parted among the CTAs."""

    step: MmaStep
    issued: Issued
    told: InstructionDescriptor
    atom: MmaAtom
    beside: list[int]

    def __call__(self, d: int, a: int, b: int, scale: bool) -> None:
        """Checks what it accesses in each CTA, and sends it off."""
        issued, tensor = self.issued, self.issued.tensor
        n = self.atom.shape_mnk[1]
        path = DATAPATHS[self._path]
        tile = Tile.of(path, self._lane(d, path), d % (1 << LANE_BITS), n)
        held = [self._held(tile, path, (a, b), scale, cta) for cta in range(issued.ctas)]
        send(issued, [one.sides for one in held])
        columns = np.concatenate([one.right for one in held], axis=1)
        for cta, one in enumerate(held):
            made = np.ascontiguousarray(self._multiplied(one, columns))
            tensor.words[tile.at(issued.rows(cta))] = made.view(np.uint32 if made.itemsize == 4 else np.uint16)

    @property
    def _path(self) -> str:
        m = self.atom.shape_mnk[0]
        return STATIONARY[m] if self.step.op.ws else MMA_DATAPATHS[m, self.issued.ctas]

    def _held(self, tile: Tile, path: Datapath, operands: tuple[int, int], scale: bool, cta: int) -> Held:
        """What a CTA has of the operands."""
        tile.check(self.issued, cta, self.step.writes)
        a, b = operands
        left, side = self._shared("A", a, cta) if self.step.op.source == "SS" else self._tensor(a, path, tile, cta)
        right, other = self._shared("B", b, cta)
        told = [self._spread(left, cta)] if self.told.sparse else []
        factors = [self._factors(letter, cta) for letter in "AB"] if self.told.scale else []
        start = self._accumulators(tile, self.issued.rows(cta), scale)
        beside = [read for _, read in (*told, *factors)]
        self._check_apart(tile, [side, *beside], cta)
        sides = [side, other, *beside, self._accumulate(tile, cta, scale)]
        left = told[0][0] if told else left
        return Held(
            -left if self.told.negate_a else left,
            -right if self.told.negate_b else right,
            start,
            tuple(found for found, _ in factors),
            sides,
        )

    def _check_apart(self, tile: Tile, read: list[Side], cta: int) -> None:
        """Raises `SimulationError` where D lies over what is read beside it."""
        written = tile.cells(self.issued.rows(cta))[0]
        for side in (one for one in read if one.memory is self.issued.tensor.cells):
            both = np.intersect1d(distinct_values(written), distinct_values(side.at[0]), assume_unique=True)
            if len(both):
                column = int(both[0]) % COLUMNS
                text = f"{self.issued.name} gives a D over what its product reads beside it, in column {column}"
                raise SimulationError(f"{text} of tensor memory\n{where(self.step.op)}")

    def _multiplied(self, one: Held, columns: Array) -> Array:
        """What a CTA computes: its rows by all columns."""
        atom, left, right = self.atom, one.left, columns
        if one.factors:
            atom, left, right = of_scaled(atom), scaled(left, one.factors[0]), scaled(right, one.factors[1])
        operands = [Matrices(lambda x=x: x) for x in (left, right, one.start)]  # type: ignore[misc]  # bound at once
        return self.issued.active.lanes.machine.waiting(atom).add(*operands).made

    def _spread(self, stored: Array, cta: int) -> tuple[Array, Side]:
        """A with all its elements, of those that are stored, and what is read for that."""
        op, site, told = self.step.op, self.step.around[0], self.told
        pattern = pattern_of(self._room)
        columns = 1 if self._room > BYTE else 2
        metadata, side = read_metadata(op, self.issued, cta, self.beside[0], told.selector, site, columns)
        return pattern.spread(stored, places(op, self.issued, metadata, pattern)), side

    @property
    def _room(self) -> int:
        """The bits that an element of A takes."""
        element = self.atom.dtypes[1]
        return element.bits if self._packed(element) else BYTE

    def _factors(self, letter: str, cta: int) -> tuple[Array, Side]:
        """The scale factors of a CTA's rows of A, or of all columns of B."""
        number, told = "AB".index(letter), self.told
        rows = self._extents("A")[0] if letter == "A" else self.atom.shape_mnk[1]
        parts = DATAPATHS[self._path].folds if letter == "B" else 1
        first, kind = (told.sfa, told.sfb)[number], dtype(told.scale)
        factors = Factors(letter, rows, self.step.op.factors, first, kind, parts)
        address = self.beside[-2:][number]
        return factors.read(self.step.op, self.issued, cta, address, self.step.around[-2:][number])

    def _accumulate(self, tile: Tile, cta: int, scale: bool) -> Side:
        """What is written in a CTA, and read before."""
        issued = self.issued
        cells, tensor, lanes = tile.cells(issued.rows(cta)), issued.tensor, issued.active.lanes
        if scale:
            tensor.follow(issued.actor, cells, lanes, self.step.adds)
        tensor.follow(issued.actor, cells, lanes, self.step.writes)
        return Side(tensor.cells, cells, self.step.writes)

    def _lane(self, address: int, path: Datapath) -> int:
        """The lane from which on a matrix lies."""
        lane = address >> LANE_BITS
        if lane and not (path.has_slabs and lane == TOGETHER):
            raise AlignmentError(
                f"{self.issued.name} gives lane {lane} of tensor memory for a matrix of {path.rows} rows, which begins "
                f"at lane 0{' or 16' * path.has_slabs}\n{where(self.step.op)}"
            )
        return lane

    def _packed(self, element: DType) -> bool:
        """Do narrow elements follow each other? Where types may differ, each takes a byte."""
        return element.bits >= BYTE or self.told.kind in ("mxf4", "mxf4nvf4")

    def _extents(self, letter: str) -> tuple[int, int]:
        """Of what a CTA has of an operand, as it is stored."""
        rows, columns = self.atom.stored(letter)
        return rows // self.issued.ctas, columns

    def _shared(self, letter: str, bits: int, cta: int) -> tuple[Array, Side]:
        """An operand in shared memory, and what is read for it."""
        number = "AB".index(letter)
        element, major = self.atom.dtypes[1 + number], self.told.majors[number]
        described = Described(TCGEN05, *self._extents(letter), element, major, self._packed(element))
        return shared(self.step.op, self.issued, cta, described, letter, bits)

    def _tensor(self, address: int, path: Datapath, d: Tile, cta: int) -> tuple[Array, Side]:
        """A in tensor memory, elements packed into its words, and what is read for it.

        Its rows lie on the lanes of D's; where columns of D are folded, each part of the lanes has all of A.

        Source: CUTLASS, mma_traits_sm100, tmem_frg.
        """
        issued, reads, element = self.issued, self.step.reads, self.atom.dtypes[1]
        rows, columns = self._extents("A")
        if not self._packed(element):
            text = f"{issued.name} gives an A of {element} in tensor memory, whose place in a byte is not known here"
            raise SimulationError(f"{text}\n{where(self.step.op)}")
        count, lane, column = columns * element.bits // 32, self._lane(address, path), address % (1 << LANE_BITS)
        tile = Tile(np.array(path.lanes) + lane, column, count, path.folds)
        if lane != d.lanes[0]:
            text = f"{issued.name} gives an A from lane {lane} of tensor memory on, and a D from lane {d.lanes[0]} on"
            raise SimulationError(f"{text}; rows of both lie on the same lanes\n{where(self.step.op)}")
        tile.check(issued, cta, reads)
        cells = tile.cells(issued.rows(cta))
        issued.tensor.follow(issued.actor, cells, issued.active.lanes, reads)
        words = issued.tensor.words[tile.at(issued.rows(cta))].reshape(-1, rows, path.folds, count)
        if (words != words[:, :, :1]).any():
            entry, row, part, _ = (int(x[0]) for x in np.nonzero(words != words[:, :, :1]))
            text = f"{[*issued.names()][entry]} gives an A of which row {row} is another on lane {row}"
            raise SimulationError(f"{text} than on lane {row + part * rows}\n{where(self.step.op)}")
        found = Described(TCGEN05, rows, columns, element, "K").matrices(words[:, :, 0].reshape(len(words), -1))
        return found, Side(issued.tensor.cells, cells, reads)

    def _accumulators(self, tile: Tile, rows: Numbers, scale: bool) -> Array:
        """What the products are added to."""
        kind, shape = self.atom.dtypes[0].numpy(), (len(rows), len(tile.lanes), tile.count * tile.folds)
        if not scale:
            return np.zeros(shape, kind)
        words = np.ascontiguousarray(self.issued.tensor.words[tile.at(rows)])
        return words.view(kind) if kind.itemsize == 4 else words.astype(np.uint16).view(kind)
