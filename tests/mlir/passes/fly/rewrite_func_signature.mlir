// RUN: tilewright opt %s --fly-rewrite-func-signature | FileCheck %s
// RUN: tilewright opt %s --fly-rewrite-func-signature --fly-canonicalize --fly-layout-lowering | FileCheck %s --check-prefix=LOWERED

// What a type tells whole is no argument.
// CHECK-LABEL: @static
// CHECK-SAME: (%arg0: i32)
// CHECK: %[[T:.*]] = fly.static : !fly.tile<[4|8]>
// CHECK: fly.logical_divide(%{{.*}}, %[[T]])
func.func @static(%t: !fly.tile<[4|8]>, %x: i32, %l: !fly.layout<(16,16):(1,16)>, %unused: !fly.int_tuple<4>) {
  %d = fly.logical_divide(%l, %t) : (!fly.layout<(16,16):(1,16)>, !fly.tile<[4|8]>) -> !fly.layout<((4,4),(8,2)):((1,4),(16,128))>
  return
}

// Structures have fields for the parts that are known at run time only.
// CHECK-LABEL: @structures
// CHECK-SAME: (%arg0: !llvm.struct<packed (struct<packed (i32, i64)>)>, %arg1: !fly.ptr<f16, global>, %arg2: !llvm.struct<packed (struct<packed (struct<packed (i32)>)>, struct<packed (i32)>)>)
// CHECK-DAG: %[[S:.*]] = llvm.extractvalue %arg0[0]
// CHECK-DAG: llvm.extractvalue %[[S]][0]
// CHECK-DAG: llvm.extractvalue %[[S]][1]
// CHECK-DAG: fly.make_composed_layout
// CHECK-DAG: fly.make_view(%arg1, %{{.*}})
func.func @structures(%l: !fly.layout<(?,?{i64}):(1,8)>, %m: !fly.memref<f16, global, S<3,3,3> o ? o (8,?):(64,1)>) {
  %a = fly.size(%l) : (!fly.layout<(?,?{i64}):(1,8)>) -> !fly.int_tuple<?{i64}>
  %b = fly.get_shape(%m) : (!fly.memref<f16, global, S<3,3,3> o ? o (8,?):(64,1)>) -> !fly.int_tuple<(8,?)>
  return
}

// Calls, loops and branches change with what they carry.
// CHECK-LABEL: func.func private @taken(!fly.ptr<f32, shared>, !llvm.struct<packed (i32)>) -> !llvm.struct<packed (i32)>
func.func private @taken(!fly.memref<f32, shared, 8:1>, !fly.int_tuple<(4,?)>, !fly.int_tuple<2>) -> !fly.int_tuple<?>

// CHECK-LABEL: @carried
// CHECK: %[[PACKED:.*]] = llvm.insertvalue %{{.*}}, %{{.*}}[0] : !llvm.struct<packed (i32)>
// CHECK: %[[R:.*]]:2 = scf.for %{{.*}} = %{{.*}} to %{{.*}} step %{{.*}} iter_args(%[[P:.*]] = %{{.*}}, %[[N:.*]] = %[[PACKED]]) -> (!fly.ptr<f32, shared>, !llvm.struct<packed (i32)>) {
// CHECK:   %[[C:.*]] = func.call @taken(%[[P]], %[[N]]) : (!fly.ptr<f32, shared>, !llvm.struct<packed (i32)>) -> !llvm.struct<packed (i32)>
// CHECK:   llvm.extractvalue %[[C]][0]
// CHECK:   scf.yield %[[P]], %{{.*}} : !fly.ptr<f32, shared>, !llvm.struct<packed (i32)>
// CHECK: }
// CHECK: return %[[R]]#1 : !llvm.struct<packed (i32)>
func.func @carried(%p: !fly.ptr<f32, shared>, %n: i32, %a: index, %b: index, %c: index) -> !fly.int_tuple<(4,?)> {
  %l = fly.static : !fly.layout<8:1>
  %two = fly.static : !fly.int_tuple<2>
  %four = fly.static : !fly.int_tuple<4>
  %v = fly.make_view(%p, %l) : (!fly.ptr<f32, shared>, !fly.layout<8:1>) -> !fly.memref<f32, shared, 8:1>
  %s = fly.make_int_tuple(%n) : (i32) -> !fly.int_tuple<(4,?)>
  %r:2 = scf.for %i = %a to %b step %c iter_args(%x = %v, %y = %s) -> (!fly.memref<f32, shared, 8:1>, !fly.int_tuple<(4,?)>) {
    %z = func.call @taken(%x, %y, %two) : (!fly.memref<f32, shared, 8:1>, !fly.int_tuple<(4,?)>, !fly.int_tuple<2>) -> !fly.int_tuple<?>
    %w = fly.append(%four, %z) : (!fly.int_tuple<4>, !fly.int_tuple<?>) -> !fly.int_tuple<(4,?)>
    scf.yield %x, %w : !fly.memref<f32, shared, 8:1>, !fly.int_tuple<(4,?)>
  }
  return %r#1 : !fly.int_tuple<(4,?)>
}

// Launches pass what kernels take.
// CHECK: gpu.func @kernel(%arg0: !llvm.struct<packed (i32)>) kernel
// CHECK: gpu.launch_func
// CHECK-SAME: args(%{{.*}} : !llvm.struct<packed (i32)>)
module attributes {gpu.container_module} {
  gpu.module @kernels {
    gpu.func @kernel(%n: !fly.int_tuple<?>, %k: !fly.int_tuple<8>) kernel {
      %x = fly.get_scalar(%n) : (!fly.int_tuple<?>) -> i32
      gpu.return
    }
  }
  func.func @launch(%n: i32) {
    %c1 = arith.constant 1 : index
    %a = fly.make_int_tuple(%n) : (i32) -> !fly.int_tuple<?>
    %k = fly.static : !fly.int_tuple<8>
    gpu.launch_func @kernels::@kernel blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%a : !fly.int_tuple<?>, %k : !fly.int_tuple<8>)
    return
  }
}

// What a value asks stays asked where its type tells it whole, so that nothing carries it.
// CHECK-LABEL: func.func @asked(
// CHECK: %[[MADE:.*]] = fly.make_ordered_layout
// CHECK-NEXT: %[[SAID:.*]] = fly.static : !fly.layout<(4,8,2):(8,1,32)>
// CHECK-NEXT: %[[SAME:.*]] = fly.equal(%[[MADE]], %[[SAID]])
// CHECK-NEXT: cf.assert %[[SAME]], "fly.make_ordered_layout: the value is that of its type"
// LOWERED-LABEL: func.func @asked(
// LOWERED: cf.assert %{{.*}}, "fly.make_ordered_layout: b >= a"
// LOWERED-NOT: the value is that of its type
// LOWERED: return
func.func @asked(%a: i32, %b: i32) -> !fly.layout<(4,8,2):(8,1,32)> {
  %s = fly.make_int_tuple() : () -> !fly.int_tuple<(4,8,2)>
  %o = fly.make_int_tuple(%a, %b) : (i32, i32) -> !fly.int_tuple<(?,3,?)>
  %l = fly.make_ordered_layout(%s, %o) : (!fly.int_tuple<(4,8,2)>, !fly.int_tuple<(?,3,?)>) -> !fly.layout<(4,8,2):(8,1,32)>
  return %l : !fly.layout<(4,8,2):(8,1,32)>
}

// Where it asks nothing, nothing is asserted.
// CHECK-LABEL: func.func @unasked(
// CHECK-NOT: cf.assert
// CHECK: return
func.func @unasked(%a: i32) -> !fly.int_tuple<2> {
  %t = fly.make_int_tuple(%a) : (i32) -> !fly.int_tuple<(?,3)>
  %r = fly.rank(%t) : (!fly.int_tuple<(?,3)>) -> !fly.int_tuple<2>
  return %r : !fly.int_tuple<2>
}
