"""Every number of `docs/fly.md` counted again, element by element: what FlyDSL's answers lose, and what ours hold."""

from __future__ import annotations

import re
from itertools import product
from pathlib import Path
from typing import Any

import pytest

from tilewright.errors import LayoutError
from tilewright.ir.fly.infer import infer
from tilewright.ir.fly.type_reader import read
from tilewright.layout.inttuple import flatten

TEXT = (Path(__file__).parents[3] / "docs" / "fly.md").read_text()


def table(heading: str) -> list[list[str]]:
    """The rows of the table of that heading, without the signs of code."""
    _, _, rest = TEXT.partition(f"{heading}\n")
    rows = rest[: rest.find("\n\n")].split("\n")[1:]
    assert rows, heading
    return [[cell.strip(" `") for cell in row.strip("|").split("|")] for row in rows]


LOST = table("| op | layout | tile | FlyDSL's answer | places |")
RECAST = table("| layout | old bits | new bits | FlyDSL's answer | bits | of its answer |")
ANSWERED = table("| op | layout | operand | answer |")
RAGGED = table("| op | operand | operand | where `?` is | FlyDSL's type | reached |")
NARROWED = table("| layout | old bits | new bits | where `?` is | FlyDSL's type | bits | of its type |")


def values(text: str) -> list[int]:
    """What the layout of a text gives, by its definition: in the order of its coordinates, the first mode fastest."""
    layout: Any = read(f"!fly.layout<{text}>")
    extents, strides = flatten(layout.shape), flatten(layout.stride)
    return [
        sum(i * d for i, d in zip(reversed(place), strides, strict=True))
        for place in product(*(range(extent) for extent in reversed(extents)))
    ]


def bits(text: str, width: int) -> set[int]:
    """The bits of its elements."""
    return {value * width + bit for value in values(text) for bit in range(width)}


def at(text: str, number: str) -> str:
    """The text of a type where its run-time leaf is the number; what stands in braces divides it."""
    return re.sub(r"\?(?:\{div=([0-9]+)\})?", lambda leaf: str(int(number) * int(leaf[1] or 1)), text)


def elements_of(layout: str) -> set[int]:
    """The elements of a layout, of which none lies on another."""
    found = values(layout)
    assert len(set(found)) == len(found)
    return set(found)


@pytest.mark.parametrize(("op", "layout", "tile", "answer", "places"), LOST)
def test_the_answer_of_a_refused_divide_loses_elements(
    op: str, layout: str, tile: str, answer: str, places: str
) -> None:
    found, elements = len(values(answer)), len(values(layout))
    assert f"{found} of {elements}" == places
    assert found < elements
    with pytest.raises(LayoutError, match=f"{elements - found} are lost, of which .* is the first; .* chains"):
        infer(op, [f"!fly.layout<{layout}>", f"!fly.layout<{tile}>"])


def test_the_tile_that_the_refusal_proposes_loses_none() -> None:
    for op, layout, tile, *_ in LOST:
        operands = [f"!fly.layout<{layout}>", f"!fly.layout<{tile}>"]
        with pytest.raises(LayoutError) as refusal:
            infer(op, operands)
        proposed = re.search(r"; (\S+) chains", str(refusal.value))
        assert proposed
        found = infer(op, [operands[0], f"!fly.layout<{proposed[1]}>"])
        assert sorted(values(found.removeprefix("!fly.layout<").removesuffix(">"))) == sorted(values(layout))


@pytest.mark.parametrize(("layout", "old", "new", "answer", "here", "there"), RECAST)
def test_the_answer_of_a_refused_recast_has_other_bits(
    layout: str, old: str, new: str, answer: str, here: str, there: str
) -> None:
    given, found = bits(layout, int(old)), bits(answer, int(new))
    assert (str(len(given)), str(len(found))) == (here, there)
    assert given != found
    with pytest.raises(LayoutError):
        infer("recast_layout", [f"!fly.layout<{layout}>"], {"old_type_bits": int(old), "new_type_bits": int(new)})


@pytest.mark.parametrize(("op", "layout", "operand", "answer"), ANSWERED)
def test_what_is_answered_keeps_its_law(op: str, layout: str, operand: str, answer: str) -> None:
    assert infer(op, [f"!fly.layout<{layout}>", f"!fly.layout<{operand}>"]) == f"!fly.layout<{answer}>"
    outer, found = values(layout), values(answer)
    if op == "composition":
        assert found == [outer[i] for i in values(operand)]
    else:
        assert len(set(found)) == len(found)
        assert set(outer) <= set(found)


@pytest.mark.parametrize(("op", "layout", "tile", "number", "answer", "reached"), RAGGED)
def test_a_ragged_divide_reaches_every_element_here_alone(
    op: str, layout: str, tile: str, number: str, answer: str, reached: str
) -> None:
    elements = elements_of(at(layout, number))
    assert f"{len(elements & set(values(at(answer, number))))} of {len(elements)}" == reached
    ours = infer(op, [f"!fly.layout<{at(layout, number)}>", f"!fly.layout<{tile}>"])
    assert elements <= set(values(ours.removeprefix("!fly.layout<").removesuffix(">")))


@pytest.mark.parametrize(("layout", "old", "new", "number", "answer", "here", "there"), NARROWED)
def test_a_recast_to_narrower_elements_keeps_all_bits_here_alone(
    layout: str, old: str, new: str, number: str, answer: str, here: str, there: str
) -> None:
    given = bits(at(layout, number), int(old))
    assert (str(len(given)), str(len(bits(at(answer, number), int(new))))) == (here, there)
    widths = {"old_type_bits": int(old), "new_type_bits": int(new)}
    ours = infer("recast_layout", [f"!fly.layout<{at(layout, number)}>"], widths)
    assert bits(ours.removeprefix("!fly.layout<").removesuffix(">"), int(new)) == given
