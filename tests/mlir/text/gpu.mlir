// RUN: tilewright opt %s | FileCheck %s
// RUN: tilewright opt %s --mlir-print-op-generic | FileCheck %s --check-prefix=GENERIC

// CHECK: module attributes {gpu.container_module}
builtin.module attributes {gpu.container_module} {
  // CHECK: gpu.module @kernels {
  gpu.module @kernels {
    // CHECK-LABEL: gpu.func @asks
    // CHECK-SAME: (%arg0: i32 {user.name = "n"}, %arg1: f32) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    // GENERIC: "gpu.func"() <{{.*}}function_type = (i32, f32) -> ()
    gpu.func @asks(%n: i32 {user.name = "n"}, %x: f32) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
      // CHECK-NEXT: %thread_id_x = gpu.thread_id x
      %t = gpu.thread_id x
      // CHECK-NEXT: %thread_id_x_0 = gpu.thread_id x upper_bound 64
      %u = gpu.thread_id x upper_bound 64
      // CHECK-NEXT: %block_dim_y = gpu.block_dim y
      %d = gpu.block_dim y
      // CHECK-NEXT: %0 = gpu.lane_id
      %l = gpu.lane_id
      // CHECK-NEXT: %1 = gpu.subgroup_id : index
      %s = gpu.subgroup_id : index
      // CHECK-NEXT: gpu.barrier
      gpu.barrier
      // CHECK-NEXT: gpu.return
      gpu.return
    }
    // CHECK-LABEL: gpu.func @gives(%arg0: i32) -> (i32) {
    gpu.func @gives(%n: i32) -> i32 {
      // CHECK-NEXT: gpu.return %arg0 : i32
      gpu.return %n : i32
    }
  }
  // CHECK-LABEL: func.func @host
  func.func @host(%one: index, %n: i32, %x: f32) {
    // CHECK: gpu.launch_func @kernels::@asks blocks in (%arg0, %arg0, %arg0) threads in (%arg0, %arg0, %arg0) args(%arg1 : i32, %arg2 : f32)
    gpu.launch_func @kernels::@asks blocks in (%one, %one, %one) threads in (%one, %one, %one) args(%n : i32, %x : f32)
    // CHECK-NEXT: %0 = gpu.wait async
    %token = gpu.wait async
    // CHECK-NEXT: %1 = gpu.launch_func async [%0] @kernels::@asks clusters in (%arg0, %arg0, %arg0)
    // CHECK-SAME: dynamic_shared_memory_size %arg1 args(%arg1 : i32, %arg2 : f32)
    %after = gpu.launch_func async [%token] @kernels::@asks clusters in (%one, %one, %one) blocks in (%one, %one, %one) threads in (%one, %one, %one) dynamic_shared_memory_size %n args(%n : i32, %x : f32)
    // CHECK-NEXT: gpu.launch_func <%0 : !gpu.async.token> @kernels::@asks blocks in (%arg0, %arg0, %arg0)
    gpu.launch_func <%token : !gpu.async.token> @kernels::@asks blocks in (%one, %one, %one) threads in (%one, %one, %one)  args(%n : i32, %x : f32)
    // CHECK-NEXT: gpu.wait [%1]
    gpu.wait [%after]
    func.return
  }
}
