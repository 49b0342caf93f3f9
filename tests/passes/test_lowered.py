"""What `lower-buffers` keeps of each access: its line, its name, what else is said of it; and the order of views."""

from __future__ import annotations

from xdsl.dialects import memref
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation

from tilewright.ir.core.location import place
from tilewright.ir.tile import ops as tile
from tilewright.ir.tile.address import AddressOp
from tilewright.ir.tile.atoms import AtomOp
from tilewright.ir.tile.ordered import OrderedOp
from tilewright.passes.pipeline import run
from tilewright.script import tirx as T

MEMORY = (
    memref.LoadOp,
    memref.StoreOp,
    memref.AllocaOp,
    tile.LoadOp,
    tile.StoreOp,
    tile.AllocBufferOp,
    tile.AtomicOp,
    AddressOp,
    AtomOp,
    OrderedOp,
)


@T.prim_func
def accesses(A: T.Buffer((8, 8), "float32"), F: T.Buffer((4, 2), "uint32")):
    T.device_entry()
    T.cta_id([1])
    t = T.thread_id([32])
    pool = T.SMEMPool()
    first = pool.alloc((4, 8), "float32", align=128)
    second = pool.alloc((4, 8), "float32", align=128)
    own = T.alloc_local((2, 4), "float32")
    seen = T.alloc_local((1, 1), "uint32")
    value = A[t // 8, t % 8]
    first[t // 8, t % 8] = value
    second[t // 8, t % 8] = first[t // 8, t % 8]
    T.copy_atom("UniversalCopy32b", own[1, 0], A[t // 8 + 4, t % 8])
    T.cuda.atomic_add(F.ptr_to([t // 8, 0]), T.uint32(1))
    T.ptx.ld.acquire.gpu.global_.u32(seen[0, 0], F.ptr_to([t // 8, 1]))
    T.ptx.st.relaxed.gpu.global_.u32(F.ptr_to([t // 8, 1]), seen[0, 0])
    A[t // 8, t % 8] = own[1, 0] + second[t // 8, t % 8]


def found(module: ModuleOp) -> list[Operation]:
    return [op for op in module.walk() if isinstance(op, MEMORY)]


def hints(op: Operation) -> list[str | None]:
    return [result.name_hint for result in op.results]


def test_each_access_keeps_its_line_its_name_and_what_is_said_of_it() -> None:
    before, after = (found(run(accesses.module, stage, verify_each=True).module) for stage in ("dispatched", "lowered"))
    assert [place(op) for op in before] == [place(op) for op in after]
    assert all(place(op) for op in after)
    for old, new in zip(before, after, strict=True):
        assert old.attributes.items() <= new.attributes.items()
        assert [hint for hint in hints(old) if hint] == [hint for hint in hints(new) if hint]
    kept = {type(op) for op in after}
    assert {memref.LoadOp, memref.StoreOp, memref.AllocaOp, tile.AtomicOp} <= kept
    assert any(op.attributes for op in after if isinstance(op, memref.AllocaOp))


def test_views_of_views_are_gone() -> None:
    lowered = run(accesses.module, "lowered").module
    assert not any(op.name in ("tile.match_buffer", "tile.storage", "tile.alloc_buffer") for op in lowered.walk())
