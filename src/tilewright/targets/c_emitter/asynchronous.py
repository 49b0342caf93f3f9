"""Copies that go on by themselves, mbarriers, fences between proxies and the groups of warpgroup products, as PTX."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from xdsl.ir import SSAValue

from tilewright.errors import CompileError
from tilewright.ir.tile.address import AddressOp, AddressType
from tilewright.ir.tile.asynchronous import ALL, AsyncCommitOp, AsyncWaitOp, CpAsyncOp, FenceOp
from tilewright.ir.tile.bulk import BulkCopyOp, TensorCopyOp
from tilewright.ir.tile.cluster import StAsyncOp
from tilewright.ir.tile.mbarriers import MbarrierOp, MbarrierTestOp, MbarrierWaitOp
from tilewright.ir.tile.wgmma import WgmmaSyncOp
from tilewright.targets.c_emitter.clusters import arrival, is_remote, share
from tilewright.targets.c_emitter.clusters import shared as _shared
from tilewright.targets.c_emitter.instructions import need_assembly
from tilewright.targets.c_emitter.values import Expr
from tilewright.targets.c_emitter.writer import Handlers, Writer
from tilewright.targets.launch import where

FENCES: Mapping[str, str] = {
    "proxy.async": "fence.proxy.async;",
    "proxy.async.shared": "fence.proxy.async.shared::cta;",
    "proxy.async.global": "fence.proxy.async.global;",
    "mbarrier_init": "fence.mbarrier_init.release.cluster;",
}
COMMITS: Mapping[str, str] = {"cp": "cp.async.commit_group;", "bulk": "cp.async.bulk.commit_group;"}
WAITS: Mapping[str, str] = {
    "cp": "cp.async.wait_group {};",
    "bulk": "cp.async.bulk.wait_group {};",
    "bulk.read": "cp.async.bulk.wait_group.read {};",
}
WGMMA: Mapping[str, str] = {
    "fence": "wgmma.fence.sync.aligned;",
    "commit": "wgmma.commit_group.sync.aligned;",
    "wait": "wgmma.wait_group.sync.aligned {};",
}
_STATE = "{{ .reg .b64 state; {} }}"
# By what is done to an mbarrier at %0, with the number %1 where there is one.
MBARRIERS: Mapping[str, str] = {
    "init": "mbarrier.init.shared.b64 [%0], %1;",
    "inval": "mbarrier.inval.shared.b64 [%0];",
    "arrive": _STATE.format("mbarrier.arrive.shared.b64 state, [%0], %1;"),
    "expect_tx": "mbarrier.expect_tx.relaxed.cta.shared::cta.b64 [%0], %1;",
    "arrive.expect_tx": _STATE.format("mbarrier.arrive.expect_tx.shared.b64 state, [%0], %1;"),
    "cp_async.arrive": "cp.async.mbarrier.arrive.shared.b64 [%0];",
    "cp_async.arrive.noinc": "cp.async.mbarrier.arrive.noinc.shared.b64 [%0];",
}
_ARRIVE_ONCE = _STATE.format("mbarrier.arrive.shared.b64 state, [%0];")  # before Hopper there is no other
# Before Hopper a thread asks again and again; since then the machine may let it sleep for a while.
_TEST = """{function} bool tw_mbarrier_test(const void* barrier, unsigned int parity) {{
  const unsigned int at = static_cast<unsigned int>(__cvta_generic_to_shared(barrier));
  unsigned int done;
#if __CUDA_ARCH__ >= 900
  asm volatile("{{ .reg .pred p; mbarrier.try_wait.parity.shared.b64 p, [%1], %2; selp.u32 %0, 1, 0, p; }}"
               : "=r"(done) : "r"(at), "r"(parity) : "memory");
#else
  asm volatile("{{ .reg .pred p; mbarrier.test_wait.parity.shared.b64 p, [%1], %2; selp.u32 %0, 1, 0, p; }}"
               : "=r"(done) : "r"(at), "r"(parity) : "memory");
#endif
  return done != 0;
}}"""
_BULK: Mapping[str, str] = {
    "load": "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];",
    "store": "cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2;",
}
_REDUCED = "cp.reduce.async.bulk.global.shared::cta.bulk_group.{}.{} [%0], [%1], %2;"
# What of which type a bulk copy can reduce, by PTX's words.
_TYPES: Mapping[str, tuple[tuple[str, ...], str]] = {
    "float16": (("add",), "noftz.f16"),
    "bfloat16": (("add",), "noftz.bf16"),
    "float32": (("add",), "f32"),
    "float64": (("add",), "f64"),
    "int32": (("add", "min", "max"), "s32"),
    "uint32": (("add", "min", "max"), "u32"),
    "int64": (("min", "max"), "s64"),
    "uint64": (("add", "min", "max"), "u64"),
}
_BITS = ("and", "or", "xor")


def statement(text: str, *given: str) -> str:
    """An instruction without results.

    >>> statement("cp.async.wait_group 1;")
    'asm volatile("cp.async.wait_group 1;" ::: "memory");'
    """
    return f'asm volatile("{text}" ::{" " * bool(given)}{", ".join(given)}{" " * bool(given)}: "memory");'


def _address(out: Writer, op: AddressOp) -> None:
    need_assembly(out, op)
    out.exprs[op.result] = Expr(f"&{out.element(op.memory, op.indices)}", "", False)


def _global(out: Writer, address: SSAValue) -> str:
    return f'"l"({out.exprs[address].text})'


def _number(out: Writer, value: SSAValue) -> str:
    return f'"r"({out.exprs[value].cast("int").text})'


def _cp_async(out: Writer, op: CpAsyncOp) -> None:
    count = op.bytes.value.data
    cache = "cg" if count == 16 else "ca"
    size = [] if op.size is None else [_number(out, op.size)]
    text = f"cp.async.{cache}.shared.global [%0], [%1], {count}{', %2' * len(size)};"
    out.line(statement(text, _shared(out, op.dst), _global(out, op.src), *size))


def _commit(out: Writer, op: AsyncCommitOp) -> None:
    need_assembly(out, op)
    out.line(statement(COMMITS[op.kind.data]))


def _wait(out: Writer, op: AsyncWaitOp) -> None:
    need_assembly(out, op)
    pending = op.pending.value.data
    out.line(statement("cp.async.wait_all;" if pending == ALL else WAITS[op.kind.data].format(pending)))


def _fence(out: Writer, op: FenceOp) -> None:
    need_assembly(out, op)
    out.line(statement(FENCES[op.kind.data]))


def _wgmma_sync(out: Writer, op: WgmmaSyncOp) -> None:
    need_assembly(out, op)
    out.line(statement(WGMMA[op.kind.data].format(op.pending.value.data)))


def _mbarrier(out: Writer, op: MbarrierOp) -> None:
    kind = op.kind.data
    if op.number is not None and is_remote(op.barrier):
        out.line(statement(arrival(op), _shared(out, op.barrier), _number(out, op.number)))
    elif op.number is not None and op.order is not None:
        text = MBARRIERS[kind].replace(f"{kind}.", f"{kind}.{op.order.data}.cta.")
        out.line(statement(text, _shared(out, op.barrier), _number(out, op.number)))
    elif op.number is None or (kind == "arrive" and out.exprs[op.number].text == "1"):
        text = _ARRIVE_ONCE if kind == "arrive" else MBARRIERS[kind]
        out.line(statement(text, _shared(out, op.barrier)))
    else:
        out.line(statement(MBARRIERS[kind], _shared(out, op.barrier), _number(out, op.number)))


def _tested(out: Writer, op: MbarrierWaitOp | MbarrierTestOp) -> str:
    out.functions.setdefault("tw_mbarrier_test", _TEST.format(function=out.table.function))
    parity = out.exprs[op.parity].cast("unsigned int").text
    return f"tw_mbarrier_test({out.exprs[op.barrier].text}, {parity})"


def _mbarrier_wait(out: Writer, op: MbarrierWaitOp) -> None:
    out.line(f"while (!{_tested(out, op)}) {{}}")


def _mbarrier_test(out: Writer, op: MbarrierTestOp) -> None:
    out.define(op.result, Expr(_tested(out, op), "bool"), named=True)


def _bulk(out: Writer, op: BulkCopyOp) -> None:
    count = _number(out, op.bytes)
    if op.barrier is not None:
        shares = op.kind.data == "share"
        source = _shared(out, op.src) if shares else _global(out, op.src)
        ends = _shared(out, op.dst), source, count, _shared(out, op.barrier)
        out.line(statement(*_to_some(out, share(op) if shares else _BULK["load"], ends, op.mask)))
        return
    text = _BULK["store"] if op.reduction is None else _reduced(op, op.reduction.data)
    out.line(statement(text, _global(out, op.dst), _shared(out, op.src), count))


# Of so many dimensions: to a tile at %0 of the map at %1, or from there; the coordinates are between.
_TENSOR: Mapping[str, str] = {
    "load": "cp.async.bulk.tensor.{rank}d.shared::cluster.global.tile.mbarrier::complete_tx::bytes"
    " [%0], [%1, {{{at}}}], [%{last}];",
    "store": "cp.async.bulk.tensor.{rank}d.global.shared::cta.tile.bulk_group [%1, {{{at}}}], [%0];",
    "reduce": "cp.reduce.async.bulk.tensor.{rank}d.global.shared::cta.{how}.tile.bulk_group [%1, {{{at}}}], [%0];",
}


def _tensor(out: Writer, op: TensorCopyOp) -> None:
    need_assembly(out, op)
    rank = len(op.coordinates)
    listed = ", ".join(f"%{2 + number}" for number in range(rank))
    kind = op.kind.data if op.reduction is None else "reduce"
    how = "" if op.reduction is None else op.reduction.data
    text = _TENSOR[kind].format(rank=rank, at=listed, last=2 + rank, how=how)
    given = [_shared(out, op.tile), f'"l"(&{out.exprs[op.map].text})', *(_number(out, at) for at in op.coordinates)]
    given += [] if op.barrier is None else [_shared(out, op.barrier)]
    out.line(statement(*_to_some(out, text, given, op.mask)))


def _to_some(out: Writer, text: str, given: Sequence[str], mask: SSAValue | None) -> list[str]:
    """The instruction and its operands; with a mask it brings to several blocks of the cluster what it brings."""
    if mask is None:
        return [text, *given]
    name, space, rest = text.partition(" ")
    chosen = f'"h"({out.exprs[mask].cast("unsigned short").text})'
    return [f"{name}.multicast::cluster{space}{rest[:-1]}, %{len(given)};", *given, chosen]


# How st.async and red.async name the type of an element, and the letter of inline assembly.
_ELEMENTS: Mapping[str, tuple[str, str]] = {
    "int32": ("s32", "r"),
    "uint32": ("u32", "r"),
    "int64": ("s64", "l"),
    "uint64": ("u64", "l"),
    "float32": ("f32", "f"),
    "float64": ("f64", "d"),
}
_REDUCES: Mapping[str, Sequence[str]] = {
    **dict.fromkeys(("add", "min", "max"), ("s32", "u32")),
    **dict.fromkeys(_BITS, ("s32", "u32")),
}
_COMPLETES = "shared::cluster.mbarrier::complete_tx::bytes"


def _st_async(out: Writer, op: StAsyncOp) -> None:
    need_assembly(out, op)
    kind, barrier = op.dst.type, _shared(out, op.barrier)
    assert isinstance(kind, AddressType), "verified"
    name, letter = _ELEMENTS.get(kind.dtype.name, ("", ""))
    how = "" if op.reduction is None else op.reduction.data
    if not name or (how and name not in _REDUCES[how] and (how, name) != ("add", "u64")):
        raise CompileError(f"no instruction stores {kind.dtype} {how} asynchronously\n{where(op)}".replace("  ", " "))
    values = [f'"{letter}"({out.exprs[value].cast(kind.dtype.c_name).text})' for value in op.values]
    listed = ", ".join(f"%{2 + number}" for number in range(len(values)))
    if how:
        text = f"red.async.relaxed.cluster.{_COMPLETES}.{how}.{'b32' if how in _BITS else name} [%0], {listed}, [%1];"
    else:
        vector = f".v{len(values)}" * (len(values) > 1)
        told = f"{{{listed}}}" if vector else listed
        text = f"st.async.weak.{_COMPLETES}{vector}.{name} [%0], {told}, [%1];"
    out.line(statement(text, _shared(out, op.dst), barrier, *values))


def _reduced(op: BulkCopyOp, how: str) -> str:
    kind = op.dst.type
    assert isinstance(kind, AddressType), "verified"
    element = kind.dtype
    if how in _BITS and element.is_integer and element.bits in (32, 64):
        return _REDUCED.format(how, f"b{element.bits}")
    allowed, name = _TYPES.get(element.name, ((), ""))
    if how not in allowed:
        raise CompileError(f"bulk copies do not reduce {element} by {how}\n{where(op)}")
    return _REDUCED.format(how, name)


ASYNCHRONOUS: Handlers = {
    AddressOp: _address,
    CpAsyncOp: _cp_async,
    AsyncCommitOp: _commit,
    AsyncWaitOp: _wait,
    FenceOp: _fence,
    WgmmaSyncOp: _wgmma_sync,
    MbarrierOp: _mbarrier,
    MbarrierWaitOp: _mbarrier_wait,
    MbarrierTestOp: _mbarrier_test,
    BulkCopyOp: _bulk,
    TensorCopyOp: _tensor,
    StAsyncOp: _st_async,
}
