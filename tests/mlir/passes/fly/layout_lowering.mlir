// RUN: tilewright opt %s --fly-layout-lowering | FileCheck %s

// The shape of a layout is the operand that it was made of.
// CHECK-LABEL: @shape_is_the_operand
// CHECK: %[[S:.*]] = fly.make_int_tuple(%arg0) : (i32) -> !fly.int_tuple<(4,?)>
// CHECK-NOT: fly.make_layout
// CHECK: return %[[S]]
func.func @shape_is_the_operand(%n: i32) -> !fly.int_tuple<(4,?)> {
  %s = fly.make_int_tuple(%n) : (i32) -> !fly.int_tuple<(4,?)>
  %d = fly.static : !fly.int_tuple<(1,4)>
  %l = fly.make_layout(%s, %d) : (!fly.int_tuple<(4,?)>, !fly.int_tuple<(1,4)>) -> !fly.layout<(4,?):(1,4)>
  %g = fly.get_shape(%l) : (!fly.layout<(4,?):(1,4)>) -> !fly.int_tuple<(4,?)>
  return %g : !fly.int_tuple<(4,?)>
}

// A swizzle is applied to the offset, which is computed once.
// CHECK-LABEL: @swizzled
// CHECK: %[[C64:.*]] = arith.constant 64 : i32
// CHECK: %[[ROW:.*]] = arith.muli %arg0, %[[C64]] : i32
// CHECK: %[[OFF:.*]] = arith.addi %[[ROW]], %arg1 : i32
// CHECK: %[[MASK:.*]] = arith.constant 448 : i32
// CHECK: %[[BITS:.*]] = arith.andi %[[OFF]], %[[MASK]] : i32
// CHECK: %[[C3:.*]] = arith.constant 3 : i32
// CHECK: %[[DOWN:.*]] = arith.shrui %[[BITS]], %[[C3]] : i32
// CHECK: %[[R:.*]] = arith.xori %[[OFF]], %[[DOWN]] : i32
// CHECK-NEXT: return %[[R]] : i32
func.func @swizzled(%i: i32, %j: i32) -> i32 {
  %s = fly.static : !fly.swizzle<S<3,3,3>>
  %o = fly.static : !fly.int_tuple<0>
  %l = fly.static : !fly.layout<(8,64):(64,1)>
  %cl = fly.make_composed_layout(%s, %o, %l) : (!fly.swizzle<S<3,3,3>>, !fly.int_tuple<0>, !fly.layout<(8,64):(64,1)>) -> !fly.composed_layout<S<3,3,3> o 0 o (8,64):(64,1)>
  %c = fly.make_coord(%i, %j) : (i32, i32) -> !fly.int_tuple<(?,?)>
  %x = fly.crd2idx(%c, %cl) : (!fly.int_tuple<(?,?)>, !fly.composed_layout<S<3,3,3> o 0 o (8,64):(64,1)>) -> !fly.int_tuple<?>
  %r = fly.get_scalar(%x) : (!fly.int_tuple<?>) -> i32
  return %r : i32
}

// There and back is nothing at all.
// CHECK-LABEL: @there_and_back
// CHECK-NOT: arith
// CHECK: return %arg0 : i32
func.func @there_and_back(%i: i32) -> i32 {
  %l = fly.static : !fly.layout<(4,8):(1,4)>
  %t = fly.make_int_tuple(%i) : (i32) -> !fly.int_tuple<?>
  %x = fly.crd2idx(%t, %l) : (!fly.int_tuple<?>, !fly.layout<(4,8):(1,4)>) -> !fly.int_tuple<?>
  %r = fly.get_scalar(%x) : (!fly.int_tuple<?>) -> i32
  return %r : i32
}

// Integers are split as C divides; what divides is asserted to be positive, once.
// CHECK-LABEL: @split
// CHECK: cf.assert %{{.*}}, "fly.crd2idx: divides by n, which is to be positive"
// CHECK-NOT: cf.assert
// CHECK-DAG: arith.remsi %arg0, %arg1 : i32
// CHECK-DAG: arith.divsi %arg0, %arg1 : i32
// CHECK: return
func.func @split(%i: i32, %n: i32, %ld: i32) -> (i32, i32) {
  %s = fly.make_shape(%n) : (i32) -> !fly.int_tuple<(?,3)>
  %d = fly.make_stride(%ld) : (i32) -> !fly.int_tuple<(?,1)>
  %l = fly.make_layout(%s, %d) : (!fly.int_tuple<(?,3)>, !fly.int_tuple<(?,1)>) -> !fly.layout<(?,3):(?,1)>
  %t = fly.make_int_tuple(%i) : (i32) -> !fly.int_tuple<?>
  %x = fly.crd2idx(%t, %l) : (!fly.int_tuple<?>, !fly.layout<(?,3):(?,1)>) -> !fly.int_tuple<?>
  %a = fly.get_scalar(%x) : (!fly.int_tuple<?>) -> i32
  %b = fly.get_scalar(%x) : (!fly.int_tuple<?>) -> i32
  return %a, %b : i32, i32
}

// What the algebra had to assume is asserted beside the result, whoever takes it.
// CHECK-LABEL: @assumed
// CHECK: cf.assert %{{.*}}, "fly.recast_layout: m % 2 == 0"
// CHECK: return
func.func @assumed(%n: i32, %m: i32) -> !fly.int_tuple<?> {
  %s = fly.make_shape(%n, %m) : (i32, i32) -> !fly.int_tuple<(?,?)>
  %d = fly.make_stride(%m) : (i32) -> !fly.int_tuple<(?,1)>
  %l = fly.make_layout(%s, %d) : (!fly.int_tuple<(?,?)>, !fly.int_tuple<(?,1)>) -> !fly.layout<(?,?):(?,1)>
  %r = fly.recast_layout(%l) {new_type_bits = 16 : i32, old_type_bits = 8 : i32} : (!fly.layout<(?,?):(?,1)>) -> !fly.layout<(?,?):(?,1)>
  %z = fly.size(%r) : (!fly.layout<(?,?):(?,1)>) -> !fly.int_tuple<?>
  return %z : !fly.int_tuple<?>
}

// A promise of the type is asserted, unless it is proved.
// CHECK-LABEL: @promised
// CHECK: %[[C64:.*]] = arith.constant 64 : i32
// CHECK-NEXT: fly.make_int_tuple(%[[C64]])
// CHECK: cf.assert %{{.*}}, "fly.make_int_tuple: n % 8 == 0"
// CHECK: fly.make_int_tuple(%arg0)
func.func @promised(%n: i32) -> (!fly.int_tuple<?{div=8}>, !fly.int_tuple<?{div=8}>) {
  %c64 = arith.constant 64 : i32
  %a = fly.make_int_tuple(%c64) : (i32) -> !fly.int_tuple<?{div=8}>
  %b = fly.make_int_tuple(%n) : (i32) -> !fly.int_tuple<?{div=8}>
  return %a, %b : !fly.int_tuple<?{div=8}>, !fly.int_tuple<?{div=8}>
}

// A view is a moved pointer under the layout that is left.
// CHECK-LABEL: @tile
// CHECK-DAG: arith.remsi %arg4, %{{.*}} : i32
// CHECK-DAG: arith.divsi %arg4, %{{.*}} : i32
// CHECK: %[[OFF:.*]] = fly.make_int_tuple(%{{.*}}) : (i64) -> !fly.int_tuple<?{i64 div=32}>
// CHECK: %[[P:.*]] = fly.add_offset(%arg0, %[[OFF]])
// CHECK: %[[L:.*]] = fly.make_layout
// CHECK: %[[V:.*]] = fly.make_view(%[[P]], %[[L]])
// CHECK: return %[[V]]
func.func @tile(%p: !fly.ptr<f32, global>, %m: i32, %n: i32, %ld: i64, %b: i32) -> !fly.memref<f32, global, (64,32):(?{i64},1)> {
  %s = fly.make_shape(%m, %n) : (i32, i32) -> !fly.int_tuple<(?,?)>
  %d = fly.make_stride(%ld) : (i64) -> !fly.int_tuple<(?{i64},1)>
  %l = fly.make_layout(%s, %d) : (!fly.int_tuple<(?,?)>, !fly.int_tuple<(?{i64},1)>) -> !fly.layout<(?,?):(?{i64},1)>
  %v = fly.make_view(%p, %l) : (!fly.ptr<f32, global>, !fly.layout<(?,?):(?{i64},1)>) -> !fly.memref<f32, global, (?,?):(?{i64},1)>
  %t = fly.static : !fly.tile<[64|32]>
  %r = fly.zipped_divide(%v, %t) : (!fly.memref<f32, global, (?,?):(?{i64},1)>, !fly.tile<[64|32]>) -> !fly.memref<f32, global, ((64,32),(?,?)):((?{i64},1),(?{i64 div=64},32))>
  %c = fly.make_coord(%b) : (i32) -> !fly.int_tuple<(*,?)>
  %w = fly.slice(%r, %c) : (!fly.memref<f32, global, ((64,32),(?,?)):((?{i64},1),(?{i64 div=64},32))>, !fly.int_tuple<(*,?)>) -> !fly.memref<f32, global, (64,32):(?{i64},1)>
  return %w : !fly.memref<f32, global, (64,32):(?{i64},1)>
}

// An element is behind a moved pointer; that it lies within the view is asserted where it is not proved.
// CHECK-LABEL: @element
// CHECK: %[[P:.*]] = fly.make_ptr() {dictAttrs = {allocSize = 32 : i64}}
// CHECK: %[[IN:.*]] = arith.cmpi ult, %arg0, %{{.*}} : i32
// CHECK: cf.assert %[[IN]], "mode 0 of a view, which has extent 4" {tile.bounds}
// CHECK-NOT: cf.assert
// CHECK: %[[Q:.*]] = fly.add_offset(%[[P]], %{{.*}})
// CHECK: fly.ptr.store(%arg1, %[[Q]])
// CHECK: fly.ptr.load(%[[Q]])
func.func @element(%i: i32, %x: f32) -> f32 {
  %l = fly.static : !fly.layout<(4,8):(1,4)>
  %m = fly.memref.alloca(%l) : (!fly.layout<(4,8):(1,4)>) -> !fly.memref<f32, register, (4,8):(1,4)>
  %c = fly.make_coord(%i) : (i32) -> !fly.int_tuple<(?,7)>
  fly.memref.store(%x, %m, %c) : (f32, !fly.memref<f32, register, (4,8):(1,4)>, !fly.int_tuple<(?,7)>) -> ()
  %r = fly.memref.load(%m, %c) : (!fly.memref<f32, register, (4,8):(1,4)>, !fly.int_tuple<(?,7)>) -> f32
  return %r : f32
}

// Comparisons are of leaves.
// CHECK-LABEL: @compared
// CHECK-DAG: arith.cmpi eq, %arg0, %arg1 : i32
// CHECK-DAG: arith.cmpi slt, %arg0, %arg1 : i32
// CHECK: return
func.func @compared(%a: i32, %b: i32) -> (i1, i1, i1) {
  %x = fly.make_coord(%a) : (i32) -> !fly.int_tuple<(?,3)>
  %y = fly.make_coord(%b) : (i32) -> !fly.int_tuple<(?,3)>
  %z = fly.make_coord(%b) : (i32) -> !fly.int_tuple<(?,4)>
  %e = fly.equal(%x, %y) : (!fly.int_tuple<(?,3)>, !fly.int_tuple<(?,3)>) -> i1
  %f = fly.equal(%x, %z) : (!fly.int_tuple<(?,3)>, !fly.int_tuple<(?,4)>) -> i1
  %g = fly.elem_less(%x, %z) : (!fly.int_tuple<(?,3)>, !fly.int_tuple<(?,4)>) -> i1
  return %e, %f, %g : i1, i1, i1
}

// Arguments are opened where they come in.
// CHECK-LABEL: @argument
// CHECK: %[[S:.*]] = fly.get_shape(%arg0)
// CHECK: %[[N:.*]] = fly.get_leaves(%[[S]]) {dynamicOnly = true}
// CHECK: %[[R:.*]] = arith.muli %[[N]], %{{.*}} : i32
// CHECK: return %[[R]]
func.func @argument(%l: !fly.layout<(?,8):(1,16)>) -> i32 {
  %z = fly.size(%l) : (!fly.layout<(?,8):(1,16)>) -> !fly.int_tuple<?{div=8}>
  %r = fly.get_scalar(%z) : (!fly.int_tuple<?{div=8}>) -> i32
  return %r : i32
}
