"""Mutants of what the simulator knows of the order of accesses: clocks, shadows, barriers, mbarriers, flags."""

from __future__ import annotations

from mutations.mutant import Mutant, mutants_of

S = "targets/simulator"
LAWS = f"{S}/test_order.py {S}/test_order_barriers.py {S}/test_order_proxies.py"  # slow ones, of nothing else
TOLD = f"{S}/test_order_scopes.py {S}/test_order_across.py {S}/test_told_across.py"
CLOCKS = ("clocks.py", "present.py", "shadow.py", "crowd.py", "peers.py", "barriers.py")
FLAGS = ("ordered.py", "scopes.py", "scoped.py", "past.py", "handed.py", "beyond.py", "across.py")


def _order(file: str, *edits: tuple[str, str] | tuple[str, str, str]) -> tuple[Mutant, ...]:
    laws = {**dict.fromkeys(CLOCKS, LAWS), **dict.fromkeys(FLAGS, TOLD)}.get(file, "")
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
        (
            "return last <= 0 if last.min(initial=1) <= 0 else None",
            "return last < 0 if last.min(initial=1) < 0 else None",
        ),
        (
            "races = either(self._writes(at, self._last(at), lanes, settled), self._atomics(at, lanes, settled))",
            "races = self._writes(at, self._last(at), lanes, settled)",
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
        ("return np.abs(last) if self.forgets else last", "return last"),
        ("        self.forgets = True\n", ""),
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
        ("met = np.logical_and.reduceat(self.come", "met = np.logical_or.reduceat(self.come"),
        ("            self.come[self.spread(met)] = False\n", ""),
        ("reshape(-1, self.together).all(axis=1)", "reshape(-1, self.together).any(axis=1)"),
        ("self.waiting[rows] |= lanes & waits", "self.waiting[rows] |= lanes"),
        ("self.come[rows] >= expected", "self.come[rows] > expected"),
        ("        self.known[:, full] = 0\n", ""),
        ("        self.places[full] = None\n", ""),
        ("self.come[self.spread(whole)] = False", "pass"),
        ("self.own[rows] if expected > clocks.lanes else 0", "0"),
        ("self.own[rows] if expected > clocks.lanes else 0", "self.own[rows]"),
        ("& ~np.eye(clocks.warps, dtype=bool)", ""),
        ("= self.coming[full], 0", "= 0, 0"),
        ("missed[row, warp, other] = not self._told(", "missed[row, warp, other] = self._told("),
        ("self.come, self.waiting, self.coming)", "self.come, self.coming)"),
        ("if self.clocks.beyond or self.learnt:", "if self.learnt:"),
        ("self.clocks.lanes if self.of_warps else self.threads)", "self.threads)"),
    ),
    *_order(
        "ordered.py",
        ("there if sync.changes else None)", "None)"),
        ("there if sync.changes else None)", "there)"),
        ("if there is not None and sync.reads:", "if there is not None:"),
        ("        beyond.left.pop(place, None)\n", "        pass\n"),
        ("    if sync.releases:\n        clocks.step()\n", ""),
        ("if own and scope <= sync.scope else", "if own else"),
        ("past if past.includes(before) else past | before", "past"),
        ("told.within(sync.scope)", "told.within(Scope.ALL)"),
        ("seen.within(scope)", "seen.within(Scope.ALL)"),
        ("            beyond.learnt.add(lane, seen.within(scope))\n", "            pass\n"),
        ("        there.writer, there.scope = lane, sync.scope\n", ""),
        ("    lanes.clocks.step()\n    return len(lanes.actor)", "    return len(lanes.actor)"),
    ),
    *_order(
        "scoped.py",
        ("scope == Scope.ALL and element not in self.narrow", "scope == Scope.ALL"),
        ("if not groups.reach(actor, scope, who, its)", "if not groups.reach(actor, scope, who, scope)"),
        ("{})[actor, scope] = epoch", "{})[actor // actors, scope] = epoch"),
        ("if scope != Scope.ALL:", "if scope == Scope.ALL:"),
        ("unordered(epochs, lanes, 1)), rest", "unordered(epochs, lanes, 1)), []"),
    ),
    *_order(
        "scopes.py",
        ("return one // size == other // size", "return True"),
        ("self._sizes[min(scope, others)]", "self._sizes[scope]"),
        ("self.actors, self.actors * self.blocks, EVERYBODY", "self.actors, EVERYBODY, EVERYBODY"),
        ("for own in self.pasts[: scope + 1]:", "for own in self.pasts[:1]:"),
        ("if cluster or all_ else UNTOLD", "if cluster else UNTOLD"),
        ("past if own <= scope else self.pasts[own]", "past if own <= scope else NOTHING"),
        ("self.actors, self.actors * self.blocks, EVERYBODY", "self.actors, self.actors, EVERYBODY"),
    ),
    *_order(
        "past.py",
        ("            return self._parts[0] | other\n", "            return other\n"),
        ("            if self._known.get(who, 0) < when:\n", "            if True:\n"),
        ("return self._all().get(KINDS * lane + LANE, 0) >= when", "return True"),
        ("            if asked == MANY:\n", "            if asked == MANY:\n                return False\n"),
    ),
    *_order(
        "handed.py",
        ("                found = found | value\n", "                pass\n"),
        ("            found = found | self.of_warp(warp)\n", ""),
        ("            self._warps[warp] = found\n", "            pass\n"),
        ("self.of_warp(warp) | value", "value"),
    ),
    *_order(
        "beyond.py",
        ("known = [any(past.knows(", "known = [all(past.knows("),
        ("range(block * self.warps, (block + 1) * self.warps)", "range(block * self.warps, block * self.warps + 1)"),
        ('order in ("acquire", "acq_rel")', 'order in ("acquire",)'),
        ('order in ("release", "acq_rel")', 'order in ("release",)'),
        ("            handed.meet_warps(warps)\n", "            pass\n"),
    ),
    *_order(
        "across.py",
        ("Past(made={lane: beyond.announced[lane] for lane in here if lane in beyond.announced})", "Past()"),
        ("                clocks.beyond.tell(lane, past)\n", "                pass\n"),
        ("    clocks.meet_blocks(active)\n", ""),
        ("np.arange(first, first + together)", "np.arange(first, first + 1)"),
        ("int(clocks.blocks[row]) * clocks.width, clocks.warps", "row * clocks.width, clocks.warps"),
        ("[Handing(past) | mine for past, mine", "[Handing(past) for past, mine"),
        ("            past |= beyond.fenced.of(lane).pasts[Scope.CLUSTER]\n", "            pass\n"),
        ("        past = clocks.beyond.gathered(warps)\n", "        past = Handing()\n"),
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
        ("self.gathered[plane, rows, word, self.clocks.warps + engine] = self.clocks.stamped[rows, engine]", "pass"),
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
