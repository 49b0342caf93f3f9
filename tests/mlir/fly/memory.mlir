// RUN: tilewright opt %s | FileCheck %s
// Memory: where it comes from, what is read and written.

// CHECK-LABEL: @shared_memory(
// CHECK: %{{.*}} = fly.get_dyn_shared() : !fly.ptr<i8, shared, align<1024>>
func.func @shared_memory() -> !fly.ptr<i8, shared, align<1024>> {
  %0 = fly.get_dyn_shared() : !fly.ptr<i8, shared, align<1024>>
  func.return %0 : !fly.ptr<i8, shared, align<1024>>
}

// CHECK-LABEL: @a_pointer_of_an_address(
// CHECK: %{{.*}} = fly.make_ptr(%{{.*}}) : (i64) -> !fly.ptr<f32, global>
func.func @a_pointer_of_an_address(%arg0: i64) -> !fly.ptr<f32, global> {
  %0 = fly.make_ptr(%arg0) : (i64) -> !fly.ptr<f32, global>
  func.return %0 : !fly.ptr<f32, global>
}

// CHECK-LABEL: @an_integer_as_a_pointer(
// CHECK: %{{.*}} = fly.inttoptr(%{{.*}}) : (i64) -> !fly.ptr<f16, global, align<16>>
func.func @an_integer_as_a_pointer(%arg0: i64) -> !fly.ptr<f16, global, align<16>> {
  %0 = fly.inttoptr(%arg0) : (i64) -> !fly.ptr<f16, global, align<16>>
  func.return %0 : !fly.ptr<f16, global, align<16>>
}

// CHECK-LABEL: @a_pointer_as_an_integer(
// CHECK: %{{.*}} = fly.ptrtoint(%{{.*}}) : (!fly.ptr<f32, shared>) -> i32
func.func @a_pointer_as_an_integer(%arg0: !fly.ptr<f32, shared>) -> i32 {
  %0 = fly.ptrtoint(%arg0) : (!fly.ptr<f32, shared>) -> i32
  func.return %0 : i32
}

// CHECK-LABEL: @a_pointer_for_llvm(
// CHECK: %{{.*}} = fly.to_llvm_ptr(%{{.*}}) {llvm_address_space = 1 : i32} : (!fly.ptr<f32, global>) -> !llvm.ptr<1>
func.func @a_pointer_for_llvm(%arg0: !fly.ptr<f32, global>) -> !llvm.ptr<1> {
  %0 = fly.to_llvm_ptr(%arg0) {llvm_address_space = 1 : i32} : (!fly.ptr<f32, global>) -> !llvm.ptr<1>
  func.return %0 : !llvm.ptr<1>
}

// CHECK-LABEL: @bits_read_otherwise(
// CHECK: %{{.*}} = fly.recast_iter(%{{.*}}) : (!fly.ptr<f32, shared, align<16>>) -> !fly.ptr<i8, shared, align<16>>
func.func @bits_read_otherwise(%arg0: !fly.ptr<f32, shared, align<16>>) -> !fly.ptr<i8, shared, align<16>> {
  %0 = fly.recast_iter(%arg0) : (!fly.ptr<f32, shared, align<16>>) -> !fly.ptr<i8, shared, align<16>>
  func.return %0 : !fly.ptr<i8, shared, align<16>>
}

// CHECK-LABEL: @an_address(
// CHECK: %{{.*}} = fly.extract_aligned_pointer_as_index %{{.*}} : <f32, global, (8,8):(8,1)> -> index
func.func @an_address(%arg0: !fly.memref<f32, global, (8,8):(8,1)>) -> index {
  %0 = fly.extract_aligned_pointer_as_index %arg0 : <f32, global, (8,8):(8,1)> -> index
  func.return %0 : index
}

// CHECK-LABEL: @registers(
// CHECK: %{{.*}} = fly.memref.alloca(%{{.*}}) : (!fly.layout<(2,3):(3,1)>) -> !fly.memref<f32, register, (2,3):(3,1)>
func.func @registers(%arg0: !fly.layout<(2, 3) : (3, 1)>) -> !fly.memref<f32, register, (2,3):(3,1)> {
  %0 = fly.memref.alloca(%arg0) : (!fly.layout<(2, 3) : (3, 1)>) -> !fly.memref<f32, register, (2,3):(3,1)>
  func.return %0 : !fly.memref<f32, register, (2,3):(3,1)>
}

// CHECK-LABEL: @an_element(
// CHECK: %{{.*}} = fly.memref.load(%{{.*}}, %{{.*}}) : (!fly.memref<f16, shared, (8,4):(4,1)>, !fly.int_tuple<(?,2)>) -> f16
func.func @an_element(%arg0: !fly.memref<f16, shared, (8,4):(4,1)>, %arg1: !fly.int_tuple<(?, 2)>) -> f16 {
  %0 = fly.memref.load(%arg0, %arg1) : (!fly.memref<f16, shared, (8,4):(4,1)>, !fly.int_tuple<(?, 2)>) -> f16
  func.return %0 : f16
}

// CHECK-LABEL: @all_elements(
// CHECK: %{{.*}} = fly.memref.load_vec(%{{.*}}) : (!fly.memref<f16, register, (2,4):(4,1)>) -> vector<8xf16>
func.func @all_elements(%arg0: !fly.memref<f16, register, (2,4):(4,1)>) -> vector<8xf16> {
  %0 = fly.memref.load_vec(%arg0) : (!fly.memref<f16, register, (2,4):(4,1)>) -> vector<8xf16>
  func.return %0 : vector<8xf16>
}

// CHECK-LABEL: @an_element_written(
// CHECK: fly.memref.store(%{{.*}}, %{{.*}}, %{{.*}}) : (f16, !fly.memref<f16, shared, (8,4):(4,1)>, !fly.int_tuple<(?,2)>) -> ()
func.func @an_element_written(%arg0: f16, %arg1: !fly.memref<f16, shared, (8,4):(4,1)>, %arg2: !fly.int_tuple<(?, 2)>) {
  fly.memref.store(%arg0, %arg1, %arg2) : (f16, !fly.memref<f16, shared, (8,4):(4,1)>, !fly.int_tuple<(?, 2)>) -> ()
  func.return
}

// CHECK-LABEL: @all_elements_written(
// CHECK: fly.memref.store_vec(%{{.*}}, %{{.*}}) : (vector<8xf16>, !fly.memref<f16, register, (2,4):(4,1)>) -> ()
func.func @all_elements_written(%arg0: vector<8xf16>, %arg1: !fly.memref<f16, register, (2,4):(4,1)>) {
  fly.memref.store_vec(%arg0, %arg1) : (vector<8xf16>, !fly.memref<f16, register, (2,4):(4,1)>) -> ()
  func.return
}

// CHECK-LABEL: @what_a_pointer_shows(
// CHECK: %{{.*}} = fly.ptr.load(%{{.*}}) : (!fly.ptr<f32, global, align<16>>) -> f32
func.func @what_a_pointer_shows(%arg0: !fly.ptr<f32, global, align<16>>) -> f32 {
  %0 = fly.ptr.load(%arg0) : (!fly.ptr<f32, global, align<16>>) -> f32
  func.return %0 : f32
}

// CHECK-LABEL: @a_vector_at_a_pointer(
// CHECK: %{{.*}} = fly.ptr.load(%{{.*}}) : (!fly.ptr<f32, global, align<16>>) -> vector<4xf32>
func.func @a_vector_at_a_pointer(%arg0: !fly.ptr<f32, global, align<16>>) -> vector<4xf32> {
  %0 = fly.ptr.load(%arg0) : (!fly.ptr<f32, global, align<16>>) -> vector<4xf32>
  func.return %0 : vector<4xf32>
}

// CHECK-LABEL: @a_value_at_a_pointer(
// CHECK: fly.ptr.store(%{{.*}}, %{{.*}}) : (f32, !fly.ptr<f32, register>) -> ()
func.func @a_value_at_a_pointer(%arg0: f32, %arg1: !fly.ptr<f32, register>) {
  fly.ptr.store(%arg0, %arg1) : (f32, !fly.ptr<f32, register>) -> ()
  func.return
}

// CHECK-LABEL: @a_fact_of_a_layout(
// CHECK: %{{.*}} = fly.assume(%{{.*}}, %{{.*}}) : (!fly.int_tuple<(?,8)>, !fly.int_tuple<(?{div=8},8)>) -> !fly.int_tuple<(?{div=8},8)>
func.func @a_fact_of_a_layout(%arg0: !fly.int_tuple<(?, 8)>, %arg1: !fly.int_tuple<(?{div=8}, 8)>) -> !fly.int_tuple<(?{div=8}, 8)> {
  %0 = fly.assume(%arg0, %arg1) : (!fly.int_tuple<(?, 8)>, !fly.int_tuple<(?{div=8}, 8)>) -> !fly.int_tuple<(?{div=8}, 8)>
  func.return %0 : !fly.int_tuple<(?{div=8},8)>
}

// CHECK-LABEL: @words_and_values(
// CHECK: fly.print(%{{.*}}, %{{.*}}) {format = "{} of {}"} : (i32, f32) -> ()
func.func @words_and_values(%arg0: i32, %arg1: f32) {
  fly.print(%arg0, %arg1) {format = "{} of {}"} : (i32, f32) -> ()
  func.return
}

// CHECK-LABEL: @registers_by_name(
// CHECK: fly.set_register %{{.*}} {regClass = #fly.register_class<"amdgcn", "VGPR_32">, start = 8 : i64} : !fly.ptr<f32, register>
// CHECK: fly.set_register %{{.*}} {regClass = #fly.register_class<"amdgcn", "VGPR_32">, registerAlignment = 2 : i64} : !fly.memref<f32, register, 4:1>
// CHECK: fly.register_value %{{.*}} {bitOffset = 32 : i64, regClass = #fly.register_class<"amdgcn", "VGPR_32">, storageBits = 96 : i64} : vector<2xf32>
func.func @registers_by_name(%p: !fly.ptr<f32, register>, %m: !fly.memref<f32, register, 4:1>, %v: vector<2xf32>) -> vector<2xf32> {
  fly.set_register %p {start = 8 : i64, regClass = #fly.register_class<"amdgcn", "VGPR_32">} : !fly.ptr<f32, register>
  fly.set_register %m {registerAlignment = 2 : i64, regClass = #fly.register_class<"amdgcn", "VGPR_32">} : !fly.memref<f32, register, 4:1>
  %0 = fly.register_value %v {storageBits = 96 : i64, bitOffset = 32 : i64, regClass = #fly.register_class<"amdgcn", "VGPR_32">} : vector<2xf32>
  func.return %0 : vector<2xf32>
}
