"""Mutants of run-time integers."""

from __future__ import annotations

from mutations.mutant import Mutant, mutants_of

TESTS = (
    "layout/symbolic/test_guards.py layout/symbolic/test_symint.py layout/symbolic/test_run_time_law.py "
    "layout/symbolic/test_run_time_vectors.py layout/symbolic/test_symbolic_algebra.py layout/symbolic/test_digits.py"
)


def _symbolic(file: str, *edits: tuple[str, str] | tuple[str, str, str]) -> tuple[Mutant, ...]:
    return mutants_of(f"layout/symbolic/{file}", TESTS, *edits)


MUTANTS = (
    *_symbolic(
        "comparison.py",
        ("poly.constant(-1)", "poly.constant(0)"),
        ('if relation in ("<", "<="):', 'if relation in ("<", ">="):'),
        ('return decide(remainder(left, divisor), "==",', 'return decide(left, "==",'),
        ("return bool(differs(self, 0))", "return bool(equals(self, 0))"),
    ),
    *_symbolic(
        "conditions.py",
        ("high is not None and high < 0 else", "high is not None and high <= 0 else"),
        ("add(scale(self.polynomial, -1), constant(-1))", "scale(self.polynomial, -1)"),
        ("and low is not None and low >= 0:", "and low is not None and low >= -1:"),
        ("(low is not None and low > 0) or", "(low is not None and low >= 0) or"),
        ("return not assumed[opposite]", "return assumed[opposite]"),
        ('"or": "and", "and": "or"', '"or": "or", "and": "and"'),
        ("if nonzero or not p:", "if nonzero:"),
        ('return _joined("or", truths, absorbing=True)', 'return _joined("or", truths, absorbing=False)'),
        ("token = _assumed.set(None)", "token = _assumed.set(_assumed.get())"),
    ),
    *_symbolic(
        "evaluation.py",
        ("isinstance(b, int) and b <= 0", "isinstance(b, int) and b < 0"),
        ("as_int(values[atom] // atom.step)", "as_int(values[atom])"),
        ("for _ in range(power):", "for _ in range(1):"),
        ("if inside == (True, True, True):", "if inside[:2] == (True, True):"),
        ("if inside == (True, True, True):", "if inside[1:] == (True, True):"),
        ('join = any_of if condition.word == "or" else all_of', 'join = all_of if condition.word == "or" else any_of'),
        ('"min": minimum', '"min": maximum'),
    ),
    *_symbolic(
        "expression.py",
        ("if isinstance(value, Expression) else 32", "if isinstance(value, Expression) else 64"),
        ("else abs(index(value))", "else index(value)"),
        ("* (self.div > 1)", "* (self.div > 0)"),
    ),
    *_symbolic(
        "guards.py",
        ("c if truth else c.negated() for", "c for"),
        ("known.extend(layout.guards)", "pass"),
        ("if guards and not _has_layout(result):", "if False:"),
        ("(*layout.guards, *guards)", "guards"),
        ("if not ways:\n", "if True:\n"),
        ("any(isinstance(v, SymInt) for _, v in value.terms)", "False"),
        ("dict.fromkeys(known, True)", "{}"),
        ("return depends_on_run_time((value.outer, value.offset, value.inner))", "return False"),
    ),
    *_symbolic(
        "operators.py",
        ("if div % step == 0 else 1\n", "if True else 1\n"),
        ("return self - (self & ~mask)", "return self - (self & -mask)"),
        ("return self - (self & other) + other", "return self + other"),
        ("max(width_of(a), width_of(b))", "min(width_of(a), width_of(b))"),
        ("return gcd(a & -a, b & -b)", "return gcd(a, b)"),
        ("count = (~mask & (mask + 1)).bit_length() - 1", "count = mask.bit_length()"),
        (
            "_combine(type(self), other, self, poly.subtract, gcd)",
            "_combine(type(self), self, other, poly.subtract, gcd)",
        ),
        ('self.extremum("max", self, -self)', "self"),
    ),
    *_symbolic(
        "polynomial.py",
        ("all(powers.get(atom, 0) >= power for", "all(powers.get(atom, 0) > power for"),
        ("powers[atom] = powers.get(atom, 0) + power", "powers[atom] = power"),
        ("return k if k and not rest and scale(q, k) == p else None", "return k if k and not rest else None"),
        (
            "return frozenset((mono, coefficient) for mono, coefficient in total.items() if coefficient)",
            "return frozenset((mono, coefficient) for mono, coefficient in total.items())",
        ),
        ("return coefficient if not more and not mono else None", "return coefficient if not more else None"),
        ("(self.key, 0) if isinstance(self.key, str)", '("?", 0) if isinstance(self.key, str)'),
        ("atom.step**power for", "atom.step for"),
        ("1 + max(inner, default=0)", "1"),
    ),
    *_symbolic(
        "digits.py",
        ("k = multiple(factor, scale(b, -1))", "k = multiple(factor, b)"),
        ("return times if mono and not rest and alike else 0", "return times if mono and not rest else 0"),
        ("or dividend != same or", "or"),
        ("if not all(contains(m, mono) and k % c == 0 for", "if not all(contains(m, mono) for"),
        ("max(below[call], key=", "min(below[call], key="),
        ("p = subtract(p, scale(digit.value, times))", "p = subtract(p, digit.value)"),
    ),
    *_symbolic(
        "text.py",
        ("if abs(k) > 1 else modulo if alone and k > 0 else", "if abs(k) > 1 else modulo if alone else"),
        ("(len(factors), sum(map(abs, factors))) < (len(p),", "(len(factors), 0) < (len(p),"),
        ("alone = len(taken) == 1 and not rest", "alone = not rest"),
    ),
    *_symbolic(
        "quotient.py",
        ("if not rest or _within(rest, q):", "if not rest:"),
        ("if low is not None and low >= 0:\n        return q", "if low is not None and low > 0:\n        return q"),
        ("high < _low_bit(content(b))", "high <= _low_bit(content(b))"),
        ("low // divisor == high // divisor", "low // divisor >= high // divisor - 1"),
        ("constant(divisor - 1))", "constant(divisor))"),
        ("room is not None and room > 0", "room is not None and room >= 0"),
        ("_truncate(c, divisor) if mono else c // divisor", "_truncate(c, divisor)"),
        ("scale(inner.args[1], divisor))", "inner.args[1])"),
        ("return frozenset((mono, c // factor) for mono, c in p) if factor > 1 else p", "return p"),
        ("constant(offset // common)", "constant(-(-offset // common))"),
        ("return -(-a // b) if (a < 0) != (b < 0) else a // b", "return a // b"),
        ('return q if op == "min" else p', 'return p if op == "min" else q'),
        ("if divisor < 0 else _divide_by_integer(p, divisor)", "if False else _divide_by_integer(p, divisor)"),
    ),
    *_symbolic(
        "ranges.py",
        ("        if times < 0:\n", "        if times > 0:\n"),
        ("low // least if low < 0 else 0 if most is None else low // most", "low // least"),
        ("max(b, d).bit_length()) - 1", "max(b, d).bit_length()) - 2"),
        ("constant(0) if k > 0 else", "constant(0) if k < 0 else"),
        ("high // least if high >= 0 else", "high // least if high < 0 else"),
        ("-(-atom.lower // atom.step), atom.upper", "atom.lower // atom.step, atom.upper"),
        ("total += c * (low if c > 0 else high)", "total += c * low"),
        ("ends = (low * a, low * b, high * a, high * b)", "ends = (low * a, high * b)"),
        ("if all(c > 0 for mono, c in p if mono) else None", "if True else None"),
        ("or a < 0 or c < 0:", ":"),
        ("min(highs, default=None)", "max(highs, default=None)"),
        ("None if a is None or c is None else min(a, c),", "a,"),
        ("least = max(least or 1, 1)", "least = least or 1"),
    ),
    *_symbolic(
        "substitution.py",
        ("if truth is False:", "if truth is None:"),
        ("[truth] if isinstance(truth, Condition) else []", "[]"),
    ),
    *_symbolic(
        "symint.py",
        ("if -(-least // div) > most // div:", "if least > most:"),
        ("(1 << width - 1) - 1 if", "1 << width - 1 if"),
        ("least = 1 if lower is None", "least = 0 if lower is None"),
    ),
)
