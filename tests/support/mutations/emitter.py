"""Mutants of the C emitter: expressions, types, statements, loops, ordered accesses, what is declared."""

from __future__ import annotations

from mutations.mutant import Mutant, mutants_of


def _emitter(file: str, *edits: tuple[str, str] | tuple[str, str, str]) -> tuple[Mutant, ...]:
    numbers = "targets/test_emitter.py targets/simulator/test_arithmetic.py" if file == "values.py" else ""
    return mutants_of(f"targets/c_emitter/{file}", numbers, *edits)


MUTANTS = (
    *_emitter(
        "operations.py",
        ('first = left.text if sign == "+" and left.is_sum else left.operand', "first = left.text"),
        (
            'left.is_sum else left.operand\n    return Expr(f"{first} {sign} {right.operand}"',
            'left.is_sum else left.operand\n    return Expr(f"{first} {sign} {right.text}"',
        ),
        (
            "if left.ctype == right.ctype or (left.natural and right.natural and (left.constant or right.constant)):",
            "if True:",
        ),
        ("if predicate.reads != ON_BITS or (left.natural and right.natural):", "if True:"),
        ("    elif predicate.reads == ON_BITS:\n", "    elif predicate.reads != ON_BITS:\n"),
        (
            'if predicate.plain else f"!({{a}} {_OPPOSITES[predicate.sign]} {{b}})"',
            'if predicate.plain else f"({{a}} {predicate.sign} {{b}})"',
        ),
        ("{condition.operand} ? {yes.operand} : {no.operand}", "{condition.operand} ? {no.operand} : {yes.operand}"),
        (
            "return _cast(op, [operands[0].cast(_unsigned(operands[0].ctype))], found)",
            "return _cast(op, operands, found)",
        ),
        (
            "if isinstance(op, _ON_BITS) and not (left.natural and right.natural):",
            "if isinstance(op, _ON_BITS) and not left.natural:",
        ),
        ("if type(op) in CALLS and left.natural and right.natural and", "if type(op) in CALLS and left.natural and"),
        (
            "or (right.ctype == WIDE and not shift)",
            "or False",
            "C computes in 64 bits where one operand has them, and what it gives fits 32 here, whichever the text takes it for",
        ),
        ("if left.ctype != WIDE and (shift or right.ctype != WIDE):", "if left.ctype != WIDE and right.ctype != WIDE:"),
        ("if low is None or low < 0 or not (left.natural and right.natural):", "if False:"),
        ("    if isinstance(op, _ON_BITS + _WRAPPING):\n", "    if isinstance(op, _ON_BITS):\n"),
        (
            'return INT if ctype in ("bool", "signed char", "unsigned char", "short", "unsigned short") else ctype',
            "return ctype",
        ),
        ('{"<": ">=", ">=": "<", ">": "<=", "<=": ">"}', '{"<": ">", ">=": "<=", ">": "<", "<=": ">="}'),
        ('"one": "tw_apart<{t}>({a}, {b})"', '"one": "!tw_apart<{t}>({a}, {b})"'),
        ("    if isinstance(op.result.type, IndexType):\n        yes, no = matched(yes, no)\n", ""),
        ('Expr(f"({value.operand} & 1) != 0", "bool"', 'Expr(f"{value.operand} != 0", "bool"'),
        ('{"float": "fmaf", "double": "fma"}', '{"float": "fma", "double": "fma"}'),
        ('arith.MaximumfOp: "tw_maximum"', 'arith.MaximumfOp: "tw_maxnum"'),
        ("made = value.cast(index_type(found))", "made = value.cast(INT)"),
    ),
    *_emitter(
        "values.py",
        ('text = f"{value}LL" if ctype == WIDE else str(value)', "text = str(value)"),
        ("if low < -_WIDE_MAX - 1 or high > _WIDE_MAX:", "if low < -_WIDE_MAX - 1:"),
        ("if value == -(2 ** (element.bits - 1)):", "if value < -(2 ** (element.bits - 1)):"),
        ("if copysign(1, value) < 0 else positive", "if value < 0 else positive"),
        ("_SPECIAL[ctype][isnan(value)]", "_SPECIAL[ctype][not isnan(value)]"),
        ("return self.low is not None and self.low >= 0", "return self.low is not None"),
        ('return Expr(f"({ctype}){self.operand}", ctype', 'return Expr(f"({ctype}){self.text}", ctype'),
        (
            "return INT if low >= -_INT_MAX - 1 and high <= _INT_MAX else WIDE",
            "return INT if low >= -_INT_MAX - 1 and high <= _INT_MAX + 1 else WIDE",
        ),
    ),
    *_emitter(
        "statements.py",
        (
            "if op.false_region.blocks and (variables or len(op.false_region.block.ops) > 1):",
            "if op.false_region.blocks and variables:",
        ),
        (
            "        out.exprs.update(zip(carried, now, strict=True))\n",
            "        out.exprs.update(zip(carried, [out.exprs[value] for value in op.iter_args], strict=True))\n",
        ),
        ("reach = None if top is None or step is None else top + step", "reach = top"),
        ("{left.operand} < {right.operand}; {more})", "{left.operand} <= {right.operand}; {more})"),
        ('if by.text == "1" else f"{counter.text} +=', 'if by.text != "0" else f"{counter.text} +='),
        ("        out.assign(variables, _yielded(op.body.block))\n", "        pass\n"),
        (
            "    out.exprs.update(zip(op.res, variables, strict=True))\n",
            "    out.exprs.update(zip(op.res, [out.exprs[v] for v in op.iter_args], strict=True))\n",
        ),
        ("        _branch(out, op.true_region.block, variables)\n", "        out.block(op.true_region.block)\n"),
        ("if len(trips) * sum(1 for _ in op.body.walk()) <= MAX_UNROLLED:", "if True:"),
        (
            "    out.exprs.update(zip(op.res, now, strict=True))\n",
            "    out.exprs.update(zip(op.res, [out.exprs[value] for value in op.iter_args], strict=True))\n",
        ),
        ('wide = WORDS_64[element.name] if kind in ("min", "max") else', "wide ="),
        ("if kind not in ATOMIC.get(element.name, ()):", "if element.name not in ATOMIC:"),
        ('"__shfl_sync" if op.kind.data == "idx" else', '"__shfl_sync" if op.kind.data in ("idx", "xor") else'),
        (
            "isinstance(moved_to(op), memref.StoreOp | scf.IfOp | scf.ConditionOp | scf.YieldOp)",
            "moved_to(op) is not op",
        ),
        ('    fence(out, order, scope, ("release", "acq_rel"))\n    if op.result', "    if op.result"),
        ('    if op.kind.data == "ballot":\n', "    if True:\n"),
        ("out.table.large * (out.stacked > STACK_BYTES)", "out.table.large * (out.stacked > 2 * STACK_BYTES)"),
        ("out.assertions.append((claim, where(op)))", "out.assertions.append((claim, ''))"),
        ("named=made.leaves > (VERY_LONG if result.has_one_use() else several)", "named=False"),
        ("({out.pool} + {offset})", "({out.pool})"),
    ),
    *_emitter(
        "writer.py",
        ("for before in targets[:at]}", "for before in targets[: at - 1]}"),
        ("            if value.text != target.text:\n", "            if value.text == target.text:\n"),
        ("if made.leaves <= leaves:", "if made.leaves >= leaves:"),
        ("if low >= 0 and high < top)", "if high < top)"),
        ("if low >= 0 and high < top", "if low >= 0 and high <= top"),
        ('return " + ".join(self.turns) or "0"', 'return "0"'),
        ("            self.turns.pop()\n", "            pass\n"),
        ("self.restrict and parameter.size is not None", "parameter.size is not None"),
        ("if self.memory.arrays > self.table.shared_bytes:", "if self.memory.arrays >= 2 * self.table.shared_bytes:"),
        ('f"{name}<" in body or f"{name}(" in body', 'f"{name}<" in body'),
        ("if numbers not in self.tables:\n            self.tables", "if True:\n            self.tables"),
        ("self.names = Names(self.name, *HELPERS, *ORDERED, *PTX, *wanted.taken)", "self.names = Names(self.name)"),
    ),
    *_emitter(
        "whiles.py",
        ("        out.assign(variables, end.operands)\n", "        pass\n"),
        (
            "        _name_passed(out, op, last)\n        out.block(after)\n",
            "        out.block(after)\n        _name_passed(out, op, last)\n",
        ),
        ("alone = len(out.lines) == start + 1 and not kept", "alone = not kept"),
        (
            '            out.line(f"if (!{condition.operand}) break;")\n',
            '            out.line(f"if ({condition.operand}) break;")\n',
        ),
        ("return result.first_use is not None and value not in out.exprs", "return False"),
    ),
    *_emitter(
        "ordered.py",
        ('"cta": "__threadfence_block"', '"cta": "__threadfence"'),
        ('fence(out, op.order.data, op.scope.data, ("release", "acq_rel"))', "pass"),
        ("tw_swap({_target(out, op)}, {expected}, {value})", "tw_swap({_target(out, op)}, {value}, {expected})"),
        ("if element.bits not in WORDS:", "if element.bits > max(WORDS):"),
        ("    if not element_dtype(op.value.type).is_integer:", "    if element_dtype(op.value.type).bits == 8:"),
        ('("acquire", "acq_rel"))\n\n\ndef _changer', '("acquire",))\n\n\ndef _changer'),
    ),
    *_emitter(
        "names.py",
        ("        self._taken.add(name)\n", ""),
        ('and text not in _RESERVED and not text.startswith("__")', "and text not in _RESERVED"),
    ),
    *_emitter(
        "printing.py",
        ("if conversion.kind not in UNSIGNED:", "if conversion.kind in UNSIGNED:"),
        ("return value.cast(_OF_BITS[kind.width.data]).cast(_NATURAL).text", "return value.cast(_NATURAL).text"),
        ("'' if piece.kind in FLOATS + TRUTHS else 'll'", "'ll' if piece.kind in FLOATS + TRUTHS else ''"),
        ('piece.replace("%", "%%")', "piece"),
    ),
)
