"""Mutants of what the simulator knows of the order of accesses: clocks, shadows, barriers, mbarriers, flags."""

from __future__ import annotations

from mutations.mutant import Mutant, mutants_of

S = "targets/simulator"
LAWS = f"{S}/test_order.py {S}/test_order_barriers.py {S}/test_order_proxies.py"  # slow ones, of nothing else


def _order(file: str, *edits: tuple[str, str] | tuple[str, str, str]) -> tuple[Mutant, ...]:
    laws = LAWS if file in ("clocks.py", "present.py", "shadow.py", "crowd.py", "peers.py", "barriers.py") else ""
    return mutants_of(f"targets/simulator/order/{file}", laws, *edits)


MUTANTS = (
    *_order(
        "clocks.py",
        ("np.maximum(self.known[:, back, warp], own)", "own"),
        ("            self.apart[back, number] = False\n        self._tell", "        self._tell"),
        ("        self._tell_fences(active)\n", ""),
        ("np.where(active, self.now, generic[:, own_, own_])", "self.now"),
        ("self.known[:, rows] = self.known[:, rows].max(axis=2, keepdims=True)", "pass"),
        (
            "self.known[GENERIC][rows, :, : self.warps] = self.now",
            "self.known[GENERIC][rows, :, : self.warps] = self.now - 1",
        ),
        ("generic[:, : self.warps][whole] = self.now", "generic[:, : self.warps][whole] = self.now - 1"),
        ("generic[:, self.warps + self.engines :][lanes[:, self.alone]] = self.now", "pass"),
        (
            "np.where(whole, self.fenced[plane][rows, : self.warps], 0)",
            "np.where(whole, 0, self.fenced[plane][rows, : self.warps])",
        ),
        ("np.where(hear[:, :, None], self.fitted(known)[:, :, None, :], 0)", "self.fitted(known)[:, :, None, :]"),
        ("np.where(fenced[:, :, None], np.maximum(before, now), before)", "np.maximum(before, now)"),
        ("np.where(fenced, self.now, self.fenced[plane][rows])", "self.now"),
        ("np.where(hear, self.known[sent][rows], 0)", "np.where(hear, self.known[plane][rows], 0)"),
        (
            "np.where(actor < lanes, column, ",
            "np.where(actor <= lanes, column, ",
            "the first engine's column is the one behind those of the warps, either way",
        ),
        (
            "self._by_warp(lanes | ~self._existing).all(axis=2)",
            "self._by_warp(lanes).all(axis=2)",
            "a last warp that lacks lanes is then never whole: its lanes act as single ones, each with what the warp knows; the same answers",
        ),
        ("            self.known[:, leaves, row] = self.known[:, leaves, warp]\n", ""),
        ("found[:, row] = single[:, thread] | whole[:, warp]", "found[:, row] = single[:, thread]"),
        ("                self.floor = int(done[late].min(initial=self.floor))\n", "                pass\n"),
    ),
    *_order(
        "present.py",
        (
            "time <= self.clocks.times(row, inside, number, GENERIC)",
            "time < self.clocks.times(row, inside, number, GENERIC)",
        ),
    ),
    *_order(
        "shadow.py",
        ("written[rows] = -np.abs(written[rows])", "written[rows] = 0"),
        ("np.maximum(np.abs(self.written[at]), before_all)", "before_all"),
        ("self.written.take(at) <= 0", "self.written.take(at) < 0"),
        (
            "races = either(self._writes(at, lanes, settled), self._atomics(at, lanes, settled))",
            "races = self._writes(at, lanes, settled)",
        ),
        ("        if self.readers is not None:\n            self.readers.join(at, lanes, settled)\n", ""),
        ("return writes, either(reads, polls), changes", "return writes, reads, changes"),
        ("        self.atomics.join(at, lanes, settled)\n", ""),
        ("        self.polls.join(at, lanes, settled)\n", ""),
        ('if kind != "atomic":', 'if kind == "store":'),
        ('        if kind == "load":\n            return writes, None\n', ""),
        ('None if self.polls is None or kind == "atomic" else', "None if True else"),
        ("            self.readers.join(at, lanes, 1)\n", "            pass\n"),
        ("                self.readers.land(at, epochs)\n", "                pass\n"),
        (
            "last = unordered(np.abs(self.written.take(at)), lanes, settled)",
            "last = unordered(self.written.take(at), lanes, settled)",
        ),
        ("lanes.clocks.floor + 1 << TIME", "lanes.clocks.floor + 2 << TIME"),
        ("if self.apart and lanes.plane == GENERIC else 1", "if self.apart else 1"),
        ('None if self.polls is None or kind == "atomic" else', "None if self.polls is None else"),
        ("return writes, either(reads, polls)\n", "return writes, reads\n"),
    ),
    *_order(
        "crowd.py",
        ("max(self.latest, int(epochs.max()))", "int(epochs.max())"),
        ("np.repeat(first - np.cumsum(count) + count, count)", "np.repeat(first - np.cumsum(count), count)"),
        ("_changes(places) | _changes(actor_of(epochs))", "_changes(places)"),
        ("kept = first | last | ~several", "kept = last | ~several"),
        ("first = np.searchsorted(places, at)", 'first = np.searchsorted(places, at, "right") - 1'),
    ),
    *_order(
        "peers.py",
        ("            self.crowd.add(at[lost], lanes.epoch[lost])\n", "            pass\n"),
        ("            self.crowd.add(at[kept], followed[kept])\n", "            pass\n"),
        ("((followed != 0, followed), (lost, epochs))", "((followed != 0, followed),)"),
        ("np.where(one, one, other)", "one"),
        ("if self.crowd.latest < settled:", "if self.crowd.latest >= settled:"),
    ),
    *_order(
        "barriers.py",
        ("np.logical_and.reduceat(self.come", "np.logical_or.reduceat(self.come"),
        ("            self.come[self.spread(met)] = False\n", ""),
        ("reshape(-1, self.together).all(axis=1)", "reshape(-1, self.together).any(axis=1)"),
        ("self.waiting[rows] |= lanes & waits", "self.waiting[rows] |= lanes"),
        ("self.come[rows] >= expected", "self.come[rows] > expected"),
        ("        self.known[:, full] = 0\n", ""),
        ("(self.expected, self.come, self.waiting)", "(self.expected, self.come)"),
        ("if self.clocks.beyond or self.learnt:", "if self.learnt:"),
        ("self.clocks.lanes if self.of_warps else self.threads)", "self.threads)"),
    ),
    *_order(
        "ordered.py",
        ("there if sync.changes else None)", "None)"),
        ("if there and (sync.changes or not sync.writes):", "if there:"),
        ("                beyond.left.pop(place, None)\n", "                pass\n"),
        ("    if sync.releases:\n        lanes.clocks.step()\n", ""),
        ("(NOTHING, past) if sync.narrow else (past, NOTHING)", "(past, NOTHING)"),
        ("        nearby.learn(fenced)\n", "        pass\n"),
        ("(NOTHING if sync.narrow else fenced), nearby", "fenced, nearby"),
        ("        beyond.fence(lane, narrow)\n", ""),
        ("    lanes.clocks.step()\n    return len(lanes.actor)", "    return len(lanes.actor)"),
    ),
    *_order(
        "beyond.py",
        (
            "        if own or not narrow:\n            self._mine(lane).take",
            "        if True:\n            self._mine(lane).take",
        ),
        ("        elif not narrow:\n", "        else:\n"),
        (
            "            if before.block == block:\n                nearby.learn",
            "            if True:\n                nearby.learn",
        ),
        (
            "        if not narrow:\n            mine.past.learn(lore.seen)",
            "        if True:\n            mine.past.learn(lore.seen)",
        ),
        ("(lore.fenced_nearby if narrow else lore.fenced).learn(past)", "lore.fenced.learn(past)"),
        ("last is not None and past.covers(last.past) else", "last is not None else"),
        ("            self.proxied.setdefault(warp, Past()).learn(self.gathered([warp]).past)\n", "            pass\n"),
        ("known = [any(past.knows(", "known = [all(past.knows("),
        ("range(block * self.warps, (block + 1) * self.warps)", "range(block * self.warps, block * self.warps + 1)"),
        ('order in ("acquire", "acq_rel")', 'order in ("acquire",)'),
        ('order in ("release", "acq_rel")', 'order in ("release",)'),
        ("self.of_warps.setdefault(warp, Lore()).learn(learnt.whole())", "learnt.whole()"),
    ),
    *_order(
        "pasts.py",
        ("            self.seen_nearby.learn(other.seen_nearby)\n", "            pass\n"),
        ("            self.fenced_nearby.learn(other.fenced_nearby)\n", "            pass\n"),
        ("return all(mine.joined(theirs) is mine", "return any(mine.joined(theirs) is mine"),
        ("return self.lore.past, *self.taken.values()", "return (self.lore.past,)"),
        ("            if len(apart) > most:\n", "            if most:\n"),
    ),
    *_order(
        "times.py",
        ("        return max(mine, theirs)", "        return theirs"),
        ("(root, *EMPTY[1:])", "(*EMPTY[1:], root)"),
        ("if number >> BITS * self.levels:", "if number >> BITS * self.levels > 1:"),
    ),
    *_order(
        "across.py",
        ("                past.learn(Past(made=Times.of({lane: beyond.announced[lane]})))\n", "                pass\n"),
        ("                clocks.beyond.acquire(lane, lore)\n", "                pass\n"),
        ("    clocks.meet_blocks(active)\n", ""),
        ("np.arange(first, first + together)", "np.arange(first, first + 1)"),
        ("int(clocks.blocks[row]) * clocks.width, clocks.warps", "row * clocks.width, clocks.warps"),
        ("        one.learn(mine)\n    return known, lore", "        pass\n    return known, lore"),
        ("            past.learn(beyond.fenced_by(lane)[0])\n", ""),
        ("        lore.learn(clocks.beyond.gathered(warps))\n", ""),
    ),
    *_order(
        "mbarriers.py",
        (" & (self.bytes[rows, word] == 0)]", "]"),
        ("            self.learn(rows, word, known)\n", "            pass\n"),
        (
            "            self.learnt.pop(place, None)\n",
            "            pass\n",
            "who makes an mbarrier anew has to know of all arrivals before, as has who waits there then: neither learns more",
        ),
        ("row if target is None else target, word, past", "row, word, past"),
        ("self.phase[rows, words] % 2 != parity % 2", "self.phase[rows, words] % 2 == parity % 2"),
        ("        self.pending[full, word] = self.count[full, word]\n", ""),
        ("        self.done[:, full, word] = self.gathered[:, full, word]\n", ""),
        ("            self.gathered[plane, rows, word, self.clocks.warps + engine] = now\n", "            pass\n"),
        ("(told_by_fences if relaxed else told)(", "told("),
        ("self.bytes[rows, word] += count\n        self._complete(rows, word)", "self.bytes[rows, word] += count"),
        ("np.maximum(self.gathered[:, rows, word], self.clocks.fitted(known))", "self.clocks.fitted(known)"),
        ("self.first + 2 * word + what", "self.first + word + what"),
        (
            "self.clocks.acquire(rows, lanes, self.done[:, rows, word])",
            "self.clocks.acquire(rows, lanes, self.gathered[:, rows, word])",
        ),
    ),
)
