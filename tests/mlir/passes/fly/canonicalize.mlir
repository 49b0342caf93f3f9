// RUN: tilewright opt %s --fly-canonicalize | FileCheck %s

// One op makes int tuples.
// CHECK-LABEL: @one_maker
// CHECK-NOT: fly.make_shape
// CHECK-NOT: fly.make_coord
// CHECK: fly.make_int_tuple(%arg0) : (i32) -> !fly.int_tuple<(?,8)>
// CHECK: fly.make_int_tuple(%arg1) : (i32) -> !fly.int_tuple<?>
func.func @one_maker(%a: i32, %b: i32) -> (!fly.int_tuple<(?,8)>, !fly.int_tuple<?>) {
  %s = fly.make_shape(%a) : (i32) -> !fly.int_tuple<(?,8)>
  %c = fly.make_coord(%b) : (i32) -> !fly.int_tuple<?>
  return %s, %c : !fly.int_tuple<(?,8)>, !fly.int_tuple<?>
}

// What has just been put into a layout or a view is what is taken out.
// CHECK-LABEL: @parts
// CHECK: %[[S:.*]] = fly.make_int_tuple(%arg1)
// CHECK: %[[D:.*]] = fly.make_int_tuple()
// CHECK: %[[L:.*]] = fly.make_layout(%[[S]], %[[D]])
// CHECK-NOT: fly.get_
// CHECK: return %[[S]], %[[D]], %[[L]], %arg0 :
func.func @parts(%p: !fly.ptr<f32, global>, %n: i32) -> (!fly.int_tuple<(4,?)>, !fly.int_tuple<(1,4)>, !fly.layout<(4,?):(1,4)>, !fly.ptr<f32, global>) {
  %s = fly.make_int_tuple(%n) : (i32) -> !fly.int_tuple<(4,?)>
  %d = fly.static : !fly.int_tuple<(1,4)>
  %l = fly.make_layout(%s, %d) : (!fly.int_tuple<(4,?)>, !fly.int_tuple<(1,4)>) -> !fly.layout<(4,?):(1,4)>
  %v = fly.make_view(%p, %l) : (!fly.ptr<f32, global>, !fly.layout<(4,?):(1,4)>) -> !fly.memref<f32, global, (4,?):(1,4)>
  %a = fly.get_shape(%l) : (!fly.layout<(4,?):(1,4)>) -> !fly.int_tuple<(4,?)>
  %b = fly.get_stride(%l) : (!fly.layout<(4,?):(1,4)>) -> !fly.int_tuple<(1,4)>
  %c = fly.get_layout(%v) : (!fly.memref<f32, global, (4,?):(1,4)>) -> !fly.layout<(4,?):(1,4)>
  %e = fly.get_iter(%v) : (!fly.memref<f32, global, (4,?):(1,4)>) -> !fly.ptr<f32, global>
  return %a, %b, %c, %e : !fly.int_tuple<(4,?)>, !fly.int_tuple<(1,4)>, !fly.layout<(4,?):(1,4)>, !fly.ptr<f32, global>
}

// A static result is a value, also where an operand is an argument.
// CHECK-LABEL: @static_results
// CHECK-NOT: fly.logical_divide
// CHECK: %[[S:.*]] = fly.make_int_tuple() : () -> !fly.int_tuple<((2,2),(2,4))>
// CHECK: %[[D:.*]] = fly.make_int_tuple() : () -> !fly.int_tuple<((1,2),(4,8))>
// CHECK: fly.make_layout(%[[S]], %[[D]])
func.func @static_results(%l: !fly.layout<(4,8):(1,4)>) -> !fly.layout<((2,2),(2,4)):((1,2),(4,8))> {
  %t = fly.static : !fly.tile<[2|2]>
  %d = fly.logical_divide(%l, %t) : (!fly.layout<(4,8):(1,4)>, !fly.tile<[2|2]>) -> !fly.layout<((2,2),(2,4)):((1,2),(4,8))>
  return %d : !fly.layout<((2,2),(2,4)):((1,2),(4,8))>
}

// What rests on run-time integers stays, to be asserted where it is lowered.
// CHECK-LABEL: @rests_on_run_time
// CHECK: fly.logical_product
func.func @rests_on_run_time(%a: !fly.layout<?:1>, %b: !fly.layout<4:1>) -> !fly.layout<(?,4):(1,?)> {
  %p = fly.logical_product(%a, %b) : (!fly.layout<?:1>, !fly.layout<4:1>) -> !fly.layout<(?,4):(1,?)>
  return %p : !fly.layout<(?,4):(1,?)>
}
