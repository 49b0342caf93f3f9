"""Mutants of what layouts and int tuples are: evaluation, relations, slices, construction."""

from __future__ import annotations

from mutations.mutant import Mutant, mutants_of

TESTS = (
    "layout/test_arithmetic_worlds.py layout/test_axes_worlds.py layout/test_arrays.py layout/test_common.py "
    "layout/test_kinds.py layout/test_pairs.py layout/test_edges.py layout/test_vectors_adversarial.py "
    "layout/test_vectors_cute.py layout/test_explain.py layout/test_hostile.py "
    "layout/symbolic/test_symbolic_algebra.py layout/symbolic/test_guards.py layout/test_laws.py "
    "layout/test_vectors_fly.py"
)


def _values(file: str, *edits: tuple[str, str] | tuple[str, str, str]) -> tuple[Mutant, ...]:
    return mutants_of(f"layout/{file}", TESTS, *edits)


MUTANTS = (
    *_values(
        "arithmetic.py",
        ("ceiling(divisor, a) if not", "divisor // a if not"),
        ("(-1 if (a < 0) != (b < 0) else 1)", "(-1 if a < 0 else 1)"),
        ("is int:\n        return a - b * quotient(a, b)", "is int:\n        return a % b"),
        ("a % divisor and (a == 0 or divisor % a)", "a % divisor and divisor % a > 1"),
        ("if len(parts) < len(like):", "if len(parts) < len(like) - 1:"),
    ),
    *_values(
        "axes.py",
        ("if not (isinstance(v, int) and v == 0)", "if True"),
        ("total[axis] + value if axis in total else value", "value"),
        ("if kept[0][0] == MEMORY:", "if kept[-1][0] == MEMORY:"),
        ("(True, (), axis == MEMORY, axis)", "(True, (), axis != MEMORY, axis)"),
        ("map(str, reversed(axis))", "map(str, axis)"),
    ),
    *_values("base.py", ("len(value) != 2 or", "len(value) < 2 or")),
    *_values(
        "bulk.py",
        ("// prod(extents[:-1]) + 1", "// prod(extents[:-1])"),
        ("(s - 1) * abs(d)", "(s - 1) * d"),
        ("_most(coord, shape, stride) >= MAX_INT", "_most(coord, shape, stride) > 2 * MAX_INT"),
        ("abs(offset) + _largest(values) >= MAX_INT", "_largest(values) >= MAX_INT"),
        ("abs(int(numbers.min(initial=0)))", "0"),
    ),
    *_values(
        "compare.py",
        ("len(b) <= len(a)", "len(b) < len(a)"),
        ("return len(a) <= len(b) and all(_elementwise", "return all(_elementwise"),
        ("lambda x, y: x <= y)", "lambda x, y: x < y)"),
        ("return bool(x == product(y))", "return bool(x <= product(y))"),
        (
            "return bool(product(a) == product(b) * product(ceil_div(a, b)))",
            "return bool(product(a) % product(b) == 0)",
        ),
    ),
    *_values(
        "construct.py",
        ("take = gcd(extent, left)", "take = min(extent, left)"),
        ("step, left = step * extent, left // take", "step, left = step * take, left // take"),
        ("live = tuple(s if o else 1 for", "live = tuple(s for"),
        ("found.append((position, abs(value)))", "found.append((position, value))"),
        ("step = product((step, *extents))", "step = product(extents)"),
    ),
    *mutants_of(
        "layout/evaluations.py",
        "layout/test_evaluations.py",
        ("number ^ swizzle(number)\n    return", "swizzle(number)\n    return"),
        ("* (len(shape) - len(where))", "* (len(shape) - len(where) - 1)"),
        ("index //= extent", "index %= extent"),
        ("if len(found) > 1 else ()", "if len(found) > 9 else ()"),
    ),
    *mutants_of(
        "layout/by_mode.py",
        "layout/test_by_mode.py",
        ("parts.get(layout, path[0]), path[1:]", "parts.get(layout, path[-1]), path[1:]"),
        ("(*self.origin.path, *_path(mode))", "(*_path(mode), *self.origin.path)"),
        ("self.origin.whole or (self,)", "(self,)"),
    ),
    *_values(
        "coordinates.py",
        ("remainder(quotient(index, stride), extent)", "quotient(index, stride)"),
        ("len(index) == len(shape)", "len(index) <= len(shape)"),
        ("if len(flat) != 1 or keeps(flat):", "if keeps(flat):"),
        ("if type(stride) is int and stride == 0:", "if False:"),
        ("if type(extent) is int and extent == 1:\n        return 0", "if False:\n        return 0"),
    ),
    *_values(
        "dispatch.py",
        ("return value.__class__ is int or", "return isinstance(value, int) or"),
        (
            "if not arg.is_static if arg.__class__ is Layout else not _is_key(arg):",
            "if not arg.is_static if arg.__class__ is Layout else False:",
        ),
        ("(value.__class__ is Layout and value.is_static)", "value.__class__ is Layout"),
        ("raise UndecidedError(value.guards[0])", "value = value.layout"),
        (
            "if not of_layout and isinstance(value, ComposedLayout | Swizzle):",
            "if isinstance(value, ComposedLayout | Swizzle):",
        ),
    ),
    *_values(
        "indexing.py",
        ("(i >= 0) & (i < n)", "(i < n)"),
        ("extent & extent - 1 == 0", "extent & 1 == 0"),
        ("bool(0 <= i < n)", "bool(0 <= i <= n)"),
        ("if len(coord) > len(shape):\n            raise", "if len(coord) > len(shape) + 1:\n            raise"),
        ("for s in shape[:-1]:\n", "for s in shape:\n"),
        ("i & extent - 1", "i & extent"),
    ),
    *_values(
        "inttuple.py",
        ("if depth >= MAX_DEPTH:", "if depth > MAX_DEPTH + 100:"),
        ("or leaves > MAX_LEAVES:  # no need", "or False:  # no need"),
        ("    if leaves > MAX_LEAVES:", "    if leaves > MAX_LEAVES + 1:"),
        ("if type(value) is int and -MAX_INT < value < MAX_INT:", "if type(value) is int:"),
        ("if isinstance(node, bool):", "if False:"),
        ("return 1 + max(map(depth, t), default=0)", "return 1 + max(map(depth, t), default=1)"),
    ),
    *_values(
        "layout.py",
        ("type(mode) is int and mode in (0, -1)", "type(mode) is int and mode in (0, -1, 1)"),
    ),
    *_values(
        "parts.py",
        ("or (extent < 1) is True:", "or (extent < 0) is True:"),
        ("if not congruent(shape, stride):", "if False:"),
        ("if type(node) is int and node == 1:\n            return 0", "if False:\n            return 0"),
        ("not 0 < s < 1 << 24", "not -2 < s < 1 << 24"),
    ),
    *_values(
        "presenting.py",
        ("if len(paths[0]) == level:", "if len(paths[0]) <= level + 1:"),
        ("if len(paths) < len(axes) or", "if not paths or"),
    ),
    *_values(
        "query.py",
        ("low = low + below * (s - 1)", "low = low + below * s"),
        ("return (shape - 1) * stride if stride > 0 else 0", "return (shape - 1) * stride"),
        ("(element, 0) if element < 0 else (0, element)", "(element, 0) if element <= 1 else (0, element)"),
        ("lambda v: v + 1)", "lambda v: v)"),
        ("if len(flat) != 1:", "if len(flat) > 2:"),
    ),
    *_values(
        "slicing.py",
        ("if not keeps(b):", "if keeps(a):"),
        ("if type(start) is int and start == 0 else ComposedLayout", "if True else ComposedLayout"),
        ("    if keeps(a):\n", "    if False:\n"),
        ("or len(value) != len(coord):", "or len(value) < len(coord):"),
        ("out.extend(inner)", "out.append(inner)"),
    ),
    *_values(
        "steps.py",
        ("replace(found, result=whole[part])", "found"),
        ("LOG.reset(token)", "pass"),
    ),
    *_values(
        "explain.py",
        ("args = (bound.__self__, *args)", "args = (*args,)"),
        ("(*bound.args, *args), {**bound.keywords, **options}", "(*args, *bound.args), {**bound.keywords, **options}"),
        ("same = only is not None and only.rule == rule and", "same = only is not None and"),
    ),
    *_values(
        "structure.py",
        ("(type(end) is int and end == -1)", "False"),
        ('if name == "take" and begin == last:', "if False:"),
        ("0 <= begin <= last <= rank:", "0 <= begin <= last <= rank + 1:"),
        ("if first < last else modes", "if first <= last else modes"),
        ("at = mode % len(modes)", "at = mode"),
    ),
    *_values(
        "table.py",
        ("values += offset", "values |= offset"),
        ("layout.size > MAX_TABLE:", "layout.size >= MAX_TABLE // 2:"),
        ('ravel(order="F")', 'ravel(order="C")'),
        ("read <<= -swizzle.s", "read >>= -swizzle.s"),
    ),
)
