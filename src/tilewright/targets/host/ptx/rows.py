"""What instructions of PTX do on the CPU: a row each, the pattern of their names and the statement of C++.

In a statement `$0` is the first operand, `$1+` the second one and those behind it, `${name}` a part of the name. Its
functions are those of the headers in `targets/host/shim/`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache

from tilewright.errors import CompileError
from tilewright.ir.tile.pairs import PAIRS
from tilewright.targets.c_emitter.narrow import expression
from tilewright.targets.host.ptx.assembly import Instruction, Value, Values, statements
from tilewright.targets.host.ptx.matrices import MATRICES
from tilewright.targets.host.ptx.tables import Tables
from tilewright.targets.host.ptx.tensor import TENSOR

_SCOPES = "(cta|cluster|gpu|sys)"
_COUNTS = r"mbarrier::complete_tx::bytes"
_RANK = "[1-5]d"

ROWS: Mapping[str, str] = {
    # What orders memory: fibers take turns, and memory is one.
    r"fence\..*": "",
    r"setmaxnreg\..*": "",
    r"wgmma\.(fence|commit_group|wait_group)\.sync\.aligned": "",
    # Registers and addresses.
    r"setp\.ne\.b32": "$0 = ($1) != $2",
    r"selp\.u32": "$0 = $3 ? $1 : $2",
    r"mapa\.u64": "$0 = tw::mapa($1, $2)",
    r"cvta\.to\.shared::cluster\.u64": "$0 = tw::to_cluster($1)",
    rf"ld\.(relaxed|acquire)\.{_SCOPES}\.u(?P<bits>32|64)": "$0 = tw::asked<std::uint${bits}_t>($1)",
    rf"st\.(relaxed|release)\.{_SCOPES}\.u(?P<bits>32|64)": "tw::put<std::uint${bits}_t>($0, $1)",
    # Narrow floats.
    r"cvt\.(u8\.u16|u16\.u8)": "$0 = $1",
    r"cvt\.rna\.tf32\.f32": "$0 = tw_as<unsigned int>(tw_cut($1, false))",
    r"cvt\.rn\.tf32\.f32": "$0 = tw_as<unsigned int>(tw_cut($1, true))",
    **{re.escape(f"cvt.{row.name}"): f"$0 = {expression(row, '$1', '$2')}" for row in PAIRS.values()},
    # Words.
    r"prmt\.b32": "$0 = ::tw_prmt($1, $2, $3)",
    r"lop3\.b32": "$0 = ::tw_lop3<$4>($1, $2, $3)",
    # Barriers.
    r"bar\.sync": "tw::bar($0, $1, true)",
    r"bar\.arrive": "tw::bar($0, $1, false)",
    r"barrier\.cluster\.arrive(\.\w+)*": "tw::cluster_arrive()",
    r"barrier\.cluster\.wait(\.\w+)*": "tw::cluster_wait()",
    # mbarriers.
    r"mbarrier\.init\.shared\.b64": "tw::mbarrier_init($0, $1)",
    r"mbarrier\.inval\.shared\.b64": "tw::mbarrier_inval($0)",
    r"mbarrier\.arrive(\.\w+\.(cta|cluster))?\.shared(::cluster)?\.b64": "tw::mbarrier_arrive($1+)",
    r"mbarrier\.expect_tx\.relaxed\.(cta|cluster)\.shared::(cta|cluster)\.b64": "tw::mbarrier_expect($0, $1)",
    r"mbarrier\.arrive\.expect_tx(\.\w+\.(cta|cluster))?\.shared(::cluster)?\.b64": "tw::mbarrier_arrive_expect($1+)",
    r"mbarrier\.test_wait\.parity\.shared\.b64": "$0 = tw::mbarrier_test($1, $2)",
    r"mbarrier\.try_wait\.parity\.shared\.b64": "$0 = tw::mbarrier_try($1, $2)",
    r"cp\.async\.mbarrier\.arrive\.shared\.b64": "tw::copies_arrive($0, false)",
    r"cp\.async\.mbarrier\.arrive\.noinc\.shared\.b64": "tw::copies_arrive($0, true)",
    # Tensor memory.
    r"tcgen05\.(relinquish_alloc_permit|wait|fence)\W.*": "",
    r"tcgen05\.alloc\.cta_group::[12]\.sync\.aligned\.shared::cta\.b32": "tw::tensor_allocate($0, $1)",
    r"tcgen05\.dealloc\.cta_group::[12]\.sync\.aligned\.b32": "tw::tensor_release($0, $1)",
    r"tcgen05\.commit\.cta_group::[12]\.mbarrier::arrive::one\.shared::cluster(\.multicast::cluster)?\.b64": (
        "tw::tensor_commit($0+)"
    ),
    # Copies that go on by themselves.
    r"cp\.async\.c[ag]\.shared\.global": "tw::cp_async($0+)",
    r"cp\.async\.commit_group": "tw::current->copies.commit()",
    r"cp\.async\.wait_group": "tw::current->copies.wait($0)",
    r"cp\.async\.wait_all": "tw::current->copies.finish()",
    r"cp\.async\.bulk\.commit_group": "tw::current->bulk.commit()",
    r"cp\.async\.bulk\.wait_group(\.read)?": "tw::current->bulk.wait($0)",
    rf"cp\.async\.bulk\.shared::cluster\.global\.{_COUNTS}(\.multicast::cluster)?": "tw::bulk_load($0+)",
    rf"cp\.async\.bulk\.shared::cluster\.shared::cta\.{_COUNTS}": "tw::bulk_share($0+)",
    r"cp\.async\.bulk\.global\.shared::cta\.bulk_group": "tw::bulk_store($0+)",
    r"cp\.reduce\.async\.bulk\.global\.shared::cta\.bulk_group\.(?P<how>\w+)\.(noftz\.)?(?P<type>\w+)": (
        "tw::bulk_store($0+, {${how}, ${type}})"
    ),
    rf"cp\.async\.bulk\.tensor\.{_RANK}\.shared::cluster\.global\.tile\.{_COUNTS}(\.multicast::cluster)?": (
        "tw::tensor_load($0, $1, {{$2}}, $3+)"
    ),
    rf"cp\.async\.bulk\.tensor\.{_RANK}\.global\.shared::cta\.tile\.bulk_group": "tw::tensor_store($0, {{$1}}, $2)",
    rf"cp\.reduce\.async\.bulk\.tensor\.{_RANK}\.global\.shared::cta\.(?P<how>\w+)\.tile\.bulk_group": (
        "tw::tensor_store($0, {{$1}}, $2, ${how})"
    ),
    rf"st\.async\.weak\.shared::cluster\.{_COUNTS}(\.v[24])?\.\w+": "tw::store_there($0, $2, tw::move, $1)",
    rf"red\.async\.relaxed\.cluster\.shared::cluster\.{_COUNTS}\.(?P<how>\w+)\.(?P<type>\w+)": (
        "tw::store_there($0, $2, {${how}, ${type}}, $1)"
    ),
}
# How the headers call the parts of names.
_TYPES = ("f16", "bf16", "f32", "f64", "s32", "u32", "s64", "u64")
_WORDS = {"min": "least", "max": "most", "and": "both", "or": "either", "xor": "odd", "b32": "u32", "b64": "u64"}
WORDS: Mapping[str, str] = {**{x: f"tw::{x}" for x in ("add", *_TYPES)}, **{x: f"tw::{y}" for x, y in _WORDS.items()}}
_PLACE = re.compile(r"\$([0-9])(\+?)|\$\{(\w+)\}")


def without_assembly(source: str) -> tuple[str, str]:
    """The text with calls where it had inline PTX, and the tables that these need, which stand before it.

    Raises:
        CompileError: nobody here knows what an instruction does.

    >>> without_assembly('asm volatile("bar.sync %0, %1;" :: "r"(barrier), "r"(64) : "memory");')[0]
    'tw::bar(barrier, 64, true);'
    """
    tables, parts, at = Tables(), [], 0
    for start, end, made in statements(source):
        done = list(filter(None, (called(one, tables) for one in made.instructions)))
        used = set(re.findall(r"\w+", " ".join(done)))
        declared = [f"{kind} {name} = 0" for name, kind in made.registers if name in used]
        text = "; ".join([*declared, *done])
        parts += [source[at:start], f"{{ {text}; }}" if len(declared) + len(done) > 1 else text]
        at = end
    return "".join([*parts, source[at:]]), tables.text()


def called(instruction: Instruction, tables: Tables) -> str:
    """The statement of C++ for an instruction."""
    for pattern, made in _patterns():
        found = pattern.fullmatch(instruction.name)
        if found and isinstance(made, str):
            return _filled(made, instruction.operands, found)
        if found and not isinstance(made, str):
            return made(instruction, tables)
    raise CompileError(f"nothing on the CPU does what the instruction {instruction.name} of PTX does")


@lru_cache(maxsize=1)
def _patterns() -> Sequence[tuple[re.Pattern[str], str | Callable[[Instruction, Tables], str]]]:
    return [(re.compile(name), made) for rows in (ROWS, MATRICES, TENSOR) for name, made in rows.items()]


def _filled(statement: str, operands: Sequence[Value | Values], name: re.Match[str]) -> str:
    def put(place: re.Match[str]) -> str:
        if place[3]:
            return WORDS.get(name[place[3]], name[place[3]])
        first = int(place[1])
        return ", ".join(map(_told, operands[first:] if place[2] else operands[first : first + 1]))

    return _PLACE.sub(put, statement)


def _told(operand: Value | Values) -> str:
    return ", ".join(operand.texts) if isinstance(operand, Values) else operand.text
