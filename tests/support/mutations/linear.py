"""Mutants of the F2 view."""

from __future__ import annotations

from mutations.mutant import Mutant, mutants_of

TESTS = "layout/linear"


def _linear(file: str, *edits: tuple[str, str] | tuple[str, str, str]) -> tuple[Mutant, ...]:
    return mutants_of(f"layout/linear/{file}", TESTS, *edits)


MUTANTS = (
    *_linear(
        "affine.py",
        ("carry = product ^ own ^ carry if added else product", "carry = product"),
        ("if a ^ b == 1:\n        return 0", "if a ^ b == 1:\n        return 1"),
        ("flatten(x.shape)[:-1]", "flatten(x.shape)[1:]"),
        ("(clash and clash[0] == clash[1])", "False"),
        ("if fresh else None", "if True else None"),
        ("return moved if _is_bijection(x.outer) else None", "return moved"),
        ("range(max(offset, *values).bit_length() + 1)", "range(max(offset, *values).bit_length())"),
        ("if offset < 0 or any(value < 0 for value in values):", "if offset < 0:"),
        ("1 << i - 1 | 1 << j - 1", "1 << i | 1 << j"),
        ("bool(x.stride == 1)", "bool(x.stride == 1 or x.stride == 2)"),
        ("if components(offset) else argument", "if not components(offset) else argument"),
    ),
    *_linear(
        "clash.py",
        ("if value < 0:", "if value < -1:"),
        ("if v & value), None)", "if v == value), None)"),
        ("before.append((i, value))", "before[:] = [(i, value)]"),
        ("(shared & -shared).bit_length() - 1", "shared.bit_length() - 1"),
    ),
    *_linear(
        "convert.py",
        ("if components(start):", "if False:"),
        ("[1 << x.m + x.b + abs(x.s)]", "[1 << x.m + x.b]"),
        ("if value != by_xor:", "if False:"),
        (
            "expected += [_xor(value, image) for value in expected]",
            "expected += [_xor(value, table[0]) for value in expected]",
        ),
        ("if any(value < 0 for row in values for value in row):", "if False:"),
        ("if extent & (extent - 1)), None)", "if extent & 1 and extent > 1), None)"),
        ("or is_identity(x.outer)", ""),
    ),
    *_linear(
        "dims.py",
        ("if number < 1 or number & (number - 1) or", "if number < 1 or"),
        ("number >= 1 << 63", "number > 1 << 63"),
        ("if len(set(names)) != len(names):", "if False:"),
        ("found[name], position = position, position + log2(size)", "found[name], position = position, log2(size)"),
        ("base[name] + taken.get(name, 0) + i", "base[name] + i"),
        ("if bits(old) != bits(new):", "if bits(old) < bits(new):"),
        ("or left[0] in right[:1]", ""),
        ("first.get(name, 1) * second.get(name, 1)", "max(first.get(name, 1), second.get(name, 1))"),
        ("size > sizes.get(name, 1) for", "size >= sizes.get(name, 1) for"),
        ("if value >= size:", "if value > size:"),
        ("if not 0 <= number < size:", "if not 0 <= number <= size:"),
        ("value.max() < size)", "value.max() <= size)"),
        ("min(vector, default=0) < 0", "min(vector, default=0) < -1"),
        ("elif right and right[0] not in first:", "elif right:"),
    ),
    *_linear(
        "f2.py",
        ("if x & 1:\n            out ^= column", "if x & 1:\n            out |= column"),
        ("used ^= pivot[1]", "used |= pivot[1]"),
        ("dependent.append(used)", "dependent.append(1 << i)"),
        ("return None if rest else used", "return used"),
        ("in reversed(rows):", "in rows:"),
        ("vector >> (smaller.bit_length() - 1) & 1", "vector & smaller"),
        ("if i + 1 not in echelon)", "if i not in echelon)"),
        (
            "span_basis(apply(a, dependence) for dependence in kernel(both))",
            "span_basis(apply(both, dependence) for dependence in kernel(both))",
        ),
        ("len(columns) if rows is None else rows", "len(columns)"),
        ("sum((column >> i & 1) << j for", "sum((column >> i & 1) << i for"),
    ),
    *_linear(
        "linear.py",
        ("return self.rank == self.out_bits", "return self.rank == self.in_bits"),
        ("return self.rank == self.in_bits", "return self.rank >= self.out_bits"),
        ("self.in_bits == self.out_bits == self.rank", "self.in_bits == self.out_bits"),
        ("if require_surjective and not", "if not"),
        ("step << count if count else 1", "step << count"),
        ("((inner, LinearLayout()), (outer, inner))", "((inner, outer), (outer, LinearLayout()))"),
        ("== whole else None", "!= whole else None"),
        ("below = divisor if left else LinearLayout()", "below = LinearLayout()"),
        ("and inner._only(n) == outer._only(n)", ""),
        (
            "if columns is None:\n            columns = _solve(inner, outer, set())",
            "if False:\n            columns = ()",
        ),
        ("outs, below.outs)]", "outs)]"),
        ("out ^= (value >> i & 1) * part", "out |= (value >> i & 1) * part"),
        ("dims.inside(given[name], name, size)", "given[name]"),
    ),
    *_linear(
        "matrix.py",
        ("if len(self.columns) != self.in_bits:", "if len(self.columns) < self.in_bits:"),
        ("c < 0 or c >> rows", "c >> rows + 1"),
        ("if self.get_out_dim_size(name) > size:", "if self.get_out_dim_size(name) > 2 * size:"),
        ("(a | b << self.out_bits for", "(a | b << other.out_bits for"),
        ("if self.outs != other.outs:", "if False:"),
        ("if self.ins != other.ins:", "if len(self.ins) != len(other.ins):"),
        ("f2.transpose(self.columns, self.out_bits)", "f2.transpose(self.columns, self.in_bits)"),
    ),
    *_linear(
        "recover.py",
        ("width <= abs(shift)", "width < abs(shift)"),
        ("image == 2 * images[i - 1]", "image == images[i - 1]"),
        ("if len(axes) == 1 and axes[0] == MEMORY else None", "if len(axes) == 1 else None"),
        ("pair[0].b, abs(pair[0].s))", "-pair[0].b, abs(pair[0].s))"),
        ("shared |= seen & column", "shared = seen & column"),
        ("for field in range(low + 1):", "for field in range(low, low + 1):"),
        ("for end in range(high, top + 1):", "for end in range(high, high + 1):"),
        ("field + min(shift, 0)", "field"),
        ("if (a | b) >> q & 1)", "if a >> q & 1)"),
        ("len(path) == len(words) else None", "path else None"),
    ),
)
