"""Mutants of the passes: dispatch, buffers, lanes, unrolling, folding, and threads that become loops."""

from __future__ import annotations

from mutations.mutant import Mutant, mutants_of


def _passes(file: str, *edits: tuple[str, str] | tuple[str, str, str]) -> tuple[Mutant, ...]:
    return mutants_of(f"passes/{file}", "", *edits)


MUTANTS = (
    *_passes(
        "dispatch.py",
        ("        for region in regions:\n            _assert_inside(op, region)\n", ""),
        ("[(start, 1), (extent, 1), (-1, 1)]", "[(start, 1), (extent, 1)]"),
        ("            if region.result.first_use is None:\n                erase(region)\n", "            pass\n"),
        ("        self.plans.append(plan)\n", ""),
        ("only = op.variant.data if op.variant else None", "only = None"),
        ("if ranges.within(start, 0, size) and ranges.sum_within(last, 0, size):", "if ranges.within(start, 0, size):"),
        (
            "if ranges.within(start, 0, size) and ranges.sum_within(last, 0, size):",
            "if ranges.sum_within(last, 0, size):",
        ),
        ("builder if isinstance(extent, int) else _where_positive(builder, extent)", "builder"),
        (
            "varies=depends_on((*region.dynamic_starts, *region.dynamic_extents), lanes)",
            "varies=depends_on(region.dynamic_starts, lanes)",
        ),
        ("memory=id(root(region.buffer))", "memory=id(region.buffer)"),
    ),
    *_passes(
        "lower_buffers.py",
        ("(op.place[0].type, BufferType)", "(op.place[0].type, int)"),
        (
            "AtomicOp(op.kind.data, op.value, memory, [offset], op.words)",
            "AtomicOp(op.kind.data, op.value, memory, [offset])",
        ),
        (
            "    made.location = op.location\n    Builder(InsertPoint.before(op)).insert(made)\n    erase(op)",
            "    Builder(InsertPoint.before(op)).insert(made)\n    erase(op)",
        ),
        ("None if op.clips and where.space == GLOBAL else ranges", "ranges"),
        ("    made.attributes.update(op.attributes)\n", ""),
        ("        loaded.location = op.location\n", ""),
        ("        changed.location = op.location\n", ""),
        ("None if op.clips and where.space == GLOBAL else ranges", "None if op.clips else ranges"),
        ("        for buffer in reversed(memories):\n", "        for buffer in memories:\n"),
    ),
    *_passes(
        "fly/repeated.py",
        (" or not _is_behind(self._latest, found):", ":"),
        ("key = op, forms, emission.nesting", "key = op, forms"),
        ("key = op, forms, emission.nesting", "key = op, tuple(map(type, forms)), emission.nesting"),
        ("emission.claim(names.truth(step.truth))", "emission.claim(step.truth)"),
        ("emission.note_divisors(map(names.polynomial, step.divisors))", "pass"),
        ("            self._steps.append(Claimed(truth))\n", ""),
    ),
    *_passes(
        "fission/cutting.py",
        ("                if local.moved_out:\n", "                if local.moved_in:\n"),
        ("        if local.moved_in:\n", "        if local.moved_out:\n"),
        ("index.add(mine.bases[old.memref], new.operands[-1])", "new.operands[-1]"),
        ("self.threads.count * size_of(array)", "self.threads.count"),
        (
            "for value, home in [*((mine.values[value], home) for value, home in leaf.exports)]:",
            "for value, home in ((mine.values[value], home) for value, home in leaf.exports):",
        ),
        ("index.value(index.add(end, at))", "index.value(at)"),
        ("thread.index.mul(thread.number, size_of(array))", "thread.number"),
        (
            "            new.result.replace_all_uses_with(index.value(mine.thread.ids[new.dimension.data]))\n",
            "            pass\n",
        ),
        ("if size > MOST_BYTES:", "if size > 8 * MOST_BYTES:"),
    ),
    *_passes(
        "resolve_lanes.py",
        ("moved.width.value.data > self.lanes", "moved.width.value.data > 2 * self.lanes"),
        ("counted.value.data != self.lanes", "counted.value.data > self.lanes"),
        ("[warps.value.data * self.lanes, 1, 1]", "[warps.value.data * 32, 1, 1]"),
        ("if isinstance(given, DenseArrayBase) and given != threads:", "if False:"),
        ("            waiting += _folded(waiting.pop())\n", "            _folded(waiting.pop())\n"),
    ),
    *_passes(
        "unroll.py",
        (
            "together = min(self.factor, len(trips)) if self.factor else len(trips)",
            "together = self.factor or len(trips)",
        ),
        ("len(trips) - len(trips) % max(together, 1)", "len(trips)"),
        ("if done > together:", "if done >= together:"),
        ("            trips = trips[done:]\n", ""),
        ("step is None or step < 1 else range", "step is None else range"),
        ("if count > MOST:", "if count > 2 * MOST:"),
        (
            "values: dict[SSAValue, SSAValue] = dict(zip(loop.body.block.args, (at, *carried), strict=True))",
            "values: dict[SSAValue, SSAValue] = dict(zip(loop.body.block.args, (at, *loop.iter_args), strict=True))",
        ),
        (
            "return [values.get(given, given) for given in last.operands]",
            "return [values[given] for given in last.operands if given in values]",
        ),
        ("_constant(inside, loop, n * trips.step)", "_constant(inside, loop, n)"),
        ("_constant(builder, loop, trips.step * together)", "_constant(builder, loop, together)"),
        ("for loop in reversed([inner", "for loop in ([inner"),
        ("if name != UNROLL}", "if name}"),
        ("if self.all or UNROLL in loop.attributes:", "if UNROLL in loop.attributes:"),
    ),
    *_passes(
        "cse.py",
        ("_block(inner, dict(known))", "_block(inner, known)"),
        ("(is_pure(op) or isinstance(op, AssertOp)) and not op.regions", "not op.regions"),
        ("frozenset((*op.properties.items(), *op.attributes.items()))\n", "frozenset(op.attributes.items())\n"),
        (
            "tuple(op.operands), properties, tuple(op.result_types))",
            "frozenset(op.operands), properties, tuple(op.result_types))",
        ),
        ("properties, tuple(op.result_types))", "properties)"),
        ("frozenset() if isinstance(op, AssertOp) else properties", "properties"),
    ),
    *_passes(
        "simplify.py",
        ("(index.ranges.natural(x) and index.ranges.natural(y))", "index.ranges.natural(y)"),
        ("if c is None or c < 1 or c & (c - 1)", "if c is None or c < 1"),
        ("index.binary(AND, x, c - 1)", "index.binary(AND, x, c)"),
        ("c.bit_length() - 1", "c.bit_length()"),
        ("if kind is MOD else", "if kind is DIV else"),
    ),
    *_passes(
        "contract.py",
        ("value.has_one_use() and ", ""),
        ("added = builder.insert(arith.NegfOp(added)).result", "added = added"),
        ("factor = builder.insert(arith.NegfOp(factor)).result", "factor = factor"),
        ("real and (self.all or FastMathFlag.ALLOW_CONTRACT in flags)", "real"),
        ("and self._allows(made)", ""),
        ("Float32Type | Float64Type)\n", "Float32Type)\n"),
        ("        erase(product)\n", ""),
        (
            "(left, op.rhs) if left is not None else (right, op.lhs)",
            "(left, op.rhs) if right is None else (right, op.lhs)",
        ),
    ),
    *_passes(
        "symbol_dce.py",
        (
            "            if private.pop(name, None) is not None:\n                waiting |= named[name]\n",
            "            private.pop(name, None)\n",
        ),
        ('== "private"', '!= "public"'),
        ("if op not in functions:", "if True:"),
    ),
)
