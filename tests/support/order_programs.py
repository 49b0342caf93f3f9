"""Small random kernels of lanes that tell each other something, each perhaps with a slip, and their sources.

Two blocks of two warps run through a list of statements, of which each is for some of them. Two lanes meet by barriers
of the warp, the block, or a number, by flags with orders, scopes and fences, by mbarriers, or wait for copies.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace

BLOCKS, WARPS, LANES = 2, 2, 32
THREADS = WARPS * LANES
FLAGS = MBARRIERS = 6

# Which element: its text, and its number for a thread of a block.
FORMS: Mapping[str, tuple[str, Callable[[int, int], int]]] = {
    "own": ("t", lambda b, t: t),
    "neighbour": ("t // 2 * 2 + 1 - t % 2", lambda b, t: t ^ 1),
    "opposite": ("63 - t", lambda b, t: 63 - t),
    "one": ("5", lambda b, t: 5),
    "row": ("b * 64 + t", lambda b, t: b * 64 + t),
    "other row": ("(1 - b) * 64 + 63 - t", lambda b, t: (1 - b) * 64 + 63 - t),
}


@dataclass(frozen=True)
class Statement:
    """What lanes of a block, a warp and a number do; None: all of them."""

    kind: str
    block: int | None = None
    warp: int | None = None
    lane: int | None = None
    memory: str = "S"
    form: str = "own"
    number: int = 0  # of a flag, a barrier or an mbarrier
    order: str = "relaxed"
    scope: str = "gpu"
    threads: int = THREADS  # that a numbered barrier expects

    def does(self, block: int, thread: int) -> bool:
        """Is it for this thread?"""
        wanted = ((self.block, block), (self.warp, thread // LANES), (self.lane, thread % LANES))
        return all(want in (None, is_) for want, is_ in wanted)

    def at(self, block: int, thread: int) -> int:
        """The element of a thread."""
        return FORMS[self.form][1](block, thread)


@dataclass(frozen=True)
class Program:
    """Statements in their order."""

    statements: tuple[Statement, ...]

    def doing(self, *kinds: str, number: int) -> Iterator[tuple[int, int]]:
        """The blocks and threads that do one of these at the flag or mbarrier with the number, as often as they do."""
        for statement in self.statements:
            if statement.kind in kinds and statement.number == number:
                for block in range(BLOCKS):
                    yield from ((block, t) for t in range(THREADS) if statement.does(block, t))

    def arrivals(self, number: int, block: int) -> int:
        """How many an mbarrier of a block is made for: all that come, or one where none does."""
        return sum(b == block for b, _ in self.doing("arrive", "copies arrive", number=number)) or 1

    def text(self) -> str:
        """The source of the kernel."""
        counts = [(i, *(self.arrivals(i, b) for b in range(BLOCKS))) for i in range(MBARRIERS)]
        makes = [f"T.ptx.mbarrier.init(bar.ptr_to([{i}]), {one} if b == 0 else {other})" for i, one, other in counts]
        init = "\n        ".join(makes)
        body = "\n".join(_lines(self, number, one) for number, one in enumerate(self.statements))
        return f"""from tilewright.script import tirx as T


@T.prim_func
def k(A: T.Buffer(({BLOCKS * THREADS},), "int32"), F: T.Buffer(({FLAGS},), "uint32")):
    T.device_entry()
    b = T.cta_id([{BLOCKS}])
    t = T.thread_id([{THREADS}])
    S = T.alloc_shared(({THREADS},), "int32")
    bar = T.alloc_shared(({MBARRIERS},), "uint64")
    f: T.uint32 = 0
    x: T.int32 = 0
    S[t] = -1
    if t == 0:
        {init}
    T.cuda.cta_sync()
{body}
"""


def _lines(program: Program, number: int, one: Statement) -> str:
    place = f"{one.memory}[{FORMS[one.form][0]}]"
    ptr = f"{one.memory}.ptr_to([{FORMS[one.form][0]}])"
    flag, word = f"F.ptr_to([{one.number}])", f"bar.ptr_to([{one.number}])"
    adds = len(list(program.doing("add", number=one.number)))
    acts = {
        "store": f"{place} = {1000 * (number + 1)} + b * 100 + t",
        "load": f"x = x + {place}",
        "add": f"T.ptx.red.{one.order}.{one.scope}.global_.add.u32({flag}, 1)",
        "spin": f"f = 0\nwhile f < T.uint32({adds}):\n    T.ptx.ld.{one.order}.{one.scope}.global_.u32(f, {flag})",
        "fence": f"T.ptx.fence.acq_rel.{one.scope}()",
        "warp": "T.cuda.warp_sync()",
        "shuffle": "x = T.cuda.__shfl_xor_sync(0xFFFFFFFF, x, 1)",
        "cta": "T.cuda.cta_sync()",
        "bar sync": f"T.ptx.bar.sync({one.number}, {one.threads})",
        "bar arrive": f"T.ptx.bar.arrive({one.number}, {one.threads})",
        "arrive": f"T.ptx.mbarrier.arrive({word})",
        "wait": f"T.cuda.mbarrier_wait({word}, 0)",
        "copy": f"T.ptx.cp.async_.ca.shared.global_({ptr}, A.ptr_to([b * 64 + t]), 4)",
        "commit": "T.ptx.cp.async_.commit_group()",
        "copies": "T.ptx.cp.async_.wait_group(0)",
        "copies arrive": f"T.ptx.cp.async_.mbarrier.arrive.noinc({word})",
    }
    asked = {"b": one.block, "t // 32": one.warp, "t % 32": one.lane}
    conditions = [f"{what} == {number}" for what, number in asked.items() if number is not None]
    lines = acts[one.kind].split("\n")
    indent = "        " if conditions else "    "
    head = [f"    if {' and '.join(conditions)}:"] if conditions else []
    return "\n".join([*head, *(indent + line for line in lines)])


# ---- drawn


class _Drawn:
    """Fragments in which some lanes tell others something; `slips`: how likely each part is left out or weakened."""

    def __init__(self, rng: random.Random, slips: float) -> None:
        self.rng, self.slips, self.fresh = rng, slips, 0

    def program(self) -> Program:
        """One to three fragments, one after the other or shuffled together."""
        parts = [self.fragment() for _ in range(self.rng.randint(1, 3))]
        if self.rng.random() < 0.3:
            return Program(tuple(self.merged(parts)))
        return Program(tuple(one for part in parts for one in part))

    def merged(self, parts: list[list[Statement]]) -> Iterator[Statement]:
        """Each part in its order, the next statement of any of them next."""
        left = [list(part) for part in parts if part]
        while left:
            part = self.rng.choice(left)
            yield part.pop(0)
            left = [part for part in left if part]

    def fragment(self) -> list[Statement]:
        """One of them, whose parts are perhaps left out."""
        made = self.rng.choice(
            (self.warp, self.hand_over, self.block, self.numbered, self.flag, self.phase, self.copies)
        )
        kept = [one for one in made() if self.rng.random() >= self.slips or one.kind in ("load", "store")]
        return [self.weaker(one) for one in kept]

    def weaker(self, one: Statement) -> Statement:
        """The statement, or with another order or scope."""
        if one.kind in ("add", "spin") and self.rng.random() < self.slips:
            return replace(one, order="relaxed") if self.rng.random() < 0.5 else replace(one, scope="cta")
        return replace(one, scope="cta") if one.kind == "fence" and self.rng.random() < self.slips else one

    def next(self) -> int:
        """A flag or an mbarrier that nobody has used."""
        self.fresh += 1
        return self.fresh - 1

    def place(self) -> tuple[int | None, int]:
        """A block or both, and a warp."""
        return self.rng.choice((None, 0, 1)), self.rng.randrange(WARPS)

    def warp(self) -> list[Statement]:
        """Within a warp."""
        b, w = self.place()
        back = [Statement("warp", b, w), Statement("store", b, w)] if self.rng.random() < 0.5 else []
        return [Statement("store", b, w), Statement("warp", b, w), Statement("load", b, w, form="neighbour"), *back]

    def hand_over(self) -> list[Statement]:
        """By a shuffle."""
        b, w = self.place()
        reads, writes = Statement("load", b, w, form="neighbour"), Statement("store", b, w)
        pair = [reads, writes] if self.rng.random() < 0.8 else [writes, reads]
        return [pair[0], Statement("shuffle", b, w), pair[1]]

    def block(self) -> list[Statement]:
        """By the barrier of the block."""
        b = self.rng.choice((None, 0, 1))
        few = self.rng.choice((None, 3))
        form = "one" if few is not None else "own"
        writer = Statement("store", b, 0 if few is not None else None, few, form=form)
        return [writer, Statement("cta", b), Statement("load", b, form="one" if few is not None else "opposite")]

    def numbered(self) -> list[Statement]:
        """One warp for the other, by a numbered barrier; perhaps back again."""
        b, giver = self.place()
        n, threads = self.rng.randint(1, 2), THREADS if self.rng.random() > self.slips / 2 else LANES
        first, second = (self.rng.choice(("bar arrive", "bar sync")) for _ in range(2))
        there = [
            Statement("store", b, giver),
            Statement(first, b, giver, number=n, threads=threads),
            Statement("bar sync", b, 1 - giver, number=n, threads=threads),
            Statement("load", b, 1 - giver, form="opposite"),
        ]
        m = self.rng.choice((n, 3 - n))
        back = [Statement(second, b, 1 - giver, number=m), Statement("bar sync", b, giver, number=m)]
        return [*there, *back, Statement("store", b, giver)] if self.rng.random() < 0.5 else there

    def flag(self) -> list[Statement]:
        """One block for the other, by a flag."""
        giver, i = self.rng.randrange(BLOCKS), self.next()
        releases, acquires = self.rng.random() < 0.5, self.rng.random() < 0.5
        all_fence = not releases and self.rng.random() < 0.3  # before the barrier, behind which one tells for all
        fence = Statement("fence", giver, *((None, None) if all_fence else (0, 0)))
        add = Statement("add", giver, 0, 0, number=i, order="release" if releases else "relaxed")
        ask = Statement("spin", 1 - giver, 0, 0, number=i, order="acquire" if acquires else "relaxed")
        return [
            Statement("store", giver, memory="A", form="row"),
            *([fence] if all_fence else []),
            Statement("cta", giver),
            *([] if releases or all_fence else [fence]),
            add,
            ask,
            *([] if acquires else [Statement("fence", 1 - giver, 0, 0)]),
            Statement("cta", 1 - giver),
            Statement("load", 1 - giver, memory="A", form="other row"),
        ]

    def phase(self) -> list[Statement]:
        """One warp for the other, by an mbarrier."""
        (b, giver), i = self.place(), self.next()
        one = self.rng.random() < 0.3
        met = [Statement("warp", b, giver)] if one else []
        arrive = Statement("arrive", b, giver, 0 if one else None, number=i)
        wait = Statement("wait", b, 1 - giver, number=i)
        return [Statement("store", b, giver), *met, arrive, wait, Statement("load", b, 1 - giver, form="opposite")]

    def copies(self) -> list[Statement]:
        """By copies, of which the lanes of one warp or an mbarrier know that they are done."""
        (b, w), i = self.place(), self.next()
        copy = Statement("copy", b, w)
        if self.rng.random() < 0.5:
            tell = [Statement("copies arrive", b, w, number=i), Statement("wait", b, 1 - w, number=i)]
            return [copy, *tell, Statement("load", b, 1 - w, form="opposite")]
        waits = [Statement("commit", b, w), Statement("copies", b, w)]
        return [copy, *waits, Statement("cta", b), Statement("load", b, form="opposite")]


def drawn(seed: int) -> Program:
    """The program of a seed; a third of them have no slip on purpose."""
    rng = random.Random(seed)
    return _Drawn(rng, rng.choice((0.0, 0.1, 0.2))).program()
