"""Mutants of descriptors and of shared-memory atoms."""

from __future__ import annotations

from mutations.mutant import Mutant, mutants_of

DESCRIPTORS = "atoms/test_shared_atoms.py analysis/descriptor"

MUTANTS: tuple[Mutant, ...] = (
    *mutants_of(
        "analysis/descriptor/box.py",
        DESCRIPTORS,
        ("if others and below is None:", "if below is None:"),
        ("8 * DESTINATION_BYTES // element_bits", "DESTINATION_BYTES"),
        ("_part(lines, width, line) if width == length else 1", "_part(lines, width, line)"),
        ("if extent > 1 and stride % line", "if extent > 2 and stride % line"),
        ("length != mode.width(bits)", "length > mode.width(bits)"),
        ("if n == extent or n * unit", "if n * unit"),
    ),
    *mutants_of(
        "analysis/descriptor/candidates.py",
        "analysis/descriptor analysis/swizzle",
        ("mode.since <= capability", "mode.since < capability"),
        ("if count % LINES == 0 and", "if count >= LINES and"),
        ("element_bits, tile.start)", "element_bits)"),
        ("(_canonical(known, mode, element_bits) if moves else ())", "_canonical(known, mode, element_bits)"),
    ),
    *mutants_of(
        "analysis/descriptor/outline.py",
        DESCRIPTORS,
        ("in mode.flat[1:])", "in mode.flat[2:])"),
        ("if sides[i] != sides[along]]", "if sides[i] == sides[along]]"),
        ("composition(plain, Layout(inner.shape))", "plain"),
    ),
    *mutants_of(
        "analysis/descriptor/matrix.py",
        DESCRIPTORS,
        ("or not self._in_pairs(self.rows, columns):", "or False:"),
        ("column_step=2 * self.column_step)", "column_step=self.column_step)"),
    ),
    *mutants_of(
        "atoms/shared_atoms.py",
        "atoms/test_shared_atoms.py notation/test_shared_atoms.py",
        ("return rows, columns * self.sparsity", "return rows, columns"),
        ("(down, (0, along))", "(down, (along, 0))"),
        ("if atom.sparsity == 1:\n        raise", "if False:\n        raise"),
    ),
    *mutants_of(
        "analysis/descriptor/demands.py",
        DESCRIPTORS,
        ("(bits == 32) != (", "(bits == 32) > ("),
        ("if together > 1 and", "if together > 2 and"),
        ("len(found.repeats[0].flat) > 1", "len(found.repeats[0].flat) > 2"),
        ("if farthest >= MAX_BYTES", "if farthest > MAX_BYTES"),
        ("if bits % (8 * alignment):", "if bits % alignment:"),
    ),
    *mutants_of(
        "analysis/descriptor/recognise.py",
        DESCRIPTORS,
        ("if size > MAX_BYTES", "if size >= MAX_BYTES"),
        ("if bool(loose.any()) else None", "if False else None"),
        ("if repeats is None or _backwards(repeats):", "if repeats is None:"),
        ("return starts[0], repeats if same else None", "return starts[0], repeats"),
        ("steps(starts[::count])", "steps(starts[: tile.columns // k])"),
        ("if len(values) % run or any(", "if any("),
        ("return self._step(1 if self._across_k else 0)", "return self._step(0)"),
        ('swizzled_k = self.major == "K" and', "swizzled_k ="),
    ),
    *mutants_of(
        "analysis/descriptor/matrix.py",
        DESCRIPTORS,
        ("sum(min(0, (extent - 1) * stride)", "sum(max(0, (extent - 1) * stride)"),
        ("sum(min(0, (extent - 1) * stride)", "sum(min(0, stride)"),
    ),
    *mutants_of(
        "analysis/swizzle/descriptor.py",
        DESCRIPTORS,
        ("return max(placed.mode.alignment, *", "return min(placed.mode.alignment, *"),
        ("if places < count:", "if places < count // 2:"),
        ("if count * element_bits > 8", "if count * element_bits >= 8"),
    ),
    *mutants_of(
        "analysis/swizzle/placements.py",
        DESCRIPTORS,
        ("self.excess, -mode.span, mode.chunk", "self.excess, mode.span, mode.chunk"),
        ("if tile.length > whole:", "if tile.length > 2 * whole:"),
    ),
    *mutants_of(
        "analysis/swizzle/retile.py",
        "analysis/swizzle/test_retiled.py",
        ("if best.excess >= excess:", "if best.excess > excess:"),
        ("check_tile(layout, tile, element_bits, spec)", "pass"),
    ),
    *mutants_of(
        "atoms/shared_modes.py",
        DESCRIPTORS,
        ("return 8 * self.span if", "return 4 * self.span if"),
        ("return (1 << _ROW_BIT) // self.chunk", "return 8"),
        ("swizzle.b < len(NUMBERED)", "swizzle.b <= len(NUMBERED)"),
        ("element_bits > CHUNK_BITS // 2", "element_bits >= CHUNK_BITS // 2"),
    ),
)
