"""Edits of passes, emitter and simulator that survived the tests that they were given, and that nobody has explained.

One that gets a law, or an explanation, goes to the list of its folder.
"""

from __future__ import annotations

from mutations.mutant import mutants_of

MUTANTS = (
    *mutants_of(
        "targets/simulator/domains/lockstep.py",
        "",
        ("if self.shape[1] == self.launch.threads:  # else", "if False:  # else"),
        (
            "Registers(size, dtype, written=not self.machine.checks, guard=guard)",
            "Registers(size, dtype, written=not self.machine.checks)",
        ),
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
    *mutants_of(
        "targets/simulator/domains/record.py",
        "",
        (
            "if low < 0 or high + count > self.size or (self.data",
            "if low < 0 or high + count > self.size + 1 or (self.data",
        ),
        ("if low < 0 or high + count > self.size or (self.data", "if high + count > self.size or (self.data"),
        (
            "known, flat + shift, steps, lanes, value, result, count)",
            "known, flat, steps, lanes, value, result, count)",
        ),
        ("lanes = None if mask is None else np.flatnonzero(mask)", "lanes = None"),
        ("if least < low or most >= high:", "if least < low or most > high:"),
        ("if least < low or most >= high:", "if most >= high:"),
        ("        self.record(Forget(self.shared[op]))\n", ""),
        (
            "        if mask is not None:\n            raise NotUniformError\n        self.record(Barrier",
            "        self.record(Barrier",
        ),
        ("self.fuel.burn(steps * self.times, op)", "self.fuel.burn(steps, op)"),
        (
            "np.repeat(np.arange(self.launch.blocks, dtype=np.int64), len(self.iterations))",
            "np.tile(np.arange(self.launch.blocks, dtype=np.int64), len(self.iterations))",
        ),
        ("np.tile(counter, self.launch.blocks)", "np.repeat(counter, self.launch.blocks)"),
        ("full.reshape(-1) if mask is None else full[mask]", "full.reshape(-1)"),
    ),
    *mutants_of(
        "targets/simulator/domains/loops.py",
        "",
        ("self.period *= demand.times", "self.period = demand.times"),
    ),
    *mutants_of(
        "targets/simulator/ops/scalar.py",
        "",
        ("        check(frame, frame.operand(operands[1]))  # type", "        pass  # type"),
        ("if known is not None and 0 <= known < bits:", "if known is not None:"),
        ("(right < 0) | (right >= bits)", "right >= bits"),
        ("(right < 0) | (right >= bits)", "(right < 0) | (right > bits)"),
        ("(at < 0) | (at >= size)", "(at < 0) | (at > size)"),
        ('"xyz".index(op.dimension.data)', '"xzy".index(op.dimension.data)'),
    ),
    *mutants_of(
        "targets/simulator/ops/control.py",
        "",
        ("active := both(counter < high, outer, domain.shape)", "active := both(counter <= high, outer, domain.shape)"),
        ("active := both(counter < high, outer, domain.shape)", "active := both(counter < high, None, domain.shape)"),
        (
            "            counter = counter + by\n        frame.mask = outer",
            "            counter = counter + by\n        frame.mask = None",
        ),
        ("            frame.domain.burn(len(trips) * self.work, self.op)\n", "            pass\n"),
        ("            domain.burn(self.work, self.op)\n", ""),
        ("return full if outer is None else full & outer", "return full"),
        (
            "for target, value in zip(targets, [values[slot] for slot in sources], strict=True):",
            "for target, value in zip(targets, (values[slot] for slot in sources), strict=True):",
        ),
    ),
    *mutants_of(
        "targets/simulator/ops/regions.py",
        "",
        ("dict.fromkeys((0, extents[axis] - 1))", "dict.fromkeys((0,))"),
        ("dict.fromkeys((0, extents[axis] - 1))", "dict.fromkeys((extents[axis] - 1,))"),
        ("        _check_written(memory.data[at.reshape(-1)], all_values, self.box)\n", ""),
        (
            "        _check_written(registers.gather(groups.lanes, *places, self.box.site).reshape(-1), values, self.box)\n",
            "",
        ),
        ("groups.lanes.rows * memory.size if memory.apart else", "groups.lanes.rows * 0 if memory.apart else"),
        ("lane + (group * groups.size)[:, None], cell", "lane, cell"),
        ("lane.min() >= 0 and lane.max() < groups.size", "lane.min() >= 0"),
        ("if size is None or lanes.launch.threads % size:", "if size is None:"),
        ("if (split != split[:, :1]).any():", "if False:"),
        ("if len(found) and (found[0] < 0 or (found != found[0]).any()):", "if len(found) and found[0] < 0:"),
        (
            "if len(found) and (found[0] < 0 or (found != found[0]).any()):",
            "if len(found) and (found != found[0]).any():",
        ),
        ("mask[:, ::size])", "np.ones_like(mask[:, ::size]))"),
        (
            "present[np.repeat(np.arange(len(present.actor)), times)]",
            "present[np.tile(np.arange(len(present.actor)), times)]",
        ),
    ),
    *mutants_of(
        "targets/simulator/ops/tile.py",
        "",
        ("            at = frame.domain.apply(add, at, frame.operand(offset))\n", "            pass\n"),
        ("        _meet(frame, op, scope)\n        target", "        target"),
        (
            "        target.write(frame, groups, given, values)\n        _meet(frame, op, scope)\n",
            "        target.write(frame, groups, given, values)\n",
        ),
        ('if scope != "thread":', 'if scope == "cta":'),
        ("frame.number(rank), lanes.launch.cluster", "frame.number(rank), 2 * lanes.launch.cluster"),
    ),
    *mutants_of(
        "targets/simulator/ops/atomic.py",
        "",
        ("op.scope.data, writes=False)", "op.scope.data)"),
    ),
    *mutants_of(
        "targets/simulator/ops/warp.py",
        "",
        ("if source.size and source.max() >= threads:", "if False:"),
        (
            "        lanes.together(op, frame.mask)\n        lanes.hand_over(frame.mask)\n        frame.values",
            "        lanes.hand_over(frame.mask)\n        frame.values",
        ),
    ),
    *mutants_of(
        "targets/simulator/ops/repeat.py",
        "",
        ("first=turns == 0)", "first=True)"),
        ("            if self.idle and turns:\n", "            if False:\n"),
        ("return not op.arguments and all(", "return all("),
    ),
    *mutants_of(
        "targets/simulator/ops/nests.py",
        "",
        (
            "if frame.mask is not None or not isinstance(frame.domain, Lockstep):",
            "if not isinstance(frame.domain, Lockstep):",
        ),
        ("if not self.apart or held in others or (", "if not self.apart or ("),
        ("if not self.apart or held in others or (", "if held in others or ("),
        ("return own and all(b - a >= step.d.registers", "return own and all(b - a >= 1"),
        ("own = step.c is None or all(call[0] == call[3] for call in calls)", "own = True"),
    ),
    *mutants_of(
        "targets/simulator/ops/copies.py",
        "",
        ("chosen & frame.mask", "np.broadcast_to(chosen, lanes.shape)"),
        ("% self.alignment != 0", "% self.alignment > self.alignment"),
        ("(first * self.site.step_bytes + self.site.base_bytes)", "(first * self.site.step_bytes)"),
        ("first.max() + self.count <= memory.size", "first.max() < memory.size"),
        ("(elements >= 0) & (elements < memory.size)", "elements < memory.size"),
        ("if inside is not None and not self.clips:", "if False:"),
        (
            "given = values.reshape(-1) if at.inside is None else values[at.inside]",
            "given = values.reshape(-1)[: len(at.elements)]",
        ),
        ("clips = op.clips and place.space == GLOBAL", "clips = op.clips"),
        ("max(atom.alignment, 1)", "1"),
    ),
    *mutants_of(
        "targets/simulator/ops/bulk.py",
        "",
        ("wrong = (mask < 1) | (mask >= 1 << size)", "wrong = mask >= 1 << size"),
        ("wrong = (mask < 1) | (mask >= 1 << size)", "wrong = mask < 1"),
    ),
    *mutants_of(
        "targets/simulator/ops/asynchronous.py",
        "",
        (
            '"proxy.async.shared": (SHARED_PROXY, MBARRIERS)',
            '"proxy.async.shared": (SHARED_PROXY, GLOBAL_PROXY, MBARRIERS)',
        ),
        ('"proxy.async.global": (GLOBAL_PROXY,)', '"proxy.async.global": (GLOBAL_PROXY, SHARED_PROXY)'),
        ("        target.align(active, to, count)\n", ""),
        ("            source.align(active, of, count)\n", "            pass\n"),
        ("            source.align(active, np.where(some, of, 0), count)\n", ""),
        ("            source.span(frame, active, np.where(some, of + inside.sum(axis=1) - 1, 0), 1)\n", ""),
        (
            "wrong = (bytes_ < 0) | (bytes_ > count) | (8 * bytes_ % bits != 0)",
            "wrong = (bytes_ < 0) | (8 * bytes_ % bits != 0)",
        ),
        (
            "wrong = (bytes_ < 0) | (bytes_ > count) | (8 * bytes_ % bits != 0)",
            "wrong = (bytes_ < 0) | (bytes_ > count)",
        ),
        ("mask[active.at] = inside.any(axis=1)", "mask[active.at] = True"),
        ("[active.rows, active.threads] += 1", "[active.rows] += 1"),
    ),
)
