// RUN: tilewright opt %s --fly-promote-regmem-to-vectorssa --verify-each | FileCheck %s

// An allocation is a vector: stores make a new one, loads take a part.
// CHECK-LABEL: func.func @parts
// CHECK-NOT: register
func.func @parts(%x: f32, %v: vector<2xf32>, %out: !fly.ptr<f32, global>) {
  // CHECK: [[P:%.+]] = ub.poison : vector<4xf32>
  %r = fly.make_ptr() {dictAttrs = {allocSize = 4 : i64}} : () -> !fly.ptr<f32, register>
  // CHECK-NEXT: [[S:%.+]] = vector.insert %arg0, [[P]] [0] : f32 into vector<4xf32>
  fly.ptr.store(%x, %r) : (f32, !fly.ptr<f32, register>) -> ()
  %one = fly.make_int_tuple() : () -> !fly.int_tuple<1>
  %two = fly.make_int_tuple() : () -> !fly.int_tuple<2>
  %r1 = fly.add_offset(%r, %one) : (!fly.ptr<f32, register>, !fly.int_tuple<1>) -> !fly.ptr<f32, register>
  %r2 = fly.add_offset(%r, %two) : (!fly.ptr<f32, register>, !fly.int_tuple<2>) -> !fly.ptr<f32, register>
  // CHECK-NEXT: [[T:%.+]] = vector.insert_strided_slice %arg1, [[S]] {offsets = [2], strides = [1]} : vector<2xf32> into vector<4xf32>
  fly.ptr.store(%v, %r2) : (vector<2xf32>, !fly.ptr<f32, register>) -> ()
  // CHECK-NEXT: [[U:%.+]] = vector.extract_strided_slice [[T]] {offsets = [1], sizes = [2], strides = [1]} : vector<4xf32> to vector<2xf32>
  %u = fly.ptr.load(%r1) : (!fly.ptr<f32, register>) -> vector<2xf32>
  // CHECK-NEXT: fly.ptr.store([[U]], %arg2)
  fly.ptr.store(%u, %out) : (vector<2xf32>, !fly.ptr<f32, global>) -> ()
  func.return
}

// The same bits as other elements.
// CHECK-LABEL: func.func @other_types
func.func @other_types(%v: vector<2xf8E4M3FN>, %out: !fly.ptr<i16, global>) {
  // CHECK: [[P:%.+]] = ub.poison : vector<2xi8>
  %r = fly.make_ptr() {dictAttrs = {allocSize = 2 : i64}} : () -> !fly.ptr<f8E4M3FN, register>
  // CHECK-NEXT: [[B:%.+]] = vector.bitcast %arg0 : vector<2xf8E4M3FN> to vector<2xi8>
  // CHECK-NEXT: [[S:%.+]] = vector.insert_strided_slice [[B]], [[P]]
  fly.ptr.store(%v, %r) : (vector<2xf8E4M3FN>, !fly.ptr<f8E4M3FN, register>) -> ()
  // CHECK-NEXT: [[L:%.+]] = vector.extract_strided_slice [[S]] {offsets = [0], sizes = [2], strides = [1]}
  // CHECK-NEXT: [[W:%.+]] = vector.bitcast [[L]] : vector<2xi8> to vector<1xi16>
  // CHECK-NEXT: [[X:%.+]] = vector.extract [[W]][0] : i16 from vector<1xi16>
  %x = fly.ptr.load(%r) : (!fly.ptr<f8E4M3FN, register>) -> i16
  // CHECK-NEXT: fly.ptr.store([[X]], %arg1)
  fly.ptr.store(%x, %out) : (i16, !fly.ptr<i16, global>) -> ()
  func.return
}

// A loop carries what something in it touches, after what it carried already; a missing branch gives it back.
// CHECK-LABEL: func.func @carried
func.func @carried(%n: index, %p: i1, %x: f32) -> (f32, f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = fly.make_ptr() {dictAttrs = {allocSize = 1 : i64}} : () -> !fly.ptr<f32, register>
  %untouched = fly.make_ptr() {dictAttrs = {allocSize = 1 : i64}} : () -> !fly.ptr<f32, register>
  // CHECK: [[R0:%.+]] = vector.insert %arg2, %{{.+}} [0] : f32 into vector<1xf32>
  fly.ptr.store(%x, %r) : (f32, !fly.ptr<f32, register>) -> ()
  fly.ptr.store(%x, %untouched) : (f32, !fly.ptr<f32, register>) -> ()
  // CHECK-NEXT: [[FOR:%.+]]:2 = scf.for %arg3 = %c0 to %arg0 step %c1 iter_args(%arg4 = %arg2, %arg5 = [[R0]]) -> (f32, vector<1xf32>)
  %sum = scf.for %i = %c0 to %n step %c1 iter_args(%s = %x) -> (f32) {
    // CHECK-NEXT: [[IF:%.+]] = scf.if %arg1 -> (vector<1xf32>)
    scf.if %p {
      // CHECK: vector.extract %arg5[0]
      %y = fly.ptr.load(%r) : (!fly.ptr<f32, register>) -> f32
      %z = arith.addf %y, %x : f32
      // CHECK: [[NEW:%.+]] = vector.insert %{{.+}}, %arg5 [0]
      // CHECK-NEXT: scf.yield [[NEW]]
      fly.ptr.store(%z, %r) : (f32, !fly.ptr<f32, register>) -> ()
      // CHECK: } else {
      // CHECK-NEXT: scf.yield %arg5
    }
    // CHECK: vector.extract [[IF]][0]
    %y = fly.ptr.load(%r) : (!fly.ptr<f32, register>) -> f32
    %t = arith.addf %s, %y : f32
    // CHECK: scf.yield %{{.+}}, [[IF]]
    scf.yield %t : f32
  }
  // CHECK: [[LAST:%.+]] = vector.extract [[FOR]]#1[0]
  %last = fly.ptr.load(%r) : (!fly.ptr<f32, register>) -> f32
  // CHECK-NEXT: return [[FOR]]#0, [[LAST]]
  func.return %sum, %last : f32, f32
}

// What is cast to other elements stays memory, and what lies beside it becomes a vector all the same.
// CHECK-LABEL: func.func @cast
func.func @cast(%x: f32) -> (i32, f32) {
  // CHECK: [[M:%.+]] = fly.make_ptr()
  %r = fly.make_ptr() {dictAttrs = {allocSize = 1 : i64}} : () -> !fly.ptr<f32, register>
  // CHECK-NEXT: ub.poison : vector<1xf32>
  %q = fly.make_ptr() {dictAttrs = {allocSize = 1 : i64}} : () -> !fly.ptr<f32, register>
  // CHECK-NEXT: fly.ptr.store(%arg0, [[M]])
  fly.ptr.store(%x, %r) : (f32, !fly.ptr<f32, register>) -> ()
  fly.ptr.store(%x, %q) : (f32, !fly.ptr<f32, register>) -> ()
  %i = fly.recast_iter(%r) : (!fly.ptr<f32, register>) -> !fly.ptr<i32, register>
  // CHECK: fly.ptr.load
  %y = fly.ptr.load(%i) : (!fly.ptr<i32, register>) -> i32
  // CHECK: vector.extract
  %z = fly.ptr.load(%q) : (!fly.ptr<f32, register>) -> f32
  func.return %y, %z : i32, f32
}

// So does what is moved by an offset that is not known.
// CHECK-LABEL: func.func @moved
func.func @moved(%x: f32, %n: i32) -> f32 {
  %r = fly.make_ptr() {dictAttrs = {allocSize = 8 : i64}} : () -> !fly.ptr<f32, register>
  %by = fly.make_int_tuple(%n) : (i32) -> !fly.int_tuple<?>
  %q = fly.add_offset(%r, %by) : (!fly.ptr<f32, register>, !fly.int_tuple<?>) -> !fly.ptr<f32, register>
  // CHECK: fly.ptr.store
  // CHECK-NEXT: fly.ptr.load
  fly.ptr.store(%x, %q) : (f32, !fly.ptr<f32, register>) -> ()
  %y = fly.ptr.load(%r) : (!fly.ptr<f32, register>) -> f32
  func.return %y : f32
}

// A pointer that is asked of a view points where the view begins.
// CHECK-LABEL: func.func @through_a_view
// CHECK-NOT: register
func.func @through_a_view(%x: f32) -> f32 {
  %r = fly.make_ptr() {dictAttrs = {allocSize = 4 : i64}} : () -> !fly.ptr<f32, register>
  %one = fly.make_int_tuple() : () -> !fly.int_tuple<1>
  %l = fly.static : !fly.layout<2:1>
  %q = fly.add_offset(%r, %one) : (!fly.ptr<f32, register>, !fly.int_tuple<1>) -> !fly.ptr<f32, register>
  %v = fly.make_view(%q, %l) : (!fly.ptr<f32, register>, !fly.layout<2:1>) -> !fly.memref<f32, register, 2:1>
  %p = fly.get_iter(%v) : (!fly.memref<f32, register, 2:1>) -> !fly.ptr<f32, register>
  %s = fly.add_offset(%p, %one) : (!fly.ptr<f32, register>, !fly.int_tuple<1>) -> !fly.ptr<f32, register>
  // CHECK: vector.insert %arg0, %{{.+}} [2]
  fly.ptr.store(%x, %s) : (f32, !fly.ptr<f32, register>) -> ()
  // CHECK-NEXT: vector.extract %{{.+}}[1]
  %y = fly.ptr.load(%q) : (!fly.ptr<f32, register>) -> f32
  func.return %y : f32
}

// Where the program names an allocation's registers, what is written and read says where in them it lies.
// CHECK-LABEL: func.func @named
// CHECK-NOT: set_register
func.func @named(%x: vector<2xf16>, %n: index) -> f16 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = fly.make_ptr() {dictAttrs = {allocSize = 6 : i64}} : () -> !fly.ptr<f16, register>
  fly.set_register %r {regClass = #fly.register_class<"amdgcn", "VGPR_32">, registerAlignment = 2 : i64} : !fly.ptr<f16, register>
  %two = fly.make_int_tuple() : () -> !fly.int_tuple<2>
  %q = fly.add_offset(%r, %two) : (!fly.ptr<f16, register>, !fly.int_tuple<2>) -> !fly.ptr<f16, register>
  // CHECK: scf.for
  scf.for %i = %c0 to %n step %c1 {
    // CHECK: [[V:%.+]] = fly.register_value %arg0 {bitOffset = 32 : i64, regClass = #fly.register_class<"amdgcn", "VGPR_32">, registerAlignment = 2 : i64, storageBits = 96 : i64} : vector<2xf16>
    // CHECK-NEXT: vector.insert_strided_slice [[V]], %{{.+}} {offsets = [2]
    fly.ptr.store(%x, %q) : (vector<2xf16>, !fly.ptr<f16, register>) -> ()
    scf.yield
  }
  // CHECK: [[E:%.+]] = vector.extract %{{.+}}[2]
  // CHECK-NEXT: fly.register_value [[E]] {bitOffset = 32 : i64, regClass = #fly.register_class<"amdgcn", "VGPR_32">, registerAlignment = 2 : i64, storageBits = 96 : i64} : f16
  %y = fly.ptr.load(%q) : (!fly.ptr<f16, register>) -> f16
  func.return %y : f16
}
