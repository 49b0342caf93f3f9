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
    ),
    *_ops(
        "control.py",
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
    ),
    *_ops(
        "regions.py",
        (
            "found = frame.domain.outside(index, 0, extent, frame.mask)",
            "found = frame.domain.outside(index, 0, extent + 1, frame.mask)",
        ),
    ),
    *_ops(
        "tile.py",
        ("for axis, index in enumerate(found if checked else ()):", "for axis, index in enumerate(()):"),
        ("if [extent for extent in taken if extent != 1] != [extent for extent in given if extent != 1]:", "if False:"),
    ),
    *_ops(
        "atomic.py",
        ("RELAXED if op.words is None else Sync.of(*op.words)", "RELAXED"),
        ("op.scope.data, changes=False)", "op.scope.data)"),
        ('narrow = op.scope.data == "cta"', "narrow = True"),
        ('narrow = op.scope.data == "cta"', "narrow = False"),
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
    ),
    *_ops(
        "repeat.py",
        ("                if not active.any():\n                    break\n", ""),
        ("        frame.mask = outer\n\n    def keep", "        pass\n\n    def keep"),
        ("            domain.burn(TURN + len(self.before) + len(self.after), self.op)\n", ""),
        ("is_pure(inner) or is_read(inner) or inner.regions for", "is_read(inner) or inner.regions or True for"),
    ),
    *_ops(
        "copies.py",
        ("        full[rows] = found.view(np.uint8)\n", ""),
        ("lanes.rows[:, None] * memory.size, lanes.shape)", "lanes.rows[:, None] * 0, lanes.shape)"),
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
        ("        if len(counts) > 1:\n", "        if len(counts) > 2:\n"),
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
    ),
)
