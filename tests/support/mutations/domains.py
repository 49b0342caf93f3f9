"""Mutants of how the simulator runs a kernel: lanes in lockstep, recordings, their proof and replay, runs on names."""

from __future__ import annotations

from mutations.mutant import Mutant, mutants_of


def _domains(file: str, *edits: tuple[str, str] | tuple[str, str, str]) -> tuple[Mutant, ...]:
    return mutants_of(f"targets/simulator/domains/{file}", "", *edits)


NAMED = "targets/simulator/test_larger.py targets/simulator/test_reruns.py"


def _names(file: str, *edits: tuple[str, str] | tuple[str, str, str]) -> tuple[Mutant, ...]:
    return mutants_of(f"targets/simulator/domains/{file}", NAMED, *edits)


MUTANTS = (
    *_domains(
        "lockstep.py",
        (
            "Registers(size, dtype, written=not self.machine.checks, guard=guard)",
            "Registers(size, dtype, written=not self.machine.checks)",
        ),
        ("found.min() >= low and found.max() < high", "found.min() >= low and found.max() <= high"),
        ("found.min() >= low and found.max() < high", "found.max() < high"),
        ("found.min() >= low and found.max() < high", "found.min() >= low or found.max() < high"),
        ("wrong = (found < low) | (found >= high)", "wrong = (found < low) | (found > high)"),
        ("wrong = (found < low) | (found >= high)", "wrong = found >= high"),
        ("if self._all is None or self._all[0] != clocks.now:", "if self._all is None:"),
        ("            wrong = wrong & mask\n", "            pass\n"),
        (
            "Registers(size, dtype, written=not self.machine.checks, guard=guard)",
            "Registers(size, dtype, written=True, guard=guard)",
        ),
        ('meet = clocks.meet_warps if scope == "warp" else clocks.meet_blocks', "meet = clocks.meet_blocks"),
        ('meet = clocks.meet_warps if scope == "warp" else clocks.meet_blocks', "meet = clocks.meet_warps"),
        ("torn = some & ~all_", "torn = some & all_ & False"),
        ("active[:, self.threads] = True if mask is None else mask", "active[:, self.threads] = True"),
        ("if mask is not None or not self.complete:", "if False:"),
        ('return self._groups(op, "warp", None)[self.rows]', 'return self._groups(op, "warp", None)'),
        ("            return Present(clocks, self.actor[mask])\n", "            pass\n"),
        (
            "alike = len(index) == 1 and mask is None",
            "alike = False",
            "each block is counted instead of one for all: the same sum",
        ),
        ("below = int(np.prod(extents[:axis], dtype=np.int64))", "below = axis and extents[axis - 1]"),
        ("if not fresh and self.shape[1] == self.launch.threads:  # else", "if False:  # else"),
        ("meet(None if mask is None and self.complete else", "meet(None if self.complete else"),
        ("alike = len(index) == 1 and mask is None", "alike = len(index) == 1"),
        ("rows = rows if mask is None else np.where(mask, rows, INACTIVE)", "rows = rows"),
        ("everybody), blocks if alike else 1", "everybody), 1"),
        ("number // below % extents[axis]", "number // below"),
        ("            hearing.note(site, index, mask)\n", "            pass\n"),
        (
            "elements, self.clocks.width, apart=not cluster, edges=cluster,",
            "elements, self.clocks.width, apart=True, edges=cluster,",
        ),
        ("        self.units.finish()\n", ""),
        ("            refuse_visits(self.visits, self.name, self.launch.cluster)\n", "            pass\n"),
        ("            self.tensor.finish()\n", "            pass\n"),
    ),
    *_domains(
        "record.py",
        (
            "known, flat + shift, steps, lanes, value, result, count)",
            "known, flat, steps, lanes, value, result, count)",
        ),
        ("if least < low or most >= high:", "if least < low or most > high:"),
        ("if least < low or most >= high:", "if most >= high:"),
        ("        self.record(Forget(self.shared[op]))\n", ""),
        ("self.fuel.burn(steps * self.times, op)", "self.fuel.burn(steps, op)"),
        (
            "np.repeat(np.arange(self.launch.blocks, dtype=np.int64), len(self.iterations))",
            "np.tile(np.arange(self.launch.blocks, dtype=np.int64), len(self.iterations))",
        ),
        ("np.tile(counter, self.launch.blocks)", "np.repeat(counter, self.launch.blocks)"),
        ("(base - shift == known).all()", "(base - shift == known).any()"),
        ("        self.record(Barrier(op, scope))\n", ""),
        (
            "if low < 0 or high + count > self.size or (self.data",
            "if low < 0 or high + count > self.size + 1 or (self.data",
        ),
        ("if low < 0 or high + count > self.size or (self.data", "if high + count > self.size or (self.data"),
        ("lanes = None if mask is None else np.flatnonzero(mask)", "lanes = None"),
        (
            "        if mask is not None:\n            raise NotUniformError\n        self.record(Barrier",
            "        self.record(Barrier",
        ),
        ("full.reshape(-1) if mask is None else full[mask]", "full.reshape(-1)"),
    ),
    *_domains(
        "loops.py",
        ("self.period *= demand.times", "self.period = demand.times"),
        ("cut for cut in plan.cuts if cut < len(trips)", "cut for cut in plan.cuts"),
        ("return low if low == high else None", "return low"),
        ("recorder.fuel.steps = self.steps", "pass"),
        (
            "del recorder.events[self.length :], recorder.registers[self.registers :]",
            "del recorder.registers[self.registers :]",
        ),
        ("            self.cuts.add(demand.cut)\n", "            pass\n"),
        (
            "times = (last - first) // plan.period",
            "times = (last - first) // plan.period - 1",
            "the last iteration is recorded turn by turn",
        ),
        ("done += times * plan.period", "done += times"),
        ("loop.turn(frame, trips[turn])", "loop.turn(frame, turn)"),
        ("last.steps[counter] * (counter.trips - 1)", "last.steps[counter] * counter.trips"),
        ("scaled(role, counter.trips) or 0", "scaled(role, counter.trips - 1) or 0"),
        ("return Carried(given.name, first, last)", "return Carried(given.name, first, first)"),
    ),
    *_domains(
        "affine.py",
        ("sum(min(0, move) for move in moves), sum(highs)", "sum(moves), sum(highs)"),
        ("if base is not None and (base == base[0]).all():", "if base is not None and base[-1] == base[0]:"),
        ("or value.dtype == np.int64):", "or value.dtype.kind == 'i'):"),
        ("value.base[entries, None] + rest", "value.base[: entries.stop - entries.start, None] + rest"),
        ("if natural and bounds(a)[0] < 0:", "if False:"),
        ("mask & (mask + 1) == 0 else None", "True else None"),
        ("changed if not keeps else added(a, changed - found[1])", "changed if not keeps else added(a, changed)"),
        ("predicate.reads == UNSIGNED and min(bounds(a)[0], bounds(b)[0]) < 0", "False"),
        ("if mine is None or theirs is None or mine[2] != theirs[2]:", "if mine is None or theirs is None:"),
        ("or (mine[0] != theirs[0]).any()):", "or False):"),
        ("PLAIN[arith.DivSIOp]: _division(0, natural=True)", "PLAIN[arith.DivSIOp]: _division(0, natural=False)"),
        ('PLAIN[arith.MaxSIOp]: _extreme(">")', 'PLAIN[arith.MaxSIOp]: _extreme("<")'),
        ("moves = [step * (counter.trips - 1) for counter", "moves = [step * counter.trips for counter"),
        ("steps.get(c, 0) + other_steps.get(c, 0)", "steps.get(c, 0) or other_steps.get(c, 0)"),
        ("{c: step * by for c, step in steps.items()})", "steps)"),
        ("if bounds(remainder)[1] >= by:", "if bounds(remainder)[1] > by:"),
        ("base, rest = base - shift, rest + shift\n", "base, rest = base - shift, rest\n"),
        (
            "raise DemandError(counter, by // gcd(step, by))",
            "raise DemandError(counter, by)",
            "a longer period than is needed serves as well",
        ),
        ("divided(a, 1 << bounds(b)[1].bit_length())", "divided(a, 1 << bounds(b)[1].bit_length() - 1)"),
        (
            "if len(ends) == 1 and (low > 0 or high < 0 or predicate.sign not in",
            "if len(ends) == 1 and (True or predicate.sign not in",
        ),
        ("return yes if condition else no\n    mine", "return yes\n    mine"),
    ),
    *_domains(
        "prove.py",
        (
            "_refuse_meetings(group, group.distances_of_entries(), tuple(group.counters))",
            "group.distances_of_entries()",
        ),
        ("any(access.base is not base for access in self.accesses)", "False"),
        (
            "len(inside) == len(self.accesses) and len(steps) == 1 and self._apart(counter)",
            "len(inside) == len(self.accesses) and len(steps) == 1",
        ),
        ("-(-(high - low) // step))", "(high - low) // step)"),
        ("                shadow.forget(np.zeros(1, np.int64), len(shadow.written))\n", "                pass\n"),
        ("max(group.turns(counter) for group", "min(group.turns(counter) for group"),
        ("written |= places & access.is_store", "written |= places & (not access.is_store)"),
        (".any() or (touched[:size] & written[distance:]).any():", ".any():"),
        ("more = min(done, times - done)", "more = done"),
        ("if step > 0 else (slice(by, None), slice(None, -by))", "if True else (slice(by, None), slice(None, -by))"),
        ("near = gaps[gaps < span]", "near = gaps[gaps < span - 1]"),
        (
            "            for counter in around:\n                counters[counter].append(access)\n",
            "            for counter in around[:1]:\n                counters[counter].append(access)\n",
        ),
        ("        checker.again = True\n        checker.run(recorder.events)\n", "        pass\n"),
        ("low, high = min(lows), max(highs) + 1", "low, high = min(lows), max(highs)"),
        ("return min(2, counter.trips)\n        return 1 if", "return 1\n        return 1 if"),
        (
            "len(inside) == len(self.accesses) and len(steps) == 1 and self._apart(counter)",
            "len(steps) == 1 and self._apart(counter)",
        ),
        ("shadow.unwritten(at) is not None:", "False:"),
        ("found = [*shadow.writing(at, lanes), shadow.rivals(at, lanes)]", "found = [*shadow.writing(at, lanes)]"),
        ("found = [*shadow.writing(at, lanes), shadow.rivals(at, lanes)]", "found = [shadow.rivals(at, lanes)]"),
        ("            lanes = lanes[access.lanes]\n", "            lanes = lanes[np.arange(len(at))]\n"),
        ("any(access.is_store for access, _ in g)]", "all(access.is_store for access, _ in g)]"),
        ("(base[1:] >= base[:-1]).all()", "True"),
    ),
    *_domains(
        "replay.py",
        (
            "data[index] = np.broadcast_to(value(), shape)[:, access.lanes]",
            "data[index] = np.broadcast_to(value(), shape)[:, : index.shape[1]]",
        ),
        ("min(start + player.chunk, recorder.entries)", "start + player.chunk"),
        (
            "            kept.update(value.name for value in _carried(event)[1] if isinstance(value, Traced))\n",
            "            pass\n",
        ),
        ("full[:, access.lanes] = data.take(index)", "full[:, : index.shape[1]] = data.take(index)"),
        ("                start += step * iterations[counter]\n", "                start += step\n"),
        ("(memory.size if memory.data is None else 0)", "0"),
        (
            "zip(names, [reader() for reader in following], strict=True)",
            "zip(names, [reader() for reader in initial], strict=True)",
        ),
        ("return event.counter.trips * sum(", "return sum("),
        (
            "low = int(access.rest.min()) if len(access.rest) else 0",
            "low = int(access.rest.max()) if len(access.rest) else 0",
        ),
    ),
    *_domains(
        "uniform.py",
        ("        and not loops[0].carried\n", ""),
        ("return range(low, high, by) if by > 0 else range(0)", "return range(low, high) if by > 0 else range(0)"),
        ("        and _nothing_beside(program, loops[0])\n", ""),
        ("if turns_of(recorder) > TURNS * limits.steps:", "if False:"),
        ("        tally(recorder, counts)\n", ""),
        (
            "isinstance(op, AllocaOp | AssertOp) for op, _ in before",
            "isinstance(op, AllocaOp) for op, _ in before",
            "the loop is not batched, and recorded as others are",
        ),
    ),
    *_domains(
        "costs.py",
        (
            "inside &= LINE_BYTES - 1",
            "inside &= LINE_BYTES // 2 - 1",
            "no sector has more than 64 bytes, and an access that moves by whole banks has its conflicts at other banks",
        ),
        ("        times = times * entries\n", "        pass\n"),
        ("            times = times * counter.trips\n", "            pass\n"),
        ("row[access.active] =", "row[: len(access.rest)] ="),
        ("(times[:, None] * weights).reshape(-1)", "(times[:, None] + 0 * weights).reshape(-1)"),
    ),
    *_domains(
        "kept.py",
        ("            self._left -= size\n            self._following", "            self._following"),
        ("if id(number) not in self._own:", "if False:"),
        ("                found.flags.writeable = False\n", "                pass\n"),
        ("key = what, id(number)", "key = what, 0"),
        ("            self._left -= size\n            if", "            if"),
    ),
    *_domains(
        "origins.py",
        ("return not _plain(op.res.type)", "return True"),
        ("one.bits % 8 == 0 and piece % one.bits == 0 and not", "one.bits % 8 == 0 and not"),
        (
            "all(_plain(value.type) for value in (*op.operands, *op.results))",
            "all(_plain(value.type) for value in op.results)",
        ),
        ("self.names += count", "self.names += 1"),
        (
            "np.flatnonzero(names != np.arange(first, first + len(names)))",
            "np.arange(len(names))",
            "an element that keeps its value is written with it",
        ),
    ),
    *_names(
        "rerun.py",
        (
            "apart = not (quick or joined.atom.dtypes[0].is_integer) or",
            "apart = not quick or",
            "products of integers are worked out one by one, to the same numbers: only slower",
        ),
        ("if len(self.found) == MOST_RUNS:", "if False:"),
        ("key = key, fast, roles(storage)", "key = key, roles(storage)"),
        ("arrays[number][at] = data", "arrays[number][: len(at)] = data"),
        ("key = key, fast, roles(storage)", "key = key, fast"),
        (
            "find(whole.product.start), whole.places(range(len(joined.start))))",
            "find(whole.product.start), None)",
        ),
        ("if len(flat) == sizes.sum() and (flat[1:] > flat[:-1]).all():", "if len(flat) == sizes.sum():"),
        ("if len(flat) == sizes.sum() and (flat[1:] > flat[:-1]).all():", "if (flat[1:] > flat[:-1]).all():"),
    ),
    *_names(
        "larger.py",
        ("if not len(pairs) == across * down == warps:", "if not across * down == warps:"),
        ("if not len(pairs) == across * down == warps:", "if not len(pairs) == across * down:"),
        ("np.array(rows) * (m * width) + np.array(columns) * n", "np.array(rows) * (m * width)"),
        ("np.arange(m)[:, None] * width + np.arange(n)", "np.arange(m)[:, None] * n + np.arange(n)"),
        ("return start[tiles].swapaxes(1, 2).reshape(shape)", "return start[tiles].reshape(shape)"),
        ("if not any(start.strides):", "if True:"),
        ("[which.index(number) for number in range(len(numbers))]", "list(range(len(numbers)))"),
    ),
    *_names(
        "everywhere.py",
        ("return part, at + low, names[at]", "return part, at, names[at]"),
        ("goes_on = uses[before] == 1 and before in chains", "goes_on = before in chains"),
        ("_continues(source, chains[before][0], start == firsts[before])", "True"),
        ("return bool((start == np.arange(start[0], start[0] + len(start))).all())", "return True"),
        (
            "whole = large(joined) if origins.fast or one.atom.dtypes[0].is_integer else None",
            "whole = large(joined)",
            "exact sums of a large matrix are those of its tiles: only slower",
        ),
        (
            "if len(moves) * len(at) == len(part.data):",
            "if False:",
            "the elements are written one by one instead of in their order",
        ),
        ("for turn in range(counter.trips)", "for turn in range(1)"),
        ("for counter in turns[::-1]:", "for counter in turns:"),
        ("self.shifts[number] = begins - begins[0]", "self.shifts[number] = 0 * begins"),
        ("if (names != names.flat[0]).any() or (moved", "if (moved"),
        ("steps.get(counter, 0)", "steps.get(counter, 1)"),
    ),
    *_names(
        "naming.py",
        ("start = access.first - self.lows.get(id(access.memory.storage), 0)", "start = access.first"),
        ("self.lows[storage] = min(lows)", "self.lows[storage] = max(lows)"),
        ("first + max(highs) + 1, dtype=NAME", "first + max(lows) + 1, dtype=NAME"),
        ("(counter.trips - 1)\n            names[", "counter.trips\n            names["),
        (
            "np.where(last == UNWRITTEN, old, last)",
            "last",
            "what lay there before a loop counts as unwritten: if asked for, all blocks are run on names instead",
        ),
    ),
)
