"""Mutants of the explorer, and of the pictures and traces that it shows."""

from __future__ import annotations

from mutations.mutant import Mutant, mutants_of

ENGINE, SERVER, TRACES = (f"explorer/test_{name}.py" for name in ("engine", "server", "traces"))
KERNEL, ATOMS = "explorer/test_kernel_tab.py", "explorer/test_atoms_tab.py"
MODEL = "figures/test_trace_model.py"

MUTANTS: tuple[Mutant, ...] = (
    *mutants_of(
        "explorer/engine.py",
        f"{ENGINE}::test_what_is_no_request_gets_a_problem {ENGINE}::test_a_request_has_so_many_bytes_at_most",
        ("if len(request) > MOST:", "if len(request) > 2 * MOST:"),
        ("not 0 <= number < len(scenes)", "not 0 <= number <= len(scenes)"),
        ("type(number) is not int or", "not isinstance(number, int) or"),
    ),
    *mutants_of(
        "explorer/fields.py",
        f"{ENGINE}::test_a_field_has_so_many_characters_at_most {ENGINE}::test_a_wrong_text_is_told_at_its_field_and_place "
        f"{KERNEL}::test_what_is_wrong_is_told_at_its_field",
        ("if len(value) > MOST:", "if len(value) >= MOST:"),
        ("not field.least <= value <= field.most", "value > field.most"),
        ('str(error).split("\\n")[0], error.position', "str(error), error.position"),
    ),
    *mutants_of(
        "explorer/guard.py",
        "explorer/test_guard.py",
        ('.split(";")[0].strip() != TYPE', " != TYPE"),
        ("if length > self.most:", "if length >= self.most:"),
        ('.encode("utf-8", "replace")', '.encode("utf-8", "ignore")'),
    ),
    *mutants_of(
        "explorer/server.py",
        SERVER,
        ("do_HEAD = do_GET", "pass"),
        ("replace(self.guard, most=MOST_BYTES)", "self.guard"),
        ('", ".join(self.headers.get_all(name, ()))', "self.headers[name]"),
        ("self.end = connection, monotonic() + seconds", "self.end = connection, monotonic() + 99 * seconds"),
    ),
    *mutants_of(
        "explorer/trace/store.py",
        f"{TRACES}::test_the_last_four_are_kept_and_the_longest_unasked_goes",
        ("self._kept.move_to_end(name)\n            return", "return"),
        ("self._kept.move_to_end(name)\n            while", "while"),
    ),
    *mutants_of(
        "explorer/atoms/held.py",
        ATOMS,
        ("(value + 1) * part.bits - 1", "(value + 1) * part.bits"),
        ("range(min(MOST, self.tv[1].size))", "range(min(MOST - 1, self.tv[1].size))"),
    ),
    *mutants_of("explorer/atoms/copies.py", ATOMS, ("else (shape[0], 1)", "else (1, shape[0])")),
    *mutants_of("explorer/atoms/mma.py", ATOMS, ("if atom.blocks > 1:", "if atom.blocks > 2:")),
    *mutants_of(
        "explorer/tabs/kernel.py",
        f"{TRACES} {KERNEL}",
        ("for one in range(1, AROUND + 1):", "for one in range(1, AROUND):"),
        ("-(-trace.threads // trace.lanes)", "trace.threads // trace.lanes"),
        ("if step > moments[-1].step:", "if step >= moments[-1].step:"),
    ),
    *mutants_of(
        "explorer/tabs/placement.py",
        "explorer/test_placement_tab.py",
        ("error.position - len(letter) - 1", "error.position - len(letter)"),
    ),
    *mutants_of(
        "figures/trace/accesses.py",
        f"{MODEL} {KERNEL}::test_a_copy_of_bytes_concerns_all_of_its_words",
        ("(self.address + self.size - 1) // size + 1", "(self.address + self.size) // size + 1"),
        ("if access.address == here.address + here.size:", "if access.address >= here.address + here.size:"),
    ),
    *mutants_of(
        "figures/trace/replay.py",
        MODEL,
        ("if event.step > step:", "if event.step >= step:"),
        ("here.pop(event.element, None)", "pass"),
        ("event.op.space != GLOBAL and event.block != block", "event.block != block"),
    ),
    *mutants_of(
        "figures/trace/moment.py",
        MODEL,
        ("sorted([*sorted(now), *sorted(seen - now)][:MOST_ROWS])", "sorted(seen)[:MOST_ROWS]"),
    ),
    *mutants_of(
        "figures/trace/read.py",
        TRACES,
        ("if prod(block) > MOST_THREADS:", "if prod(block) >= MOST_THREADS:"),
        ("if len(data.values()) > MOST_EVENTS:", "if len(data.values()) > 2 * MOST_EVENTS:"),
        ("        return text(value)\n", "        return value\n"),
    ),
    *mutants_of("figures/fold.py", "figures/test_fold.py", ("and n > last and", "and n >= last and")),
    *mutants_of(
        "figures/highlight.py",
        "figures/test_highlight.py",
        ("own.count(True) > 1", "own.count(True) > 2"),
        ("own.index(True) % TONES", "own.index(True)"),
        ("step = () if coordinate.step is None else (coordinate.step,)", "step = ()"),
        ("asked.step != 0 and all(", "all("),
        ("if not any(any(part(panel.cells)) for panel in panels):", "if not panels:"),
    ),
    *mutants_of(
        "figures/memory.py",
        "figures/test_memory_pictures.py",
        ("banks=report.phases[0].banks) if len(report.phases)", "banks=store.banks) if len(report.phases)"),
    ),
    *mutants_of(
        "figures/rounds.py",
        "figures/test_rounds.py",
        ("if turn.touches[0].register < MOST_ROUNDS", "if turn.touches[0].register <= MOST_ROUNDS"),
    ),
    *mutants_of(
        "figures/series.py",
        "figures/test_columns.py",
        ('part.replace("%", "%%")', "part"),
        ("self.rows[at // width] + self.columns[at % width]", "self.rows[at % width] + self.columns[at // width]"),
        ("return Same(self.value, len(numbers))", "return Same(self.value, self.size)"),
        ("numbers == range(len(values)):", "len(numbers) == len(values):"),
        ("if not self.copies or not all(self.copies):", "if not self.copies:"),
        ('elif part != "":', "else:"),
    ),
    *mutants_of(
        "figures/cells.py",
        "figures/test_columns.py",
        (
            "if not isinstance(self.at, range) and list(self.at) ==",
            "if isinstance(self.at, range) and list(self.at) ==",
        ),
    ),
    *mutants_of(
        "figures/owners.py",
        "figures/test_owners.py",
        ("values = [pair // served for pair in pairs]", "values = [pair // threads for pair in pairs]"),
        ("min(places) >= 0 and max(places) < size", "max(places) < size"),
        ("and max(places) < size", "and max(places) <= size"),
        ("or len(every.columns) > TOLD or", "or"),
        ("len(steps) == 1 and min(steps) > 0", "len(steps) == 1"),
        ("if len(first) > NAMED else []", "if len(first) >= NAMED else []"),
        ("found.get(element, ())", "found.get(element, self.who[0])"),
        ("columns = (_owned(order[turn::each]", "columns = (_owned(order[each - 1 - turn::each]"),
        ("map(sub, after, before)", "map(sub, before, after)"),
        (
            "    return {number or 0 for number in set().union(*columns)}",
            "    return {number or 0 for number in columns[0]}",
        ),
    ),
    *mutants_of(
        "figures/outlines.py",
        "figures/test_writers.py",
        ("columns = [marks[column::width] for column in range(width)]", "columns = rows"),
        ("return _lines(asked, box, xor)", "return _lines(asked, box, or_)"),
        ("[outside, *tracks, outside]", "[outside, *tracks]"),
    ),
    *mutants_of(
        "figures/labels.py",
        "figures/test_writers.py",
        ("before, after = (pitch - len(texts[0])) // 2", "before, after = (pitch - len(texts[0]) + 1) // 2"),
        ("len(written) + beside) * step / 2", "len(written)) * step / 2"),
        ("MOST_BLANK // pitch", "MOST_BLANK"),
        ("letters.isascii() and letters.isprintable()", "letters.isprintable()"),
        ("max(lengths, default=0) <= pitch", "max(lengths, default=0) <= pitch + 1"),
        ("len(cells) // SAMPLED | 1", "len(cells) // SAMPLED + 1"),
        ("if _size(scene.panels) <= MOST_BYTES:", "if _size(scene.panels[:1]) <= MOST_BYTES:"),
    ),
    *mutants_of(
        "figures/contents.py",
        "figures/test_memory_pictures.py",
        ("first = [numbers[0] for numbers in held]", "first = [numbers[-1] for numbers in held]"),
    ),
    *mutants_of(
        "figures/placement.py",
        "figures/test_memory_pictures.py",
        ("row = [number * len(used) + digit[at]", "row = [number + digit[at]"),
    ),
    *mutants_of(
        "analysis/held/question.py",
        "analysis/banks/test_held.py",
        ("if any(map(mod, self.extents, tile)):", "if False:"),
    ),
)
