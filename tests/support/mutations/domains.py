"""Mutants of how the simulator runs a kernel: lanes in lockstep, recordings, their proof and replay, runs on names."""

from __future__ import annotations

from mutations.mutant import Mutant, mutants_of


def _domains(file: str, *edits: tuple[str, str] | tuple[str, str, str]) -> tuple[Mutant, ...]:
    return mutants_of(f"targets/simulator/domains/{file}", "", *edits)


MUTANTS = (
    *_domains(
        "lockstep.py",
        ("wrong = (found < low) | (found >= high)", "wrong = (found < low) | (found > high)"),
        ("wrong = (found < low) | (found >= high)", "wrong = found >= high"),
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
        ("self.actor.reshape(-1) if mask is None else self.actor[mask]", "self.actor.reshape(-1)"),
        (
            "alike = len(index) == 1 and mask is None",
            "alike = False",
            "each block is counted instead of one for all: the same sum",
        ),
        ("below = int(np.prod(extents[:axis], dtype=np.int64))", "below = axis and extents[axis - 1]"),
        ("if self.shape[1] == self.launch.threads:  # else", "if False:  # else"),
        ("meet(None if mask is None and self.complete else", "meet(None if self.complete else"),
        ("alike = len(index) == 1 and mask is None", "alike = len(index) == 1"),
        ("rows = rows if mask is None else np.where(mask, rows, INACTIVE)", "rows = rows"),
        ("blocks if alike else 1, everybody)", "1, everybody)"),
        ("number // below % extents[axis]", "number // below"),
        ("number // x % y},{number", "number // x},{number"),
        ("            hearing.note(site, index, mask)\n", "            pass\n"),
        (
            "size * blocks, self.clocks.width, apart=not cluster, edges=cluster)",
            "size * blocks, self.clocks.width, apart=True, edges=cluster)",
        ),
        ('what = "copy" if engine < self.engines.products else "product"', 'what = "copy"'),
        ("        self.units.finish()\n", ""),
        ("            refuse_visits(self.visits, self.name, self.launch.cluster)\n", "            pass\n"),
        ("            self.tensor.finish()\n", "            pass\n"),
    ),
    *_domains(
        "record.py",
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
        ("        times = times * entries\n", "        pass\n"),
        ("            times = times * counter.trips\n", "            pass\n"),
        ("row[access.active] =", "row[: len(access.rest)] ="),
        ("(times[:, None] * weights).reshape(-1)", "(times[:, None] + 0 * weights).reshape(-1)"),
    ),
    *_domains(
        "kept.py",
        ("if id(number) not in self._own:", "if False:"),
        ("                found.flags.writeable = False\n", "                pass\n"),
        ("key = what, id(number)", "key = what, 0"),
        ("            self._left -= size\n            if", "            if"),
    ),
    *_domains(
        "origins.py",
        ("self.names += count", "self.names += 1"),
        (
            "np.flatnonzero(names != np.arange(first, first + len(names)))",
            "np.arange(len(names))",
            "an element that keeps its value is written with it",
        ),
    ),
    *_domains(
        "rerun.py",
        ("arrays[number][at] = data", "arrays[number][: len(at)] = data"),
        (
            "            self.found[key] = None\n            return None\n",
            "            return None\n",
            "the first run is tried again, and fails again: only slower",
        ),
        ("key = key, fast, roles(storage)", "key = key, fast"),
        ("order = places[rows, columns].reshape(-1)", "order = places.reshape(-1)"),
    ),
)
