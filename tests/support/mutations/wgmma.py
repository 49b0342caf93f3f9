"""Mutants of warpgroup products: descriptors, who takes part, what is on its way and where."""

from __future__ import annotations

from mutations.mutant import Mutant, mutants_of

BITS = "atoms/test_descriptors.py"
WORDS = "analysis/descriptor/test_words.py"
BLOCKS = "atoms/test_blocks.py"
VALUES = "targets/simulator/test_wgmma_values.py targets/simulator/test_wgmma.py"
FOUND = "targets/simulator/test_asynchronous.py::test_a_fault_is_found_at_its_line"
RIGHT = "targets/simulator/test_asynchronous.py::test_no_alarm_and_the_right_result"
ORDER = f"{FOUND} {RIGHT}"


def _simulator(file: str, tests: str, *edits: tuple[str, str] | tuple[str, str, str]) -> tuple[Mutant, ...]:
    return mutants_of(f"targets/simulator/{file}", tests, *edits)


MUTANTS = (
    *mutants_of(
        "atoms/descriptors.py",
        BITS,
        ('Field("leading", 16, 14)', 'Field("leading", 16, 13)'),
        ('Field("base", 49, 3), Field("absolute", 52, 1)', 'Field("base", 49, 3), Field("absolute", 53, 1)'),
        ('{"none": 0, "128B": 1, "64B": 2, "32B": 3}', '{"none": 0, "128B": 3, "64B": 2, "32B": 1}'),
        ('"64B": 4, "32B": 6', '"64B": 6, "32B": 4'),
        ("not 0 <= value < REACH", "not 0 <= value <= REACH"),
        ("if loose or code", "if code"),
        ("self.start % mode.alignment >= mode.span", "self.start % mode.alignment > mode.span"),
        ("        if self.base:\n", "        if self.base > 1:\n"),
        ("within + line > mode.span", "within + line >= mode.span"),
        ("if within and within + line", "if within and line"),
        ("mode.swizzled and line > mode.span", "mode.swizzled and line > mode.span + GRAIN"),
        ('major == "K" or MODES[self.mode].swizzled\n', 'major == "K"\n'),
        ("_in_atoms(lines, mode.lines, row, down)", "_in_atoms(lines, mode.lines, row, right)"),
        ("_in_atoms(along, row, 1, right)", "_in_atoms(along, along, 1, right)"),
        ('if mode.chunk != GRAIN and major == "K":', 'if mode.chunk > 2 * GRAIN and major == "K":'),
    ),
    *mutants_of(
        "analysis/descriptor/words.py",
        WORDS,
        ("form.version == VERSION.of(bits)", "form.version <= VERSION.of(bits)"),
        ("start % mode.alignment", "start % GRAIN"),
        ("row * seen.row_step + column * seen.column_step", "row * seen.row_step"),
        ("if loose or byte % GRAIN:", "if loose:"),
        ("if found.misplaced is not None:", "if False:"),
    ),
    *mutants_of(
        "analysis/descriptor/operand.py",
        WORDS,
        (
            "(str(x), _NAMES.get(x, x.name), x.of(word), self._meaning(x))",
            "(str(x), _NAMES.get(x, x.name), word, self._meaning(x))",
        ),
    ),
    *mutants_of(
        "atoms/cdna.py",
        BLOCKS,
        (
            "32: Layout(((32, 2), (4, 4, 2)), ((32, 4), (1, 8, 1024)))",
            "32: Layout(((32, 2), (2, 4, 4)), ((32, 4), (1024, 1, 4)))",
        ),
        (
            "_AB_F64_BLOCKS = Layout(((4, 4, 4), 1), ((1, 16, 4), 4))",
            "_AB_F64_BLOCKS = Layout(((4, 4, 4), 1), ((1, 4, 16), 4))",
        ),
        ("Layout(((m, blocks), k), ((1, m * k), m))", "Layout(((m, blocks), k), ((1, m), m * blocks))"),
        ('return m if letters.startswith("F64") else 64 // m', "return 64 // m"),
    ),
    *mutants_of(
        "atoms/tensor_maps.py",
        "atoms/test_tensor_maps.py",
        ("(given[i][0] == 1, given[i][1])", "(given[i][0] == 1, -given[i][1])"),
        ("if extent > 1 and stride != step:", "if extent > 2 and stride > step:"),
        ("stride % GRAIN == 0 for stride", "stride % 2 == 0 for stride"),
        ("if row % (8 * GRAIN):", "if row % 8:"),
        ("inner.offset == 0 and", "inner.offset >= 0 and"),
    ),
    *mutants_of(
        "analysis/descriptor/fields.py",
        BITS,
        ("(1, columns) if transposed else (columns, 1)", "(columns, 1) if transposed else (columns, 1)"),
        ("(columns, rows) if transposed else (rows, columns)", "(rows, columns)"),
        ("if len(mode.flat) > 1:", "if len(mode.flat) > 2:"),
        ("tile.leading_bytes or GRAIN", "tile.leading_bytes or 0"),
    ),
    *_simulator(
        "memory/guards.py",
        ORDER,
        (
            "_where(mask, self.fences, self.marks[cell])\n        self.kinds",
            "_where(mask, self.marks[cell], self.marks[cell])\n        self.kinds",
        ),
        ("        self.kinds[cell] = _where(mask, LANE, self.kinds[cell])\n", ""),
        ("(self.marks[cell] == self.fences) & other", "(self.marks[cell] == self.fences)"),
        ("(self.tickets[cell] > self.done) & other", "(self.tickets[cell] > self.done)"),
        ("self._refuse((self.tickets[cell] > self.done) & other, lanes, cell, mask, site, text)", "pass"),
        ("_where(mask, self.fences + 1, self.fences)", "self.fences + 1"),
        ("isinstance(x, int) for x in both) else np.maximum(*both)", "isinstance(x, int) for x in both) else done"),
        ("[-1] * size", "[0] * size"),
        ("found.fences, found.done = join(self.fences, other.fences), join(self.done, other.done)", "pass"),
    ),
    *_simulator(
        "agents/products.py",
        ORDER,
        ("flight.number < self.committed", "flight.number <= self.committed"),
        ("- pending\n", "- min(pending, 0)\n"),
        ("                    pending.end(at, part.site.kind)\n", ""),
        ("shadow.read(at, self.present", "(at, self.present"),
        ("group * WARPGROUP : (group + 1) * WARPGROUP", "group * 0 : (group + 1) * WARPGROUP"),
        ("self.clocks.warps + engine] = when", "self.clocks.warps + engine] = when - 1"),
        ("plane = SHARED_PROXY if stamps is None else GENERIC", "plane = GENERIC"),
        ("            pending.begin(at.reshape(-1), part.site.kind)", "            pass"),
        ("                if side.at.size:", "                if side.at.size < 0:"),
    ),
    *_simulator(
        "order/together.py",
        ORDER,
        ("for distance in (0, *self.others):", "for distance in (0,):"),
        ("(0, *self.others)", "self.others[:1]"),
        ("if lane not in single]", "if single is not None]"),
    ),
    *_simulator(
        "order/gathering.py",
        ORDER,
        ("np.logical_and.reduceat", "np.logical_or.reduceat"),
        ("        self.come[np.repeat(met, self.size, axis=1)[:, : self.come.shape[1]]] = False\n", ""),
        ("goal = self.times + 1", "goal = self.times"),
        ("        self.come[rows[:, None], threads] = False\n", ""),
    ),
    *_simulator(
        "ops/warpgroups.py",
        ORDER,
        ("torn = some & ~every", "torn = some & ~some"),
        ("wrong = full != full[:, :1]", "wrong = full != full[:, :]"),
        (
            "some.size * WARPGROUP == lanes.shape[0] * lanes.shape[1]",
            "True",
            "lanes without a mask are whole warpgroups in rising order, which is what gathering them gives",
        ),
    ),
    *_simulator(
        "collective/described.py",
        ORDER,
        ("last > start + allocation.size", "last > start + 2 * allocation.size"),
        ("if (why := named.misplaced) is not None:", "if (why := named.misplaced) == '':"),
        ("allocation.offset is None and needed > ARRAY_ALIGNMENT", "needed < 0"),
    ),
    *_simulator(
        "collective/described.py",
        VALUES,
        ("np.swapaxes(found, 1, 2)", "found.reshape(len(data), self.rows, self.columns)"),
        ("(self.rows // count, self.columns)", "(self.columns // count, self.rows)"),
    ),
    *_simulator(
        "ops/wgmma.py",
        VALUES,
        ("np.asarray(-operand.made)", "operand.made"),
        ("zip((left[0], right[0]), NEGATED, strict=True)", "zip((left[0], right[0]), NEGATED[::-1], strict=True)"),
        ("if not scale.any():", "if scale.all():"),
        ("found[entries] = matrices", "found[:] = matrices[:1]"),
    ),
    *_simulator(
        "ops/matrix_descriptors.py",
        ORDER,
        ("if (inside % GRAIN).any():", "if (inside % GRAIN).all() and not inside.any():"),
    ),
    *_simulator(
        "ops/wgmma.py",
        ORDER,
        ("if machine.checks and not fenced.all():", "if machine.checks and not fenced.any():"),
        ("            units.committed[rows, numbers] += 1", "            units.committed[rows, numbers] += 2"),
    ),
)
