"""A Triton GPU dump, operation by operation: who accesses memory, and what it costs."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping

from tilewright.dumps.finding import Finding, Findings, Unknown, made_for, uncounted
from tilewright.dumps.repairs import repaired
from tilewright.dumps.triton import asynchronous as triton_asynchronous
from tilewright.dumps.triton import descriptor as triton_descriptor
from tilewright.dumps.triton import global_memory as triton_global
from tilewright.dumps.triton import reduce as triton_reduce
from tilewright.dumps.triton import shared as triton_shared
from tilewright.dumps.triton.context import Context, arch_of, chip_of, stranger
from tilewright.dumps.triton.repair import mend
from tilewright.dumps.triton.uncounted import names_shared, why_uncounted
from tilewright.errors import LayoutError, UsageError
from tilewright.notation.ttgir import read_dump
from tilewright.notation.ttgir_op import Dump, Op
from tilewright.notation.ttgir_places import Places
from tilewright.notation.ttgir_types import Types
from tilewright.numerals import natural

MOST_WARPS = 1 << 16
Reading = Callable[[Op, Context], Iterator[Finding | Unknown]]


def _follows_pointers(readings: Iterable[Reading]) -> bool:
    modules = (triton_global, triton_asynchronous)
    return any(reading.__module__ == module.__name__ for reading in readings for module in modules)


READINGS: dict[str, tuple[Reading, ...]] = {
    "ttg.local_load": (triton_shared.local_load,),
    "ttg.local_store": (triton_shared.local_store,),
    "ttg.local_alloc": (triton_shared.local_store,),
    "ttg.convert_layout": (triton_shared.convert_layout,),
    "ttg.async_copy_global_to_local": (triton_asynchronous.async_copy,),
    "tt.reduce": (triton_reduce.reduce,),
    "tt.load": (triton_global.load,),
    "tt.store": (triton_global.store,),
    "amdg.buffer_load": (triton_global.buffer_load,),
    "amdg.buffer_store": (triton_global.buffer_store,),
    "ttng.async_tma_copy_global_to_local": (triton_descriptor.bulk_copy,),
    "ttng.async_tma_copy_local_to_global": (triton_descriptor.bulk_copy,),
    "ttng.async_tma_reduce": (triton_descriptor.bulk_copy,),
    "ttng.async_tma_gather": (triton_descriptor.bulk_copy,),
    "ttng.async_tma_scatter": (triton_descriptor.bulk_copy,),
    "ttng.warp_group_dot": (triton_descriptor.wgmma,),
    "ttng.tc_gen5_mma": (triton_descriptor.tcgen05,),
    "ttng.tc_gen5_mma_scaled": (triton_descriptor.tcgen05,),
}


def analyse(text: str, arch: str | None = None) -> Findings:
    """Every access to memory of a Triton GPU dump, with what it costs and what would repair it.

    Wavefronts and sectors are those of all warps of one block, executing the operation once.

    Args:
        text: the dump, as `triton.compile` gives it under `asm["ttgir"]`, with locations or without.
        arch: instead of the dump's own `ttg.target`.

    Raises:
        NotationError: text that is no dump, or more than 2^20 characters of it.
        UsageError: an unknown architecture.

    >>> found = analyse('''
    ... #b = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [1], order = [0]}>
    ... #s = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
    ... %x = ttg.local_load %m : !ttg.memdesc<32xf16, #s, #ttg.shared_memory> -> tensor<32xf16, #b>
    ... ''', "sm_90")
    >>> [(one.line, one.instruction, one.wavefronts, one.ideal) for one in found.accesses]
    [(4, 'ld.shared.b16', 1, 1)]
    """
    dump = read_dump(text)
    spec = arch_of(dump.module.get("ttg.target", ""), arch)
    # Regions beside each other use the same names: what counts is the last definition before the use.
    defined: dict[str, Op] = {}
    lanes = natural(_number(dump.module, "ttg.threads-per-warp"), MOST_WARPS)
    context = Context(Types(dump.aliases), spec, defined, lanes=lanes, warps=_warps(dump))
    places = Places(dump.locations)
    known: dict[tuple[object, ...], tuple[Finding | Unknown, ...]] = {}
    found: list[Finding | Unknown] = []
    for op in dump.walk():
        source = places.source(op.location)
        if op.name == "tt.func":
            context.enter(op)
        defined |= dict.fromkeys((*op.results, *op.bindings), op)
        ones = _remembered(op, context, known)
        found += (one.at(op.line, source, context.accessed(op, one.operand)) for one in ones)
    target = dump.module.get("ttg.target", "")
    strange = "" if arch else stranger(target)
    told = [uncounted(one, strange) for one in found] if strange else repaired(found, mend)
    accesses = tuple(one for one in told if isinstance(one, Finding))
    left = tuple(one for one in told if isinstance(one, Unknown))
    return Findings(strange or spec.name, accesses, left, warnings=() if strange else made_for(chip_of(target), spec))


def _remembered(
    op: Op, context: Context, known: dict[tuple[object, ...], tuple[Finding | Unknown, ...]]
) -> tuple[Finding | Unknown, ...]:
    """What is found of the operation; alike operations are looked at once."""
    if op.name in READINGS and not _follows_pointers(READINGS[op.name]):
        key = (op.name, op.inputs, op.outputs, tuple(op.attributes.items()))
        if key not in known:
            known[key] = tuple(_found(op, context))
        return known[key]
    return tuple(_found(op, context))


def _number(module: Mapping[str, str], name: str) -> str:
    return module.get(name, "").partition(" ")[0]


def _warps(dump: Dump) -> tuple[int, ...]:
    """The warps of a block, then of its parts, `partition0(..) num_warps(2)`; none where the module says nothing."""
    words = [word for op in dump.walk() if op.name == "ttg.warp_specialize" for word in op.words]
    parts = [words[i + 2] for i, word in enumerate(words[:-2]) if word == "num_warps"]
    whole = natural(_number(dump.module, "ttg.num-warps"), MOST_WARPS)
    found = [natural(text, MOST_WARPS) for text in parts] if whole else []
    return tuple(dict.fromkeys(number for number in (whole, *found) if number))


def _found(op: Op, context: Context) -> Iterator[Finding | Unknown]:
    if op.name == "ttg.local_alloc" and not op.inputs:
        return
    if op.name in READINGS:
        for reading in READINGS[op.name]:
            yield from _refused(op, reading, context)
    elif why := why_uncounted(op, context.types):
        yield Unknown(op.name, why, names_shared(op, context.types))


def _refused(op: Op, reading: Reading, context: Context) -> Iterator[Finding | Unknown]:
    try:
        context.check_warps(op)
        yield from list(reading(op, context))
    except (LayoutError, UsageError) as error:
        yield Unknown(op.name, str(error).splitlines()[0], names_shared(op, context.types))
