"""Mutants of the algebra of plain layouts."""

from __future__ import annotations

from mutations.mutant import Mutant, mutants_of

STATIC = (
    "layout/test_two_ways.py layout/test_axes_worlds.py layout/test_search_worlds.py layout/test_common.py "
    "layout/test_vectors_adversarial.py layout/test_vectors_cute.py layout/test_edges.py "
    "layout/test_small_worlds.py layout/test_laws.py layout/symbolic/test_symbolic_algebra.py"
)
RUN_TIME = (
    "layout/symbolic/test_run_time_law.py layout/symbolic/test_guards.py layout/symbolic/test_run_time_vectors.py "
    "layout/symbolic/test_symbolic_algebra.py"
)


def _static(file: str, *edits: tuple[str, str] | tuple[str, str, str]) -> tuple[Mutant, ...]:
    return mutants_of(f"layout/algebra/{file}", STATIC, *edits)


def _run_time(file: str, *edits: tuple[str, str] | tuple[str, str, str]) -> tuple[Mutant, ...]:
    return mutants_of(f"layout/algebra/{file}", RUN_TIME, *edits)


MUTANTS = (
    *_static(
        "by_axis.py",
        ("if len(found) > 1:", "if len(found) > 2:"),
        ("(s - 1) * abs(d)", "s * abs(d)"),
        ("steps += [value * term(1, axis) for value in values]", "steps += list(values)"),
        ("1 + max((path[0] for path in paths), default=-1)", "1 + max((path[0] for path in paths), default=0)"),
        ("for i in range(1 + max(inside))", "for i in range(max(inside))"),
        ("if axis not in found:", "if axis in found and not found:"),
        ("if isinstance(target, tuple) and (below or not at):", "if isinstance(target, tuple) and not at:"),
    ),
    *_static(
        "bends.py",
        ("if extent % run:", "if extent % run > 1:"),
        ("sum(residues) >= bend.size", "sum(residues) > bend.size"),
        ("min((gap - 1) // rise", "min(gap // rise"),
        ("tops[bend.part] = max(", "tops[bend.part] = min("),
        ("min(extent, _period(step, carrying))", "_period(step, carrying)"),
        ("if i >= extent:", "if i > extent:", "an event at the extent itself ends the run there in both branches"),
        ("rates[rate] = rates.get(rate, 0) + bend.jump", "rates[rate] = bend.jump"),
        ("period = period * own // gcd(period, own)", "period = own"),
        ("rise - times * gap", "rise"),
        ("so_far + added[i]:", "so_far:"),
    ),
    *_static(
        "coalesce.py",
        ("return 1 if is_equal(stride, 0) else shape", "return 1 if is_equal(stride, 1) else shape"),
        ("or len(profile) > layout.rank:", "or len(profile) > layout.rank + 1:"),
        ("*modes_alone(layout)[len(parts) :]]", "]"),
        ("return coalesce(filter_zeros(layout))", "return coalesce(layout)"),
    ),
    *_static(
        "common.py",
        ("if bounds(common)[1] < size:", "if bounds(common)[1] <= size:"),
        ("(size - 1) // steps[0] + 1", "size // steps[0]"),
        ("-(-below * extent // step)", "below * extent // step"),
        (", *_beyond(layout, inverse))", ",)"),
        ("if not extents or steps[0] != 1:", "if not extents:"),
        ("if kept is not whole:", "if kept is whole:"),
        ("if step not in covered:", "if step in covered:"),
    ),
    *_static(
        "complement.py",
        ("return -(-target // reach)", "return target // reach"),
        ("wanted // inside or (", "wanted // inside and ("),
        ("(inside * rest < wanted and not gaps_may_stay)", "inside * rest < wanted"),
        ("return maximum(total, ceiling(size, reach))", "return total"),
        ("if step < reach:", "if step <= reach and step > 1:"),
        ("if step is not reach and step // reach != 1:", "if step != reach:"),
        ("reach = extent * step", "reach = extent * reach"),
        ("if rest != 1:", "if rest > 2:"),
        ("if 0 in modes[1] else modes", "if False else modes"),
        ("(type(n) is int and n < 1)", "(type(n) is int and n < 0)"),
        ("total * ceiling(n, left), ceiling(left, n)", "total * ceiling(n, left), left"),
    ),
    *_run_time(
        "complement.py",
        ("not is_multiple(step, reach)", "not is_multiple(reach, step)"),
        ("modes = _without_singles(modes)", "pass"),
        (
            "modes[1])[-1:]",
            "modes[1])[:1]",
            "a tile that does not fill the modes is refused by the composition after it (so in 18,000 random divides); "
            "only guards are fewer",
        ),
        ("differs(step, reach)", "True"),
    ),
    *_static(
        "composition.py",
        (
            "_compose_tile, layout, as_tiler(tiler), keep_rest=False",
            "_compose_tile, layout, as_tiler(tiler), keep_rest=True",
        ),
        ("else trusted(tile, 1))", "else trusted(tile, 2))"),
    ),
    *_static(
        "divide.py",
        ("if not whole and not counts(", "if whole and not counts("),
        ("_divide, layout, as_tiler(divisor), keep_rest=True", "_divide, layout, as_tiler(divisor), keep_rest=False"),
        ("return concatenate([tiles, *modes_of(rests)])", "return concatenate([tiles, *list(rests)])"),
    ),
    *_run_time(
        "divide.py",
        ("is_multiple(count, extent) is not True", "is_multiple(count, extent) is False"),
        ("if is_multiple(extent, count) is True:", "if is_multiple(extent, count) is not False:"),
        ("modes = settled(modes)", "pass"),
        ("count = count // extent", "pass"),
    ),
    *_static(
        "exact.py",
        ("if extent > 1 and min(step) < 0", "if extent > 2 and min(step) < 0"),
        ("return [1], [sum(beyond)]", "return [1], [0]"),
        ("strides[k] - shapes[k - 1] * strides[k - 1]", "strides[k] - shapes[k - 1]"),
        ("inner[: len(outer)] == outer", "inner == outer"),
        ("values.get(path, 0) for path in paths", "values.get(path, 1) for path in paths"),
        ("isinstance(axis, str) and axis != MEMORY", "isinstance(axis, str) and axis == MEMORY"),
    ),
    *_run_time("exact.py", ("if not is_known(b) or not", "if not")),
    *_static(
        "fragment.py",
        ("if layout.rank < 2:", "if layout.rank < 3:"),
        ("compact_stride(without_zeros(first.shape, first.stride))", "compact_stride(first.shape)"),
    ),
    *_static(
        "integer_solve.py",
        ("if left[k]:", "if left[k] > 1:"),
        ("if remainder:", "if remainder > 1:"),
        ("while len(live) > 1:", "while len(live) > 2:"),
        ("if column[k]]\n    return", "]\n    return"),
        ("columns = [column for column in columns if column is not pivot]", "pass"),
    ),
    *_static(
        "inverse.py",
        ("if any(stride < 0 for stride in modes[1]):", "if False:"),
        (" and stride >= above", ""),
        ("sound and not stride % reach and", "sound and"),
        ("dict.fromkeys(ordered(layout.axes), trusted(1, 0))", "{}"),
        ("if is_equal(stride, 0):\n            continue", "if is_equal(stride, 0):\n            pass"),
        ("steps.append(last[1])", "steps.append(step)"),
        ("extents.append(stride // reach)", "extents.append(stride)"),
        ("step *= extent", "step = extent"),
    ),
    *_static(
        "inverse_search.py",
        ("max(values) // prod(chain) + 1", "max(values) // prod(chain)"),
        ("if longer.size > found.size else found", "if longer.size < found.size else found"),
        ("where.setdefault(layout.at(i), i)", "where[layout.at(i)] = i"),
        ("if run == 1:", "if run <= 2:"),
        (
            "if len(set(values)) < len(values):",
            "if False:",
            "two coordinates of one value are two equations that contradict each other; asking first is only faster",
        ),
        ("for rest in _chains(most // radix):", "for rest in _chains(most // radix - 1):"),
        ("if len(set(values)) == len(values):", "if True:"),
    ),
    *_static(
        "modes.py",
        ("_merge_into((2,), (stride,)", "_merge_into((1,), (stride,)"),
        ("if mode[0] == reach:", "if mode[0] >= reach:"),
        ("isinstance(shape, tuple) or position:", "isinstance(shape, tuple):"),
        ("(last := extents[-1]) * steps[-1] == d\n", "(last := extents[-1]) * steps[-1] >= d\n"),
        (
            "elif s != 1:\n            if (\n                extents",
            "elif s > 2:\n            if (\n                extents",
        ),
    ),
    *_run_time(
        "modes.py",
        ("return all(map(is_static, leaves)) or (", "return True or ("),
        ("(modes[k][0] >= beyond) is not True", "(modes[k][0] >= beyond) is True"),
        ("at, reach = k + 1, reach", "at, reach = k, reach"),
        ("if is_equal(extent, 1):", "if extent == 1:"),
        ("rest = (mode for k, mode in enumerate(listed) if k not in first)", "rest = iter(())"),
    ),
    *_static(
        "partition.py",
        ("if keep is not None)", "if keep is None)"),
        ("(None,) * (mode.rank - len(coord))", "(None,) * (mode.rank - len(coord) - 1)"),
    ),
    *_static(
        "product.py",
        ("room_for(block, cosize(tile))", "room_for(block, tile.size)"),
        ("ordered_layout(repeats, order)", "Layout(repeats)"),
        ("_padded(block, max(modes, block.rank))", "_padded(block, block.rank)"),
        ("zip(left, right, strict=True) if block_first", "zip(left, right, strict=True) if not block_first"),
        ("whole or not isinstance(tile.shape, tuple)", "whole"),
        ("if not all(map(is_multiple, wanted, sizes)):", "if not any(map(is_multiple, wanted, sizes)):"),
    ),
    *_static(
        "ragged.py",
        ("if reach < extent and not", "if reach <= extent and not"),
        ("return reach >= extent", "return reach >= extent - 1"),
        ("if any(reach >= extent for", "if any(reach > extent for"),
        ("min(-(-s // step), extent)", "min(s // step, extent)"),
        ("layout.size // prod(inner)", "layout.size"),
        (
            "if extent % take:",
            "if extent % take > 1:",
            "an extent cut short leaves elements out, which `counts` sees at the end (so in 120,000 random divides)",
        ),
        ("if step % s:", "if step % s > 1:"),
    ),
    *_static(
        "recast.py",
        ("== factor and counts(factor, low)", "== factor"),
        ("-(-d // factor) if d > 0 else d // factor", "d // factor"),
        ("count = -(-factor // abs(d)) if d else 1", "count = factor // abs(d) if d else 1"),
        ("if type(d) is not int or d < 0 or factor % d:", "if type(d) is not int or d < 0:"),
        (
            "s * d < factor else None",
            "s * d <= factor else None",
            "s * d == factor is a multiple of the factor, which returns two lines before",
        ),
        ("if s != 1 and (d == 1", "if (d == 1"),
        ("(s * d // factor, 1)", "(s // factor, 1)"),
        ("narrow[at] = (modes[at][0] * factor, 1)", "narrow[at] = (modes[at][0] * factor, factor)"),
    ),
    *_run_time(
        "walk.py",
        ("if len(used) > 1:", "if len(used) > 2:"),
        ("sum(used) < extent", "sum(used) <= extent"),
        ("ends = (extent - 1) * step < s", "ends = (extent - 1) * step <= s"),
        ("all_of(divides(step, s), divides(whole, extent))", "divides(step, s)"),
        ("divides(step, s), divides(whole, extent)", "divides(whole, extent)"),
        ("digit = extent if ends is True else minimum(whole, extent)", "digit = whole"),
        ("any_of(is_equal(extent, 1), is_equal(step, 0))", "is_equal(step, 0)"),
        ("ceiling(step, s)\n", "step // s\n"),
    ),
    *_static(
        "tiler.py",
        ("if type(extent) is int and extent < 1:", "if type(extent) is int and extent < 0:"),
        ("if len(tiler) > layout.rank:", "if len(tiler) > layout.rank + 1:"),
        ("modes_alone(layout) if layout.rank > 1 else [layout]", "modes_alone(layout)"),
        ("return [layout, trusted(1, 0)]", "return [trusted(1, 0), layout]"),
        ("*modes[len(pairs) :]])]", "])]"),
    ),
    *_static(
        "tv.py",
        ("tile = raked_product(thr, val)", "tile = raked_product(val, thr)"),
        ("Layout((thr.size, val.size))", "Layout((val.size, thr.size))"),
    ),
    *_static(
        "walk.py",
        ("any(map(ge, used, inner))", "any(map(ge, used, [n + 1 for n in inner]))"),
        ("if s % step or extent % take:", "if extent % take:"),
        ("used[k] += (take - 1) * step", "used[k] = (take - 1) * step"),
        ("if step % s:", "if step % s > 1:"),
        ("if s % step or extent % take:", "if s % step:"),
        (
            "if (extent - 1) * step >= s:",
            "if (extent - 1) * step > s:",
            "a leaf that ends at s uses the mode up, which the walk refuses; the complete decision gives its answer",
        ),
        ("if step < 0:", "if step < -1:"),
        ("return size if step > 0 else -size", "return size"),
        ("size = -(-size // s)", "size = size // s"),
        ("is int and d >= 0", "is int"),
        ("if len(extents) == 1 and steps", "if steps"),
        ("        k = -1\n", "        k = 0\n"),
    ),
)
