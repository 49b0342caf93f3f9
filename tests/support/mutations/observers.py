"""Mutants of who looks on while a kernel runs: costs, counts of instructions, traces, which lanes are traced."""

from __future__ import annotations

from mutations.mutant import Mutant, mutants_of


def _observers(file: str, *edits: tuple[str, str] | tuple[str, str, str]) -> tuple[Mutant, ...]:
    return mutants_of(f"targets/simulator/observers/{file}", "", *edits)


MUTANTS = (
    *_observers(
        "costs.py",
        (
            "(rows >= 0).sum(axis=1) * site.width_bytes",
            "rows.shape[1] * np.ones(len(rows), np.int64) * site.width_bytes",
        ),
        ("instruction = site.instruction or site.kind", "instruction = site.kind"),
        ("unit = spec.alignment(site.width_bytes)", "unit = spec.sector_bytes"),
        (
            "_touched(spec, site, rows, spec.sector_bytes)",
            "_touched(spec, site, rows, 2 * spec.sector_bytes)",
        ),
        ("    return _touched(spec, site, rows, unit) * unit", "    return _touched(spec, site, rows, unit)"),
        ("-(-_distinct(spec, site, rows) // spec.sector_bytes)", "_distinct(spec, site, rows) // spec.sector_bytes"),
        ("if site.space != GLOBAL or", "if"),
    ),
    *_observers(
        "engines.py",
        ("at.size * itemsize,", "len(at) * itemsize,"),
        ("slice(None) if inside is None else inside[entry]", "slice(None)"),
        ("len(distinct_values(own))", "len(own)"),
        ("ideal - -size // spec.sector_bytes", "ideal + size // spec.sector_bytes"),
    ),
    *_observers(
        "heard.py",
        ("            self._entries, self._asked = [], False\n", "            self._asked = False\n"),
        ("(entry for entry in self._entries if entry.site.op is op)", "iter(self._entries)"),
    ),
    *_observers(
        "instructions.py",
        ("            self.lines[place] += warps\n            if each:", "            if each:"),
        ("int(each * lanes)", "int(each * warps)"),
        ("self.flops[found] += product * count", "self.flops[found] += product"),
        ("return len(starts) * lanes.shape[0], prod(lanes.shape)", "return len(starts), prod(lanes.shape)"),
        (
            "int(np.logical_or.reduceat(mask, starts, axis=1).sum())",
            "int(np.logical_and.reduceat(mask, starts, axis=1).sum())",
        ),
        ("int(mask.sum())", "mask.size"),
        ("np.diff(lanes.threads // self.lanes, prepend=-1)", "np.diff(lanes.threads // self.lanes, prepend=0)"),
        ("if found.line or not uses:", "if True:"),
        ("full if frame.mask is None else full[frame.mask]", "full"),
        ("2 * prod(atom.shape_mnk) // atom.sparsity", "2 * prod(atom.shape_mnk)"),
        ("(atom.sparsity * int(atom.thr_layout.size))", "int(atom.thr_layout.size)"),
        ('2 if op.name == "math.fma" else 1', "1"),
        ('" half" * (dtype(result).bits == 16)', '""'),
        ('if not op.name.startswith(("arith.", "math.")) or not is_pure(op):', "if not is_pure(op):"),
        ('"float" if isinstance(op.results[0].type, AnyFloat) else "integer"', '"integer"'),
    ),
    *_observers(
        "patterns.py",
        ("-places.shape[1] % lanes", "places.shape[1] % lanes"),
        (
            "np.unique((low * step + base) % LINE_BYTES, return_counts=True)",
            "np.unique(low * step + base, return_counts=True)",
        ),
        ("(low * step + base) % LINE_BYTES", "(low * step) % LINE_BYTES"),
        ("(rows[0] - low[0]) * step, times", "(rows[0] - low[0]), times"),
        (
            "if (rows[first][which.reshape(-1)] == rows).all():",
            "if True:",
            "two patterns have one key of 62 random bits",
        ),
        ("return rows if all_active else rows[(rows >= 0).any(axis=1)]", "return rows"),
        (
            "np.where(active, places - low // LINE_BYTES * LINE_BYTES, INACTIVE)",
            "places - low // LINE_BYTES * LINE_BYTES",
        ),
        ("np.where(rows >= 0, rows * step + base, INACTIVE)", "rows * step + base"),
        ("if low.min() >= 0 and _differ_by_shifts(rows):", "if _differ_by_shifts(rows):"),
        ("(steps[lanes:] == steps[:-lanes]).all()", "(steps[lanes:] == steps[:-lanes]).any()"),
        (
            "    steps[lanes - 1 :: lanes] = 0  # from row to row\n",
            "",
            "rows that are not so far apart each are told one by one: the same patterns",
        ),
        ("        return rows[first], times\n", "        return rows[: len(first)], times\n"),
    ),
    *_observers(
        "selection.py",
        ("range(first, last + 1)", "range(first, last)"),
        ("not 0 <= first <= last < first + MOST", "not 0 <= first < first + MOST"),
        ("type(number) is int and 0 <= number < LIMIT", "type(number) is int and number < LIMIT"),
        ("type(number) is int and", "isinstance(number, int) and"),
        ("key not in KEYS or", ""),
        ("& _among(threads // lanes, self.warp)", "& _among(threads % lanes, self.warp)"),
        ("& _among(threads % lanes, self.lane)", "& _among(threads, self.lane)"),
        ("tuple(dict.fromkeys(numbers))", "tuple(numbers)"),
    ),
    *_observers(
        "tally.py",
        ("            sums[name] += cost\n", "            sums[name] = cost\n"),
        ("bytes_ = site.step_bytes or site.width_bytes, site.base_bytes", "bytes_ = site.width_bytes, site.base_bytes"),
        ("key = site, rows.astype(np.int64).tobytes(),", "key = site, rows[:1].astype(np.int64).tobytes(),"),
        (
            "bytes_ = site.step_bytes or site.width_bytes, site.base_bytes",
            "bytes_ = site.step_bytes or site.width_bytes, 0",
        ),
        ("{name: cost * one.times for", "{name: cost for"),
        ("        accesses.times += times\n", "        accesses.times = times\n"),
        ("            one.times = 0\n", ""),
        ("counts.astype(np.int64).tobytes()", "np.ones_like(counts, np.int64).tobytes()"),
        ("int(costs @ counts)", "int(costs.sum())"),
    ),
    *_observers(
        "trace.py",
        ("            self.step += 1\n", ""),
        ("if len(self.events) + self.written < MOST_EVENTS:", "if len(self.events) + self.written <= MOST_EVENTS:"),
        ("active = np.broadcast_to(mask, self.shape)[grid]", "pass"),
        ("lanes.threads[self.at[1]].tolist()", "self.at[1].tolist()"),
        ("lanes.blocks[self.at[0]].tolist()", "self.at[0].tolist()"),
        ("            if heard or not len(chosen.at[0]):\n", "            if not len(chosen.at[0]):\n"),
        ("return None if silent or isinstance(op, SILENT)", "return None if silent"),
        ("width = site.step_bytes or site.width_bytes", "width = site.width_bytes"),
        ("buffer_name(memory), space, width, start_bytes(memory))", "buffer_name(memory), space, width, 0)"),
    ),
    *_observers(
        "trace_report.py",
        ("event.thread % lanes", "event.thread"),
        ("if event.value is not None:", "if event.value:"),
        ("if event.element is not None:", "if event.element:"),
        ("str(value) if isinstance(value, float) and not isfinite(value) else value", "value"),
        ("self.op.base_bytes + self.element * self.op.width_bytes", "self.element * self.op.width_bytes"),
        ("event.thread // lanes", "event.thread // 32"),
        ("* (more > 0)", "* (more >= 0)"),
    ),
    *_observers(
        "watch.py",
        ("            step(frame)\n            after(frame)\n", "            after(frame)\n            step(frame)\n"),
        ("isinstance(one, Meet) and not one.before", "isinstance(one, Meet)"),
        ("            for after in told:\n                after(frame)\n", "            told[0](frame)\n"),
        ("        waiting = meet.come(frame)\n        after(frame)\n", "        waiting = meet.come(frame)\n"),
    ),
)
