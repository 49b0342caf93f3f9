"""Mutants of the simulator's memories: flat ones that threads share, registers, guards, what is on its way, clusters'."""

from __future__ import annotations

from mutations.mutant import Mutant, mutants_of


def _memory(file: str, *edits: tuple[str, str] | tuple[str, str, str]) -> tuple[Mutant, ...]:
    return mutants_of(f"targets/simulator/memory/{file}", "", *edits)


MUTANTS = (
    *_memory(
        "flat.py",
        ("found.max(initial=0) >= self.size):", "found.max(initial=0) > self.size):"),
        ("(found.min(initial=0) < 0 or found.max(initial=0)", "(found.max(initial=0)"),
        ("(index < 0) | (index >= self.size), lanes.shape)", "(index < 0) | (index > self.size), lanes.shape)"),
        ("outside = outside if mask is None else outside & mask", "outside = outside"),
        ("            found = found + rows * self.pitch\n", "            pass\n"),
        ("        full[mask] = values\n        return full", "        return full"),
        (
            '    def load(self, lanes: Lanes, index: Operand, mask: Mask, site: Site) -> Array:\n        """The element at each active lane\'s index; 0 at the others."""\n        values = self.read(self._locate(lanes, index, mask, site), lanes, lanes.present(mask), site)',
            '    def load(self, lanes: Lanes, index: Operand, mask: Mask, site: Site) -> Array:\n        """The element at each active lane\'s index; 0 at the others."""\n        values = self.data.take(self._locate(lanes, index, mask, site))',
        ),
        (
            '            self._written(at, lanes, present, site)\n            self._refuse(self.shadow.reading(at, present), at, lanes, present, site, "writes")',
            '            self._refuse(self.shadow.reading(at, present), at, lanes, present, site, "writes")',
        ),
        (
            '            self._refuse(self.shadow.reading(at, present), at, lanes, present, site, "writes")\n',
            "            self.shadow.reading(at, present)\n",
        ),
        ('        self._refuse(readers, at, lanes, present, site, "reads")\n', ""),
        (
            '        self._refuse(self._differing(rivals, at, values, lanes, present, site), at, lanes, present, site, "writes")\n\n',
            "\n",
        ),
        ("            if sync.changes:\n                self._written(at, lanes, present, site)\n", ""),
        ("                self.shadow.fill(at, present)\n", "                pass\n"),
        ("        self.changes += not same_bits(before, self.data.take(at)).all()\n", ""),
        (
            "        self._reserved(at, lanes, present, site)\n        self.changes += 1\n",
            "        self.changes += 1\n",
        ),
        (
            "        lanes.one_by_one(synchronise(present, id(self.data), at, sync), site.op)\n        return self._spread(self.data",
            "        return self._spread(self.data",
        ),
        ('            if site.kind == "load":\n                self._written(at, lanes, present, site)\n', ""),
        (
            "dead = ~self.live.take(at) if self.live is not None else np.ones(len(at), bool)",
            "dead = np.zeros(len(at), bool)",
        ),
        (
            "if self.live is not None and (words := self.live.take(at)).any():",
            "if self.live is not None and (words := self.live.take(at)).all():",
        ),
        ("met = None if self.pending is None else self.pending.met(at, site.kind)", "met = None"),
        ("if rivals is None or self.agreed is None:", "if rivals is None:"),
        ("return np.where(same, 0, rivals)", "return rivals"),
        ("noted = same & (rivals != 0)", "noted = same"),
        (
            "if site not in self.agreed:",
            "if True:",
            "the message of the last lanes at the site instead of that of the first: both are true",
        ),
        ("np.argmax(rivals != 0)", "np.argmax(rivals == 0)"),
        ("rival = int(actor_of(rivals[bad]))", "rival = int(present.actor[bad])"),
        ('np.argsort(at, kind="stable")', "np.argsort(-at)[::-1]"),
        ("before[group], data[place] = chain[:-1], chain[-1]", "before[group], data[place] = chain[:-1], chain[0]"),
        ("before[group], data[place] = chain[:-1], chain[-1]", "before[group], data[place] = chain[1:], chain[-1]"),
        ("        if before[lane] == expected[lane]:\n", "        if data[place] != expected[lane]:\n"),
        ("return np.asarray((rows(a) == rows(b)).all(axis=1))", "return np.asarray(a == b)"),
        ("start = int(lanes.rows[row]) * self.pitch if self.apart else 0", "start = 0"),
        ("return self.data.take(part), np.ones", "return self.data.take(part - start), np.ones"),
        ("np.ones(self.size, bool) if missing is None else ~missing", "np.ones(self.size, bool)"),
        ("            self.shadow.forget(rows, self.pitch)\n", "            pass\n"),
        (
            '        self._refuse(changers, at, lanes, present, site, "changes")  # of one value, too, as if the other came second\n',
            "",
        ),
        (
            '        self._refuse(self._differing(writers, at, values, lanes, present, site), at, lanes, present, site, "writes")\n        self.data[at] = values\n        rivals',
            "        self.data[at] = values\n        rivals",
        ),
        ("(found.min(initial=0) < 0 or found.max", "(found.max"),
        ("actor_of(rivals[bad]))\n", "present.actor[bad])\n"),
    ),
    *_memory(
        "registers.py",
        ("[written] * size  # or the lanes", "[True] * size  # or the lanes"),
        (
            "result = np.where(chosen, _known(self._load_cell(lanes, cell, chosen, site)), result)",
            "result = _known(self._load_cell(lanes, cell, chosen, site))",
        ),
        (
            "        for cell in range(start, start + count):\n            self._check_written",
            "        for cell in range(start, start + 1):\n            self._check_written",
        ),
        ("        self._checked(start + count - 1, lanes, mask, site)\n", ""),
        ("        self._touch_run(lanes, start, run.count, mask, site)\n", ""),
        (
            "            self._set_cell(lanes, start + number, column.value, mask)",
            "            self._set_cell(lanes, start + number, column.value, None)",
        ),
        ("wrong = missing if mask is None else missing & mask\n", "wrong = missing\n"),
        ("self.written[cell] = self.written[cell] | mask", "self.written[cell] = True"),
        ("self.cells[cell] = lanes.apply(select, mask, value, old)", "self.cells[cell] = value"),
        ("if not 0 <= cell < self.size:", "if not cell < self.size:"),
        ("if not 0 <= cell < self.size:", "if not 0 <= cell <= self.size:"),
        ("mask[at], full[at] = True, values[mine]", "mask[at], full[at] = True, values[: len(at[0])]"),
        (
            "return None if mine is theirs is None else join(*both)",
            "return join(*both)",
            "a cell that nobody has written holds zeros that nobody may read, instead of nothing",
        ),
        ("map(join, self.written, other.written), guard)", "other.written, guard)"),
        ("self.guard.with_(other.guard, join) if self.guard and other.guard else None", "self.guard"),
        ("self.guard and self.guard.each(change))", "None)"),
        ("        self._touch_run(lanes, start, count, mask, site)\n        return", "        return"),
        ("        self._touch(lanes, cell, mask, site)\n        self._check_written", "        self._check_written"),
        ("        self._touch(lanes, cell, mask, site)\n        self._set_cell", "        self._set_cell"),
        ("distinct_values(full[active])", "distinct_values(full)"),
    ),
    *_memory(
        "runs.py",
        ("c.run is run and c.number == start + i for", "c.run is run for"),
        ("return self if count == self.count else", "return self if start == 0 else"),
        ("self.values[:, :, start : start + count]", "self.values[:, :, :count]"),
    ),
    *_memory(
        "pending.py",
        ('{"load": ("store", "atomic"), "store"', '{"load": ("store",), "store"'),
        ('"atomic": ("load", "store")}', '"atomic": ("store",)}'),
        ("np.add.at(self._counts[kind], at, 1)", "self._counts[kind][at] = 1"),
        ("        np.subtract.at(self._counts[kind], at, 1)\n", ""),
        ("return int(np.argmax(found != 0)), other", "return 0, other"),
        ('"store": ("load", "store", "atomic"), "atomic"', '"store": ("store", "atomic"), "atomic"'),
    ),
    *_memory(
        "guards.py",
        (
            "        self.marks[cell] = _where(mask, self.fences, self.marks[cell])\n        self.kinds[cell] = _where(mask, LANE, self.kinds[cell])",
            "        self.kinds[cell] = _where(mask, LANE, self.kinds[cell])",
        ),
        (
            "self._refuse((self.tickets[cell] > self.done) & other, lanes",
            "self._refuse(self.tickets[cell] > self.done, lanes",
        ),
        ("self._refuse((self.marks[cell] == self.fences) & other, lanes", "self._refuse(False, lanes"),
        (
            "self._refuse((self.marks[cell] == self.fences) & other, lanes",
            "self._refuse(self.marks[cell] == self.fences, lanes",
        ),
        (
            "            self.tickets[cell] = _where(mask, ticket, self.tickets[cell])\n            self.marks",
            "            self.marks",
        ),
        ("            self.kinds[cell] = _where(mask, kind, self.kinds[cell])\n", ""),
        ("wrong if mask is None else wrong & mask):", "wrong):"),
        ("join(self.fences, other.fences), join(self.done, other.done)", "self.fences, join(self.done, other.done)"),
        ("join(self.fences, other.fences), join(self.done, other.done)", "join(self.fences, other.fences), self.done"),
        (
            "found.fences, found.done = change(self.fences), change(self.done)",
            "found.fences, found.done = 0, change(self.done)",
        ),
        ("else np.maximum(*both)", "else both[1]"),
    ),
    *_memory(
        "remote.py",
        ("wrong = (rank < 0) | (rank >= self.cluster)", "wrong = (rank < 0) | (rank > self.cluster)"),
        ("own // self.cluster * self.cluster + rank", "own // self.cluster * self.cluster + (rank ^ 1)"),
        ("own // self.cluster * self.cluster + rank", "own - own + rank"),
        ("wrong = (rank < 0) | (rank >= self.cluster)", "wrong = rank >= self.cluster"),
        ("        self.visits.note(found[chosen], present.epoch, site)\n", ""),
        ("return replace(self, rank=change(self.rank))", "return self"),
        ("        self.lanes.count(site, index, mask)\n", "        pass\n"),
    ),
    *_memory(
        "addresses.py",
        (
            "bisect_right([at for at, _ in self.places], address)]",
            "bisect_right([at for at, _ in self.places], address - 1)]",
        ),
        ("address < _end(one)", "address <= _end(one)"),
    ),
    *mutants_of(
        "targets/simulator/memory/views.py",
        "lang/test_typed_views.py",
        ("step=step // size", "step=one.size // size"),
        ("begin // union.unit)", "0)"),
        ("memory.pending = GrainedPending(pending, grain)", "memory.pending = None"),
        ("(unit - grain.first) // grain.count, kind)", "unit, kind)"),
    ),
    *mutants_of(
        "targets/simulator/ops/among.py",
        "lang/test_masks.py",
        ("& (self.masks[:, there] == self.masks))", ")"),
        ("self.active & ~self.named(threads % warp)", "self.active & False"),
        ("among.active & ~among.named(source % warp)", "among.active & False"),
        ("whole & among.masks, _existing", "whole, _existing"),
        ("ballot == among.masks & exists}", "ballot != 0}"),
    ),
    *mutants_of(
        "targets/simulator/order/grained.py",
        "lang/test_typed_views.py",
        ("self.first + np.arange(self.count)", "np.arange(self.count)"),
        ("found.reshape(-1, self.count).max(axis=1)", "found.reshape(-1, self.count).min(axis=1)"),
        ("units[0 if counts is None else np.argmax(counts.take(units) > 0)]", "units[-1]"),
        ("(found[0] // self.grain.count, found[1])", "found"),
    ),
)
