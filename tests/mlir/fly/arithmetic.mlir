// RUN: tilewright opt %s | FileCheck %s
// Arithmetic of int tuples.

// CHECK-LABEL: @a_sum(
// CHECK: %{{.*}} = fly.int_tuple_add(%{{.*}}, %{{.*}}) : (!fly.int_tuple<(2,(3,5))>, !fly.int_tuple<(10,(20,30))>) -> !fly.int_tuple<(12,(23,35))>
func.func @a_sum(%arg0: !fly.int_tuple<(2, (3, 5))>, %arg1: !fly.int_tuple<(10, (20, 30))>) -> !fly.int_tuple<(12, (23, 35))> {
  %0 = fly.int_tuple_add(%arg0, %arg1) : (!fly.int_tuple<(2, (3, 5))>, !fly.int_tuple<(10, (20, 30))>) -> !fly.int_tuple<(12, (23, 35))>
  func.return %0 : !fly.int_tuple<(12,(23,35))>
}

// CHECK-LABEL: @a_sum_of_divisors(
// CHECK: %{{.*}} = fly.int_tuple_add(%{{.*}}, %{{.*}}) : (!fly.int_tuple<(?{div=6},1)>, !fly.int_tuple<(?{div=4},1)>) -> !fly.int_tuple<(?{div=2},2)>
func.func @a_sum_of_divisors(%arg0: !fly.int_tuple<(?{div=6}, 1)>, %arg1: !fly.int_tuple<(?{div=4}, 1)>) -> !fly.int_tuple<(?{div=2}, 2)> {
  %0 = fly.int_tuple_add(%arg0, %arg1) : (!fly.int_tuple<(?{div=6}, 1)>, !fly.int_tuple<(?{div=4}, 1)>) -> !fly.int_tuple<(?{div=2}, 2)>
  func.return %0 : !fly.int_tuple<(?{div=2},2)>
}

// CHECK-LABEL: @a_difference(
// CHECK: %{{.*}} = fly.int_tuple_sub(%{{.*}}, %{{.*}}) : (!fly.int_tuple<(12,7)>, !fly.int_tuple<(5,7)>) -> !fly.int_tuple<(7,0)>
func.func @a_difference(%arg0: !fly.int_tuple<(12, 7)>, %arg1: !fly.int_tuple<(5, 7)>) -> !fly.int_tuple<(7, 0)> {
  %0 = fly.int_tuple_sub(%arg0, %arg1) : (!fly.int_tuple<(12, 7)>, !fly.int_tuple<(5, 7)>) -> !fly.int_tuple<(7, 0)>
  func.return %0 : !fly.int_tuple<(7,0)>
}

// CHECK-LABEL: @a_product(
// CHECK: %{{.*}} = fly.int_tuple_mul(%{{.*}}, %{{.*}}) : (!fly.int_tuple<(?{div=6},3)>, !fly.int_tuple<(?{i64 div=4},3)>) -> !fly.int_tuple<(?{i64 div=24},9)>
func.func @a_product(%arg0: !fly.int_tuple<(?{div=6}, 3)>, %arg1: !fly.int_tuple<(?{i64 div=4}, 3)>) -> !fly.int_tuple<(?{i64 div=24}, 9)> {
  %0 = fly.int_tuple_mul(%arg0, %arg1) : (!fly.int_tuple<(?{div=6}, 3)>, !fly.int_tuple<(?{i64 div=4}, 3)>) -> !fly.int_tuple<(?{i64 div=24}, 9)>
  func.return %0 : !fly.int_tuple<(?{i64 div=24},9)>
}

// CHECK-LABEL: @a_quotient(
// CHECK: %{{.*}} = fly.int_tuple_div(%{{.*}}, %{{.*}}) : (!fly.int_tuple<(12,?{div=8})>, !fly.int_tuple<(5,4)>) -> !fly.int_tuple<(2,?)>
func.func @a_quotient(%arg0: !fly.int_tuple<(12, ?{div=8})>, %arg1: !fly.int_tuple<(5, 4)>) -> !fly.int_tuple<(2, ?)> {
  %0 = fly.int_tuple_div(%arg0, %arg1) : (!fly.int_tuple<(12, ?{div=8})>, !fly.int_tuple<(5, 4)>) -> !fly.int_tuple<(2, ?)>
  func.return %0 : !fly.int_tuple<(2,?)>
}

// CHECK-LABEL: @a_remainder(
// CHECK: %{{.*}} = fly.int_tuple_mod(%{{.*}}, %{{.*}}) : (!fly.int_tuple<(12,?)>, !fly.int_tuple<(5,1)>) -> !fly.int_tuple<(2,0)>
func.func @a_remainder(%arg0: !fly.int_tuple<(12, ?)>, %arg1: !fly.int_tuple<(5, 1)>) -> !fly.int_tuple<(2, 0)> {
  %0 = fly.int_tuple_mod(%arg0, %arg1) : (!fly.int_tuple<(12, ?)>, !fly.int_tuple<(5, 1)>) -> !fly.int_tuple<(2, 0)>
  func.return %0 : !fly.int_tuple<(2,0)>
}

// CHECK-LABEL: @product_of_all(
// CHECK: %{{.*}} = fly.int_tuple_product(%{{.*}}) : (!fly.int_tuple<(2,(3,?))>) -> !fly.int_tuple<?{div=6}>
func.func @product_of_all(%arg0: !fly.int_tuple<(2, (3, ?))>) -> !fly.int_tuple<?{div=6}> {
  %0 = fly.int_tuple_product(%arg0) : (!fly.int_tuple<(2, (3, ?))>) -> !fly.int_tuple<?{div=6}>
  func.return %0 : !fly.int_tuple<?{div=6}>
}

// CHECK-LABEL: @product_of_each(
// CHECK: %{{.*}} = fly.int_tuple_product_each(%{{.*}}) : (!fly.int_tuple<(2,(3,5))>) -> !fly.int_tuple<(2,15)>
func.func @product_of_each(%arg0: !fly.int_tuple<(2, (3, 5))>) -> !fly.int_tuple<(2, 15)> {
  %0 = fly.int_tuple_product_each(%arg0) : (!fly.int_tuple<(2, (3, 5))>) -> !fly.int_tuple<(2, 15)>
  func.return %0 : !fly.int_tuple<(2,15)>
}

// CHECK-LABEL: @product_like(
// CHECK: %{{.*}} = fly.int_tuple_product_like(%{{.*}}, %{{.*}}) : (!fly.int_tuple<((2,3),(5,7))>, !fly.int_tuple<(1,(1,1))>) -> !fly.int_tuple<(6,(5,7))>
func.func @product_like(%arg0: !fly.int_tuple<((2, 3), (5, 7))>, %arg1: !fly.int_tuple<(1, (1, 1))>) -> !fly.int_tuple<(6, (5, 7))> {
  %0 = fly.int_tuple_product_like(%arg0, %arg1) : (!fly.int_tuple<((2, 3), (5, 7))>, !fly.int_tuple<(1, (1, 1))>) -> !fly.int_tuple<(6, (5, 7))>
  func.return %0 : !fly.int_tuple<(6,(5,7))>
}

// CHECK-LABEL: @rounded_up(
// CHECK: %{{.*}} = fly.ceil_div(%{{.*}}, %{{.*}}) : (!fly.int_tuple<(20,9)>, !fly.int_tuple<(8,2)>) -> !fly.int_tuple<(3,5)>
func.func @rounded_up(%arg0: !fly.int_tuple<(20, 9)>, %arg1: !fly.int_tuple<(8, 2)>) -> !fly.int_tuple<(3, 5)> {
  %0 = fly.ceil_div(%arg0, %arg1) : (!fly.int_tuple<(20, 9)>, !fly.int_tuple<(8, 2)>) -> !fly.int_tuple<(3, 5)>
  func.return %0 : !fly.int_tuple<(3,5)>
}

// CHECK-LABEL: @divided_through(
// CHECK: %{{.*}} = fly.shape_div(%{{.*}}, %{{.*}}) : (!fly.int_tuple<(4,6)>, !fly.int_tuple<8>) -> !fly.int_tuple<(1,3)>
func.func @divided_through(%arg0: !fly.int_tuple<(4, 6)>, %arg1: !fly.int_tuple<8>) -> !fly.int_tuple<(1, 3)> {
  %0 = fly.shape_div(%arg0, %arg1) : (!fly.int_tuple<(4, 6)>, !fly.int_tuple<8>) -> !fly.int_tuple<(1, 3)>
  func.return %0 : !fly.int_tuple<(1,3)>
}

// CHECK-LABEL: @is_it_below(
// CHECK: %{{.*}} = fly.elem_less(%{{.*}}, %{{.*}}) : (!fly.int_tuple<(2,?)>, !fly.int_tuple<(3,8)>) -> i1
func.func @is_it_below(%arg0: !fly.int_tuple<(2, ?)>, %arg1: !fly.int_tuple<(3, 8)>) -> i1 {
  %0 = fly.elem_less(%arg0, %arg1) : (!fly.int_tuple<(2, ?)>, !fly.int_tuple<(3, 8)>) -> i1
  func.return %0 : i1
}

// CHECK-LABEL: @is_it_the_same(
// CHECK: %{{.*}} = fly.equal(%{{.*}}, %{{.*}}) : (!fly.int_tuple<(2,3)>, !fly.int_tuple<(2,3)>) -> i1
func.func @is_it_the_same(%arg0: !fly.int_tuple<(2, 3)>, %arg1: !fly.int_tuple<(2, 3)>) -> i1 {
  %0 = fly.equal(%arg0, %arg1) : (!fly.int_tuple<(2, 3)>, !fly.int_tuple<(2, 3)>) -> i1
  func.return %0 : i1
}
