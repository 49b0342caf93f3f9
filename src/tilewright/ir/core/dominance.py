"""Dominance: whether a value is defined on every way to an op that uses it."""

from __future__ import annotations

from xdsl.ir import Block, Operation, Region, SSAValue


class Visibility:
    """Answers for the ops within an op, one after another."""

    def __init__(self, top: Operation) -> None:
        self._order = {op: number for number, op in enumerate(top.walk())}
        self._regions: dict[Region, Dominance] = {}

    def reaches(self, value: SSAValue, op: Operation) -> bool:
        """Is the value defined where the op stands: before it, in a block that dominates its own, or around it?"""
        definer = value.owner if isinstance(value.owner, Operation) else None
        home = value.owner if isinstance(value.owner, Block) else value.owner.parent_block()
        user: Operation | None = op
        while user is not None and (home is None or user.parent_region() is not home.parent_region()):
            user = user.parent_op()
        if user is None or home is None or user is definer:
            return False
        block = user.parent_block()
        if block is home:
            return definer is None or self._order[definer] < self._order[user]
        return block is not None and self._of(block).dominates(home, block)

    def _of(self, block: Block) -> Dominance:
        region = block.parent_region()
        assert region is not None
        if region not in self._regions:
            self._regions[region] = Dominance(region)
        return self._regions[region]


class Dominance:
    """The dominator tree of a region's blocks, as the first and the last number below each in a walk of the tree."""

    def __init__(self, region: Region) -> None:
        blocks, parents = _walk(region.blocks[0]) if region.blocks else ([], [])
        self._spans = dict(zip(blocks, _spans(_dominators(blocks, parents)), strict=True))

    def dominates(self, a: Block, b: Block) -> bool:
        """Does every way to b lead through a? A block to which none leads is dominated by all."""
        if b not in self._spans:
            return True
        first, last = self._spans.get(a, (0, -1))
        return first <= self._spans[b][0] <= last


def _walk(entry: Block) -> tuple[list[Block], list[int]]:
    """The blocks that the entry leads to, depth first, and for each the number of the one that it was reached from."""
    blocks, parents, number = [entry], [0], {entry: 0}
    path = [(0, iter(_successors(entry)))]
    while path:
        source, left = path[-1]
        block = next((found for found in left if found not in number), None)
        if block is None:
            path.pop()
            continue
        number[block] = len(blocks)
        blocks.append(block)
        parents.append(source)
        path.append((number[block], iter(_successors(block))))
    return blocks, parents


def _dominators(blocks: list[Block], parents: list[int]) -> list[int]:
    """The number of each block's immediate dominator, which is lower than its own; 0 for the entry.

    Source: Lengauer and Tarjan, "A Fast Algorithm for Finding Dominators in a Flowgraph", the simple version.
    """
    sources = _sources(blocks)
    semi, label, above = list(range(len(blocks))), list(range(len(blocks))), [-1] * len(blocks)
    found = [0] * len(blocks)
    waiting: list[list[int]] = [[] for _ in blocks]
    for block in reversed(range(1, len(blocks))):
        semi[block] = min(semi[_least(source, semi, label, above)] for source in sources[block])
        waiting[semi[block]].append(block)
        above[block] = parent = parents[block]
        for other in waiting[parent]:
            least = _least(other, semi, label, above)
            found[other] = least if semi[least] < semi[other] else parent
        waiting[parent] = []
    for block in range(1, len(blocks)):
        if found[block] != semi[block]:
            found[block] = found[found[block]]
    return found


def _least(block: int, semi: list[int], label: list[int], above: list[int]) -> int:
    """The block with the least semidominator on the way up to the root of its tree in the forest; shortens that way."""
    path, at = list[int](), block
    while above[at] >= 0 and above[above[at]] >= 0:
        path.append(at)
        at = above[at]
    for lower in reversed(path):
        upper = above[lower]
        if semi[label[upper]] < semi[label[lower]]:
            label[lower] = label[upper]
        above[lower] = above[upper]
    return label[block]


def _spans(parents: list[int]) -> list[tuple[int, int]]:
    """Each node's number in a walk of the tree from the root, and the largest number below it."""
    sizes = [1] * len(parents)
    for node in reversed(range(1, len(parents))):
        sizes[parents[node]] += sizes[node]
    firsts, free = [0] * len(parents), [1] * len(parents)
    for node in range(1, len(parents)):
        firsts[node] = free[parents[node]]
        free[parents[node]] += sizes[node]
        free[node] = firsts[node] + 1
    return [(first, first + size - 1) for first, size in zip(firsts, sizes, strict=True)]


def _sources(blocks: list[Block]) -> list[list[int]]:
    """The numbers of the blocks that lead to each."""
    number = {block: i for i, block in enumerate(blocks)}
    found: list[list[int]] = [[] for _ in blocks]
    for i, block in enumerate(blocks):
        for following in _successors(block):
            found[number[following]].append(i)
    return found


def _successors(block: Block) -> list[Block]:
    return list(block.last_op.successors) if block.last_op is not None else []
