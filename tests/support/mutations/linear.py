"""Mutants of the F2 view."""

from __future__ import annotations

from mutations.mutant import Mutant, mutants_of

TESTS = "layout/linear/test_small_worlds_f2.py layout/linear"


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
    ),
    *_linear(
        "dims.py",
        ("if number < 1 or number & (number - 1) or", "if number < 1 or"),
        ("number >= 1 << 63", "number > 1 << 63"),
        ("if len(set(names)) != len(names):", "if False:"),
        ("found[name], position = position, position + log2(size)", "found[name], position = position, log2(size)"),
        ("base[name] + taken.get(name, 0) + i", "base[name] + i"),
        ("if bits(old) != bits(new):", "if bits(old) < bits(new):"),
    ),
    *_linear(
        "f2.py",
        ("if x & 1:\n            out ^= column", "if x & 1:\n            out |= column"),
        ("used ^= pivot[1]", "used |= pivot[1]"),
        ("dependent.append(used)", "dependent.append(1 << i)"),
        ("return None if rest else used", "return used"),
        ("vector >> (smaller.bit_length() - 1) & 1", "vector & smaller"),
    ),
    *_linear(
        "linear.py",
        ("return self.rank == self.out_bits", "return self.rank == self.in_bits"),
        ("return self.rank == self.in_bits", "return self.rank >= self.out_bits"),
        ("self.in_bits == self.out_bits == self.rank", "self.in_bits == self.out_bits"),
        ("if require_surjective and not", "if not"),
        ("step << count if count else 1", "step << count"),
        ("((inner, (), ()), (outer, inner.ins, inner.outs))", "((inner, outer.ins, outer.outs), (outer, (), ()))"),
    ),
    *_linear(
        "matrix.py",
        ("if len(self.columns) != self.in_bits:", "if len(self.columns) < self.in_bits:"),
        ("max(self.columns) >> rows):", "max(self.columns) >> rows + 1):"),
        ("if self.get_out_dim_size(name) > size:", "if self.get_out_dim_size(name) > 2 * size:"),
        ("(a | b << self.out_bits for", "(a | b << other.out_bits for"),
        ("if self.outs != other.outs:", "if False:"),
        ("if self.ins != other.ins:", "if len(self.ins) != len(other.ins):"),
    ),
    *_linear(
        "recover.py",
        ("width <= abs(shift)", "width < abs(shift)"),
        ("image == 2 * images[i - 1]", "image == images[i - 1]"),
        ("if len(axes) == 1 and axes[0] == MEMORY else None", "if len(axes) == 1 else None"),
        ("pair[0].b, abs(pair[0].s))", "-pair[0].b, abs(pair[0].s))"),
        ("shared |= seen & column", "shared = seen & column"),
        ("for field in range(low + 1):", "for field in range(low, low + 1):"),
    ),
)
