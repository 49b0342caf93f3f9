"""An instruction for each row of the table of machines, as PTX writes it, and which of them ptxas takes."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from tilewright.errors import CompileError
from tilewright.targets.cuda.nvrtc import compile_cubin

_REGISTERS = (
    ".reg .b32 r<16>; .reg .b64 q<8>; .reg .f32 f<16>; .reg .b16 h<8>; .reg .pred p<2>; .reg .b8 b<2>; .reg .b128 w<2>;"
)
_EIGHT, _HALVES = "{f0,f1,f2,f3,f4,f5,f6,f7}", "{h0,h1,h2,h3,h4,h5,h6,h7}"
SAMPLES: Mapping[str, str] = {
    "movmatrix": "movmatrix.sync.aligned.m8n8.trans.b16 r0, r1;",
    "tanh": "tanh.approx.f32 f0, f1;",
    "ldmatrix m8n8": "ldmatrix.sync.aligned.m8n8.x1.shared.b16 {r0}, [r1];",
    "redux_sync": "redux.sync.add.u32 r0, r1, r2;",
    "cp async": "cp.async.ca.shared.global [r0], [q0], 4;",
    "mbarrier": "mbarrier.test_wait.parity.shared.b64 p0, [r1], r2;",
    "relu": "cvt.rn.relu.f16x2.f32 r0, f0, f1;",
    "cvt rn f16x2 f32": "cvt.rn.f16x2.f32 r0, f0, f1;",
    "cvt rn bf16x2 f32": "cvt.rn.bf16x2.f32 r0, f0, f1;",
    "cvt rna tf32 f32": "cvt.rna.tf32.f32 r0, f0;",
    "fma bf16x2": "fma.rn.bf16x2 r0, r1, r2, r3;",
    "neg bf16x2": "neg.bf16x2 r0, r1;",
    "mma sp::ordered_metadata": "mma.sp::ordered_metadata.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 "
    "{f0,f1,f2,f3}, {r0,r1}, {r2,r3}, {f4,f5,f6,f7}, r8, 0x0;",
    "cvt e4m3x2": "cvt.rn.satfinite.e4m3x2.f32 h0, f0, f1;",
    "cvt e5m2x2": "cvt.rn.satfinite.e5m2x2.f16x2 h0, r0;",
    "cvt rn tf32 f32": "cvt.rn.tf32.f32 r0, f0;",
    "add bf16x2": "add.rn.bf16x2 r0, r1, r2;",
    "sub bf16x2": "sub.rn.bf16x2 r0, r1, r2;",
    "mul bf16x2": "mul.rn.bf16x2 r0, r1, r2;",
    "stmatrix m8n8": "stmatrix.sync.aligned.m8n8.x1.shared.b16 [r1], {r0};",
    "mbarrier expect_tx": "mbarrier.arrive.expect_tx.shared.b64 q0, [r0], r1;",
    "mbarrier try_wait": "mbarrier.try_wait.parity.shared.b64 p0, [r0], r1;",
    "cluster": "fence.acq_rel.cluster;",
    "shared::cluster": "ld.shared::cluster.u32 r0, [r1];",
    "bulk": "cp.async.bulk.commit_group;",
    "fence proxy async": "fence.proxy.async;",
    "fence mbarrier_init": "fence.mbarrier_init.release.cluster;",
    "st async": "st.async.shared::cluster.mbarrier::complete_tx::bytes.u32 [r0], r1, [r2];",
    "red async": "red.async.relaxed.cluster.shared::cluster.mbarrier::complete_tx::bytes.add.u32 [r0], r1, [r2];",
    "mapa": "mapa.shared::cluster.u32 r0, r1, r2;",
    "atom v2": "atom.global.add.v2.f32 {f0,f1}, [q0], {f2,f3};",
    "atom v4": "atom.global.add.v4.f32 {f0,f1,f2,f3}, [q0], {f4,f5,f6,f7};",
    "atom v8": f"atom.global.add.noftz.v8.f16 {_HALVES}, [q0], {_HALVES};",
    "red v2": "red.global.add.v2.f32 [q0], {f0,f1};",
    "red v4": "red.global.add.v4.f32 [q0], {f0,f1,f2,f3};",
    "red v8": f"red.global.add.noftz.v8.f16 [q0], {_HALVES};",
    "atom bf16": "atom.global.add.noftz.bf16 h0, [q0], h1;",
    "red bf16": "red.global.add.noftz.bf16 [q0], h1;",
    "atom bf16x2": "atom.global.add.noftz.bf16x2 r0, [q0], r1;",
    "red bf16x2": "red.global.add.noftz.bf16x2 [q0], r1;",
    "setmaxnreg": "setmaxnreg.inc.sync.aligned.u32 64;",
    "wgmma": "wgmma.fence.sync.aligned;",
    "f32x2": "fma.rn.f32x2 q0, q1, q2, q3;",
    "ld v8": f"ld.global.v8.f32 {_EIGHT}, [q0];",
    "st v8": f"st.global.v8.f32 [q0], {_EIGHT};",
    "cvt e2m3x2": "cvt.rn.satfinite.e2m3x2.f32 h0, f0, f1;",
    "cvt e3m2x2": "cvt.rn.f16x2.e3m2x2 r0, h0;",
    "cvt e2m1x2": "cvt.rn.satfinite.e2m1x2.f32 b0, f0, f1;",
    "cvt ue8m0x2": "cvt.rz.satfinite.ue8m0x2.f32 h0, f0, f1;",
    "ldmatrix m16n16": "ldmatrix.sync.aligned.m16n16.x1.trans.shared.b8 {r0,r1}, [r2];",
    "ldmatrix m8n16": "ldmatrix.sync.aligned.m8n16.x1.shared.b8x16.b6x16_p32 {r0}, [r2];",
    "stmatrix m16n8": "stmatrix.sync.aligned.m16n8.x1.trans.shared.b8 [r2], {r0};",
    "tcgen05": "tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [r0], 32;",
    "tcgen05 ld red": "tcgen05.ld.red.sync.aligned.32x32b.x2.min.f32 {f0,f1}, f2, [r1];",
}
FUNCTIONS: Mapping[str, str] = {"elect.sync": "elect.sync _|p0, 0xffffffff;"}
# On every machine here: `match` and `vote` of some lanes, shuffles, lop3, a nap, products of Volta.
EVERYWHERE = (
    "match.any.sync.b32 r0, r1, 0xffffffff;",
    "match.all.sync.b32 r0, r1, 0xffffffff;",
    "vote.sync.ballot.b32 r0, p0, 0xffffffff;",
    "shfl.sync.idx.b32 r0, r1, 0, 31, 0xffffffff;",
    "nanosleep.u32 r0;",
    "lop3.b32 r0, r1, r2, r3, 0xe8;",
    "red.global.add.noftz.f16x2 [q0], r0;",
    "fence.sc.gpu;",
)
_WRONG = "mov.u32 q0, r1;"  # on every machine
_STEP = 3  # lines of PTX that a line of inline PTX becomes: there is a comment before it, and one behind


def words(sample: str) -> frozenset[str]:
    """The words of an instruction, as the table has them."""
    return frozenset(sample.split()[0].rstrip(";").replace("redux.sync", "redux_sync").split("."))


def taken(samples: Sequence[str], arch: str) -> list[bool]:
    """Which of the instructions ptxas has for the machine; the lines of its complaints tell."""
    lines = "".join(f'asm volatile("{{ {_REGISTERS} {sample} }}");\n' for sample in (_WRONG, *samples))
    try:
        compile_cubin(f'extern "C" __global__ void k() {{\n{lines}}}', arch)
    except CompileError as error:
        found = {int(line) for line in re.findall(r"ptx input, line (\d+); error", str(error))}
    first = min(found)
    assert all((line - first) % _STEP == 0 for line in found), "a line is no sample's"
    return [first + _STEP * (number + 1) not in found for number in range(len(samples))]
