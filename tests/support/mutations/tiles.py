"""Mutants of TIRx's layouts and of tiled atoms, and of what a public value checks when it is made."""

from __future__ import annotations

from mutations.mutant import mutants_of

MUTANTS = (
    *mutants_of(
        "tirx/fit.py",
        "tirx/test_fit.py",
        ("if not all((part", "if not any((part"),
        ("if size % run:", "if size % run > 1:"),
        ("run = size if straight.all()", "run = size if straight.any()"),
        ("columns = {axis: part[:, 0]", "columns = {axis: part[:, -1]"),
        ("tuple(reversed(out))", "tuple(out)"),
    ),
    *mutants_of(
        "tirx/canonical.py",
        "tirx/test_canonical.py tirx/test_group_worlds.py",
        ("out[-1].axis is it.axis and ", ""),
        ("out[-1].stride == it.extent * it.stride", "out[-1].stride == it.stride"),
        ("fuse_neighbours(shard) or (UNIT,)", "fuse_neighbours(shard)"),
        ("it.axis or M) for it in shard[:1]", "M) for it in shard[:1]"),
    ),
    *mutants_of(
        "tirx/group.py",
        "tirx/test_group_worlds.py tirx/test_group.py",
        ("if extent % rest != 0:", "if extent % rest > 1:"),
        ("stride * rest, axis", "stride, axis"),
        ("times |= Counter(sequence)", "times += Counter(sequence)"),
        ("out[-1] = len(common) - 1", "pass"),
        ("if extent != 1:", "if extent > 2:"),
    ),
    *mutants_of(
        "tirx/slicing.py",
        "tirx/test_slice.py",
        ("digit + count <= extent):", "digit + count < extent):"),
        ("extent and count % 2 == 0:", "extent:"),
        ("and count % own[pivot].extent == 0:", "and count >= own[pivot].extent:"),
        ("own.sort(key=lambda axis: axis is not head[-1].axis)", "pass"),
    ),
    *mutants_of(
        "tirx/tiling.py",
        "tirx/test_tile.py",
        ("max(span(inner, axis), extent(inner, axis))", "span(inner, axis)"),
        ("a, v // factors.get(a, 1)", "a, v"),
        ("side[1 - keep]) !=", "side[keep]) !="),
        ("add_terms(inner.offset, outer.offset)", "inner.offset"),
    ),
    *mutants_of(
        "tirx/replica.py",
        "tirx/test_canonical.py tirx/test_tile.py",
        ("[(axis, lowest)] if lowest", "[(axis, -lowest)] if lowest"),
        ("(axis, -value) for axis, value in down", "(axis, value) for axis, value in down"),
        ("if reach(target) < reach(block):", "if reach(target) <= reach(block):"),
    ),
    *mutants_of(
        "atoms/coverage.py",
        "atoms/test_coverage.py",
        ("d == 0 and s > 1", "d == 0 and s > 2"),
        ("if d != running:", "if d > running:"),
        ("return running == elements", "return running >= elements"),
        ("if outside or len(seen) != elements:", "if outside:"),
        ("if len(set(seen.values())) > 1:", "if len(set(seen.values())) > 2:"),
    ),
    *mutants_of(
        "atoms/permutation.py",
        "atoms/test_tiled_mma.py",
        ("owners(layout, layout.size) == 1", "owners(layout, layout.size) >= 1"),
        ("type(mode) is int and mode < 1", "type(mode) is int and mode < 0"),
    ),
    *mutants_of(
        "atoms/atom_layout.py",
        "atoms/test_tiled_mma.py",
        ("if stride < 1 or stride % reach:", "if stride < reach:"),
        ("if layout.rank > 3:", "if layout.rank > 4:"),
    ),
    *mutants_of(
        "atoms/tiled_mma.py",
        "atoms/test_tiled_mma.py",
        (
            "!= atom.tv_layout(operand).size",
            "> atom.tv_layout(operand).size",
            "a divide loses no element of the tile, so that there are never too few atoms",
        ),
        ("if k > 1 else None", "if k > 2 else None"),
        ('(1, 0) if operand == "A" else (0, 1)', '(0, 1) if operand == "A" else (1, 0)'),
    ),
    *mutants_of(
        "atoms/tiled_copy.py",
        "atoms/test_tiled_copy.py",
        ("if threads % ref[0].size or values % ref[1].size:", "if threads % ref[0].size:"),
        ("if first + reach > product(tile):", "if first + reach >= product(tile):"),
    ),
    *mutants_of(
        "layout/axes.py",
        "test_hostile_values.py",
        ("components(found) != terms or ", ""),
    ),
    *mutants_of(
        "layout/algebra/complement.py",
        "layout/symbolic/test_complement_worlds.py",
        ("is_equal(extent, 1), differs(", "is_equal(extent, 2), differs("),
        ("bool(all_of(is_equal(extent, 1),", "bool(is_equal(extent, 1)) or bool(all_of(is_equal(extent, 1),"),
        ("return bool(all_of(is_equal(extent, 1), differs(step, reach)))", "return False"),
    ),
)
