"""Narrow floats in C: CUDA's types convert them, instructions convert two at once."""

from __future__ import annotations

from collections.abc import Mapping

from tilewright.dtypes import DType
from tilewright.ir.core.narrow import NARROW, SCALE, NarrowFloat
from tilewright.ir.tile.pairs import PAIRS, Pair, held

_CONSTRAINT: Mapping[int, str] = {8: "h", 16: "h", 32: "r"}
_WORD: Mapping[int, str] = {8: "unsigned short", 16: "unsigned short", 32: "unsigned int"}

# A number as a narrow float that says so where it is too large; the types of CUDA saturate. {code} is for beyond.
OPEN = """template <class T, class S> {function} T tw_open(S x, double most, unsigned char sign, unsigned char code) {{
  T near = T(x);
  if (!(double(x) <= most && double(x) >= -most) && x == x) near.__x = (near.__x & sign) | code;
  return near;
}}"""
TF32 = """{{function}} float tw_tf32_{how}(float x) {{{{
  union {{{{ unsigned int bits; float value; }}}} found;
  asm("cvt.{how}.tf32.f32 %0, %1;" : "=r"(found.bits) : "f"(x));
  return found.value;
}}}}"""


def opened(element: DType, value: str) -> str:
    """The call of `tw_open`."""
    row = NARROW[element.name]
    sign = 1 << (element.bits - 1)
    return f"tw_open<{element.c_name}>({value}, {row.limit!r}, {sign:#x}, {row.beyond:#x})"


def saturates(row: NarrowFloat) -> bool:
    """Is there no code for what is too large?"""
    return row.beyond == row.largest


def assembly(row: Pair) -> str:
    """The function of a pair as the instruction."""
    names = ["a", "b"][: len(row.given)]
    result, (first, *_) = row.result, row.given
    before = after = ""
    target, given = "%0", [f"%{i + 1}" for i in range(len(names))]
    if result.bits == 8:
        before, target, after = ".reg .b8 t; ", "t", " cvt.u16.u8 %0, t;"
    if first.bits == 8:
        before, given = ".reg .b8 t; cvt.u8.u16 t, %1; ", ["t"]
    text = f"{{{{ {before}cvt.{row.name} {target}, {', '.join(given)};{after} }}}}"
    inputs = ", ".join(f'"{_constraint(kind)}"({name})' for kind, name in zip(row.given, names, strict=True))
    return f"""{{function}} {result.c_name} {row.function}({_parameters(row)}) {{{{
  {_WORD[result.bits]} found;
  asm("{text}" : "={_CONSTRAINT[result.bits]}"(found) : {inputs});
  return found;
}}}}"""


def _constraint(kind: DType) -> str:
    return "f" if kind.name == "float32" else _CONSTRAINT[kind.bits]


def _parameters(row: Pair) -> str:
    kinds = [kind.c_name if kind.is_float else _WORD[kind.bits] for kind in row.given]
    return ", ".join(f"{kind} {name}" for kind, name in zip(kinds, "ab", strict=False))


def plain(row: Pair) -> str:
    """The function of a pair without instructions: by the types of `narrow.h`."""
    return f"""{{function}} {row.result.c_name} {row.function}({_parameters(row)}) {{{{
  return static_cast<{row.result.c_name}>({expression(row, "a", "b")});
}}}}"""


def expression(row: Pair, a: str, b: str) -> str:
    """The word of both, of two numbers, or of the word `a`."""
    bits = held(row.source)
    if row.source.name == "float32":
        numbers = [a, b]
    else:
        mask = (1 << row.source.bits) - 1
        numbers = [f"tw_part<{row.source.c_name}>({a}, {shift}, {mask}u)" for shift in (bits, 0)]
    upper, lower = (_code(row, f"tw_relu({number})" if row.relu else number) for number in numbers)
    return f"{upper} << {held(row.target)} | {lower}"


def _code(row: Pair, number: str) -> str:
    if row.target.name == SCALE:
        most = 254 if row.how.endswith("satfinite") else 255
        return f"unsigned(tw_power::rounded({number}, {str(row.how.startswith('rp')).lower()}, {most}))"
    return f"tw_bits_of<{row.target.c_name}>({number})"


INSTRUCTIONS: Mapping[str, str] = {
    **{row.function: assembly(row) for row in PAIRS.values()},
    **{f"tw_tf32_{how}": TF32.format(how=how) for how in ("rn", "rna")},
}
FUNCTIONS: Mapping[str, str] = {
    **{row.function: plain(row) for row in PAIRS.values()},
    **{
        f"tw_tf32_{how}": f"{{function}} float tw_tf32_{how}(float x) {{{{ return tw_cut(x, {even}); }}}}"
        for how, even in (("rn", "true"), ("rna", "false"))
    },
}
