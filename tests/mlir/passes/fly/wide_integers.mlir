// RUN: tilewright opt %s --fly-layout-lowering --verify-diagnostics
// An integer that its run-time type does not hold is told at its op.

func.func @above(%i: i32) -> i32 {
  %a = fly.make_int_tuple() : () -> !fly.int_tuple<2147483647>
  %b = fly.make_int_tuple() : () -> !fly.int_tuple<1>
  %c = fly.int_tuple_add(%a, %b) : (!fly.int_tuple<2147483647>, !fly.int_tuple<1>) -> !fly.int_tuple<2147483648>
  // expected-error @below {{'fly.get_scalar' op: the integer 2147483648 leaves 32 bits}}
  %v = fly.get_scalar(%c) : (!fly.int_tuple<2147483648>) -> i32
  func.return %v : i32
}
