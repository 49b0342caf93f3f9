"""Mutants of the analyses."""

from __future__ import annotations

from mutations.mutant import Mutant, mutants_of

MUTANTS: tuple[Mutant, ...] = (
    *mutants_of(
        "analysis/banks/raw.py",
        "analysis/banks",
        ("threads > 2", "threads > 1"),
        ("active >> threads", "active >> threads + 1"),
        ("flat + base_bytes", "flat"),
    ),
    *mutants_of(
        "analysis/banks/rule.py",
        "analysis/banks",
        ("(addresses + (width - 1)) // unit", "(addresses + width) // unit"),
        ("return paired(1) | paired(2)", "return paired(1)"),
        ("(addresses < 0) | (partner < 0) | (addresses", "(addresses < 0) | (addresses"),
        ("lowest // BANK_BYTES * BANK_BYTES", "lowest"),
    ),
    *mutants_of(
        "analysis/banks/rank.py",
        "analysis/banks",
        ("return words, banks - 1", "return words, banks"),
    ),
    *mutants_of(
        "analysis/banks/phases.py",
        "analysis/banks",
        ("divmod(row, self.requests.warps)", "divmod(row, self.requests.rows)"),
        ("tables[1 if merged else 0]", "tables[0 if merged else 1]"),
    ),
    *mutants_of(
        "analysis/banks/instructions.py",
        "analysis/banks",
        ("lanes=rows * int(counts[0][1])", "lanes=2 * rows * int(counts[0][1])"),
        ('"m16n16": 16', '"m16n16": 8'),
    ),
    *mutants_of(
        "analysis/held/copies.py",
        "analysis/banks/test_held.py",
        ('kind = "load" if side == "S" else "store"', 'kind = "load"'),
        ("(tiled.tidfrg_S if side", "(tiled.tidfrg_D if side"),
        ("order, how = (way.across,", "order, how = (way.along,"),
        ("if space == asked.memory]", "if space != asked.memory]"),
    ),
    *mutants_of(
        "analysis/held/operands.py",
        "analysis/banks/test_held.py",
        ("max_bytes=asked.widest", "max_bytes=2"),
        ("found.rows % rows or", "found.rows % 1 or"),
        ('operand == "C" else "S")) == "D"', 'operand != "C" else "S")) == "D"'),
    ),
    *mutants_of(
        "analysis/held/fragments.py",
        "analysis/banks/test_held.py",
        ("if not asked.is_row_major:", "if asked.is_row_major:"),
        ("count * found.get(REGISTERS, 0)", "found.get(REGISTERS, 0)"),
        ("(*reversed(parts.shard)", "(*parts.shard"),
    ),
    *mutants_of(
        "analysis/held/descriptors.py",
        "analysis/banks/test_held.py",
        ("walking(layout, way.across", "walking(layout, way.along"),
    ),
    *mutants_of(
        "analysis/held/said.py",
        "analysis/banks/test_held.py",
        ('RESULT if word == "C" else word', 'RESULT if word != "C" else word'),
        ("atom.val_bits > 1 else None", "atom.val_bits > 0 else None"),
    ),
    *mutants_of(
        "analysis/held/said.py",
        "analysis/banks/test_told_widths.py",
        ("BYTE if (TOLD, BYTE) in said else 0", "BYTE"),
        ("BYTE if (TOLD, BYTE) in said else 0", "0"),
        ("if bits != known[0][1]:", "if bits < known[0][1]:"),
        ("return known[0][1] if known else None", "return known[-1][1] if known else None", "all are equal there"),
    ),
    *mutants_of(
        "analysis/held/table.py",
        "analysis/banks/test_told_widths.py",
        (
            'said = ((TOLD, told), ("the tile", own_bits), said_by(given), said_by(by))',
            "said = ((TOLD, told), said_by(given))",
        ),
        ('("the tile", stored(tile)[1]), *map(said_by, given)', "*map(said_by, given[:1])"),
        ('("the tile", own), said_by(with_atoms(access))])', '("the tile", own)])'),
        ("return Resolved(layout, access,", "return Resolved(getattr(tile, 'layout', layout), access,"),
    ),
    *mutants_of(
        "analysis/held/named.py",
        "analysis/banks/test_told_widths.py",
        ("and name[:1].isupper()", "and False"),
        ("for find in finders:", "for find in finders[:1]:"),
    ),
    *mutants_of(
        "analysis/banks/conflicts.py",
        "analysis/banks",
        ("None if merged == unmerged else asked", "None if merged != unmerged else asked"),
    ),
    *mutants_of(
        "analysis/global_memory/sectors.py",
        "analysis/global_memory",
        ("quantum = spec.alignment(requests.width)", "quantum = requests.width"),
        ("found >= 0", "found >= -1"),
        ("if a < far]", "if a <= far]"),
        ("for a in lowest if a)", "for a in lowest)"),
    ),
    *mutants_of(
        "analysis/model/access.py",
        "analysis/model analysis/banks",
        ("Move(width, bits // element_bits)", "Move(width, 1)"),
        ("move.length > 1 and bool((bits", "move.length > 9 and bool((bits"),
        ("-(-threads // who.lanes)", "threads // who.lanes + 1"),
        ("min(lane, threads - 1)", "min(lane, 0)"),
    ),
    *mutants_of(
        "analysis/model/memory.py",
        "analysis/model analysis/banks",
        ("max(0, last + 1 - layout.size)", "max(0, last - layout.size)"),
    ),
    *mutants_of(
        "analysis/model/patterns.py",
        "analysis/model",
        ("if order == ROWS else (row, column)", "if order != ROWS else (row, column)"),
        ("(1, (vectors.size, together))", "(1, (1, together))"),
    ),
    *mutants_of(
        "analysis/model/vector_width.py",
        "analysis/global_memory",
        ("found.values % length or", "found.values < length or"),
        ("min(width_bits, 8 * alignment)", "min(width_bits, 8)"),
    ),
    *mutants_of(
        "analysis/swizzle/space.py",
        "analysis/swizzle",
        ("self.word <= target < line <= source", "self.word <= target <= line <= source"),
        ("source < self.word <= target", "source < self.word < target"),
        ("range(1, distance + 1)", "range(1, distance)"),
    ),
    *mutants_of(
        "analysis/swizzle/ranking.py",
        "analysis/swizzle",
        ("max(_exponent(tile.length)", "min(_exponent(tile.length)"),
        ("swizzle.s < 0, from_chunk", "swizzle.s > 0, from_chunk"),
    ),
    *mutants_of(
        "analysis/swizzle/search.py",
        "analysis/swizzle",
        ("needed > most_bits", "needed >= most_bits"),
    ),
    *mutants_of(
        "analysis/swizzle/costs.py",
        "analysis/swizzle",
        ("(1 << rank_above(self._words(c, moved), mask)) - 1", "rank_above(self._words(c, moved), mask)"),
        ("- self.ideal", "- self.ideal + 1"),
        ("return max((max(BANK_BYTES,", "return min((max(BANK_BYTES,"),
    ),
    *mutants_of(
        "analysis/swizzle/padding.py",
        "analysis/swizzle",
        ("within < row and", "within <= row and"),
        ("any(access.excess(IDENTITY) for", "any(True for"),
    ),
    *mutants_of(
        "analysis/swizzle/joint.py",
        "analysis/swizzle/test_joint.py",
        ("fewer[replace(one, times=1)] += one.times", "fewer[replace(one, times=1)] = one.times"),
    ),
)
