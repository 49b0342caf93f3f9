"""Small modules for `tilewright run`, one for each op that dumps of MLIR hold."""

from __future__ import annotations

from collections.abc import Iterator

FRAME = """module {{
  gpu.module @m {{
    gpu.func @k(%a: memref<64xf32>, %b: memref<64xf32>) {own} kernel {{
      %t = gpu.thread_id x
      %c0 = arith.constant 0 : index
      %c4 = arith.constant 4 : index
      %f = arith.constant 1.0 : f32
      %i = arith.constant 3 : i32
      %tr = arith.constant true
      %v = arith.constant dense<1.0> : vector<4xf32>
      %m = arith.constant dense<true> : vector<4xi1>
      {body}
      gpu.return
    }}
  }}
}}
"""
WORKGROUP, PRIVATE = "workgroup(%w : memref<32xf32, 3>)", "private(%p : memref<1xf32, #gpu.address_space<private>>)"

# What is run, by the memory that the function has for itself.
RUN: dict[str, tuple[str, ...]] = {
    WORKGROUP: ("memref.store %f, %w[%t] : memref<32xf32, 3>\n gpu.barrier",),
    PRIVATE: ("memref.store %f, %p[%c0] : memref<1xf32, #gpu.address_space<private>>",),
    f"{WORKGROUP} {PRIVATE}": ("memref.store %f, %w[%t] : memref<32xf32, 3>",),
    "": (
        "%x = vector.load %a[%c4] : memref<64xf32>, vector<4xf32>",
        "%x = vector.load %a[%t] : memref<64xf32>, vector<2x2xf32>",
        "vector.store %v, %b[%t] : memref<64xf32>, vector<4xf32>",
        'cf.assert %tr, "x"',
        "%x = arith.divsi %i, %i : i32",
        "%x = math.exp %f : f32",
        "%x = vector.reduction <add>, %v : vector<4xf32> into f32",
        "%x = vector.fma %v, %v, %v : vector<4xf32>",
        "%x = gpu.block_dim x",
    ),
}
# What is refused, at its own line.
REFUSED = (
    "cf.br ^bb1\n^bb1:\n",
    "cf.cond_br %tr, ^bb1, ^bb2\n^bb1:\n cf.br ^bb2\n^bb2:\n",
    "cf.switch %i : i32, [ default: ^bb1, 42: ^bb1 ]\n^bb1:\n",
    "affine.for %j = 0 to 4 {\n}",
    "%x = affine.apply affine_map<(d0) -> (d0 + 1)>(%t)",
    "%x = scf.execute_region -> index {\n scf.yield %c0 : index\n}",
    "scf.forall (%j) in (4) {\n}",
    "%x = memref.get_global @foo : memref<2xf32>",
    "%x = memref.alloca(%c4) : memref<?xf32>",
    "%x = memref.subview %a[4][8][1] : memref<64xf32> to memref<8xf32, strided<[1], offset: 4>>",
    "memref.copy %a, %b : memref<64xf32> to memref<64xf32>",
    "%x = vector.transfer_read %a[%c0], %f : memref<64xf32>, vector<4xf32>",
    "vector.maskedstore %a[%c0], %m, %v : memref<64xf32>, vector<4xi1>, vector<4xf32>",
    "%x = arith.constant 5 : i37",
    "%x = arith.constant dense<[1,2]> : tensor<2xi32>",
    "%x = arith.remf %f, %f : f32",
    "%x = gpu.all_reduce add %f {} : (f32) -> (f32)",
    'gpu.printf "x"',
    "gpu.wait",
    "%x = tensor.empty() : tensor<4xf32>",
    "%x = index.constant 5",
    "%x = llvm.mlir.constant(1 : i32) : i32",
    "%x = vector.load %a[%t, %t] : memref<64xf32>, vector<4xf32>",
)


def modules() -> Iterator[tuple[str, str | None]]:
    """Each with what it is refused for: the line; None where it is run."""
    for own, bodies in RUN.items():
        yield from ((FRAME.format(own=own, body=body), None) for body in bodies)
    yield from ((FRAME.format(own="", body=body), body.split("\n")[0]) for body in REFUSED)
