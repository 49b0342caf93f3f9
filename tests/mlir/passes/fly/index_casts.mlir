// RUN: tilewright opt %s --fly-layout-lowering --verify-each | FileCheck %s

// An index that fits into the integer comes back as it went.
// CHECK-LABEL: func.func @a_part_of_a_thread
// CHECK-NOT: arith.index_cast
// CHECK: return
func.func @a_part_of_a_thread() -> index {
  %t = gpu.thread_id x
  %c = arith.constant 31 : index
  %m = arith.andi %t, %c : index
  %n = arith.index_cast %m : index to i32
  %i = arith.index_cast %n : i32 to index
  return %i : index
}

// Numbers of blocks fit; a multiple of one need not.
// CHECK-LABEL: func.func @blocks
// CHECK: %[[B:.*]] = gpu.block_id y
// CHECK: %[[S:.*]] = arith.muli %[[B]]
// CHECK: %[[N:.*]] = arith.index_cast %[[S]] : index to i32
// CHECK: %[[I:.*]] = arith.index_cast %[[N]] : i32 to index
// CHECK: return %[[B]], %[[I]]
func.func @blocks() -> (index, index) {
  %b = gpu.block_id y
  %c = arith.constant 3 : index
  %s = arith.muli %b, %c : index
  %n = arith.index_cast %b : index to i32
  %i = arith.index_cast %n : i32 to index
  %o = arith.index_cast %s : index to i32
  %j = arith.index_cast %o : i32 to index
  return %i, %j : index, index
}

// What the kernel, or the op itself, says about the launch limits them.
// CHECK-LABEL: gpu.func @limited
// CHECK-NOT: arith.index_cast
// CHECK: gpu.return
gpu.module @kernels {
  gpu.func @limited(%out: memref<?xindex>) kernel attributes {known_block_size = array<i32: 128, 4, 1>} {
    %t = gpu.thread_id y
    %d = gpu.block_dim x
    %b = gpu.block_id x upper_bound 512
    %c = arith.constant 1048576 : index
    %0 = arith.muli %t, %c : index
    %1 = arith.addi %0, %d : index
    %2 = arith.addi %1, %b : index
    %n = arith.index_cast %2 : index to i32
    %i = arith.index_cast %n : i32 to index
    %z = arith.constant 0 : index
    memref.store %i, %out[%z] : memref<?xindex>
    gpu.return
  }
}

// 64 bits hold every index.
// CHECK-LABEL: func.func @wide
// CHECK: return %arg0 : index
func.func @wide(%i: index) -> index {
  %n = arith.index_cast %i : index to i64
  %j = arith.index_cast %n : i64 to index
  return %j : index
}

// CHECK-LABEL: func.func @unknown
// CHECK: arith.index_cast
// CHECK: arith.index_cast
// CHECK: return
func.func @unknown(%i: index) -> index {
  %n = arith.index_cast %i : index to i32
  %j = arith.index_cast %n : i32 to index
  return %j : index
}

// What may have wrapped is not known, however few of its bits are read.
// CHECK-LABEL: func.func @wrapped
// CHECK: arith.index_cast
// CHECK: arith.index_cast
// CHECK: return
func.func @wrapped() -> index {
  %t = gpu.thread_id x
  %a = arith.muli %t, %t : index
  %b = arith.muli %a, %a : index
  %c = arith.constant 60 : index
  %s = arith.shrui %b, %c : index
  %d = arith.constant 1048576 : index
  %e = arith.muli %s, %d : index
  %n = arith.index_cast %e : index to i16
  %j = arith.index_cast %n : i16 to index
  return %j : index
}

// Of i8 what is added may come back negative.
// CHECK-LABEL: func.func @through_bytes
// CHECK: arith.index_cast %{{.*}} : index to i32
// CHECK: arith.index_cast %{{.*}} : i32 to index
// CHECK: return
func.func @through_bytes() -> index {
  %t = gpu.thread_id x
  %c = arith.constant 127 : index
  %m = arith.andi %t, %c : index
  %b = arith.index_cast %m : index to i8
  %d = arith.constant 100 : i8
  %w = arith.addi %b, %d : i8
  %x = arith.index_cast %w : i8 to index
  %n = arith.index_cast %x : index to i32
  %j = arith.index_cast %n : i32 to index
  return %j : index
}

// CHECK-LABEL: func.func @vectors
// CHECK-NOT: arith.index_cast
// CHECK: return
func.func @vectors() -> vector<2xindex> {
  %v = arith.constant dense<[5, 9]> : vector<2xindex>
  %n = arith.index_cast %v : vector<2xindex> to vector<2xi32>
  %w = arith.index_cast %n : vector<2xi32> to vector<2xindex>
  return %w : vector<2xindex>
}

// CHECK-LABEL: func.func @negative
// CHECK: arith.index_cast
// CHECK: arith.index_cast
// CHECK: return
func.func @negative() -> vector<2xindex> {
  %v = arith.constant dense<[-5, 9]> : vector<2xindex>
  %n = arith.index_cast %v : vector<2xindex> to vector<2xi32>
  %w = arith.index_cast %n : vector<2xi32> to vector<2xindex>
  return %w : vector<2xindex>
}
