"""Edits of passes, emitter and simulator that survived the tests that they were given, and that nobody has explained.

One that gets a law, or an explanation, goes to the list of its folder.
"""

from __future__ import annotations

from mutations.mutant import mutants_of

MUTANTS = (
    *mutants_of(
        "targets/simulator/domains/lockstep.py",
        "",
        (
            "Registers(size, dtype, written=not self.machine.checks, guard=guard)",
            "Registers(size, dtype, written=not self.machine.checks)",
        ),
    ),
    *mutants_of(
        "targets/simulator/ops/scalar.py",
        "",
        ("if known is not None and 0 <= known < bits:", "if known is not None:"),
        ("(right < 0) | (right >= bits)", "right >= bits"),
        ("(right < 0) | (right >= bits)", "(right < 0) | (right > bits)"),
        ("(at < 0) | (at >= size)", "(at < 0) | (at > size)"),
    ),
    *mutants_of(
        "targets/simulator/ops/regions.py",
        "",
        (
            "        _check_written(registers.gather(groups.lanes, *places, self.box.site).reshape(-1), values, self.box)\n",
            "",
        ),
        ("lane + (group * groups.size)[:, None], cell", "lane, cell"),
        ("lane.min() >= 0 and lane.max() < groups.size", "lane.min() >= 0"),
        ("if len(found) and (found[0] < 0 or (found != found[0]).any()):", "if len(found) and found[0] < 0:"),
        (
            "if len(found) and (found[0] < 0 or (found != found[0]).any()):",
            "if len(found) and (found != found[0]).any():",
        ),
    ),
    *mutants_of(
        "targets/simulator/ops/tile.py",
        "",
        ("            at = frame.domain.apply(add, at, frame.operand(offset))\n", "            pass\n"),
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
    ),
    *mutants_of(
        "targets/simulator/ops/repeat.py",
        "",
        ("first=turns == 0)", "first=True)"),
        ("            if self.idle and turns:\n", "            if False:\n"),
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
        ("(first * self.site.step_bytes + self.site.base_bytes)", "(first * self.site.step_bytes)"),
        ("if inside is not None and not self.clips:", "if False:"),
        ("clips = op.clips and place.space == GLOBAL", "clips = op.clips"),
    ),
    *mutants_of(
        "targets/simulator/ops/bulk.py",
        "",
        ("wrong = (mask < 1) | (mask >= 1 << size)", "wrong = mask >= 1 << size"),
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
    *mutants_of(
        "targets/simulator/memory/guards.py",
        "",
        ("else np.maximum(*both)", "else both[1]"),
    ),
    *mutants_of(
        "targets/simulator/memory/remote.py",
        "",
        ("wrong = (rank < 0) | (rank >= self.cluster)", "wrong = rank >= self.cluster"),
        ("        self.visits.note(found[chosen], present.epoch, site)\n", ""),
        ("return replace(self, rank=change(self.rank))", "return self"),
        ("        self.lanes.count(site, index, mask)\n", "        pass\n"),
    ),
    *mutants_of(
        "targets/simulator/memory/addresses.py",
        "",
        (
            "address >= self.places[number][0] + self.places[number][1].size",
            "address > self.places[number][0] + self.places[number][1].size",
        ),
    ),
    *mutants_of(
        "targets/simulator/domains/costs.py",
        "",
        ("% LINE_BYTES\n", "% (LINE_BYTES // 2)\n"),
    ),
    *mutants_of(
        "targets/simulator/domains/origins.py",
        "",
        ("return not _plain(op.res.type)", "return True"),
        ("one.bits % 8 == 0 and piece % one.bits == 0 and not", "one.bits % 8 == 0 and not"),
        ("key = value.dtype, value.tobytes()", "key = value.tobytes()"),
        (
            "all(_plain(value.type) for value in (*op.operands, *op.results))",
            "all(_plain(value.type) for value in op.results)",
        ),
    ),
    *mutants_of(
        "targets/simulator/domains/rerun.py",
        "",
        ("if len(self.found) == MOST_RUNS:", "if False:"),
        ("key = key, fast, roles(storage)", "key = key, roles(storage)"),
        ("if apart or not len(pairs) == across * down == warps:", "if apart or not across * down == warps:"),
        ("if values.dtype.itemsize != element.itemsize:", "if False:"),
        ("apart = not (quick or joined.atom.dtypes[0].is_integer)", "apart = not quick"),
    ),
    *mutants_of(
        "targets/simulator/ops/atoms.py",
        "",
        ("            if operand.copies > 1:\n", "            if False:\n"),
        ("if (active != active[:1]).any():", "if False:"),
        (
            "        if warps.active is None:\n            run.seen[held.c] = product\n",
            "        run.seen[held.c] = product\n",
        ),
    ),
    *mutants_of(
        "targets/simulator/ops/printing.py",
        "",
        ('"-" if copysign(1, number) < 0 else', '"-" if number < 0 else'),
        ("_active(frame, int(row[0]), int(column[0]))", "True"),
        ("values, known = values[offsets], known[offsets]", "values = values[offsets]"),
    ),
)
