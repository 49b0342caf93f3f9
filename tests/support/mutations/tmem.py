"""Mutants of tensor memory: who has it, copies, products of one CTA and of pairs, factors, metadata, order."""

from __future__ import annotations

from mutations.mutant import Mutant, mutants_of

FOUND = "targets/simulator/test_asynchronous.py"
MOVES = "targets/simulator/test_tmem.py"
VALUES = "targets/simulator/test_tcgen05.py"
SCALED = "targets/simulator/test_scaled.py"
SPARSE = "targets/simulator/test_sparse.py"


def _simulator(file: str, tests: str, *edits: tuple[str, str] | tuple[str, str, str]) -> tuple[Mutant, ...]:
    return mutants_of(f"targets/simulator/{file}", tests, *edits)


MUTANTS = (
    *_simulator(
        "memory/tensor.py",
        FOUND,
        ("if self.relinquished[row]:", "if self.relinquished[row] and count > 64:"),
        ("if not found or found[0].count != count:", "if not found:"),
        ("        self.made.remove(found[0])\n", ""),
        ("            self.cells.shadow.written[at] = 0\n", "            pass\n"),
        ("wrong = outside | ~self.allocated", "wrong = outside & ~self.allocated"),
        ("self.group[0] != ctas", "self.group[0] < ctas"),
        ("        if other != count:", "        if other < count < 0:"),
        ("                self.copies.end(at, kind)\n", ""),
        ("                    shadow.read(at, present)\n", "                    pass\n"),
        ("mine = self.owner.take(flat) == who + 1", "mine = self.owner.take(flat) > 0"),
        ("            self.owner[flat] = who + 1\n", "            self.owner[flat] = who\n"),
        ("        for one in self.made:\n            text", "        for one in self.made[:-1]:\n            text"),
        (
            "for begun in self.begun for side in begun.reads() if begun.open.any()",
            "for begun in self.begun[:0] for side in begun.reads()",
        ),
    ),
    *_simulator(
        "ops/tensor/moves.py",
        MOVES,
        (
            "words[row, found, column[:, None, None] + 2 * self.column + i] & HALF",
            "words[row, found, column[:, None, None] + 2 * self.column + i]",
        ),
        ("np.asarray(low | high << 16)", "np.asarray(high | low << 16)"),
        ("column = column + upper * split", "column = column + upper * width // 2"),
        ("enumerate((values & HALF, values >> 16))", "enumerate((values >> 16, values & HALF))"),
    ),
    *_simulator(
        "ops/tensor/moves.py",
        FOUND,
        ("foreign, askew = lane // QUARTER * QUARTER != own", "foreign, askew = lane // QUARTER * QUARTER < own"),
        ("lane % self.words.lanes != 0", "lane % QUARTER < 0"),
        ("halves = np.arange(self.words.lanes // TOGETHER)", "halves = np.arange(1)"),
    ),
    *_simulator(
        "ops/tensor/order.py",
        FOUND,
        ("clocks.fence(rows, lanes, (TENSOR_SENT,))", "clocks.fence(rows, lanes, (TENSOR_SENT, TENSOR))"),
        ("clocks.admit(rows, lanes, TENSOR_SENT, TENSOR)", "clocks.admit(rows, lanes, 0, TENSOR)"),
    ),
    *_simulator(
        "ops/tensor/issue.py",
        FOUND,
        ("    if (counts > 1).any():", "    if (counts > 2).any():"),
        ("own // self.ctas * self.ctas + cta", "own // self.ctas * self.ctas"),
        ("    groups = active.rows // op.ctas", "    groups = active.rows"),
        ("    machine.engine.pending_of(memory)\n", ""),
        ("issued.actor.repeat(at.shape[1]), SHARED_PROXY)", "issued.actor.repeat(at.shape[1]))"),
        ("    if machine.checks:\n        begun", "    if machine.checks and issued.ctas == 1:\n        begun"),
    ),
    *_simulator(
        "ops/tensor/tile.py",
        VALUES,
        ("self._parts.repeat(self.count)", "np.tile(self._parts, self.count)"),
        ("np.arange(self.folds) * (LANES // self.folds)", "np.arange(self.folds) * 32"),
    ),
    *_simulator(
        "ops/tensor/tile.py",
        FOUND,
        (
            "places(halves, self.first + np.arange(self.count))",
            "places(halves[:1], self.first + np.arange(self.count))",
        ),
    ),
    *_simulator(
        "ops/tensor/products.py",
        VALUES,
        ("-right if self.told.negate_b else right", "-right if self.told.negate_a else right"),
        ("        if not scale:", "        if scale and not scale:"),
        ("words.astype(np.uint16).view(kind)", "(words >> 16).astype(np.uint16).view(kind)"),
        (
            "np.concatenate([one.right for one in held], axis=1)",
            "np.concatenate([one.right for one in held[::-1]], axis=1)",
        ),
        ("return rows // self.issued.ctas, columns", "return rows, columns"),
    ),
    *_simulator(
        "ops/tensor/products.py",
        FOUND,
        ("if lane and not (path.has_slabs and lane == TOGETHER):", "if lane > TOGETHER and not path.has_slabs:"),
        ("                if found.sparse != self.op.sparse:", "                if found.sparse < self.op.sparse:"),
        ("if found.sparse and found.m // self.op.ctas != LANES:", "if found.sparse and found.m < 0:"),
        ("            tensor.follow(issued.actor, cells, lanes, self.step.adds)\n", "            pass\n"),
        ("        tensor.follow(issued.actor, cells, lanes, self.step.writes)\n        return", "        return"),
    ),
    *_simulator(
        "ops/tensor/copies.py",
        FOUND,
        ("np.arange(LANES) // 64 * 32 + np.arange(LANES) % 32", "np.arange(LANES) % 64"),
        ("            if lane:", "            if lane > 16:"),
        ("                tensor.follow(issued.actor, cells, issued.active.lanes, site)\n", ""),
    ),
    *_simulator(
        "ops/tensor/commits.py",
        FOUND,
        ("masks >> min(cluster, MOST_BLOCKS) != 0", "masks >> MOST_BLOCKS != 0"),
        ("(masks < 1)", "(masks < 0)"),
        ("(rows - active.rows[entries]) * memory.pitch", "(rows - active.rows[entries]) * 0"),
        ("// cluster * cluster + ranks", "+ ranks"),
        (
            "begun for begun in machine.tensor.begun if begun.open.any()",
            "begun for begun in machine.tensor.begun[1:] if begun.open.any()",
        ),
    ),
    *_simulator(
        "agents/pipeline.py",
        FOUND,
        ("            self._tell_earlier(word, chosen)\n", ""),
        ("epochs[mine] = by_row[mine]", "epochs[mine] = by_row[mine[0]]"),
        ("        self.open &= ~due\n", "        self.open[:] = False\n"),
        ("due = self.open & is_among(self.actor, actors)", "due = self.open"),
    ),
    *_simulator(
        "agents/pairs.py",
        FOUND,
        ("isinstance(op, TmemAllocOp) and op.ctas == PAIR", "isinstance(op, TmemAllocOp) and op.ctas > PAIR"),
        ("if launch.cluster % op.ctas:", "if launch.cluster > 2 * op.ctas:"),
        ("asked[lanes.rows ^ 1] >= self.goal", "asked[lanes.rows] >= self.goal"),
    ),
    *_simulator(
        "ops/tensor/factors.py",
        SCALED,
        ("bytes_[..., self.first : self.first + self.count]", "bytes_[..., : self.count]"),
        ("codes & _UNSIGNED", "codes & 0x3F"),
        ("(parts * factors[..., None])", "(parts * factors[..., :1, None])"),
        ("address & (1 << ID_BIT) - 1", "address"),
    ),
    *_simulator(
        "ops/tensor/factors.py",
        FOUND,
        ("        if wrong.any():", "        if wrong.all():"),
        ("        if lane:", "        if lane > QUARTER:"),
    ),
    *_simulator(
        "ops/tensor/metadata.py",
        SPARSE,
        ("column + selector, columns)", "column, columns)"),
        (
            "np.stack([grouped & (1 << HALF) - 1, grouped >> HALF], axis=2)",
            "np.stack([grouped >> HALF, grouped & (1 << HALF) - 1], axis=2)",
        ),
    ),
    *_simulator(
        "collective/sparse.py",
        SPARSE,
        ("0b1001, 0b1101, 0b0110", "0b1001, 0b1101, 0b0101"),
        ("(n & 3, n >> 2) if", "(n >> 2, n & 3) if"),
        ("{0b0100: 0, 0b1110: 1}", "{0b0100: 1, 0b1110: 0}"),
    ),
    *_simulator(
        "order/beyond.py",
        FOUND,
        (
            "lambda me: (self.proxied.get(me // self.lanes, NOTHING),)",
            "lambda me: (self.learnt.of_warp(me // self.lanes),)",
        ),
        (
            "self.proxied[warp] = self.proxied.get(warp, NOTHING) | self.learnt.gathered([warp])",
            "self.proxied[warp] = NOTHING",
        ),
    ),
    *mutants_of(
        "atoms/instruction_descriptors.py",
        f"{VALUES} {SCALED} {SPARSE}",
        ('"n": (17, 6)', '"n": (17, 5)'),
        ('"sfa": (29, 2)', '"sfa": (30, 2)'),
        ("{True: 128, False: 16}", "{True: 64, False: 16}"),
        ("(0, 2) if kind.scaled else (0,)", "(0, 1) if kind.scaled else (0,)"),
        ("if factors == 4 and (self.sfa or self.sfb):", "if factors == 4 and (self.sfa and self.sfb):"),
        ("if told.encode() != bits:", "if told.encode() < bits:"),
    ),
    *mutants_of(
        "tirx/hardware/tmem.py",
        VALUES,
        ("row // self.run * self.pitch + row % self.run for", "row for"),
    ),
)
