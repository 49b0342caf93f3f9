"""Mutants of what traces users' functions of `fx`, and of the loops that target `host` asks at their ends."""

from __future__ import annotations

from mutations.mutant import Mutant, mutants_of

FLOW = "lang/fly/test_control_flow.py lang/fly/test_members.py lang/fly/test_programs.py"
TOLD = "lang/fly/test_errors.py"
NUMBERS = "lang/fly/test_numbers.py"
SPANS = "targets/host/test_spans.py"


def _core(file: str, tests: str, *edits: tuple[str, str] | tuple[str, str, str]) -> tuple[Mutant, ...]:
    return mutants_of(f"lang/core/{file}", tests, *edits)


MUTANTS = (
    *_core(
        "control.py",
        f"{FLOW} {TOLD}",
        (
            "return tuple((then if asked else orelse)(*state.values))",
            "return tuple((orelse if asked else then)(*state.values))",
        ),
        (
            "copies = [flat.rebuild(flat.leaves) for flat in state.flat(state.values)]\n    with trace",
            "copies = state.values\n    with trace",
        ),
        (
            "return is_pure(op) and not op.regions and (row is None or not row.partial)",
            "return is_pure(op) and not op.regions",
        ),
        ("filler = _blank(value, name) if name in state.slots else None", "filler = _blank(value, name)"),
        ("opened = name in state.opened or type(a) is type(b)", "opened = name in state.opened"),
    ),
    *_core(
        "carried.py",
        f"{FLOW} {TOLD}",
        (
            "return (x.known and y.known and x.value == y.value) or x.value is y.value",
            "return x.value == y.value",
            "a value of the IR equals itself alone, and no number",
        ),
        ("return a.number.value is b.number.value and a.shape == b.shape", "return a.number.value is b.number.value"),
        ("if isinstance(value, float) and not leaf.element.is_float:", "if False:"),
        (
            "if type(a) is not type(b):\n        return False\n    if isinstance(a, Numeric)",
            "if isinstance(a, Numeric)",
        ),
    ),
    *_core(
        "loops.py",
        f"{FLOW} {TOLD}",
        (
            "taken = {i for i, leaf in enumerate(flat.leaves) if sure and isinstance(leaf, Numeric)}",
            "taken = set[int]()",
            "the next attempt carries what the body has changed",
        ),
        ("runs or name in state.slots", "runs"),
        (
            "fills = fills and before.reason.startswith(UNSET)",
            "fills = fills",
            "a loop that runs gives the variable a value, whatever it had before; whoever reads it before is refused first",
        ),
        ("down = by.integer is not None and by.integer < 0", "down = False"),
        (
            'rounded = operators.binary("+", distance, operators.binary("-", width, Number(low.element, 1)))',
            "rounded = distance",
        ),
        ("INT64 if any(x.bits > 32 for x in elements) else INT32", "INT32"),
    ),
    *_core(
        "pytree.py",
        FLOW,
        ("or original is result or isinstance(original, tuple)", "or original is result or isinstance(original, list)"),
        ("at += count", "at += 1"),
    ),
    *_core(
        "rewrite/names.py",
        f"{FLOW} {TOLD}",
        ('"append", "extend",', '"append",'),
        ("case ast.Subscript(value=inner, ctx=ast.Store()):", "case ast.Starred(value=inner, ctx=ast.Store()):"),
    ),
    *_core(
        "numerics/operators.py",
        NUMBERS,
        ('("int", "%"): BINARY_OF[arith.RemSIOp],', ""),
        ('if element.is_float and sign == "//":', "if False:"),
        ("return FLOAT64 if element.bits > INT32.bits else FLOAT32", "return FLOAT32"),
        (
            "return value & ((1 << element.bits) - 1)",
            "return value",
            "known numbers of types without a sign are natural",
        ),
        (
            'if element == BOOL and sign not in ("==", "!="):',
            "if False:",
            "a bit without a sign has the order of 0 and 1",
        ),
        (
            "reads = element.kind if element.is_float or element.kind == SIGNED else UNSIGNED",
            "reads = element.kind if element.is_float else SIGNED",
        ),
        ('factor = binary("*", factor, factor) if count > 1 else factor', 'factor = binary("*", factor, found)'),
        ('return number if element.kind == "uint" else', "return"),
    ),
    *_core(
        "finite.py",
        TOLD,
        ("trace.go_through(len(given))", "trace.go_through(0)"),
        ("trace.go_through(1)", "trace.go_through(0)"),
        ('"**": lambda a, b: a.bit_length() * b if abs(a) > 1 else 0,', '"**": lambda a, b: a.bit_length() + b,'),
        ("len(items) * count > MOST_TURNS", "count > MOST_TURNS * len(items)"),
        ('return partial(_through, cast("Function", function))', "return function"),
    ),
    *mutants_of(
        "targets/host/steps.py",
        SPANS,
        (
            "return self.straight(op.operands[0]) if wider else steps[0]",
            "return steps[0]",
            "where a narrow number wraps the wider one falls, which is asked of that; no index is a sum then",
        ),
        ("return steps[0] - steps[1]", "return steps[0] + steps[1]"),
        ("predicate_of(op).name in SIGNED or (", "True or ("),
        ("(steps[0] or steps[1]) * scale", "(steps[0] or steps[1])"),
    ),
    *mutants_of(
        "targets/host/spans.py",
        SPANS,
        ("for at in (first, ending):", "for at in (first,):"),
        ("for at in (first, ending):", "for at in (ending,):"),
        ("below, above = (first, ending) if step > 0 else (ending, first)", "below, above = first, ending"),
        (
            'none = code.compare("eq", end, zero)',
            "none = code.number(0, IntegerType(1))",
            "where no thread takes its turn either loop does nothing",
        ),
        ("if limit.included:", "if False:"),
        (
            'agreed = code.compare("eq", below, code.compare("sgt", left, zero))',
            "agreed = code.number(1, IntegerType(1))",
        ),
        (
            "fine = code.op(arith.AndIOp, fine, code.op(arith.AndIOp, agreed, rising))",
            "fine = code.op(arith.AndIOp, fine, agreed)",
        ),
        (
            "end = code.op(arith.MaxSIOp, zero, code.op(arith.MinSIOp, end, left))",
            "end = code.op(arith.MinSIOp, end, left)",
            "a loop to a negative number has no turn",
        ),
        ("end = code.choose(first.value(limit.value), end, zero)", "pass"),
    ),
)
