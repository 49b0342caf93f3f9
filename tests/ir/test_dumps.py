"""FlyDSL's dumps parse, verify and print at every stage; foreign ops are kept as they stand; locations are read."""

from __future__ import annotations

import random
import re

import pytest
from dump_cases import fly_dumps, mutants

from tilewright.ir.diagnostics import DiagnosticError
from tilewright.ir.places import located
from tilewright.ir.reader import Source, problems, read
from tilewright.ir.text import print_module

# Small ones at every stage, every kernel at its first; a large one late.
LATE = "gemm.gfx942.08"
NAMES = [name for name, text in fly_dumps().items() if name.endswith(".00") or name == LATE or len(text) < 9_000]


def printed(name: str, text: str) -> str:
    found = read(Source(name, text))
    assert problems(found) == []
    return print_module(found.module)


@pytest.mark.parametrize("name", NAMES)
def test_a_dump_parses_verifies_and_prints_the_same_again(name: str) -> None:
    once = printed(name, fly_dumps()[name])
    assert printed("again", once) == once


@pytest.mark.parametrize("name", ["memrefs.gfx942.00", "add.gfx942.08"])
def test_ops_have_the_places_that_the_dump_says(name: str) -> None:
    text = fly_dumps()[name]
    aliases = dict(re.findall(r'^(#loc\d*) = loc\("/home/user/kernels.py":(\d+):\d+\)$', text, re.MULTILINE))
    found = read(Source(name, text))
    checked = 0
    for op, start in found.starts.items():
        said = re.search(r" loc\((#loc\d*)\)$", text[start : text.index("\n", start)])
        if said and said[1] in aliases:
            assert f":{aliases[said[1]]}:" in str(op.location).replace('"', ""), op
            checked += 1
    assert checked > 10


def test_taking_locations_out_moves_nothing() -> None:
    for name in NAMES[:10]:
        text = fly_dumps()[name]
        without = located(text).text
        assert len(without) == len(text)
        assert all(a == b or b == " " for a, b in zip(text, without, strict=True))
        assert "loc(" not in without


FOREIGN = """
gpu.module @m [#rocdl.target<chip = "gfx950">] {
  gpu.func @k(%a: memref<?xf32, strided<[?], offset: ?>>, %p: !llvm.ptr<1>) workgroup(%s: memref<64xf32, 3>) kernel {
    %t = gpu.thread_id x
    %v = memref.load %s[%t] : memref<64xf32, 3>
    %w = vector.load %a[%t] : memref<?xf32, strided<[?], offset: ?>>, vector<4xf32>
    %x = math.exp2 %v fastmath<fast> : f32
    %q:2 = rocdl.two %x, %v : (f32, f32) -> (f32, i32)
    %y = rocdl.mfma.f32.4x4x1f32 %q#0, %v, %w, 0, 0, 0 : (f32, f32, vector<4xf32>) -> vector<4xf32>
    rocdl.sched.barrier 0
    fly_ktrace.mark "tick"
    %b = fly_ktrace.range_start "phase" -> !fly_ktrace.token
    fly_ktrace.range_end %b, "phase" : !fly_ktrace.token
    %l = llvm.load %p {alignment = 4 : i64} : !llvm.ptr<1> -> i32
    gpu.return
  }
}
"""


def test_ops_of_dialects_that_are_not_there_are_kept_as_they_stand() -> None:
    once = printed("foreign", FOREIGN)
    assert printed("again", once) == once
    kept = ("math.exp2", "rocdl.two", "rocdl.mfma.f32.4x4x1f32", "rocdl.sched.barrier 0", "{alignment = 4 : i64}")
    assert all(words in once for words in ("fly_ktrace.mark", 'range_start "phase" -> !fly_ktrace.token'))
    assert all(words in once for words in (*kept, "workgroup(", '[#rocdl.target<chip = "gfx950">]'))


def test_a_foreign_op_ends_a_region_as_any_other_does() -> None:
    """The terminator that is not written behind it is there."""
    body = "  scf.if %c {\n    rocdl.s.wait.dscnt 0\n  } else {\n    rocdl.x 1\n  }\n"
    text = f"func.func @f(%c: i1) {{\n{body}  func.return\n}}\n"
    once = printed("ends", text)
    assert printed("again", once) == once
    assert re.search(r"dscnt 0\s+\} else \{\s+rocdl.x 1\s+\}", once)
    (branch,) = (op for op in read(Source("f", text)).module.walk() if op.name == "scf.if")
    last = [block.last_op for region in branch.regions for block in region.blocks]
    assert [op.name for op in last if op] == ["scf.yield"] * 2


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("%x = rocdl.f %y : f32", "%y is not defined"),
        ("%x:2 = rocdl.f : f32", "2 results, and the types f32"),
        ("%x = rocdl.f", "1 results, and the types none"),
        ("%x:2 = fly_ktrace.range_start -> i32", "2 results, and the types i32"),
        ("nothing.at_all", "Dialect `nothing' not found"),
    ],
)
def test_a_foreign_op_that_cannot_be_kept_is_refused_in_words(line: str, why: str) -> None:
    with pytest.raises(DiagnosticError, match=re.escape(why)):
        read(Source("f", f"func.func @f() {{\n  {line}\n  func.return\n}}"))


def test_mutants_are_read_or_refused_in_diagnostics() -> None:
    told = 0
    for text in mutants(random.Random(9), 80, [fly_dumps()[name] for name in NAMES]):
        try:
            problems(read(Source("mutant", text)))
        except DiagnosticError:
            told += 1
    assert told
