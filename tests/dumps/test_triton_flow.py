"""Values of Triton dumps through loops, branches and selections: everything that they may be is looked at."""

from __future__ import annotations

import random
from dataclasses import dataclass, field

import pytest

from tilewright.dumps.finding import Findings
from tilewright.dumps.triton.analysis import analyse

HEAD = """#b = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [1], order = [0]}>
#s = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
"""
VIEW = "!ttg.memdesc<32xf16, #s, #ttg.shared_memory, mutable>"
BUFFERS = ("%one of line 3", "%two of line 4")


@dataclass
class Program:
    """Random control flow over views of two buffers; `came` is what each value is made of, `loads` who is read."""

    rng: random.Random
    lines: list[str] = field(default_factory=list)
    came: dict[int, list[int]] = field(default_factory=dict)
    loads: dict[int, int] = field(default_factory=dict)

    def emit(self, text: str) -> None:
        self.lines.append(text)

    def value(self, *sources: int) -> int:
        self.came[len(self.came)] = list(sources)
        return len(self.came) - 1

    def block(self, names: dict[str, int], depth: int, start: int) -> dict[str, int]:
        """Operations that see those names; regions beside each other begin to count at the same number."""
        names = dict(names)
        for number in range(start, start + self.rng.randrange(1, 4)):
            a, b = (self.rng.choice(list(names)) for _ in range(2))
            what = self.rng.choice(("cut", "select", "load", *(("for", "if") if depth else ())))
            own = f"%v{number}"
            if what == "cut":
                self.emit(f"{own} = ttg.memdesc_index {a}[%i] : {VIEW} -> {VIEW}")
                names[own] = self.value(names[a])
            elif what == "select":
                self.emit(f"{own} = arith.select %c, {a}, {b} : {VIEW}")
                names[own] = self.value(names[a], names[b])
            elif what == "load":
                self.emit(f"%x = ttg.local_load {a} : {VIEW} -> tensor<32xf16, #b>")
                self.loads[len(self.lines) + 2] = names[a]
            else:
                results = [self.value(), self.value()]
                carried = {f"%a{number}": names[a], f"%b{number}": names[b]}
                if what == "for":
                    starts = ", ".join(f"{arg} = {first}" for arg, first in zip(carried, (a, b), strict=True))
                    self.emit(f"{own}:2 = scf.for %j = %l to %h step %t iter_args({starts}) -> ({VIEW}, {VIEW}) {{")
                    args = {arg: self.value(first) for arg, first in carried.items()}
                    ends = self.region({**names, **args}, depth, number)
                    for arg, result, end in zip(args.values(), results, ends, strict=True):
                        self.came[arg].append(end)
                        self.came[result] += [end, self.came[arg][0]]
                else:
                    self.emit(f"{own}:2 = scf.if %c -> ({VIEW}, {VIEW}) {{")
                    one = self.region(names, depth, number)
                    self.emit("} else {")
                    for result, *ends in zip(results, one, self.region(names, depth, number), strict=True):
                        self.came[result] += ends
                self.emit("}")
                names |= {f"{own}#{k}": result for k, result in enumerate(results)}
        return names

    def region(self, names: dict[str, int], depth: int, number: int) -> list[int]:
        inside = self.block(names, depth - 1, number + 1)
        ends = [self.rng.choice(list(inside)) for _ in range(2)]
        self.emit(f"scf.yield {', '.join(ends)} : {VIEW}, {VIEW}")
        return [inside[end] for end in ends]

    def buffers(self, value: int) -> set[int]:
        """Values 0 and 1, the buffers, that it may be cut from."""
        seen, waiting = set[int](), [value]
        while waiting:
            one = waiting.pop()
            waiting += [] if one in seen else self.came[one]
            seen.add(one)
        return seen & {0, 1}


def test_a_view_belongs_to_a_buffer_where_every_way_to_it_begins_there() -> None:
    told = set[str]()
    for seed in range(150):
        program = Program(random.Random(seed))
        first = {"%one": program.value(), "%two": program.value()}
        if seed % 2:  # one buffer: it is known whatever happens
            del first["%two"]
        for name in ("%one", "%two"):
            program.emit(f"{name} = ttg.local_alloc : () -> {VIEW}")
        program.block(first, 3, 0)
        found = {one.line: one.buffer for one in analyse(HEAD + "\n".join(program.lines), "sm_90").accesses}
        for line, value in program.loads.items():
            may = program.buffers(value)
            assert found[line] == (BUFFERS[may.pop()] if len(may) == 1 else ""), (seed, line, program.lines)
            told.add(found[line])
    assert told == {"", *BUFFERS}


@pytest.mark.parametrize("last", ["%v#0", "%v#1", "%v#2", "%w"])
def test_what_a_region_does_not_say_is_not_known(last: str) -> None:
    """A branch without an else gives nothing, a region that yields too little neither."""
    text = f"""{HEAD}%one = ttg.local_alloc : () -> {VIEW}
%two = ttg.local_alloc : () -> {VIEW}
%v:3 = scf.if %c -> ({VIEW}, {VIEW}, {VIEW}) {{
  scf.yield %one, %one, %one : {VIEW}, {VIEW}, {VIEW}
}} else {{
  scf.yield %one : {VIEW}
}}
%w = scf.while (%a = %one) : ({VIEW}) -> ({VIEW}) {{
  scf.condition(%c) %two : {VIEW}
}} do {{
  scf.yield %two : {VIEW}
}}
%x = ttg.local_load {last} : {VIEW} -> tensor<32xf16, #b>"""
    (one,) = analyse(text, "sm_90").accesses
    assert one.buffer == (BUFFERS[0] if last == "%v#0" else "")


TYPE = "tensor<256x!tt.ptr<f16>, #w>"
POINTERS = """#w = #ttg.blocked<{sizePerThread = [8], threadsPerWarp = [32], warpsPerCTA = [1], order = [0]}>
tt.func public @k(%x: !tt.ptr<f16> {tt.divisibility = 16 : i32}) {
  %r = tt.make_range {end = 256 : i32, start = 0 : i32} : tensor<256xi32, #w>
  %n = arith.constant dense<STRIDE> : tensor<256xi32, #w>
  %m = arith.muli %r, %n : tensor<256xi32, #w>
  %e = arith.constant dense<64> : tensor<256xi32, #w>
  %b = tt.splat %x : !tt.ptr<f16> -> TYPE
  %p = tt.addptr %b, %r : TYPE, tensor<256xi32, #w>
  %o = tt.addptr %b, %m : TYPE, tensor<256xi32, #w>
FLOW
  %v = tt.load NAME : TYPE
}
"""
BRANCH = """  %q:2 = scf.if %c -> (i32, TYPE) {
    %h = tt.addptr ONE, %e : TYPE, tensor<256xi32, #w>
    scf.yield %k, %h : i32, TYPE
  } else {
    %h = tt.addptr OTHER, %e : TYPE, tensor<256xi32, #w>
    scf.yield %k, %h : i32, TYPE
  }"""
LOOP = """  %q:2 = scf.for %i = %l to %h step %t iter_args(%u = %k, %s = ONE) -> (i32, TYPE) : i32 {
    %g = tt.addptr %s, %e : TYPE, tensor<256xi32, #w>
    scf.yield %u, %g : i32, TYPE
  }"""
SELECT = "  %q = arith.select %c, ONE, OTHER : TYPE"


def pointers(flow: str, name: str, one: str = "%p", other: str = "%p", stride: int = 1) -> Findings:
    words = {"FLOW": flow, "NAME": name, "ONE": one, "OTHER": other, "STRIDE": str(stride), "TYPE": TYPE}
    text = POINTERS
    for word, value in words.items():
        text = text.replace(word, value)
    return analyse(text, "sm_90")


@pytest.mark.parametrize("stride", [1, 2, 64])
@pytest.mark.parametrize(("flow", "name"), [(BRANCH, "%q#1"), (LOOP, "%q#1"), (SELECT, "%q")])
def test_pointers_of_which_all_step_alike_are_counted_as_any_of_them(flow: str, name: str, stride: int) -> None:
    (plain,) = pointers("", "%o", stride=stride).accesses
    (one,) = pointers(flow, name, "%o", "%o", stride).accesses
    assert (one.sectors, one.ideal) == (plain.sectors, plain.ideal)
    assert one.instruction == plain.instruction


@pytest.mark.parametrize(("flow", "name"), [(BRANCH, "%q#1"), (SELECT, "%q")])
def test_pointers_that_step_differently_are_listed_with_what_chooses_them(flow: str, name: str) -> None:
    (left,) = pointers(flow, name, "%p", "%o", 64).not_analysed
    assert "on line 10 gives indices that step by (1,) or (64,)" in left.why


@pytest.mark.parametrize("side", ["ONE", "OTHER"])
def test_a_branch_that_leads_to_what_is_not_followed_is_named(side: str) -> None:
    flow = "  %d = tt.load %z : tensor<256x!tt.ptr<!tt.ptr<f16>>, #w> -> TYPE\n" + BRANCH.replace(side, "%d")
    left = pointers(flow, "%q#1").not_analysed[-1]
    assert left.why == "%d is the result of tt.load on line 10, through the scf.if on line 11"


def test_pointers_that_conditions_of_their_own_choose_are_not_affine() -> None:
    """Each element comes from this side or that one, by a tensor of conditions."""
    (left,) = pointers("  %q = arith.select %c, %p, %p : tensor<256xi1, #w>, TYPE", "%q").not_analysed
    assert "arith.select" in left.why


def test_a_chain_of_branches_is_followed_once_each() -> None:
    """Each of them leads twice to the one before, which is looked at once."""
    flow = "\n".join(
        f"  %q{i} = scf.if %c -> (TYPE) {{\n  scf.yield {last} : TYPE\n}} else {{\n  scf.yield {last} : TYPE\n}}"
        for i, last in enumerate(["%p", *(f"%q{i}" for i in range(59))])
    )
    (one,) = pointers(flow, "%q59").accesses
    assert one.instruction == "global load 128 bits"


def test_values_that_are_used_twice_do_not_depend_on_themselves() -> None:
    flow = """  %f = arith.muli %r, %e : tensor<256xi32, #w>
  %g = arith.addi %r, %f : tensor<256xi32, #w>
  %q = tt.addptr %b, %g : TYPE, tensor<256xi32, #w>"""
    (one,) = pointers(flow, "%q").accesses
    assert one.sectors == 256
