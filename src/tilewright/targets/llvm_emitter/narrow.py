"""Functions of LLVM's text that narrow floats need, whatever the processor has: each is written where it is used."""

from __future__ import annotations

from collections.abc import Mapping

from tilewright.ir.core.functions import FLOAT_FUNCTIONS
from tilewright.targets.llvm_emitter.codes import CODES

# The sum of a product, which binary64 holds, and a number: what is cut off stays in the last bit, so that another
# rounding, to fewer bits, is the only one.
_SUM = """define internal double @tw_odd_sum(double %p, double %z) {
  %total = fadd double %p, %z
  %back = fsub double %total, %p
  %rest = fsub double %total, %back
  %a = fsub double %p, %rest
  %b = fsub double %z, %back
  %lost = fadd double %a, %b
  %bits = bitcast double %total to i64
  %last = and i64 %bits, 1
  %even = icmp eq i64 %last, 0
  %inexact = fcmp une double %lost, 0.0
  %size = and i64 %bits, 9223372036854775807
  %finite = icmp ult i64 %size, 9218868437227405312
  %some = and i1 %inexact, %even
  %change = and i1 %some, %finite
  %up = fcmp ogt double %lost, 0.0
  %positive = fcmp ogt double %total, 0.0
  %out = icmp eq i1 %up, %positive
  %step = select i1 %out, i64 1, i64 -1
  %moved = add i64 %bits, %step
  %chosen = select i1 %change, i64 %moved, i64 %bits
  %found = bitcast i64 %chosen to double
  ret double %found
}"""
_ODD = """define internal float @tw_odd(double %x) {
  %near = fptrunc double %x to float
  %wide = fpext float %near to double
  %differs = fcmp une double %wide, %x
  %bits = bitcast float %near to i32
  %size = and i32 %bits, 2147483647
  %finite = icmp ult i32 %size, 2139095040
  %inexact = and i1 %differs, %finite
  %one = call double @llvm.fabs.f64(double %wide)
  %other = call double @llvm.fabs.f64(double %x)
  %over = fcmp ogt double %one, %other
  %less = sub i32 %bits, 1
  %down = select i1 %over, i32 %less, i32 %bits
  %odd = or i32 %down, 1
  %chosen = select i1 %inexact, i32 %odd, i32 %bits
  %found = bitcast i32 %chosen to float
  ret float %found
}
declare double @llvm.fabs.f64(double)"""
# An integer of which binary64 has too few digits: what it would cut off is kept in a last bit.
_LONG = """define internal i64 @tw_near_{sign}(i64 %x) {{
  %top = {shift} i64 %x, 53
  %none = icmp eq i64 %top, 0
  %all = icmp eq i64 %top, -1
  %fits = or i1 %none, %all
  %low = and i64 %x, 2047
  %exact = icmp eq i64 %low, 0
  %same = or i1 %fits, %exact
  %cut = xor i64 %x, %low
  %odd = or i64 %cut, 2048
  %found = select i1 %same, i64 %x, i64 %odd
  ret i64 %found
}}"""
_FROM_F16 = """define internal float @tw_from_f16(i16 %h) {
  %w = zext i16 %h to i32
  %sign = and i32 %w, 32768
  %top = shl i32 %sign, 16
  %size = and i32 %w, 32767
  %low = shl i32 %size, 13
  %tiny = icmp ult i32 %size, 1024
  %special = icmp uge i32 %size, 31744
  %bias = select i1 %special, i32 1879048192, i32 939524096
  %normal = add i32 %low, %bias
  %count = uitofp i32 %size to float
  %small = fmul float %count, 0x3E70000000000000
  %bits = bitcast float %small to i32
  %chosen = select i1 %tiny, i32 %bits, i32 %normal
  %all = or i32 %chosen, %top
  %found = bitcast i32 %all to float
  ret float %found
}"""
# Below the least normal number adding 1/2 rounds as the processor does; above it half of what is cut off is added.
_TO_F16 = """define internal i16 @tw_to_f16(float %x) {
  %bits = bitcast float %x to i32
  %shifted = lshr i32 %bits, 16
  %sign = and i32 %shifted, 32768
  %size = and i32 %bits, 2147483647
  %value = bitcast i32 %size to float
  %aligned = fadd float %value, 0.5
  %moved = bitcast float %aligned to i32
  %tiny = sub i32 %moved, 1056964608
  %last = lshr i32 %size, 13
  %odd = and i32 %last, 1
  %based = sub i32 %size, 939524096
  %half = add i32 %based, 4095
  %rounded = add i32 %half, %odd
  %normal = lshr i32 %rounded, 13
  %is_tiny = icmp ult i32 %size, 947912704
  %one = select i1 %is_tiny, i32 %tiny, i32 %normal
  %is_large = icmp uge i32 %size, 1199566848
  %two = select i1 %is_large, i32 31744, i32 %one
  %is_nan = icmp ugt i32 %size, 2139095040
  %cut = and i32 %last, 1023
  %quiet = or i32 %cut, 32256
  %three = select i1 %is_nan, i32 %quiet, i32 %two
  %all = or i32 %three, %sign
  %found = trunc i32 %all to i16
  ret i16 %found
}"""
_FROM_BF16 = """define internal float @tw_from_bf16(i16 %h) {
  %w = zext i16 %h to i32
  %bits = shl i32 %w, 16
  %found = bitcast i32 %bits to float
  ret float %found
}"""
_TO_BF16 = """define internal i16 @tw_to_bf16(float %x) {
  %bits = bitcast float %x to i32
  %last = lshr i32 %bits, 16
  %odd = and i32 %last, 1
  %half = add i32 %bits, 32767
  %sum = add i32 %half, %odd
  %rounded = lshr i32 %sum, 16
  %size = and i32 %bits, 2147483647
  %is_nan = icmp ugt i32 %size, 2139095040
  %sign = and i32 %last, 32768
  %nan = or i32 %sign, 32704
  %all = select i1 %is_nan, i32 %nan, i32 %rounded
  %found = trunc i32 %all to i16
  ret i16 %found
}"""
_WIDTHS = ("i32", "i64")
_ONES = [(name, kind) for name in ("ctpop", "bitreverse") for kind in _WIDTHS]
_ZEROS = [(name, kind) for name in ("ctlz", "cttz") for kind in _WIDTHS]
FUNCTIONS: Mapping[str, str] = {
    **CODES,
    "tw_odd_sum": _SUM,
    "tw_odd": _ODD,
    "tw_near_s": _LONG.format(sign="s", shift="ashr"),
    "tw_near_u": _LONG.format(sign="u", shift="lshr"),
    "tw_from_f16": _FROM_F16,
    "tw_to_f16": _TO_F16,
    "tw_from_bf16": _FROM_BF16,
    "tw_to_bf16": _TO_BF16,
    "llvm.fma.f32": "declare float @llvm.fma.f32(float, float, float)",
    "llvm.fma.f64": "declare double @llvm.fma.f64(double, double, double)",
    **{
        f"llvm.{name}.{short}": f"declare {long} @llvm.{name}.{short}({long}, {long})"
        for name in ("maximum", "minimum")
        for short, long in (("f32", "float"), ("f64", "double"))
    },
    **{f"llvm.{name}.{kind}": f"declare {kind} @llvm.{name}.{kind}({kind})" for name, kind in _ONES},
    **{
        f"llvm.{name}.sat.i{bits}.{short}": f"declare i{bits} @llvm.{name}.sat.i{bits}.{short}({long})"
        for name in ("fptosi", "fptoui")
        for bits in (8, 16, 32, 64)
        for short, long in (("f32", "float"), ("f64", "double"))
    },
    **{f"llvm.{name}.{kind}": f"declare {kind} @llvm.{name}.{kind}({kind}, i1)" for name, kind in _ZEROS},
    **{f"llvm.{name}.i32": f"declare i32 @llvm.{name}.i32(i32, i32, i32)" for name in ("fshl", "fshr")},
    **{row.c: f"declare double @{row.c}({', '.join(['double'] * row.count)})" for row in FLOAT_FUNCTIONS},
    "fprintf": "declare i32 @fprintf(ptr, ptr, ...)",
}
