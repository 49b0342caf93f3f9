"""Mutants of swizzles and of the algebra of composed layouts."""

from __future__ import annotations

from mutations.mutant import Mutant, mutants_of

TESTS = (
    "layout/test_swizzled_worlds.py layout/test_common.py layout/test_edges.py layout/test_vectors_cute.py "
    "layout/test_kinds.py layout/test_laws.py layout/test_small_worlds.py layout/test_vectors_fly.py"
)


def _swizzled(file: str, *edits: tuple[str, str] | tuple[str, str, str]) -> tuple[Mutant, ...]:
    return mutants_of(f"layout/{file}", TESTS, *edits)


MUTANTS = (
    *_swizzled("algebra/common.py", ("reduce(minimum, limits, extents[0])", "extents[0]")),
    *_swizzled(
        "composed.py",
        ("if self.offset:\n", "if self.offset > 1:\n"),
        ("value = in_64_bits(offset + inside)", "value = in_64_bits(inside)"),
        ("_joined(self.inner.axes, self.offset)", "self.inner.axes"),
        ("bracketed = isinstance(self.outer, ComposedLayout) and", "bracketed ="),
        ("profile_axes(offset) or ", ""),
    ),
    *_swizzled(
        "coord_swizzle.py",
        (">> self.row_base", ">> self.column_base"),
        ("(bits << self.column_base)", "bits"),
        ("if axis != self.column]", "if axis != self.row]"),
        ("if self.b and self.row == self.column:", "if False:"),
        ("self.b + max(self.row_base, self.column_base) > 62", "self.b + self.row_base > 62"),
    ),
    *_swizzled(
        "swizzle.py",
        ("1 << (self.m + self.b) if self.s >= 0 else self.block", "1 << (self.m + self.b)"),
        ("max(0, swizzle.b + min(0, base))", "swizzle.b"),
        ("self.grain, min(count, still))", "self.grain, 0)"),
        ("if abs(self.s) < self.b:", "if abs(self.s) <= self.b:"),
        ("self.m + max(0, self.s)))", "self.m + abs(self.s)))"),
        ("<< (self.m - min(0, self.s))", "<< self.m"),
        ("if a.s != b.s or changed", "if changed"),
        ("or bits > abs(a.s):", "or bits > abs(a.s) + 1:"),
        ("low + min(0, a.s)", "low"),
        ("return a if b.b == 0 else b", "return b if b.b == 0 else a"),
        ("(steps if new_bits < old_bits else -steps)", "(steps if new_bits > old_bits else -steps)"),
        ("max(old_bits, 8), max(new_bits, 8)", "old_bits, new_bits"),
        ("if self.b == 0:\n            return count", "if False:\n            return count"),
        ("if self.m + self.b + abs(self.s) > 62:", "if self.m + self.b + abs(self.s) > 64:"),
        ("[*others, (MEMORY, self(element.on(MEMORY)))]", "[*others, (MEMORY, element.on(MEMORY))]"),
    ),
    *_swizzled(
        "swizzled/bits.py",
        ("if offset >> z & 1 else", "if not offset >> z & 1 else"),
        ("elif varying >> z & 1 and offset >> y & 1:", "elif varying >> z & 1:"),
        ("if varying & bits or offset & bits:", "if varying & bits:"),
        ("if extent % take:", "if extent < take:"),
        ("if varying & bits or offset & bits:", "if offset & bits:"),
        ("if varying >> y & 1 and varying >> z & 1:", "if False:"),
        ("if s == 1 or d == 0:\n            continue", "if d == 0:\n            continue"),
        ("if step & (step - 1):", "if False:"),
        ("1 << max(1, changed - bit)", "1 << max(1, changed - bit + 1)"),
    ),
    *_swizzled(
        "swizzled/common.py",
        ("gcd(limit, offset, 1 <<", "gcd(limit, 1 <<"),
        ("return gcd(found, limit) if limit else found", "return found"),
        ("if swizzle.b else 0", "if swizzle.b else 1"),
    ),
    *_swizzled(
        "swizzled/composition.py",
        ("-(-reach // outer.block) * outer.block if outer.b else reach", "reach"),
        ("composed.offset + high + 1", "composed.offset + high"),
        ("-(-reach // swizzle.grain) * swizzle.grain", "reach"),
        ("swizzle.closed(inverse.size)", "inverse.size"),
        ("if layout.offset != 0:", "if layout.offset < 0:"),
        ("swizzle.closed(inverse.size)", "swizzle.closed(inverse.size) // 2"),
        ("composed.offset + low >= 0", "composed.offset + low > 0"),
        ("return _after(inverse, -layout.offset,", "return _after(inverse, layout.offset,"),
        ("layout if layout.size >= size else", "layout if layout.size > 0 else"),
        ("return _of_layout(layout, _as_far_as(reach, outer))", "return _of_layout(layout, outer)"),
        ("and composed.offset == 0", ""),
        ("if offset == 0:\n        with", "if True:\n        with"),
    ),
    *_swizzled(
        "swizzled/move.py",
        ("yyy_mask & -swizzle.yyy_mask:", "yyy_mask:"),
        ("if layout.size % swizzle.block:", "if layout.size < swizzle.block:"),
        ("return varying_bits(0, fields) is not None", "return True"),
        ("min(read, changed), read - changed)", "min(read, changed), changed - read)"),
        ("v == low << k for", "v >= low << k for"),
        (" or _enumerated(layout, swizzle, moved)", ""),
    ),
    *_swizzled(
        "swizzled/range.py",
        ("s & (s - 1) or d & (d - 1) for", "s & (s - 1) for"),
        ("s & (s - 1) or d & (d - 1) for", "d & (d - 1) for"),
        ("sorted(images, reverse=True)", "sorted(images)"),
        ("varying_bits(offset, layout) is None or", ""),
        ("range(s.bit_length() - 1)", "range(s.bit_length())"),
    ),
    *_swizzled(
        "swizzled/recast.py",
        (" or not is_multiple(layout.offset, factor):", ":"),
        ("factor > 1 << swizzle.m and", "factor > 2 << swizzle.m and"),
        ("bool(layout.offset % swizzle.block == 0)", "True"),
        ("return swizzle.b == 0", "return True"),
        ("layout.offset // factor, _upcast", "layout.offset, _upcast"),
        ("layout.offset * factor, _downcast", "layout.offset, _downcast"),
        ("if swizzle.s < 0 and factor", "if factor"),
    ),
    *_swizzled(
        "swizzled/slicing.py",
        ("if type(offset) is int and offset == 0 else ComposedLayout(IDENTITY", "if True else ComposedLayout(IDENTITY"),
        ("moved(start, crd2idx(zeros", "moved(0, crd2idx(zeros"),
        ("return plain, layout.outer(offset)", "return plain, offset"),
        (
            "ComposedLayout(layout.outer, moved(start, further), found), 0",
            "ComposedLayout(layout.outer, start, found), 0",
        ),
        ("start = moved(whole.offset, crd2idx(where", "start = moved(0, crd2idx(where"),
    ),
)
