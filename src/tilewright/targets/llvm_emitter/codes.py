"""Floats of at most 8 bits in LLVM's text, by the rows of `ir/core/narrow`: from and to binary32."""

from __future__ import annotations

from collections.abc import Mapping

from tilewright.ir.core.narrow import NARROW, NarrowFloat

_FROM = """define internal float @tw_from_{name}(i{bits} %h) {{
  %w = zext i{bits} %h to i32
  %top = and i32 %w, {top}
  %sign = shl i32 %top, {up}
  %size = and i32 %w, {mask}
  %count = uitofp i32 %size to float
  %unit = bitcast i32 {unit} to float
  %small = fmul float %count, %unit
  %tiny = bitcast float %small to i32
  %low = shl i32 %size, {shift}
  %normal = add i32 %low, {based}
  %is_tiny = icmp ult i32 %size, {first}
  %finite = select i1 %is_tiny, i32 %tiny, i32 %normal
  %is_infinite = icmp eq i32 %size, {infinite}
  %one = select i1 %is_infinite, i32 2139095040, i32 %finite
  %signed = or i32 %one, %sign
  %is_nan = icmp {nan}
  %bits = select i1 %is_nan, i32 2143289344, i32 %signed
  %found = bitcast i32 %bits to float
  ret float %found
}}"""
_TO = """define internal i{bits} @tw_to_{name}_{how}(float %x) {{
  %whole = bitcast float %x to i32
  %size = and i32 %whole, 2147483647
  %value = bitcast i32 %size to float
  %unit = bitcast i32 {magic} to float
  %aligned = fadd float %value, %unit
  %moved = bitcast float %aligned to i32
  %tiny = sub i32 %moved, {magic}
  %last = lshr i32 %size, {shift}
  %odd = and i32 %last, 1
  %based = sub i32 %size, {based}
  %half = add i32 %based, {half}
  %rounded = add i32 %half, %odd
  %normal = lshr i32 %rounded, {shift}
  %is_tiny = icmp ult i32 %size, {least}
  %near = select i1 %is_tiny, i32 %tiny, i32 %normal
  %over = icmp ugt i32 %near, {largest}
  %held = select i1 %over, i32 {most}, i32 %near
  %up = lshr i32 %whole, 31
  %sign = shl i32 %up, {place}
  %some = icmp ne i32 %held, 0
  %keeps = or i1 %some, {zeros}
  %top = select i1 %keeps, i32 %sign, i32 0
  %signed = or i32 %held, %top
  %is_nan = icmp ugt i32 %size, 2139095040
  %all = select i1 %is_nan, i32 {nan}, i32 %signed
  %found = trunc i32 %all to i{bits}
  ret i{bits} %found
}}"""
_FROM_SCALE = """define internal float @tw_from_{name}(i8 %h) {{
  %w = zext i8 %h to i32
  %power = shl i32 %w, 23
  %least = icmp eq i32 %w, 0
  %one = select i1 %least, i32 4194304, i32 %power
  %is_nan = icmp eq i32 %w, 255
  %bits = select i1 %is_nan, i32 2143289344, i32 %one
  %found = bitcast i32 %bits to float
  ret float %found
}}"""
_TO_SCALE = """define internal i8 @tw_to_{name}_{how}(float %x) {{
  %whole = bitcast float %x to i32
  %size = and i32 %whole, 2147483647
  %digits = and i32 %size, 8388607
  %some = icmp ne i32 %digits, 0
  %large = icmp ugt i32 %size, 4194304
  %finite = icmp ult i32 %size, 2139095040
  %a = and i1 %some, %large
  %b = and i1 %a, %finite
  %c = and i1 %b, {up}
  %more = zext i1 %c to i32
  %power = lshr i32 %size, 23
  %near = add i32 %power, %more
  %over = icmp ugt i32 %near, {most}
  %held = select i1 %over, i32 {most}, i32 %near
  %is_nan = icmp ugt i32 %size, 2139095040
  %all = select i1 %is_nan, i32 255, i32 %held
  %found = trunc i32 %all to i8
  ret i8 %found
}}"""
_CUT = """define internal float @tw_cut_{how}(float %x) {{
  %bits = bitcast float %x to i32
  %last = lshr i32 %bits, 13
  %odd = and i32 %last, {mask}
  %half = add i32 %odd, {half}
  %sum = add i32 %bits, %half
  %cut = and i32 %sum, -8192
  %is_nan = fcmp uno float %x, %x
  %all = select i1 %is_nan, i32 2147483647, i32 %cut
  %found = bitcast i32 %all to float
  ret float %found
}}"""


def _name(row: NarrowFloat) -> str:
    return row.element.mlir.lower()


def _from(row: NarrowFloat) -> str:
    top, based = 1 << (row.element.bits - 1), (127 - row.bias) << 23
    nan = f"ugt i32 %size, {row.beyond if row.infinite else row.largest}" if row.zeros else f"eq i32 %w, {top}"
    return _FROM.format(
        name=_name(row), bits=row.element.bits, top=top, up=32 - row.element.bits, mask=top - 1, based=based, nan=nan,
        unit=(128 - row.bias - row.fraction) << 23, shift=23 - row.fraction, first=1 << row.fraction,
        infinite=row.beyond if row.infinite else -1,
    )  # fmt: skip


def _to(row: NarrowFloat, saturated: bool) -> str:
    shift = 23 - row.fraction
    return _TO.format(
        name=_name(row), how="s" if saturated else "o", bits=row.element.bits, magic=(128 + shift - row.bias) << 23,
        shift=shift, based=(127 - row.bias) << 23, half=(1 << (shift - 1)) - 1, least=(128 - row.bias) << 23,
        largest=row.largest, most=row.largest if saturated else row.beyond, place=row.element.bits - 1,
        zeros=str(row.zeros).lower(), nan=row.nan,
    )  # fmt: skip


def _scale(row: NarrowFloat, how: str) -> str:
    most = 254 if how.endswith("satfinite") else 255
    return _TO_SCALE.format(name=_name(row), how=_word(how), up=str(how.startswith("rp")).lower(), most=most)


def _word(how: str) -> str:
    return how.replace(".", "_")


def widening(row: NarrowFloat) -> str:
    """The function to binary32."""
    return f"tw_from_{_name(row)}"


def narrowing(row: NarrowFloat, how: str = "") -> str:
    """The function from binary32; without a word the one that does not saturate."""
    end = ("s" if how else "o") if row.signed else _word(how)
    return f"tw_to_{_name(row)}_{end}"


_SIGNED = [row for row in NARROW.values() if row.signed]
_SCALES = [row for row in NARROW.values() if not row.signed]
_WAYS = ("rp", "rz", "rp.satfinite", "rz.satfinite")
CODES: Mapping[str, str] = {
    **{widening(row): _from(row) for row in _SIGNED},
    **{narrowing(row, how): _to(row, bool(how)) for row in _SIGNED for how in ("", "s")},
    **{widening(row): _FROM_SCALE.format(name=_name(row)) for row in _SCALES},
    **{narrowing(row, how): _scale(row, how) for row in _SCALES for how in _WAYS},
    "tw_cut_rna": _CUT.format(how="rna", mask=0, half=0x1000),
    "tw_cut_rn": _CUT.format(how="rn", mask=1, half=0xFFF),
}
