// RUN: tilewright opt %s --fly-expand-work --verify-each | FileCheck %s

// Elements side by side are read and written at once.
// CHECK-LABEL: func.func @one_run
func.func @one_run(%a: !fly.memref<f32, register, ((4,1),2):((1,0),4)>, %b: !fly.memref<f32, shared, 8:1>) {
  // CHECK: [[P:%.+]] = fly.get_iter(%arg0)
  // CHECK-NEXT: [[V:%.+]] = fly.ptr.load([[P]]) : (!fly.ptr<f32, register>) -> vector<8xf32>
  %v = fly.memref.load_vec(%a) : (!fly.memref<f32, register, ((4,1),2):((1,0),4)>) -> vector<8xf32>
  // CHECK-NEXT: [[Q:%.+]] = fly.get_iter(%arg1)
  // CHECK-NEXT: fly.ptr.store([[V]], [[Q]]) : (vector<8xf32>, !fly.ptr<f32, shared>) -> ()
  fly.memref.store_vec(%v, %b) : (vector<8xf32>, !fly.memref<f32, shared, 8:1>) -> ()
  func.return
}

// Element i of the vector is the one at coordinate i, wherever it lies.
// CHECK-LABEL: func.func @several
func.func @several(%a: !fly.memref<f32, register, (2,2):(1,8)>, %b: !fly.memref<f32, shared, (2,2):(2,1)>) {
  // CHECK: [[W:%.+]] = ub.poison : vector<4xf32>
  // CHECK-NEXT: [[X:%.+]] = fly.ptr.load(%0) : (!fly.ptr<f32, register>) -> vector<2xf32>
  // CHECK-NEXT: [[W0:%.+]] = vector.insert_strided_slice [[X]], [[W]] {offsets = [0], strides = [1]}
  // CHECK: !fly.int_tuple<8>
  // CHECK: [[Y:%.+]] = fly.ptr.load(%{{.+}}) : (!fly.ptr<f32, register>) -> vector<2xf32>
  // CHECK-NEXT: [[W1:%.+]] = vector.insert_strided_slice [[Y]], [[W0]] {offsets = [2], strides = [1]}
  %v = fly.memref.load_vec(%a) : (!fly.memref<f32, register, (2,2):(1,8)>) -> vector<4xf32>
  // CHECK: [[Z:%.+]] = vector.extract [[W1]][1]
  // CHECK: !fly.int_tuple<2>
  // CHECK: fly.ptr.store([[Z]], %{{.+}}) : (f32, !fly.ptr<f32, shared>) -> ()
  // CHECK: vector.extract [[W1]][2]
  // CHECK: !fly.int_tuple<1>
  fly.memref.store_vec(%v, %b) : (vector<4xf32>, !fly.memref<f32, shared, (2,2):(2,1)>) -> ()
  func.return
}

// Where run-time strides put the runs is asked of the layout.
// CHECK-LABEL: func.func @run_time_strides
func.func @run_time_strides(%a: !fly.memref<f32, global, (2,2):(1,?)>) -> vector<4xf32> {
  // CHECK: [[L:%.+]] = fly.get_layout(%arg0)
  // CHECK: [[X:%.+]] = fly.ptr.load(%{{.+}}) : (!fly.ptr<f32, global>) -> vector<2xf32>
  // CHECK: fly.crd2idx(%{{.+}}, [[L]]) : (!fly.int_tuple<2>, !fly.layout<(2,2):(1,?)>) -> !fly.int_tuple<?>
  // CHECK: fly.ptr.load(%{{.+}}) : (!fly.ptr<f32, global>) -> vector<2xf32>
  // CHECK-NOT: fly.memref.load_vec
  %v = fly.memref.load_vec(%a) : (!fly.memref<f32, global, (2,2):(1,?)>) -> vector<4xf32>
  // CHECK: vector.extract_strided_slice %{{.+}} {offsets = [2], sizes = [2], strides = [1]}
  // CHECK: fly.ptr.store(%{{.+}}, %{{.+}}) : (vector<2xf32>, !fly.ptr<f32, global>) -> ()
  // CHECK-NOT: fly.memref.store_vec
  fly.memref.store_vec(%v, %a) : (vector<4xf32>, !fly.memref<f32, global, (2,2):(1,?)>) -> ()
  func.return %v : vector<4xf32>
}
