"""Mutants of what the simulator's ops do: control, regions, atomics, shuffles and votes, copies, mbarriers, prints."""

from __future__ import annotations

from mutations.mutant import Mutant, mutants_of


def _ops(file: str, *edits: tuple[str, str] | tuple[str, str, str]) -> tuple[Mutant, ...]:
    return mutants_of(f"targets/simulator/ops/{file}", "", *edits)


MUTANTS = (
    *_ops(
        "scalar.py",
        ("np.any(found if frame.mask is None else found & frame.mask)", "np.any(found)"),
        (
            "            found = frame.domain.keep(key, frame.domain",
            "            found = frame.domain.keep(result, frame.domain",
        ),
        ("        check(frame, frame.operand(operands[1]))  # type", "        pass  # type"),
        ('"xyz".index(op.dimension.data)', '"xzy".index(op.dimension.data)'),
    ),
    *_ops(
        "control.py",
        ("active := both(counter < high, outer, domain.shape)", "active := both(counter < high, None, domain.shape)"),
        ("return full if outer is None else full & outer", "return full"),
        (
            "for target, value in zip(targets, [values[slot] for slot in sources], strict=True):",
            "for target, value in zip(targets, (values[slot] for slot in sources), strict=True):",
        ),
        ("if np.any(np.asarray(by) <= 0):", "if np.any(np.asarray(by) < 0):"),
        ("(chosen, ~chosen)", "(chosen, chosen)"),
        (
            "                merged = joined(frame.domain, mask, found, merged) if merged else found\n",
            "                merged = found\n",
        ),
        ("if new is old:\n        return new\n", "if new is old:\n        return old\n", "they are the same"),
        (
            "        frame.mask = outer\n        for slot, value in zip(results",
            "        for slot, value in zip(results",
        ),
        ("low, high, frame.mask)\n        if found is not None", "low, high, None)\n        if found is not None"),
        ("active := both(counter < high, outer, domain.shape)", "active := both(counter <= high, outer, domain.shape)"),
        (
            "            counter = counter + by\n        frame.mask = outer",
            "            counter = counter + by\n        frame.mask = None",
        ),
        ("            frame.domain.burn(len(trips) * self.work, self.op)\n", "            pass\n"),
        ("            domain.burn(self.work, self.op)\n", ""),
    ),
    *_ops(
        "regions.py",
        (
            "found = frame.domain.outside(index, 0, extent, frame.mask)",
            "found = frame.domain.outside(index, 0, extent + 1, frame.mask)",
        ),
        ("dict.fromkeys((0, extents[axis] - 1))", "dict.fromkeys((0,))"),
        ("dict.fromkeys((0, extents[axis] - 1))", "dict.fromkeys((extents[axis] - 1,))"),
        ("        _check_written(memory.data[at.reshape(-1)], all_values, self.box)\n", ""),
        ("groups.lanes.rows * memory.size if memory.apart else", "groups.lanes.rows * 0 if memory.apart else"),
        ("if size is None or lanes.launch.threads % size:", "if size is None:"),
        ("if (split != split[:, :1]).any():", "if False:"),
        ("mask[:, ::size])", "np.ones_like(mask[:, ::size]))"),
        (
            "present[np.repeat(np.arange(len(present.actor)), times)]",
            "present[np.tile(np.arange(len(present.actor)), times)]",
        ),
    ),
    *_ops(
        "tile.py",
        ("for axis, index in enumerate(found if checked else ()):", "for axis, index in enumerate(()):"),
        ("if [extent for extent in taken if extent != 1] != [extent for extent in given if extent != 1]:", "if False:"),
        ("        _meet(frame, op, scope)\n        target", "        target"),
        (
            "        target.write(frame, groups, given, values)\n        _meet(frame, op, scope)\n",
            "        target.write(frame, groups, given, values)\n",
        ),
        ('if scope != "thread":', 'if scope == "cta":'),
        ("frame.number(rank), lanes.launch.cluster", "frame.number(rank), 2 * lanes.launch.cluster"),
    ),
    *_ops(
        "atomic.py",
        ("RELAXED if op.words is None else Sync.of(*op.words)", "RELAXED"),
        ("op.scope.data, changes=False)", "op.scope.data)"),
        ("scope = Scope.of(op.scope.data)", "scope = Scope.BLOCK"),
        ("scope = Scope.of(op.scope.data)", "scope = Scope.ALL"),
        (
            "pair = frame.operand(expected), frame.operand(value)",
            "pair = frame.operand(value), frame.operand(expected)",
        ),
    ),
    *_ops(
        "warp.py",
        ("i // w * w + by % w", "by % w"),
        ("np.where(i - by >= i // w * w, i - by, i)", "np.where(i - by >= 0, i - by, i)"),
        ("np.where(i + by < i // w * w + w, i + by, i)", "np.where(i + by <= i // w * w + w, i + by, i)"),
        ("np.where((i ^ by) < i // w * w + w, i ^ by, i)", "np.where((i ^ by) < w, i ^ by, i)"),
        ("distance.min() >= 0 and distance.max() < warp", "distance.min() >= 0"),
        ("distance, width) + thread // warp * warp", "distance, width)"),
        ("        lanes.together(op, frame.mask)\n        moved", "        moved"),
        ('np.logical_or if kind == "any" else np.logical_and', "np.logical_or"),
        ("(np.arange(threads) % warp).astype", "np.arange(threads).astype"),
        (
            "        lanes.together(op, frame.mask)\n        lanes.hand_over(frame.mask)\n        frame.values",
            "        lanes.hand_over(frame.mask)\n        frame.values",
        ),
    ),
    *_ops(
        "repeat.py",
        ("                if not active.any():\n                    break\n", ""),
        ("        frame.mask = outer\n\n    def keep", "        pass\n\n    def keep"),
        ("            domain.burn(TURN + len(self.before) + len(self.after), self.op)\n", ""),
        ("is_pure(inner) or is_read(inner) or inner.regions for", "is_read(inner) or inner.regions or True for"),
        ("return not op.arguments and all(", "return all("),
    ),
    *_ops(
        "copies.py",
        ("        full[rows] = found.view(np.uint8)\n", ""),
        ("lanes.rows[:, None] * memory.size, lanes.shape)", "lanes.rows[:, None] * 0, lanes.shape)"),
        ("% self.alignment != 0", "% self.alignment > self.alignment"),
        ("first.max() + self.count <= memory.size", "first.max() < memory.size"),
        ("(elements >= 0) & (elements < memory.size)", "elements < memory.size"),
        (
            "given = values.reshape(-1) if at.inside is None else values[at.inside]",
            "given = values.reshape(-1)[: len(at.elements)]",
        ),
        ("max(atom.alignment, 1)", "1"),
    ),
    *_ops(
        "bulk.py",
        ("rows[chosen] // size * size + rank", "rows[chosen]"),
        ("        if (rows != there).any():\n", "        if False:\n"),
        (
            "        if plane:\n            _count(active, source)",
            "        if True:\n            _count(active, source)",
        ),
        (
            "            self.word.check(frame, those, at[chosen] + away * barriers.words, MBARRIERS if plane else GENERIC)\n",
            "",
        ),
        ("MBARRIERS if plane else GENERIC", "GENERIC"),
        ("words[chosen]\n", "words\n"),
        ("FUNCTIONS[op.reduction.data] if changes and", "FUNCTIONS[op.reduction.data] if"),
        ("if count < 0 or count % BULK_BYTES:", "if count < 0:"),
        ("            operand.align(active, first, BULK_BYTES)\n", "            pass\n"),
        ("        tile.align(active, first, described.alignment)\n", ""),
        ("        tile.span(frame, active, first, len(places))\n", ""),
        ("None if inside.all() else inside", "None"),
        ("        target.align(active, first, size)\n", ""),
        ('return "load", "store" if op.reduction is None else "atomic"', 'return "load", "store"'),
        ("    if other:\n", "    if False:\n"),
        ("wrong = (mask < 1) | (mask >= 1 << size)", "wrong = mask < 1"),
    ),
    *_ops(
        "mbarrier.py",
        ("wrong = (number < 1) | (number > MOST_ARRIVALS)", "wrong = number > MOST_ARRIVALS"),
        ("wrong = (number < 1) | (number > MOST_ARRIVALS)", "wrong = number < 1"),
        ("barriers.live[active.rows, words] | (_rank(at) > 0)", "barriers.live[active.rows, words]"),
        ("    _overwrite(word, frame, active, at)\n    barriers.start", "    barriers.start"),
        ("(barriers.bytes[active.rows, words] != 0) | (_rank(at) > 0)", "_rank(at) > 0"),
        ("    barriers.live[active.rows, words] = False\n", ""),
        ("wrong = (counts > pending) | (counts < 1)", "wrong = counts < 1"),
        ("wrong = (counts > pending) | (counts < 1)", "wrong = counts > pending"),
        ("        _tell(barriers, active, at, entries, targets, relaxed)\n", ""),
        ("np.bincount(which, number).astype(np.int64)", "np.bincount(which).astype(np.int64)"),
        ("(np.abs(total) > MOST_BYTES) | (counts < 0)", "counts < 0"),
        ("(np.abs(total) > MOST_BYTES) | (counts < 0)", "np.abs(total) > MOST_BYTES"),
        ("        if counted:\n", "        if not counted:\n"),
        ("partial(_RELAXED[op.kind.data], relaxed=True)", "partial(_RELAXED[op.kind.data])"),
        ("wrong = (parity != 0) & (parity != 1)", "wrong = parity > 2"),
        ("        observe(word, frame, active, done)\n", ""),
        ("np.where(entries, words, -1)", "words"),
        ("if not done.any() and active.lanes.machine.engine.advance():", "if False:"),
        ("        machine.visits.note(rows, Present(machine.clocks, active.actor).epoch, self.operand.site)\n", ""),
        ("(rows, at, lanes, target, relaxed)", "(rows, at, lanes, target)"),
    ),
    *_ops(
        "asynchronous.py",
        ('"proxy.async": (SHARED_PROXY, GLOBAL_PROXY, MBARRIERS)', '"proxy.async": (SHARED_PROXY, MBARRIERS)'),
        (
            "            clocks.beyond.announced.update(dict.fromkeys(active.actor.tolist(), clocks.now))\n",
            "            pass\n",
        ),
    ),
    *_ops(
        "atoms.py",
        ("            if not has_atom(spec, atom):\n", "            if False:\n"),
        (
            "            lanes.machine.admitted.add(op)\n",
            "            pass\n",
            "the architecture is asked again at every step, with one answer",
        ),
        ("        lanes.together(op, frame.mask)\n        size, rest", "        size, rest"),
        ("if rest and int(lanes.threads[-1]) >= lanes.launch.threads - rest:", "if False:"),
        ("None if frame.mask is None else frame.mask[:, ::size])", "None)"),
        (
            "        if warps.active is None:\n            run.seen[held.c] = product\n",
            "",
            "the matrices are made of the registers again, which were made of them",
        ),
    ),
    *_ops(
        "printing.py",
        ("number: style % (int(number) & ones)", "number: style % int(number)"),
        ("style % ((int(number) + (1 << 63)) % (1 << 64) - (1 << 63))", "style % (int(number) % (1 << 64))"),
        ('text.ljust(width) if "-" in flags else text.rjust(width)', "text.rjust(width)"),
        ('piece.replace("%", "%%")', "piece"),
        ("full.reshape(-1) if mask is None else full[np.broadcast_to(mask, shape)]", "full.reshape(-1)"),
        ("if not known.all() else str(plain)", "if False else str(plain)"),
    ),
)
