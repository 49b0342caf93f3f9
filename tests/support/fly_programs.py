"""Random `fly` functions of one thread: registers and views of them, atoms called, copies, gemms, loops, branches."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from random import Random
from typing import Any

from fly_machine import At, execute, memory, width_of

from tilewright.errors import CompileError
from tilewright.ir.dialects import context
from tilewright.ir.text import parse_module, verify
from tilewright.passes.registry import pipeline_of

BITS = {"f32": 32, "f16": 16, "f8E4M3FN": 8, "i32": 32, "i1": 1}
GLOBAL = 48  # elements of each type that the function may read and write in global memory
SPACES = (("global", "register"), ("register", "global"), ("register", "register"))
SWIZZLES = ("S<2,1,2> o 0 o ", "S<1,0,2> o 4 o ", "S<2,2,2> o 0 o ", "S<1,2,1> o 1 o ")
ORDERS = ("", "kmn", "knm_serpentine", "mnk", "nmk_serpentine")
MFMA = "!fly.mma_atom<!fly_rocdl.cdna3.mfma<16x16x16, (f16, f16) -> f32>>"
FMA = "!fly.mma_atom<!fly.universal_fma<1x1x1, (f32, f32) -> f32>>"


@dataclass
class Program:
    """A function as it is written; `registers` are the names of allocations with their element and size."""

    random: Random
    lines: list[str] = field(default_factory=list)
    names: int = 0
    registers: list[tuple[str, str, int]] = field(default_factory=list)
    depth: int = 0
    apart: bool = True  # may registers of a view lie apart?

    def name(self) -> str:
        self.names += 1
        return f"%v{self.names}"

    def add(self, text: str) -> None:
        self.lines.append("  " * (self.depth + 1) + text)

    def let(self, text: str) -> str:
        name = self.name()
        self.add(f"{name} = {text}")
        return name

    # ---- memory

    def pointer(self, element: str, room: int, space: str = "register", among: int | None = None) -> str:
        """A pointer with at least that many elements behind it; perhaps into the allocation of that number."""
        if space == "register":
            found = [(n, size) for n, e, size in self.registers if e == element and size >= room]
            found = found if among is None else found[among : among + 1]
            base, size = self.random.choice(found) if found else (self.allocate(element, room), room)
        else:
            base, size = f"%{space}_{element}", GLOBAL
        kind, by = f"!fly.ptr<{element}, {space}>", self.random.randint(0, size - room)
        if not by and self.random.random() < 0.7:
            return base
        offset = self.let(f"fly.make_int_tuple() : () -> !fly.int_tuple<{by}>")
        return self.let(f"fly.add_offset({base}, {offset}) : ({kind}, !fly.int_tuple<{by}>) -> {kind}")

    def allocate(self, element: str, size: int) -> str:
        """Registers, filled from global memory."""
        kind = f"!fly.ptr<{element}, register>"
        made = self.let(f"fly.make_ptr() {{dictAttrs = {{allocSize = {size} : i64}}}} : () -> {kind}")
        vector = f"vector<{size}x{element}>"
        source = self.pointer(element, size, "global")
        value = self.let(f"fly.ptr.load({source}) : (!fly.ptr<{element}, global>) -> {vector}")
        self.add(f"fly.ptr.store({value}, {made}) : ({vector}, {kind}) -> ()")
        if not self.depth:
            self.registers.append((made, element, size))
        return made

    def view(
        self, element: str, text: str, room: int, space: str = "register", among: int | None = None
    ) -> tuple[str, str]:
        """A view with a layout that reaches that far, and its type."""
        pointer = self.pointer(element, room, space, among)
        name = "composed_layout" if text.startswith("S<") else "layout"
        made = self.let(f"fly.static : !fly.{name}<{text}>")
        kind = f"!fly.memref<{element}, {space}, {text}>"
        ops = f"(!fly.ptr<{element}, {space}>, !fly.{name}<{text}>) -> {kind}"
        return self.let(f"fly.make_view({pointer}, {made}) : {ops}"), kind

    def strided(self, element: str, m: int, n: int) -> tuple[str, str]:
        """A view of global memory, (m,n):(1,?), and its type."""
        stride = self.random.choice([m, m + 1, m + 3])
        pointer = self.pointer(element, m + (n - 1) * stride, "global")
        number = self.let(f"arith.constant {stride} : i32")
        strides = self.let(f"fly.make_int_tuple({number}) : (i32) -> !fly.int_tuple<(1,?)>")
        shape = self.let(f"fly.static : !fly.int_tuple<({m},{n})>")
        layout = f"!fly.layout<({m},{n}):(1,?)>"
        types = f"(!fly.int_tuple<({m},{n})>, !fly.int_tuple<(1,?)>) -> {layout}"
        made = self.let(f"fly.make_layout({shape}, {strides}) : {types}")
        kind = f"!fly.memref<{element}, global, ({m},{n}):(1,?)>"
        ops = f"(!fly.ptr<{element}, global>, {layout}) -> {kind}"
        return self.let(f"fly.make_view({pointer}, {made}) : {ops}"), kind

    # ---- statements

    def move(self) -> None:
        """A part of registers, changed, to another place; perhaps read as other elements."""
        element = self.random.choice(["f32", "f16", "i32", "f8E4M3FN"])
        count = self.random.choice([1, 1, 2, 4])
        kinds = {element: element} | ({"f8E4M3FN": "i8"} if element == "f8E4M3FN" else {})
        scalar = self.random.choice(list(kinds.values()))
        kind = scalar if count == 1 else f"vector<{count}x{scalar}>"
        value = self.let(f"fly.ptr.load({self.pointer(element, count)}) : (!fly.ptr<{element}, register>) -> {kind}")
        if scalar in ("f32", "f16", "i32") and self.random.random() < 0.6:
            op = "arith.addi" if scalar == "i32" else "arith.addf"
            value = self.let(f"{op} {value}, {value} : {kind}") if count == 1 or scalar != "i32" else value
        target = self.pointer(element, count)
        self.add(f"fly.ptr.store({value}, {target}) : ({kind}, !fly.ptr<{element}, register>) -> ()")

    def vector(self) -> None:
        """A view as one vector, to another view."""
        m, n = self.random.choice([1, 2, 4]), self.random.choice([1, 2, 3])
        element = self.random.choice(["f32", "f16", "f8E4M3FN"])
        texts = (f"({m},{n}):(1,{m})", f"({m},{n}):({n},1)", f"(({m},1),{n}):((1,0),{m})")
        (source, a), (target, b) = (self.view(element, self.random.choice(texts), m * n) for _ in range(2))
        if self.random.random() < 0.4:
            source, a = self.strided(element, m, n)
        kind = f"vector<{m * n}x{element}>"
        value = self.let(f"fly.memref.load_vec({source}) : ({a}) -> {kind}")
        self.add(f"fly.memref.store_vec({value}, {target}) : ({kind}, {b}) -> ()")

    def atom_copy(self) -> None:
        """One call: between registers and memory, or within registers; with a predicate or without."""
        element, count = self.random.choice([("f32", 4), ("f32", 1), ("f16", 4), ("f8E4M3FN", 8), ("i32", 2)])
        bits = BITS[element]
        atom = f"!fly.copy_atom<!fly.universal_copy<{bits * count}>, {bits}>"
        runs = [(f"{count}:1", count), (f"({count},1):(1,0)", count)]
        runs += [(f"(2,{count // 2}):(1,2)", count)] if count > 2 else []
        others = [(f"{count}:2", 2 * count), *([(f"(2,{count // 2}):(1,3)", 2 * count)] if count > 2 else [])]
        views = []
        for space in self.random.choice(SPACES):
            shapes = [*runs, *others] if self.apart or space == "global" else runs
            views.append(self.view(element, *self.random.choice(shapes), space=space))
        self.call("copy_atom_call", atom, f"valBits = {bits} : i32", [*views, *self.condition("1:0", 1)])

    def condition(self, text: str, room: int) -> list[tuple[str, str]]:
        return [self.view("i1", text, room)] if self.random.random() < 0.6 else []

    def call(self, op: str, atom: str, said: str, views: list[tuple[str, str]], attributes: str = "") -> None:
        kind = "copy" if "copy" in op else "mma"
        made = self.let(f"fly.make_{kind}_atom{f' {{{said}}}' if said else ''} : {atom}")
        operands, types = ", ".join(v for v, _ in views), ", ".join(t for _, t in views)
        self.add(f"fly.{op}({made}, {operands}){attributes} : ({atom}, {types}) -> ()")

    def atom_mma(self) -> None:
        """One call on registers, which may be the same ones."""
        atom, (a, b), counts = self.random.choice([(MFMA, ("f16", "f16"), 4), (FMA, ("f32", "f32"), 1)])
        shapes = [(f"{counts}:1", counts), *([(f"{counts}:2", 2 * counts)] if self.apart else [])]
        d, x, y, c = (self.view(e, *self.random.choice(shapes)) for e in ("f32", a, b, "f32"))
        self.call("mma_atom_call", atom, "", [d, x, y, self.random.choice([c, d])])

    def copy(self) -> None:
        """A copy of whole views."""
        v, parts, m, n = (self.random.choice(x) for x in ([1, 2], [1, 2], [1, 2], [1, 2, 3]))
        shape = f"(({v},{parts}),{m},{n})"
        strides = [f"((1,{v}),{v * parts},{v * parts * m})", f"((1,{v * m * n}),{v},{v * m})"]
        room = v * parts * m * n
        spaces = self.random.choice(SPACES)
        views = []
        for i, space in enumerate(spaces):
            swizzled = space == "global" and self.random.random() < 0.5
            text = f"{self.random.choice(SWIZZLES) if swizzled else ''}{shape}:{self.random.choice(strides)}"
            views.append(self.view("f32", text, 32 if swizzled else room, space, i))
        each = (f"({parts},{m},{n}):(1,{parts},{parts * m})", parts * m * n)
        rest = (f"(1,{m},{n}):(0,1,{m})", m * n)
        views += self.condition(*self.random.choice([("1:0", 1), each, rest, rest]))
        self.call("copy", f"!fly.copy_atom<!fly.universal_copy<{32 * v}>, 32>", "valBits = 32 : i32", views)

    def gemm(self) -> None:
        """A product of fragments in registers."""
        m, n, k = (self.random.choice([1, 2, 3]) for _ in range(3))
        order = self.random.choice(ORDERS)
        said = f" {{traversalOrder = #fly<gemm_traversal_order {order}>}}" if order else ""
        c = self.view("f32", f"(1,{m},{n}):(0,1,{m})", m * n, among=0)
        d = self.random.choice([c, self.own(c[1])])
        a = self.view("f32", f"(1,{m},{k}):(0,{k},1)", m * k, among=1)
        b = self.view("f32", f"(1,{n},{k}):(0,1,{n})", n * k, among=1)
        self.call("gemm", FMA, "", [d, a, b, c], said)
        if d is not c:
            self.call("copy", "!fly.copy_atom<!fly.universal_copy<32>, 32>", "valBits = 32 : i32", [d, c])

    def own(self, kind: str) -> tuple[str, str]:
        """Registers for a view of their own."""
        made = f"!fly.layout<{kind.split(', ', 2)[2][:-1]}>"
        static = self.let(f"fly.static : {made}")
        return self.let(f"fly.memref.alloca({static}) : ({made}) -> {kind}"), kind

    def loop(self) -> None:
        """Up to five rounds, which carry a number."""
        by, rounds, begin = self.random.randint(1, 2), self.random.randint(0, 5), self.random.randint(0, 2)
        start, count, step = (self.let(f"arith.constant {x} : index") for x in (begin, begin + by * rounds, by))
        carried = self.let(f"arith.constant {self.random.randint(-5, 5)} : i32")
        i, x, result = self.name(), self.name(), self.name()
        self.add(f"{result} = scf.for {i} = {start} to {count} step {step} iter_args({x} = {carried}) -> (i32) {{")
        self.inside()
        self.depth += 1
        number = self.let(f"arith.index_cast {i} : index to i32")
        after = self.let(f"arith.addi {x}, {number} : i32")
        self.add(f"fly.ptr.store({after}, {self.pointer('i32', 1)}) : (i32, !fly.ptr<i32, register>) -> ()")
        self.add(f"scf.yield {after} : i32")
        self.depth -= 1
        self.add("}")

    def branch(self) -> None:
        """One side or two."""
        condition = self.let(f"fly.ptr.load({self.pointer('i1', 1)}) : (!fly.ptr<i1, register>) -> i1")
        self.add(f"scf.if {condition} {{")
        self.inside()
        if self.random.random() < 0.5:
            self.add("} else {")
            self.inside()
        self.add("}")

    def rounds(self) -> None:
        """As long as registers of its own count."""
        kind = "!fly.ptr<i32, register>"
        zero, one, most = (self.let(f"arith.constant {x} : i32") for x in (0, 1, self.random.randint(0, 2)))
        counter = self.let(f"fly.make_ptr() {{dictAttrs = {{allocSize = 1 : i64}}}} : () -> {kind}")
        self.add(f"fly.ptr.store({zero}, {counter}) : (i32, {kind}) -> ()")
        self.add("scf.while : () -> () {")
        self.depth += 1
        now = self.let(f"fly.ptr.load({counter}) : ({kind}) -> i32")
        less = self.let(f"arith.cmpi slt, {now}, {most} : i32")
        self.add(f"scf.condition({less})")
        self.depth -= 1
        self.add("} do {")
        self.inside()
        self.depth += 1
        now = self.let(f"fly.ptr.load({counter}) : ({kind}) -> i32")
        more = self.let(f"arith.addi {now}, {one} : i32")
        self.add(f"fly.ptr.store({more}, {counter}) : (i32, {kind}) -> ()")
        self.add("scf.yield")
        self.depth -= 1
        self.add("}")

    def inside(self) -> None:
        known = list(self.registers)
        self.depth += 1
        for _ in range(self.random.randint(1, 3)):
            self.statement()
        self.depth -= 1
        self.registers = known

    def statement(self) -> None:
        """One of them, nested at most twice."""
        calls: list[Callable[[], None]] = [self.atom_copy, self.atom_mma, self.copy, self.copy, self.gemm, self.vector]
        nested: list[Callable[[], None]] = [self.loop, self.branch, self.rounds] if self.depth < 2 else []
        self.random.choice([self.move, self.move, *calls, *nested])()


def program(seed: int) -> str:
    """A function as MLIR text."""
    made = Program(Random(seed), apart=seed % 4 == 0)
    for element, size in (("f32", 24), ("f32", 25), ("f16", 16), ("f8E4M3FN", 16), ("i32", 6), ("i1", 14)):
        made.allocate(element, size)
    for _ in range(made.random.randint(3, 7)):
        made.statement()
    for name, element, size in made.registers:
        kind = f"vector<{size}x{element}>"
        value = made.let(f"fly.ptr.load({name}) : (!fly.ptr<{element}, register>) -> {kind}")
        made.add(f"fly.ptr.store({value}, %out_{element}_{size}) : ({kind}, !fly.ptr<{element}, global>) -> ()")
    given = [f"%global_{element}: !fly.ptr<{element}, global>" for element in BITS]
    given += [f"%out_{e}_{size}: !fly.ptr<{e}, global>" for _, e, size in made.registers]
    return "\n".join([f"func.func @f({', '.join(dict.fromkeys(given))}) {{", *made.lines, "  func.return", "}"])


def run(module: Any, seed: int) -> list[list[int]]:
    """The memories of the arguments after the function has run."""
    (function,) = module.ops
    given = []
    for i, argument in enumerate(function.regions[0].block.args):
        bits = width_of(argument.type)
        given.append(At(memory(64 * bits, seed + 1000 * i), 0, bits))
    execute(module, given)
    return [at.memory for at in given]


def parsed(seed: int) -> Any:
    """The function, read and verified."""
    return parse_module(program(seed))


PIPELINES = (
    "unroll{all=true}",
    "unroll{all=true factor=2},fly-convert-atom-call-to-ssa-form",
    "fly-expand-work,fly-convert-atom-call-to-ssa-form",
    "fly-layout-lowering,fly-convert-atom-call-to-ssa-form,fly-promote-regmem-to-vectorssa",
)


def outcome(seed: int) -> dict[str, str]:
    """For each pipeline: does its result compute the `same`, or was it `refused`?"""
    module = parsed(seed)
    wanted = run(module, seed)
    return {pipeline: _outcome(module.clone(), pipeline, wanted, seed) for pipeline in PIPELINES}


def _outcome(module: Any, pipeline: str, wanted: list[list[int]], seed: int) -> str:
    try:
        for step in pipeline_of(pipeline):
            step.apply(context(), module)
        verify(module)
    except CompileError as error:
        return "refused" if "remain after rmem SSA promotion" in str(error) else f"{seed}: {error}"
    return "same" if run(module, seed) == wanted else f"{seed}: another result"
