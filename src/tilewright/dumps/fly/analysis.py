"""A FlyDSL dump, at any stage before its LLVM dialect: who accesses memory in its kernels, and what it costs."""

from __future__ import annotations

from collections.abc import Iterator
from math import prod

import numpy as np

from tilewright.arch import ArchSpec, names
from tilewright.arch import get as get_arch
from tilewright.dumps.finding import Finding, Findings, Unknown, made_for, uncounted
from tilewright.dumps.fly.access import Threads
from tilewright.dumps.fly.arguments import NOTE
from tilewright.dumps.fly.gpu import identities
from tilewright.dumps.fly.readings import reading_of
from tilewright.dumps.fly.repair import mend_for
from tilewright.dumps.fly.run import ExhaustedError, Run
from tilewright.dumps.fly.values import Leaves
from tilewright.dumps.fly.visit import Accesses
from tilewright.dumps.repairs import repaired
from tilewright.errors import LayoutError
from tilewright.notation.ttgir import read_dump
from tilewright.notation.ttgir_op import Dump, Op
from tilewright.notation.ttgir_places import Places
from tilewright.numerals import integer

MOST_THREADS = 1024
OTHERS = ("llvm.func", "func.func")
DEFAULT, NEWER = "gfx942", "gfx950"
BRANCHING = ("llvm.cond_br", "llvm.switch", "cf.cond_br", "cf.switch")
BRANCHES = "branches between blocks are not followed: every block is looked at once, as if all threads came there"
ONE_WAVE = "a kernel without known_block_size is looked at with a block of one wave"
# Whose waves an unknown target is executed with.
NARROW = "gfx1201"


def analyse(text: str, arch: str | None = None) -> Findings:
    """Every access to memory of the kernels of a FlyDSL dump, with what it costs and what would repair it.

    One block is executed, as far as addresses need it: its wavefronts and sectors are those of all waves, executing
    the operation once; where executions differ, the one that costs most is shown.

    Args:
        text: a stage of `FLYDSL_DUMP_IR=1`, with locations or without.
        arch: instead of the module's target; where neither says one, gfx942, or gfx950 if its atoms are used.

    Raises:
        NotationError: text that is no MLIR, or more than 2^20 characters of it.
        UsageError: an unknown architecture is asked for; accesses of an unknown target are listed, not counted.

    >>> found = analyse('''gpu.module @m {
    ... gpu.func @k() kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    ...   %t = gpu.thread_id x
    ...   %i = arith.index_cast %t : index to i32
    ...   %b = fly.get_dyn_shared() : !fly.ptr<i8, shared, align<1024>>
    ...   %p = fly.recast_iter(%b) : (!fly.ptr<i8, shared, align<1024>>) -> !fly.ptr<f32, shared, align<1024>>
    ...   %c = fly.make_int_tuple(%i) : (i32) -> !fly.int_tuple<?>
    ...   %q = fly.add_offset(%p, %c) : (!fly.ptr<f32, shared, align<1024>>, !fly.int_tuple<?>) -> !fly.ptr<f32, shared>
    ...   %v = fly.ptr.load(%q) : (!fly.ptr<f32, shared>) -> f32
    ...   gpu.return
    ... }
    ... }''', "gfx942")
    >>> [(one.line, one.instruction, one.wavefronts, one.ideal) for one in found.accesses]
    [(9, 'ds_read_b32', 2, 2)]
    """
    dump = read_dump(text)
    spec, notes, strange = _arch(dump, text, arch)
    places = Places(dump.locations)
    found: list[Finding | Unknown] = []
    for kernel in _kernels(dump):
        visitor = Accesses(spec)
        shape = _block(kernel)
        notes += (ONE_WAVE,) * (shape is None and ONE_WAVE not in notes)
        why = _executed(kernel, visitor, spec, shape or (spec.lanes, 1, 1))
        for op in kernel.walk():
            source = places.source(op.location)
            found += (one.at(op.line, source, one.buffer) for one in visitor.of(op, why))
    told = [uncounted(one, strange) for one in found] if strange else repaired(found, mend_for(spec))
    accesses = tuple(one for one in told if isinstance(one, Finding))
    unknown = tuple(one for one in told if isinstance(one, Unknown))
    notes += (BRANCHES,) * any(op.name in BRANCHING for op in dump.walk())
    notes += (NOTE,) * bool(accesses)
    return Findings(strange or spec.name, accesses, unknown, notes, () if strange else made_for(_chip(dump), spec))


def _arch(dump: Dump, text: str, arch: str | None) -> tuple[ArchSpec, tuple[str, ...], str]:
    """What is counted for, what is said of that, and the name of the target where it is not known."""
    chip = _chip(dump)
    if arch is not None:
        return get_arch(arch), (), ""
    if chip:
        return get_arch(chip if chip in names() else NARROW), (), "" if chip in names() else chip
    name = NEWER if "cdna4" in text else DEFAULT
    return get_arch(name), (f"the module names no target; {name} is assumed, --arch says otherwise",), ""


def _chip(dump: Dump) -> str:
    """The target of the first module that has one; empty where none has."""
    for op in dump.walk():
        if op.name == "gpu.module":
            words = (*op.words, *(word for value in op.attributes.values() for word in value.split(" ")))
            chip = next((word.strip('"') for word in words if word.startswith(('"gfx', '"sm_'))), "")
            if chip:
                return chip.partition(":")[0]
    return ""


def _kernels(dump: Dump) -> Iterator[Op]:
    """Functions of a GPU, and others that access memory."""
    for op in dump.walk():
        if op.name == "gpu.func" or (op.name in OTHERS and any(reading_of(inner.name) for inner in op.walk())):
            yield op


def _executed(kernel: Op, visitor: Accesses, spec: ArchSpec, shape: tuple[int, int, int]) -> str:
    """Executes the kernel; why an operation of it may not have been reached."""
    count = prod(shape)
    threads = Threads(count, np.ones(count, bool), Leaves(), spec.lanes)
    try:
        Run(threads, visitor, identities(shape, spec.lanes)).kernel(kernel)
    except ExhaustedError:
        return "more operations come before it than are executed here"
    return "no thread of the block that is looked at reaches it"


def _block(kernel: Op) -> tuple[int, int, int] | None:
    """The threads of a block along each axis; None where the kernel does not say."""
    for name in ("known_block_size", "gpu.known_block_size", "rocdl.reqd_work_group_size"):
        known = kernel.integers(name)
        if known and len(known) == 3 and min(known) > 0:
            if prod(known) > MOST_THREADS:
                raise LayoutError(f"a block of {prod(known)} threads; at most {MOST_THREADS} are executed")
            return known[0], known[1], known[2]
    flat = integer(kernel.attributes.get("rocdl.flat_work_group_size", "").strip('"').rpartition(",")[2], MOST_THREADS)
    return (flat, 1, 1) if flat else None
