"""Which kinds of operands ops take: what is of another kind is named, and nothing but our errors comes out."""

from __future__ import annotations

from functools import partial

import pytest
from fly_kinds import ATTRIBUTES, EVERY_KIND, admitted, call_of
from fly_outcomes import GOOD, outcome
from strategies import Dice

from tilewright.ir.fly.infer import InferenceError, result_types
from tilewright.ir.fly.kinds import INT_TUPLE, TILE
from tilewright.ir.fly.table import TABLE
from tilewright.ir.fly.type_reader import read
from tilewright.ir.fly.type_writer import write


@pytest.mark.parametrize("name", TABLE)
def test_calls_with_operands_of_every_kind_give_types_or_our_refusals(name: str) -> None:
    found = [outcome(Dice(seed), partial(call_of, name=name)) for seed in range(50)]
    assert [made for made in found if made[1] not in GOOD] == []


@pytest.mark.parametrize("name", [name for name, row in TABLE.items() if row.kinds and not row.written])
def test_an_operand_of_another_kind_is_named_with_what_was_expected(name: str) -> None:
    row = TABLE[name]
    given = {a.names[0]: ATTRIBUTES[a.names[0]][-1] for a in row.attributes}
    operands = [admitted(operand.kind)[0] for operand in row.kinds]
    for i, operand in enumerate(row.kinds):
        for text in EVERY_KIND:
            if read(text) in operand.kind:
                continue
            with pytest.raises(InferenceError) as refusal:
                result_types(name, [*operands[:i], text, *operands[i + 1 :]], given)
            assert refusal.value.notes == (f"operand #{i} is {write(read(text))}, expected {operand.kind}",)
            assert refusal.value.sentence.startswith(operand.kind.sentence.partition("{")[0])


def test_kinds_are_joined() -> None:
    either = INT_TUPLE | TILE
    assert all(value in either for value in (3, (4, (None, 5)), read("!fly.tile<[4|8]>")))
    assert not any(value in either for value in (read("i32"), read("!fly.layout<4:1>"), "4"))
    assert str(either) == "an int tuple or a tile"
