"""Mutants of the layout algebra, of descriptors and of shared-memory atoms.

    python tests/support/layout_mutants.py [WORDS]     run those whose file has one of the words, or all of them

Exit status 1 if one survives. Not part of `make test`: each takes seconds.
"""

from __future__ import annotations

import sys

from mutation import Mutant, run

ALGEBRA = (
    "layout/test_vectors_adversarial.py layout/test_edges.py layout/test_laws.py layout/test_common.py "
    "layout/test_vectors_cute.py layout/test_small_worlds.py layout/symbolic/test_symbolic_algebra.py"
)
RUN_TIME = "layout/symbolic layout/test_laws.py"
SWIZZLED = (
    "layout/test_edges.py layout/test_laws.py layout/test_common.py layout/test_vectors_cute.py "
    "layout/test_vectors_fly.py"
)
LINEAR = "layout/linear"
DESCRIPTORS = "atoms/test_shared_atoms.py analysis/descriptor"

MUTANTS = (
    # algebra
    Mutant("layout/algebra/chain.py", "if extent > 1 and min(step) < 0", "if extent > 2 and min(step) < 0", ALGEBRA),
    Mutant("layout/algebra/chain.py", "if extent % run:", "if extent % run > 1:", ALGEBRA),
    Mutant("layout/algebra/chain.py", "sum(residues) >= level.size", "sum(residues) > level.size", ALGEBRA),
    Mutant("layout/algebra/chain.py", "min((gap - 1) // rise", "min(gap // rise", ALGEBRA),
    Mutant("layout/algebra/chain.py", "tops[level.part] = max(", "tops[level.part] = min(", ALGEBRA),
    Mutant("layout/algebra/chain.py", "min(extent, _period(step, levels))", "_period(step, levels)", ALGEBRA),
    Mutant("layout/algebra/chain.py", "return [1], [sum(beyond)]", "return [1], [0]", ALGEBRA),
    Mutant("layout/algebra/modes.py", "_merge_into((2,), (stride,)", "_merge_into((1,), (stride,)", ALGEBRA),
    Mutant("layout/algebra/modes.py", "return size if step > 0 else -size", "return size", ALGEBRA),
    Mutant("layout/algebra/modes.py", " and (proved or _all_static(extents[-1], s, d))", "", RUN_TIME),
    Mutant("layout/algebra/modes.py", "if mode[0] == reach:", "if mode[0] >= reach:", ALGEBRA),
    Mutant(
        "layout/algebra/modes.py", "(modes[k][0] >= beyond) is not True", "(modes[k][0] >= beyond) is True", RUN_TIME
    ),
    Mutant("layout/algebra/modes.py", "isinstance(shape, tuple) or position:", "isinstance(shape, tuple):", ALGEBRA),
    Mutant("layout/algebra/complement.py", "not is_multiple(step, reach)", "not is_multiple(reach, step)", ALGEBRA),
    Mutant("layout/algebra/complement.py", "return -(-target // reach)", "return target // reach", ALGEBRA),
    Mutant("layout/algebra/complement.py", "wanted // inside or (", "wanted // inside and (", ALGEBRA),
    Mutant(
        "layout/algebra/complement.py",
        "(inside * found < wanted and not gaps_may_stay)",
        "inside * found < wanted",
        ALGEBRA,
    ),
    Mutant("layout/algebra/complement.py", "return maximum(total, ceiling(size, reach))", "return total", ALGEBRA),
    Mutant("layout/algebra/complement.py", "modes = _without_singles(modes)", "pass", ALGEBRA),
    Mutant("layout/algebra/complement.py", "modes[1])[-1:]", "modes[1])[:1]", RUN_TIME),
    Mutant("layout/algebra/inverse.py", "if any(stride < 0 for stride in modes[1]):", "if False:", ALGEBRA),
    Mutant("layout/algebra/inverse.py", " and stride >= above", "", ALGEBRA),
    Mutant("layout/algebra/inverse.py", "sound and not stride % reach and", "sound and", ALGEBRA),
    Mutant("layout/algebra/inverse.py", "dict.fromkeys(axes_of(layout), trusted(1, 0))", "{}", ALGEBRA),
    Mutant("layout/algebra/inverse_search.py", "max(values) // prod(chain) + 1", "max(values) // prod(chain)", ALGEBRA),
    Mutant("layout/algebra/divide.py", "if not whole and not counts(", "if whole and not counts(", ALGEBRA),
    Mutant(
        "layout/algebra/divide.py",
        "is_multiple(count, extent) is not True",
        "is_multiple(count, extent) is False",
        RUN_TIME,
    ),
    Mutant("layout/algebra/ragged.py", "if reach < extent and not", "if reach <= extent and not", ALGEBRA),
    Mutant("layout/algebra/ragged.py", "return reach >= extent", "return reach >= extent - 1", ALGEBRA),
    Mutant("layout/algebra/ragged.py", "if any(reach >= extent for", "if any(reach > extent for", ALGEBRA),
    Mutant("layout/algebra/ragged.py", "min(-(-s // step), extent)", "min(s // step, extent)", ALGEBRA),
    Mutant("layout/algebra/ragged.py", "layout.size // prod(extents[:-1])", "layout.size", ALGEBRA),
    Mutant("layout/algebra/product.py", "block.size * cosize(tile)", "block.size * tile.size", ALGEBRA),
    Mutant("layout/algebra/product.py", "make_ordered_layout(repeats, order)", "Layout(repeats)", ALGEBRA),
    Mutant("layout/algebra/walk.py", "if reach >= extent:", "if reach > extent:", ALGEBRA),
    Mutant("layout/algebra/walk.py", "if s % step or extent % take:", "if extent % take:", ALGEBRA),
    Mutant("layout/algebra/walk.py", "used[k] += (take - 1) * step", "used[k] = (take - 1) * step", ALGEBRA),
    Mutant("layout/algebra/walk.py", "if step % s:", "if step % s > 1:", ALGEBRA),
    Mutant("layout/algebra/run_time_walk.py", "if len(used) > 1:", "if len(used) > 2:", RUN_TIME),
    Mutant("layout/algebra/run_time_walk.py", "sum(used) < extent", "sum(used) <= extent", RUN_TIME),
    Mutant(
        "layout/algebra/run_time_walk.py", "ends = (extent - 1) * step < s", "ends = (extent - 1) * step <= s", RUN_TIME
    ),
    Mutant(
        "layout/algebra/run_time_walk.py",
        "all_of(divides(step, s), divides(whole, extent))",
        "divides(step, s)",
        RUN_TIME,
    ),
    Mutant("layout/algebra/exact.py", "inner[: len(outer)] == outer", "inner == outer", ALGEBRA),
    Mutant("layout/algebra/common.py", "min([extents[0], *limits])", "extents[0]", SWIZZLED),
    Mutant("layout/algebra/common.py", "if bounds(common)[1] < size:", "if bounds(common)[1] <= size:", ALGEBRA),
    Mutant("layout/algebra/common.py", "(size - 1) // steps[0] + 1", "size // steps[0]", ALGEBRA),
    Mutant("layout/algebra/common.py", "-(-below * extent // step)", "below * extent // step", ALGEBRA),
    Mutant("layout/algebra/common.py", ", *_beyond(layout, inverse))", ",)", ALGEBRA),
    Mutant("layout/algebra/recast.py", "== factor and counts(factor, low)", "== factor", ALGEBRA),
    Mutant("layout/algebra/recast.py", "-(-d // factor) if d > 0 else d // factor", "d // factor", ALGEBRA),
    # swizzled
    Mutant(
        "layout/swizzled/composition.py",
        "-(-reach // outer.block) * outer.block if outer.b else reach",
        "reach",
        SWIZZLED,
    ),
    Mutant("layout/swizzled/composition.py", "composed.offset + high + 1", "composed.offset + high", SWIZZLED),
    Mutant("layout/swizzled/composition.py", "-(-reach // swizzle.grain) * swizzle.grain", "reach", SWIZZLED),
    Mutant("layout/swizzled/composition.py", "swizzle.closed(inverse.size)", "inverse.size", SWIZZLED),
    Mutant("layout/swizzled/composition.py", "if layout.offset != 0:", "if layout.offset < 0:", SWIZZLED),
    Mutant(
        "layout/swizzled/composition.py", "swizzle.closed(inverse.size)", "swizzle.closed(inverse.size) // 2", SWIZZLED
    ),
    Mutant("layout/swizzled/bits.py", "if offset >> z & 1 else", "if not offset >> z & 1 else", SWIZZLED),
    Mutant("layout/swizzled/bits.py", "elif varying >> z & 1 and offset >> y & 1:", "elif varying >> z & 1:", SWIZZLED),
    Mutant("layout/swizzled/bits.py", "if varying & bits or offset & bits:", "if varying & bits:", SWIZZLED),
    Mutant("layout/swizzled/bits.py", "if extent % take:", "if extent < take:", SWIZZLED),
    Mutant("layout/swizzled/common.py", "gcd(limit, offset, 1 <<", "gcd(limit, 1 <<", SWIZZLED),
    Mutant("layout/swizzled/common.py", "return gcd(found, limit) if limit else found", "return found", SWIZZLED),
    Mutant("layout/swizzled/move.py", "yyy_mask & -swizzle.yyy_mask:", "yyy_mask:", SWIZZLED),
    Mutant("layout/swizzled/move.py", "if layout.size % swizzle.block:", "if layout.size < swizzle.block:", SWIZZLED),
    Mutant("layout/swizzled/move.py", "type(extents[1]) is int and type(extents[3]) is int and ", "", SWIZZLED),
    Mutant("layout/swizzled/move.py", " and varying_bits(0, fields) is not None", "", SWIZZLED),
    Mutant("layout/swizzled/range.py", "s & (s - 1) or d & (d - 1) for", "s & (s - 1) for", SWIZZLED),
    Mutant("layout/swizzled/range.py", "in reversed(_basis(images))", "in _basis(images)", SWIZZLED),
    Mutant("layout/swizzled/recast.py", " or layout.offset % factor:", ":", SWIZZLED),
    Mutant("layout/swizzled/recast.py", "factor > 1 << swizzle.m and", "factor > 2 << swizzle.m and", SWIZZLED),
    Mutant("layout/swizzled/recast.py", "return bool(offset % swizzle.block == 0)", "return True", SWIZZLED),
    Mutant(
        "layout/swizzle.py", "1 << (self.m + self.b) if self.s >= 0 else self.block", "1 << (self.m + self.b)", SWIZZLED
    ),
    Mutant("layout/swizzle.py", " or b.zzz_mask & a.yyy_mask)", ")", SWIZZLED),
    Mutant("layout/swizzle.py", "max(0, swizzle.b + min(0, base))", "swizzle.b", SWIZZLED),
    Mutant("layout/swizzle.py", "self.grain, min(count, still))", "self.grain, 0)", SWIZZLED),
    # run-time integers
    Mutant("layout/symbolic/evaluation.py", "isinstance(b, int) and b <= 0", "isinstance(b, int) and b < 0", RUN_TIME),
    Mutant(
        "layout/symbolic/ranges.py",
        "low // least if low < 0 else 0 if most is None else low // most",
        "low // least",
        RUN_TIME,
    ),
    Mutant("layout/symbolic/ranges.py", "max(b, d).bit_length()) - 1", "max(b, d).bit_length()) - 2", RUN_TIME),
    Mutant("layout/symbolic/ranges.py", "constant(0) if k > 0 else", "constant(0) if k < 0 else", RUN_TIME),
    Mutant(
        "layout/symbolic/conditions.py",
        "high is not None and high < 0 else",
        "high is not None and high <= 0 else",
        RUN_TIME,
    ),
    Mutant(
        "layout/symbolic/conditions.py",
        "add(scale(self.polynomial, -1), constant(-1))",
        "scale(self.polynomial, -1)",
        RUN_TIME,
    ),
    Mutant("layout/symbolic/comparison.py", "poly.constant(-1)", "poly.constant(0)", RUN_TIME),
    Mutant("layout/symbolic/guards.py", "c if truth else c.negated() for", "c for", RUN_TIME),
    Mutant("layout/symbolic/guards.py", "known.extend(value.guards)", "pass", RUN_TIME),
    # F2
    Mutant("layout/linear/affine.py", "carry = product ^ own ^ carry if added else product", "carry = product", LINEAR),
    Mutant("layout/linear/affine.py", "if a ^ b == 1:\n        return 0", "if a ^ b == 1:\n        return 1", LINEAR),
    Mutant("layout/linear/affine.py", "flatten(x.shape)[:-1]", "flatten(x.shape)[1:]", LINEAR),
    Mutant("layout/linear/clash.py", "if value < 0:", "if value < -1:", LINEAR),
    Mutant("layout/linear/recover.py", "width <= abs(shift)", "width < abs(shift)", LINEAR),
    # values
    Mutant("layout/bulk.py", "// prod(extents[:-1]) + 1", "// prod(extents[:-1])", "layout"),
    Mutant("layout/bulk.py", "(s - 1) * abs(d)", "(s - 1) * d", "layout"),
    Mutant("layout/indexing.py", "(i >= 0) & (i < n)", "(i < n)", "layout"),
    Mutant("layout/indexing.py", "extent & extent - 1 == 0", "extent & 1 == 0", "layout"),
    Mutant("layout/coordinates.py", "remainder(quotient(index, stride), extent)", "quotient(index, stride)", "layout"),
    Mutant("layout/coordinates.py", "len(index) == len(shape)", "len(index) <= len(shape)", "layout"),
    Mutant("layout/compare.py", "len(b) <= len(a)", "len(b) < len(a)", "layout"),
    Mutant("layout/query.py", "low = low + below * (s - 1)", "low = low + below * s", "layout"),
    Mutant("layout/slicing.py", "(first, second) if keeps(second)", "(first, second) if keeps(first)", "layout"),
    Mutant("layout/table.py", "values += offset", "values |= offset", "layout"),
    Mutant("layout/arithmetic.py", "ceiling(divisor, a) if not", "divisor // a if not", "layout"),
    Mutant("layout/dispatch.py", "return kind is int or", "return isinstance(value, int) or", "layout"),
    # descriptors and shared-memory atoms
    Mutant("analysis/descriptor/box.py", "if lines > 1 and step != length:", "if step != length:", DESCRIPTORS),
    Mutant("analysis/descriptor/box.py", "8 * DESTINATION_BYTES // element_bits", "DESTINATION_BYTES", DESCRIPTORS),
    Mutant(
        "analysis/descriptor/box.py",
        "_part(lines, width, line) if width == length else 1",
        "_part(lines, width, line)",
        DESCRIPTORS,
    ),
    Mutant(
        "analysis/descriptor/box.py", "if extent > 1 and stride % line", "if extent > 2 and stride % line", DESCRIPTORS
    ),
    Mutant("analysis/descriptor/box.py", "length != mode.width(bits)", "length > mode.width(bits)", DESCRIPTORS),
    Mutant("analysis/descriptor/box.py", "if n == extent or n * unit", "if n * unit", DESCRIPTORS),
    Mutant(
        "analysis/descriptor/candidates.py",
        "mode.since <= capability",
        "mode.since < capability",
        "analysis/descriptor analysis/swizzle",
    ),
    Mutant(
        "analysis/descriptor/candidates.py",
        "if across % LINES == 0:",
        "if across >= LINES:",
        "analysis/descriptor analysis/swizzle",
    ),
    Mutant("analysis/descriptor/demands.py", "(bits == 32) != (", "(bits == 32) > (", DESCRIPTORS),
    Mutant("analysis/descriptor/demands.py", "if together > 1 and", "if together > 2 and", DESCRIPTORS),
    Mutant(
        "analysis/descriptor/demands.py",
        "len(found.repeats[0].flat) > 1",
        "len(found.repeats[0].flat) > 2",
        DESCRIPTORS,
    ),
    Mutant("analysis/descriptor/demands.py", "if farthest >= MAX_BYTES", "if farthest > MAX_BYTES", DESCRIPTORS),
    Mutant("analysis/descriptor/recognise.py", "if size > MAX_BYTES", "if size >= MAX_BYTES", DESCRIPTORS),
    Mutant("analysis/descriptor/recognise.py", "if bool(loose.any()) else None", "if False else None", DESCRIPTORS),
    Mutant("atoms/shared_modes.py", "return 8 * self.span if", "return 4 * self.span if", DESCRIPTORS),
    Mutant("atoms/shared_modes.py", "swizzle.b < len(NUMBERED)", "swizzle.b <= len(NUMBERED)", DESCRIPTORS),
    Mutant("atoms/shared_modes.py", "element_bits > CHUNK_BITS // 2", "element_bits >= CHUNK_BITS // 2", DESCRIPTORS),
    Mutant(
        "atoms/shared_atoms.py",
        'MODES["128B_ATOM_32B"], 4, "sm_100"',
        'MODES["128B_ATOM_32B"], 8, "sm_100"',
        DESCRIPTORS,
    ),
)

if __name__ == "__main__":
    sys.exit(run(MUTANTS, sys.argv[1:]))
