"""Random `fly` kernels of blocks and waves: views static and run-time, copies by atoms, products, prints, and faults.

Every type is inferred. A kernel moves global memory through registers and shared memory, each thread to elements of
its own; in some a fault is planted, which every stage has to find in the same line.
"""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

import numpy as np
from fly_runs import Launch, Memory, stages

from tilewright.dtypes import dtype
from tilewright.ir.fly import infer
from tilewright.ir.fly.dialect_types import type_of
from tilewright.layout.layout import Layout
from tilewright.layout.operations import composition, raked_product, right_inverse

Typed = tuple[str, str]
BITS = {"f32": 32, "f16": 16, "i32": 32}
MFMA = "!fly.mma_atom<!fly_rocdl.cdna3.mfma<{}, ({}, {}) -> f32>>"
MFMAS = [("16x16x4", "f32"), ("16x16x16", "f16"), ("32x32x8", "f16"), ("32x32x2", "f32")]
FMA = "!fly.mma_atom<!fly.universal_fma<1x1x1, (f32, f32) -> f32>>"
FAULTS = ("", "", "", "", "far", "race", "unwritten", "coordinate", "aligned", "divergent")
SWIZZLES = ("", "", "S<1,4,3>", "S<2,4,3>", "S<3,4,3>")


class Kernel:
    """A kernel as it is written, with what it is launched with."""

    def __init__(self, seed: int) -> None:
        self.random = Random(seed)
        self.lines: list[str] = []
        self.parameters: list[str] = []
        self.arguments: list[Any] = []
        self.names = 0
        self.block, self.grid = self.random.choice([64, 128]), self.random.choice([1, 2, 3])
        self.fault = self.random.choice(FAULTS)
        self.planted = False
        self.strides: dict[str, tuple[int, int]] = {}  # of the matrices among the parameters
        self.checks: list[Callable[[list[Any], list[Any]], bool]] = []  # of what was there before, and after

    # ---- text

    def name(self) -> str:
        self.names += 1
        return f"%v{self.names}"

    def line(self, text: str) -> None:
        self.lines.append(f"    {text}")

    def op(self, op: str, *given: Typed, said: str = "", kind: str = "", before: str = "", **attributes: Any) -> Typed:
        """An op with one result, whose type is inferred where it is not given."""
        kinds = [type for _, type in given]
        kind = kind or infer(op, kinds, attributes or None)
        name = self.name()
        names = ", ".join(n for n, _ in given)
        self.line(f"{name} = fly.{op}({before}{names}){said} : ({', '.join(kinds)}) -> {kind}")
        return name, kind

    def do(self, op: str, *given: Typed, said: str = "") -> None:
        """An op without results."""
        names, kinds = ", ".join(n for n, _ in given), ", ".join(type for _, type in given)
        self.line(f"fly.{op}({names}){said} : ({kinds}) -> ()")

    def static(self, kind: str) -> Typed:
        name = self.name()
        self.line(f"{name} = fly.static : {kind}")
        return name, kind

    def number(self, value: int) -> Typed:
        name = self.name()
        self.line(f"{name} = arith.constant {value} : i32")
        return name, "i32"

    def arith(self, op: str, a: Typed, b: Typed) -> Typed:
        name = self.name()
        self.line(f"{name} = arith.{op} {a[0]}, {b[0]} : {a[1]}")
        return name, a[1]

    def tuple_(self, text: str, *numbers: Typed) -> Typed:
        return self.op("make_int_tuple", *numbers, kind=f"!fly.int_tuple<{text}>")

    def plant(self, fault: str) -> bool:
        """Is this the place for the kernel's fault?"""
        if self.fault != fault or self.planted:
            return False
        self.planted = True
        return True

    # ---- memory

    def parameter(self, kind: str, memory: Memory) -> Typed:
        name = f"%p{len(self.parameters)}"
        self.parameters.append(f"{name}: {kind}")
        self.arguments.append(memory)
        return name, kind

    def numbers(self, element: str, count: int) -> Any:
        rng = np.random.default_rng(self.random.randrange(1 << 30))
        return rng.integers(-8, 9, count).astype(dtype(element).numpy())

    def matrix(self, element: str, rows: int, columns: int) -> Typed:
        """A view of global memory, rows by columns, with strides known or not."""
        stride = columns + self.random.choice([0, 4, 8])
        size = rows * stride
        if self.plant("coordinate"):
            rows, size = rows - 1, size - stride
        way = self.random.choice(["static", "stride", "dynamic", "columns"])
        self.strides[f"%p{len(self.parameters)}"] = (1, rows) if way == "columns" else (stride, 1)
        if way == "static":
            return self.parameter(
                f"!fly.memref<{element}, global, ({rows},{columns}):({stride},1), align<16>>",
                Memory(self.numbers(element, size)),
            )
        if way == "stride":
            kind = f"!fly.memref<{element}, global, ({rows},{columns}):(?{{i64 div=4}},1), align<16>>"
            return self.parameter(kind, Memory(self.numbers(element, size), (stride,)))
        if way == "dynamic":
            kind = f"!fly.memref<{element}, global, (?,?):(?{{i64 div=4}},1), align<16>>"
            return self.parameter(kind, Memory(self.numbers(element, size), (rows, columns, stride)))
        kind = f"!fly.memref<{element}, global, (?,{columns}):(1,?)>"
        return self.parameter(kind, Memory(self.numbers(element, rows * columns), (rows, rows)))

    def vector(self, element: str, count: int) -> tuple[str, Typed]:
        """Registers of a thread, and the layout's text."""
        layout = f"{count}:1" if count > 1 else "1:0"
        made = self.static(f"!fly.layout<{layout}>")
        kind = f"!fly.memref<{element}, register, {layout}>"
        return layout, self.op("memref.alloca", made, kind=kind)

    def copy_atom(self, element: str, count: int, kind: str = "!fly.universal_copy") -> Typed:
        bits = BITS[element]
        type = f"!fly.copy_atom<{kind}<{bits * count}>, {bits}>"
        name = self.name()
        self.line(f"{name} = fly.make_copy_atom {{valBits = {bits} : i32}} : {type}")
        return name, type

    def seen(self, arrays: list[Any], parameter: int, rows: int, columns: int) -> Any:
        """A matrix among the parameters as numpy has it."""
        down, across = self.strides[f"%p{parameter}"]
        return arrays[parameter].reshape(-1)[np.add.outer(down * np.arange(rows), across * np.arange(columns))]

    # ---- what threads compute

    def own(self, element: str, count: int, more: int = 0) -> Typed:
        """The place of each thread's elements in a parameter of its own, as a pointer."""
        total = self.block * self.grid * count
        pointer = f"!fly.ptr<{element}, global, align<16>>"
        base = self.parameter(pointer, Memory(self.numbers(element, total + more)))
        at = self.arith("muli", ("%g", "i32"), self.number(count))
        if more and self.plant("far"):
            at = self.arith("addi", at, self.number(count + 8))
        text = f"?{{div={count}}}" if count > 1 and self.fault != "far" else "?"
        return self.op("add_offset", base, self.tuple_(text, at))

    def view(self, pointer: Typed, layout: str) -> Typed:
        kind = "composed_layout" if layout.startswith("S<") else "layout"
        return self.op("make_view", pointer, self.static(f"!fly.{kind}<{layout}>"))

    def out(self, element: str, count: int, view: Typed, layout: str) -> None:
        """Registers to global memory."""
        if count not in (1, 2, 4, 8) or self.random.random() < 0.5:
            value = self.op("memref.load_vec", view)
            self.do("memref.store_vec", value, self.view(self.own(element, count), layout))
        else:
            self.do("copy", self.copy_atom(element, count), view, self.view(self.own(element, count), layout))

    def changed(self, element: str, count: int, view: Typed) -> None:
        """The elements, changed where they are."""
        value = self.op("memref.load_vec", view)
        op = "addi" if element == "i32" else self.random.choice(["addf", "mulf", "subf"])
        self.do("memref.store_vec", self.arith(op, value, value), view)

    def through_registers(self) -> None:
        """Global memory to registers and back, by an atom of random width, perhaps under a condition."""
        element, count = self.random.choice([("f32", 1), ("f32", 2), ("f32", 4), ("f16", 4), ("f16", 8), ("i32", 4)])
        layout, registers = self.vector(element, count)
        source = self.own(element, count, 4)
        if count > 1 and self.plant("aligned"):
            source = self.op("add_offset", source, self.tuple_("1"))
        if not self.plant("unwritten"):
            self.do("copy_atom_call", self.copy_atom(element, count), self.view(source, layout), registers)
        if self.random.random() < 0.4:
            self.changed(element, count, registers)
        self.out(element, count, registers, layout)

    def conditional(self) -> None:
        """Registers that are written before, and copied over where a lane's condition holds."""
        element, count = self.random.choice([("f32", 4), ("f16", 4), ("f32", 1)])
        layout, registers = self.vector(element, count)
        self.do(
            "copy_atom_call", self.copy_atom(element, count), self.view(self.own(element, count), layout), registers
        )
        _, flag = self.vector("i1", 1)
        name, odd = self.name(), self.arith("andi", ("%t", "i32"), self.number(self.random.choice([1, 4, 63])))
        self.line(f"{name} = arith.cmpi ne, {odd[0]}, {self.number(0)[0]} : i32")
        self.do("memref.store", (name, "i1"), flag, self.tuple_("0"))
        source = self.view(self.own(element, count), layout)
        self.do("copy_atom_call", self.copy_atom(element, count), source, registers, flag)
        self.out(element, count, registers, layout)

    def buffers(self) -> None:
        """A buffer of fewer bytes than its memory, read and written."""
        count = self.random.choice([1, 2, 4])
        total = self.block * self.grid * count
        known = self.random.randrange(total + 8) * 4
        space = "#fly_rocdl.buffer_desc"
        layout, registers = self.vector("f32", count)
        atom = self.copy_atom("f32", count, "!fly_rocdl.cdna3.buffer_copy")
        none, flags, size = self.name(), self.number(159744), self.name()
        self.line(f"{none} = arith.constant 0 : i16")
        self.line(f"{size} = arith.constant {known} : i64")
        views = []
        for _ in range(2):
            base = self.parameter("!fly.ptr<f32, global>", Memory(self.numbers("f32", total + 8)))
            made = self.op("make_ptr", base, (none, "i16"), (size, "i64"), flags, kind=f"!fly.ptr<f32, {space}>")
            at = self.tuple_("?", self.arith("muli", ("%g", "i32"), self.number(count)))
            views.append(self.view(self.op("add_offset", made, at), layout))
        if self.random.random() < 0.5:
            kind, by = atom[1], self.number(self.random.randrange(4))
            moved = self.name()
            self.line(f'{moved} = fly.atom.set_value({atom[0]}, "soffset", {by[0]}) : ({kind}, i32) -> {kind}')
            atom = moved, kind
        self.do("copy_atom_call", atom, views[0], registers)
        self.changed("f32", count, registers)
        self.do("copy_atom_call", atom, registers, views[1])

    def elements(self) -> None:
        """Single elements of a matrix, by coordinates that are worked out of the thread."""
        rows, columns = self.grid * 4, self.block // 4
        view = self.matrix("f32", rows, columns)
        lane = self.random.choice([f"(4,{columns}):({columns},1)", f"(4,{columns}):(1,4)"])
        crd = self.op("idx2crd", self.tuple_("?", ("%t", "i32")), self.static(f"!fly.layout<{lane}>"))
        parts = []
        for i in range(2):
            leaf = self.op("get", crd, said=f" {{mode = array<i32: {i}>}}", mode=(i,))
            name = self.name()
            self.line(f"{name} = fly.get_scalar({leaf[0]}) : ({leaf[1]}) -> i32")
            parts.append((name, "i32"))
        row = self.arith("addi", parts[0], self.arith("muli", ("%b", "i32"), self.number(4)))
        at = self.tuple_("(?,?)", row, parts[1])
        value = self.op("memref.load", view, at)
        target = self.own("f32", 1)
        self.do("ptr.store", self.arith("addf", value, value), target)

    def tiles(self) -> None:
        """A tile of a matrix, divided among the threads, copied mode by mode."""
        rows, columns = 16, self.block // 4
        view = self.matrix("f32", rows * self.grid, columns)
        tile = self.op("zipped_divide", view, self.static(f"!fly.tile<[16|{columns}]>"))
        mine = self.op("slice", tile, self.op("make_coord", ("%b", "i32"), kind="!fly.int_tuple<(*,(?,0))>"))
        count = self.random.choice([1, 2, 4])
        tiler = f"!fly.tile<[4|{count}]>"
        parts = self.op("zipped_divide", mine, self.static(tiler))
        groups = 4 * (columns // count)
        lane = self.op(
            "idx2crd",
            self.tuple_("?", self.arith("remui", ("%t", "i32"), self.number(groups))),
            self.static(f"!fly.layout<(4,{columns // count}):(1,4)>"),
        )
        pair = [self.op("get", lane, said=f" {{mode = array<i32: {i}>}}", mode=(i,)) for i in range(2)]
        numbers = []
        for leaf in pair:
            name = self.name()
            self.line(f"{name} = fly.get_scalar({leaf[0]}) : ({leaf[1]}) -> i32")
            numbers.append((name, "i32"))
        chosen = self.op("slice", parts, self.op("make_coord", *numbers, kind="!fly.int_tuple<(*,(?,?))>"))
        registers = self.op("make_fragment_like", chosen)
        self.do("copy", self.copy_atom("f32", 1), self.flat(chosen), self.flat(registers))
        value = self.op("memref.load_vec", registers)
        target = self.view(self.own("f32", 4 * count), f"{4 * count}:1")
        self.do("memref.store_vec", value, target)

    def flat(self, view: Typed) -> Typed:
        """The view with a mode of one element before its others, which an atom of one element takes."""
        layout = self.op("get_layout", view)
        first = self.static("!fly.layout<1:0>")
        whole = self.op("prepend", layout, first)
        return self.op("make_view", self.op("get_iter", view), whole)

    def through_shared(self) -> None:
        """Each thread's elements to shared memory, and others' back, behind a barrier."""
        element, count = self.random.choice([("f32", 1), ("f32", 4), ("f16", 8), ("i32", 2), ("f16", 2)])
        swizzle = self.random.choice(SWIZZLES)
        total = self.block * count
        kind = f"!fly.ptr<{element}, shared, align<1024>{f', {swizzle}' if swizzle else ''}>"
        reach = -(-total * BITS[element] // 8 // 2048) * 2048 * 8 // BITS[element]
        shared = self.op("make_ptr", said=f" {{dictAttrs = {{allocSize = {reach} : i64}}}}", kind=kind)
        layout, registers = self.vector(element, count)
        self.do(
            "copy_atom_call", self.copy_atom(element, count), self.view(self.own(element, count), layout), registers
        )
        width = self.random.choice([n for n in (1, 2, 4, 8) if count % n == 0])
        self.each(element, count, width, registers, self.mine(shared, ("%t", "i32"), count), store=True)
        if self.plant("divergent"):
            self.line("scf.if %some {")
            self.line("  gpu.barrier")
            self.line("}")
        elif not self.plant("race"):
            self.line("gpu.barrier")
        step = self.random.choice([1, 7, 32, 33])
        other = self.arith("remui", self.arith("addi", ("%t", "i32"), self.number(step)), self.number(self.block))
        self.each(element, count, width, registers, self.mine(shared, other, count), store=False)
        self.out(element, count, registers, layout)
        self.line("gpu.barrier")

    def mine(self, shared: Typed, thread: Typed, count: int) -> Typed:
        at = self.arith("muli", thread, self.number(count))
        return self.op("add_offset", shared, self.tuple_(f"?{{div={count}}}" if count > 1 else "?", at))

    def each(self, element: str, count: int, width: int, registers: Typed, place: Typed, store: bool) -> None:
        """Registers to or from a place, in runs of that width."""
        layout = f"({width},{count // width}):(1,{width})" if count > width else f"{count}:1"
        inside = self.view(self.op("get_iter", registers), layout)
        views = [inside, self.view(place, layout)]
        self.do("copy", self.copy_atom(element, width), *(views if store else views[::-1]))

    def products(self) -> None:
        """A product of fragments of each thread, one element by one."""
        m, n, k = (self.random.choice([1, 2, 3]) for _ in range(3))
        order = self.random.choice(["", "", " {traversalOrder = #fly<gemm_traversal_order kmn>}"])
        name = self.name()
        self.line(f"{name} = fly.make_mma_atom : {FMA}")
        views = []
        for rows, columns in ((m, n), (m, k), (n, k)):
            layout = f"(1,{rows},{columns}):(0,1,{rows})"
            registers = self.op(
                "memref.alloca", self.static(f"!fly.layout<{layout}>"), kind=f"!fly.memref<f32, register, {layout}>"
            )
            self.do("copy", self.copy_atom("f32", 1), self.view(self.own("f32", rows * columns), layout), registers)
            views.append(registers)
        d, a, b = views
        self.do("gemm", (name, FMA), d, a, b, d, said=order)
        flat = f"{m * n}:1" if m * n > 1 else "1:0"
        self.out("f32", m * n, self.view(self.op("get_iter", d), flat), flat)

    def matrices(self) -> None:
        """A matrix instruction of each wave, on registers or in a loop."""
        shape, element = self.random.choice(MFMAS)
        m, _, k = map(int, shape.split("x"))
        atom, counts = MFMA.format(shape, element, element), (m * m // 64, m * k // 64, m * k // 64)
        name = self.name()
        self.line(f"{name} = fly.make_mma_atom : {atom}")
        views, layouts = [], []
        for count, kind in zip(counts, ("f32", element, element), strict=True):
            layout, registers = self.vector(kind, count)
            self.do(
                "copy",
                self.copy_atom(kind, 1 if count == 1 else 2),
                self.split(self.view(self.own(kind, count), layout), count),
                self.split(registers, count),
            )
            views.append(registers)
            layouts.append(layout)
        d, a, b = views
        self.do("mma_atom_call", (name, atom), d, a, b, d)
        self.looped(lambda: self.do("mma_atom_call", (name, atom), d, a, b, d))
        value = self.op("memref.load_vec", d)
        self.do("memref.store_vec", value, self.view(self.own("f32", counts[0]), layouts[0]))

    def split(self, view: Typed, count: int) -> Typed:
        """Two elements with each call, where there are so many."""
        return view if count <= 2 else self.view(self.op("get_iter", view), f"(2,{count // 2}):(1,2)")

    def looped(self, body: Callable[[], None]) -> None:
        """The body up to three times."""
        low, high, step = self.name(), self.name(), self.name()
        self.line(f"{low} = arith.constant 0 : index")
        self.line(f"{high} = arith.constant {self.random.randrange(4)} : index")
        self.line(f"{step} = arith.constant 1 : index")
        self.line(f"scf.for {self.name()} = {low} to {high} step {step} {{")
        body()
        self.line("}")

    def prints(self) -> None:
        """What one lane knows: numbers, coordinates, elements."""
        number = self.arith("muli", ("%g", "i32"), self.number(3))
        self.line("scf.if %first {")
        crd = self.op("idx2crd", self.tuple_("?", number), self.static("!fly.layout<(4,(2,8)):(1,(4,8))>"))
        made = self.op("make_layout", self.tuple_("(4,?)", number), self.tuple_("(1,4)"))
        self.do("print", number, crd, made, said=' {format = "{} at {} of {}"}')
        self.line("}")

    def branches(self) -> None:
        """Registers that one side of a branch writes, or both."""
        layout, registers = self.vector("f32", 2)
        both = self.random.random() < 0.5
        if not both:
            self.do("copy_atom_call", self.copy_atom("f32", 2), self.view(self.own("f32", 2), layout), registers)
        self.line("scf.if %some {")
        self.do("copy_atom_call", self.copy_atom("f32", 2), self.view(self.own("f32", 2), layout), registers)
        if both:
            self.line("} else {")
            self.do("copy_atom_call", self.copy_atom("f32", 2), self.view(self.own("f32", 2), layout), registers)
        self.line("}")
        self.out("f32", 2, registers, layout)

    # ---- tiled copies and products

    def tile_of(self, element: str, rows: int, columns: int) -> Typed:
        """The block's tile of a matrix."""
        view = self.matrix(element, rows * self.grid, columns)
        tiles = self.op("zipped_divide", view, self.static(f"!fly.tile<[{rows}|{columns}]>"))
        return self.op("slice", tiles, self.op("make_coord", ("%b", "i32"), kind="!fly.int_tuple<(*,(?,0))>"))

    def tiled_copies(self) -> None:
        """A tile from one matrix to another through registers, by tiled copies of random shape."""
        across = self.random.choice([4, 8, 16, 32])
        down, (vm, vn) = self.block // across, self.random.choice([(1, 1), (1, 2), (1, 4), (2, 4), (4, 1)])
        threads, values = Layout((down, across), (across, 1)), Layout((vm, vn), (vn, 1))
        whole = raked_product(threads, values)
        tv = composition(right_inverse(whole), Layout((self.block, vm * vn), (1, self.block)))
        tile = f"!fly.tile<[{down * vm}|{across * vn}]>"
        first = len(self.parameters)
        tiled = self.op("make_tiled_copy", self.copy_atom("f32", vn), self.static(str(type_of(tv))), self.static(tile))
        rows, columns = down * vm * self.random.choice([1, 2]), across * vn * self.random.choice([1, 2])
        thread = self.tuple_("?", ("%t", "i32"))
        source = self.op("tiled_copy.partition_src", tiled, self.tile_of("f32", rows, columns), thread)
        target = self.op("tiled_copy.partition_dst", tiled, self.tile_of("f32", rows, columns), thread)
        registers = self.op("make_fragment_like", source)
        self.do("copy", tiled, source, registers)
        factor = self.random.choice([1, 2])
        if factor == 2:
            value = self.op("memref.load_vec", registers)
            self.do("memref.store_vec", self.arith("addf", value, value), registers)
        self.do("copy", tiled, registers, target)
        shape = rows * self.grid, columns

        def moved(before: list[Any], after: list[Any]) -> bool:
            return np.array_equal(factor * self.seen(before, first, *shape), self.seen(after, first + 1, *shape))

        self.checks.append(moved)

    def tiled_products(self) -> None:
        """C = A B of a block's waves: parts by a tiled MMA, copies by atoms that match its operands."""
        shape, element = self.random.choice([("16x16x4", "f32"), ("16x16x16", "f16"), ("32x32x8", "f16")])
        m, _, k = map(int, shape.split("x"))
        atom, waves = MFMA.format(shape, element, element), self.block // 64
        name, spread = self.name(), self.random.choice([f"({waves},1,1):(1,0,0)", f"(1,{waves},1):(0,1,0)"])
        self.line(f"{name} = fly.make_mma_atom : {atom}")
        mma = self.op("make_tiled_mma", (name, atom), self.static(f"!fly.layout<{spread}>"))
        rows, columns, depth = (self.random.choice([1, 2]) for _ in range(3))
        rows, columns = m * waves * rows, m * waves * columns
        thread, held, first = self.tuple_("?", ("%t", "i32")), {}, len(self.parameters)
        for letter, kind, size in (("a", element, rows), ("b", element, columns), ("c", "f32", rows)):
            width = columns if letter == "c" else k * depth
            view = self.tile_of(kind, size, width)
            mine = self.op("tiled_mma.partition", mma, view, thread, before=f"{letter}, ", operand_id=letter)
            copy = self.op(f"make_tiled_copy_{letter.upper()}", self.copy_atom(kind, 1), mma)
            outside = self.op("tiled_copy.partition_src", copy, view, thread)
            registers = self.op("make_fragment_like", mine)
            inside = self.op("tiled_copy.retile", copy, registers)
            self.do("copy", copy, outside, inside)
            held[letter] = registers, copy, outside, inside
        d = held["c"][0]
        order = self.random.choice(["", " {traversalOrder = #fly<gemm_traversal_order knm_serpentine>}"])
        self.do("gemm", mma, d, held["a"][0], held["b"][0], d, said=order)
        self.do("copy", held["c"][1], held["c"][3], held["c"][2])
        depth *= k

        def multiplied(before: list[Any], after: list[Any]) -> bool:
            shapes = (rows, depth), (columns, depth), (rows, columns)
            a, b, c = (self.seen(before, first + i, m * self.grid, n) for i, (m, n) in enumerate(shapes))
            parts = [x.reshape(self.grid, -1, x.shape[1]).astype(np.float64) for x in (a, b, c)]
            wanted = parts[0] @ parts[1].swapaxes(1, 2) + parts[2]
            return np.array_equal(wanted.reshape(-1, columns), self.seen(after, first + 2, rows * self.grid, columns))

        self.checks.append(multiplied)

    # ---- a kernel

    def made(self) -> Launch:
        """The kernel with its launch."""
        units = [
            self.through_registers, self.conditional, self.buffers, self.elements, self.tiles, self.through_shared,
            self.products, self.matrices, self.prints, self.branches, self.tiled_copies, self.tiled_products,
        ]  # fmt: skip
        wanted = {
            "race": self.through_shared, "divergent": self.through_shared, "coordinate": self.elements,
            "unwritten": self.through_registers, "aligned": self.through_registers, "far": self.through_registers,
        }  # fmt: skip
        chosen = self.random.sample(units, self.random.randint(2, 4))
        if self.fault and wanted[self.fault] not in chosen:
            chosen.append(wanted[self.fault])
        for unit in chosen:
            unit()
        head = [
            "    %bx = gpu.block_id x", "    %tx = gpu.thread_id x",
            "    %b = arith.index_cast %bx : index to i32", "    %t = arith.index_cast %tx : index to i32",
            f"    %threads = arith.constant {self.block} : i32", "    %start = arith.muli %b, %threads : i32",
            "    %g = arith.addi %start, %t : i32", "    %half = arith.constant 32 : i32",
            "    %zero = arith.constant 0 : i32", "    %some = arith.cmpi ult, %t, %half : i32",
            "    %first = arith.cmpi eq, %t, %zero : i32",
        ]  # fmt: skip
        function = f"  gpu.func @k({', '.join(self.parameters)}) kernel {{"
        text = "\n".join(["gpu.module @m {", function, *head, *self.lines, "    gpu.return", "  }", "}", ""])
        return Launch(text, tuple(self.arguments), self.grid, self.block)


def kernel(seed: int) -> Launch:
    """The kernel of a seed."""
    return Kernel(seed).made()


def judged(seed: int) -> tuple[str, str]:
    """What became of a kernel: the class of its fault or `ran`; and which stage, if any, does otherwise."""
    made = Kernel(seed)
    launch, planted = made.made(), made.fault if made.planted else ""
    (_, first), *others = stages(launch)
    told = first.fault or "ran"
    if bool(planted) != bool(first.fault):
        return told, f"seed {seed}: planted {planted or 'nothing'}, found {first.said or 'nothing'}"
    before = [one.array for one in launch.arguments]
    after = [np.frombuffer(raw, one.dtype) for raw, one in zip(first.bytes, before, strict=False)]
    if after and not all(check(before, after) for check in made.checks):
        return told, f"seed {seed}: numpy computes something else"
    for name, outcome in others:
        if not first.agrees(outcome):
            return told, f"seed {seed}: {name}: {first.said or 'ran'} | {outcome.said or outcome.fault or 'ran'}"
    return told, ""
