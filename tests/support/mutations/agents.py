"""Mutants of the simulator's agents: lanes that part and join, turns, waits, copies on their way."""

from __future__ import annotations

from mutations.mutant import Mutant, mutants_of


def _agents(file: str, *edits: tuple[str, str] | tuple[str, str, str]) -> tuple[Mutant, ...]:
    return mutants_of(f"targets/simulator/agents/{file}", "", *edits)


MUTANTS = (
    *_agents(
        "cohort.py",
        ("(rows, both[order]) if axis else", "(rows, both) if axis else"),
        ("return Cohort(self.at, values, domain, group=self.group)", "return Cohort(self.at, values, domain)"),
        ("values=part(self.values, rows, columns)", "values=list(self.values)"),
        ("axis, both = 0, np.concatenate([rows, theirs.rows])", "axis, both = 0, np.concatenate([theirs.rows, rows])"),
        ("for flag in (True, False):", "for flag in (False, True):"),
    ),
    *_agents(
        "holdings.py",
        ("        if id(value) not in known:\n            known", "        if True:\n            known"),
        ("value if value.shape[-2] == 1 else value[..., rows, :]", "value[..., rows, :]"),
        ("value if value.shape[-1] == 1 else value[..., columns]", "value"),
        (
            "            if key not in self.known:\n                self.known",
            "            if True:\n                self.known",
        ),
        ("joined: Array = whole.take(self.order, axis=along)", "joined: Array = whole"),
        ("== 0 and same(mine, theirs):", "== 0 and mine == theirs:"),
        ("        full[self.axis - 2] = shape[self.axis]\n", ""),
        ("mine.each(lambda rank: self.numbers(rank, other))", "mine"),
    ),
    *_agents(
        "scheduler.py",
        ("first = min(cohort.at for cohort in mine)", "first = max(cohort.at for cohort in mine)"),
        ("if cohort.at > first]", "if cohort.at > first + 1]"),
        (
            "part.at = part.at + 1 if flag else instruction.otherwise",
            "part.at = part.at + 1 if flag else instruction.otherwise - 1",
        ),
        ("                    part.waiting.over(part.frame)\n", ""),
        ("            cohort.polled = False\n        return able", "            pass\n        return able"),
        ("if not able and (engine.advance() or self._parted()):", "if not able and self._parted():"),
        ("and (engine.advance() or self._parted())", "and engine.advance()"),
        ("if vain is not None and not self._parted():", "if vain is not None:"),
        ("width = together * machine.warp_size or threads", "width = together or threads"),
        (
            "others = [cohort for cohort in self.cohorts if id(cohort) not in moving]",
            "others = [cohort for cohort in self.cohorts if cohort.waiting is not None]",
        ),
        ("            if cohort.at >= limit:\n                return [cohort]\n", ""),
        ("                cohort.domain.burn(instruction.work, instruction.op)\n", ""),
    ),
    *_agents(
        "waits.py",
        ("spread(self.meeting.times >= self.goal)", "spread(self.meeting.times > self.goal)"),
        ("return None if met.all() else met", "return None if met.any() else met"),
    ),
    *mutants_of(
        "targets/simulator/agents/numbered.py",
        "targets/simulator/test_corpus.py",
        ("return self.barrier.phase >= self.goal", "return self.barrier.phase >= 1"),
        ("odd = (before != expected) & (before > 0)", "odd = (before > expected) & (before > 0)"),
        ("if (come > expected).any() and", "if False and"),
        ("if waits and waiting.ready(frame) is not None else None", "if waiting.ready(frame) is not None else None"),
        ("not 0 <= number < BARRIERS", "not 0 <= number <= BARRIERS"),
        ("barrier.places[rows] = op", "pass"),
        ("gather(rows, lanes.threads)\n", "gather(rows[:0], lanes.threads)\n"),
        ("(barrier.come[rows] > 0) & np.array", "np.array"),
        ("    if lanes.machine.checks:\n        _refuse_unordered(barrier, number, lanes, warps, expected, op)\n", ""),
        ("constant_of(bar.barrier) in (None, BLOCK)", "constant_of(bar.barrier) in (BLOCK,)"),
    ),
    *_agents(
        "flatten.py",
        ("Branch(condition, over + 1)", "Branch(condition, over)"),
        ("frame.number(induction) < frame.number(high)", "frame.number(induction) <= frame.number(high)"),
        (
            "flat.steps([moves(yielded(compiler, op.body.block), carried), advance])",
            "flat.steps([advance, moves(yielded(compiler, op.body.block), carried)])",
            "the counter is no value that the body gives on under its own name: the order of the two does not show",
        ),
        ("    flat.steps([moves(carried, slots(compiler, op.res))])\n", ""),
        ("    flat.steps([moves(passed, slots(compiler, op.res))])\n", ""),
        ("    flat.steps([moves(passed, slots(compiler, after.args))])\n", ""),
        ("if np.any(np.asarray(step) <= 0):", "if np.any(np.asarray(step) < 0):"),
    ),
    *_agents(
        "polls.py",
        ("if before == self.held:", "if before:"),
        ("        return value.changes\n", "        return 0\n"),
        ("return tuple(map(_bits, value.cells))", "return len(value.cells)"),
    ),
    *_agents(
        "names.py",
        ("number // x % y},{number", "number // x},{number"),
        ("if engine >= self.products:", "if False:"),
        ("np.flatnonzero(self.clocks.blocks == block)", "[np.argmax(self.clocks.blocks == block)]"),
        ("np.argmax(transfer.barrier[1] == row)", "0"),
    ),
    *_agents(
        "engine.py",
        ("            pending.forget()\n", "            pass\n"),
        ('(transfer.read if part == "read" else transfer.write)', "transfer.write"),
        ("np.add.at(count, first, transfer.bytes[entries])", "count[first] += transfer.bytes[entries]"),
        ('list(self._of("cp"))))', "[]))"),
        ("pending.begin(side.chosen(everyone), side.site.kind)", "pass"),
        ("(changes and own)", "own"),
        (
            "                self.visits.note(transfer.rows[entries], epochs[entries], transfer.source.site)\n",
            "                pass\n",
        ),
        ("if transfer.barrier is not None:\n            self.waiting", "if True:\n            self.waiting"),
        ("        self._refuse_twins(transfer.target, transfer.target.chosen(everyone), transfer.changes)\n", ""),
        (
            'if what == "cp" or part == "read":',
            'if what == "cp":',
            "reads then have the epoch of what an engine wrote, which is asked for of writes alone; either way later accesses are later",
        ),
        ('        if what == "cp":\n            self._arrive_before(lanes, pending)\n', ""),
        ("first = next(one for one in self.waiting if type(one) is kind)", "pass"),
        ("number + place << TIME", "number << TIME"),
        ("            epochs[known] = 0\n", ""),
    ),
    *_agents(
        "transfers.py",
        (
            "self.group < committed[self.rows, self.threads] - pending",
            "self.group <= committed[self.rows, self.threads] - pending",
        ),
        ("            self.writing &= ~entries\n", ""),
        ("        self.reading &= ~entries\n", ""),
        (
            "        if source.inside is not None:\n            found = np.where(source.inside[entries], found, np.zeros((), found.dtype))\n",
            "",
        ),
        ("            side.memory.shadow.landed(at, side.actors(entries, epochs), side.site.kind)\n", ""),
        ("            side.memory.pending.end(at, side.site.kind)\n", ""),
        ("at=self.at + by[:, None]", "at=self.at"),
        ("if self.changes:\n            updated", "if False:\n            updated"),
        ("        entries = entries & self.reading\n", ""),
        (
            "flat = values.reshape(-1) if target.inside is None else values[target.inside[entries]]",
            "flat = values.reshape(-1)[: len(target.chosen(entries))]",
        ),
    ),
    *_agents(
        "order.py",
        ("yield np.sort(numbers[start : start + size])", "yield numbers[start : start + size]"),
        (
            "min(most, -(-blocks // int(self.dice.integers(1, PIECES + 1))))",
            "-(-blocks // int(self.dice.integers(1, PIECES + 1)))",
        ),
        ("return 0 if 0 in found else max(found)", "return max(found)"),
    ),
)
