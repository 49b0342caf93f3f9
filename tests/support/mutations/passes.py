"""Mutants of the passes: dispatch, buffers, lanes, unrolling, folding, and threads that become loops."""

from __future__ import annotations

from mutations.mutant import Mutant, mutants_of


def _passes(file: str, *edits: tuple[str, str] | tuple[str, str, str]) -> tuple[Mutant, ...]:
    return mutants_of(f"passes/{file}", "", *edits)


COORDINATES = "targets/simulator/test_coordinates.py"


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
    *mutants_of(
        "passes/lower_buffers.py",
        COORDINATES,
        ("return op.location if plain else through(op.location, accessed.type)", "return op.location"),
        ("loaded.location = _location(op, accessed)", "loaded.location = op.location"),
    ),
    *mutants_of(
        "ir/core/location.py",
        COORDINATES,
        (
            "    location = _own(location)\n    if isinstance(location, FusedLoc) and",
            "    if isinstance(location, FusedLoc) and",
        ),
        ("if isinstance(location, FusedLoc) and isinstance(location.metadata, DictionaryAttr):", "if False:"),
    ),
    *mutants_of(
        "targets/simulator/sites.py",
        COORDINATES,
        ("kind = None if offsets(self.view) else self.view.type", "kind = None"),
        ("kind = view_of(self.op.location)", "kind = None"),
        ("if len(found) == 1 else", "if len(found) else"),
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
        ("        loaded.location = _location(op, accessed)\n", ""),
        ("        changed.location = _location(op, accessed)\n", ""),
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
        ("index.value(index.add(end, at))", "index.value(at)"),
        ("thread.index.mul(thread.number, size_of(array))", "thread.number"),
        (
            "            new.result.replace_all_uses_with(index.value(mine.thread.ids[new.dimension.data]))\n",
            "            pass\n",
        ),
        ("if size > MOST_BYTES:", "if size > 8 * MOST_BYTES:"),
        ("        made.attributes.update(item.op.attributes)\n", ""),
        ("apart = {LANE_ID} if scope.group == WARP else {LANE_ID, WARP_ID}", "apart = {LANE_ID}"),
        ("if value in self.plan.uniform or value in scope.known:\n", "if value in self.plan.uniform:\n"),
        (
            "count = self.threads.warps * self.threads.lanes if shown else self.threads.count",
            "count = self.threads.count",
        ),
        ("        if op.result in self.kept:\n", "        if False:\n"),
    ),
    *_passes(
        "resolve_lanes.py",
        ("op.segment(self.lanes)", "op.segment(2 * self.lanes)"),
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
        ("(is_pure(op) or type(op) is AssertOp) and not op.regions", "not op.regions"),
        ("frozenset((*op.properties.items(), *op.attributes.items()))\n", "frozenset(op.attributes.items())\n"),
        (
            "tuple(op.operands), properties, tuple(op.result_types))",
            "frozenset(op.operands), properties, tuple(op.result_types))",
        ),
        ("properties, tuple(op.result_types))", "properties)"),
        ("frozenset() if type(op) is AssertOp else properties", "properties"),
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
    *_passes(
        "fission/plan.py",
        ("return [value for value in dict.fromkeys(used) if value not in inside]", "return list(dict.fromkeys(used))"),
        ("        used += [value for value, _ in self.exports]\n", ""),
        ("                leaf.exports += self._before(op)\n", ""),
        ("        leaf.exports += exports\n", ""),
        ('if self.extents["xyz".index(op.dimension.data)] == 1:', "if False:"),
        ("return [(value, value)] if value in self.simple else []", "return []"),
        ("            self.same.update(zip(op.res, carried, strict=True))\n", ""),
        ("        self.same.update(zip(op.res, after.args, strict=True))\n", ""),
        ("        if kept:\n            first.append(Leaf(exports=kept))\n", ""),
        ("return [op.by] if isinstance(op, ShuffleOp) else op.operands", "return op.operands"),
        ("        self.simple |= self.uniform.intersection(op.results)\n", ""),
        ("        self.asked.add(value)\n", ""),
        (
            "for known in (self.uniform, self.simple):\n                if known.issuperset",
            "for known in (self.simple, self.uniform):\n                if known.issuperset",
            "each of the two sets grows by what it holds itself: neither is asked about when the other does",
        ),
    ),
    *_passes(
        "fission/registers.py",
        ("all(scan.first for scan in scans.values())", "any(scan.first for scan in scans.values())"),
        ("Local(False, often and not scan.whole, often and stores)", "Local(False, False, often and stores)"),
        ("Local(False, often and not scan.whole, often and stores)", "Local(False, often and not scan.whole, False)"),
        ("return self.first and len(self.written) == self.size", "return self.first"),
        ("if at is not None and certain:", "if at is not None:"),
        ("self.first &= at in self.written", "pass"),
        (
            "                self.block(block.ops, known, False)\n",
            "                self.block(block.ops, known, certain)\n",
        ),
        ("using[array] += [leaf] * any(array in inner.operands for inner in _walk(leaf.ops))", "pass"),
        ("self.first &= self.steps > 0", "pass"),
        (
            "                    if self.decided:\n                        return\n                    known",
            "                    known",
        ),
    ),
    *_passes(
        "fission/threads.py",
        ("return -(-self.count // self.lanes)", "return self.count // self.lanes"),
        ("[(z, nx * ny), (y, nx), (x, 1)]", "[(z, nx * ny), (y, ny), (x, 1)]"),
        ('"y": index.mod(row, ny), "z": index.div(row, ny)', '"y": row, "z": index.div(row, ny)'),
        ("if self.count % self.lanes == 0 or self.warps == 1:", "if True:"),
        ("arith.MinSIOp(left, index.value(self.lanes))", "arith.MaxSIOp(left, index.value(self.lanes))"),
        ("yield Thread(inner, ids, t, lane, start)", "yield Thread(inner, ids, t, lane)"),
        ("return 0 if scope.group == BLOCK else IndexBuilder(scope.builder).mul(scope.warp, self.lanes)", "return 0"),
    ),
    *_passes(
        "fission/together.py",
        ("last = index.add(first, width - 1)", "last = index.add(first, width)"),
        ('"up": (first, lane)', '"up": (0, lane)'),
        ('"xor": (0, last)', '"xor": (first, last)'),
        ('int(kind == "all")', "0"),
        ("arith.SelectOp(insert(arith.AndIOp(above, below)), there, lane)", "arith.SelectOp(above, there, lane)"),
        ("(index.bits_and(by, width - 1), 1)", "(by, 1)"),
        ("return index.add(thread.start, chosen.result)", "return chosen.result"),
        ("thread.index.value(thread.lane), number", "thread.index.value(thread.number), number"),
    ),
    *_passes(
        "fission/memory.py",
        ("ids.get(op.dimension.data, 0)", "ids.get('x', 0)"),
        (
            "return builder.insert(arith.IndexCastOp(found, kind)).result if isinstance(kind, IndexType) else found",
            "return found",
        ),
    ),
    *_passes(
        "fission/fission.py",
        ("        for op in func.walk():\n            refuse(op)\n", ""),
        ('or op.scope.data == "cluster"', 'or op.scope.data == "warp"'),
        ("if isinstance(op, ReturnOp) and op.operands:", "if False:"),
        ("DenseArrayBase.from_list(i64, [1, 1, 1])", "DenseArrayBase.from_list(i64, [x, y, z])"),
        ("if len(sizes) != 3 or min(sizes) < 1:", "if len(sizes) != 3:"),
    ),
)
