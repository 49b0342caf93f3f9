"""What the reader says of wrong text, in MLIR's words and where MLIR says it; and that aliases end."""

from __future__ import annotations

import pytest
from cpu import within

from tilewright.ir.diagnostics import Diagnostic, DiagnosticError
from tilewright.ir.mlir.sentences import SENTENCES
from tilewright.ir.reader import Source, problems, read


def told(text: str) -> Diagnostic:
    try:
        return problems(read(Source("a.mlir", text)))[0]
    except DiagnosticError as error:
        return error.diagnostic


def function(line: str) -> str:
    return f"func.func @f(%a: i32) {{\n  {line}\n  return\n}}"


@pytest.mark.parametrize(
    ("line", "column", "words"),
    [
        ("%l = fly.mak_layout(%a) : (i32) -> i32", 8, "custom op 'fly.mak_layout' is unknown"),
        ("%l = fyl.make_layout(%a) : (i32) -> i32", 8, "Dialect `fyl' not found for custom op 'fyl.make_layout'"),
        ("%l = fly.static : !fly.layuot<4:1>", 26, "unknown type `layuot` in dialect `fly`"),
        ("%é = fly.static : !fly.layout<4:1>", 3, "invalid SSA name"),
        ("%l = fly.size(%a)", 20, "expected ':'"),
        (
            "%l = fly.size(%a) : (i64) -> i32",
            17,
            "use of value '%a' expects different type than prior uses: 'i64' vs 'i32'",
        ),
        ("%x = arith.addi %a, %b : i32", 23, "use of undeclared SSA value name"),
        ("%x:2 = arith.addi %a, %a : i32", 3, "operation defines 1 results but was provided 2 to bind"),
        ("%a = arith.addi %a, %a : i32", 3, "redefinition of SSA value '%a'"),
        ("%x = arith.constant 5 : !t", 27, "undefined symbol alias id 't'"),
        ("cf.br ^bb3", 1, "reference to an undefined block"),
    ],
)
def test_the_words_and_the_places_are_those_of_mlir(line: str, column: int, words: str) -> None:
    found = told(function(line))
    assert found.message == words
    assert (found.line, found.column) == (2, column) or words.endswith("block")


@pytest.mark.parametrize("wrong", ["fly.mak_layout", "fyl.make_layout", "fly.make_layuot"])
def test_a_name_that_is_nearly_known_is_told(wrong: str) -> None:
    assert "did you mean 'fly.make_layout'?" in told(function(f"%l = {wrong}(%a) : (i32) -> i32")).notes


@pytest.mark.parametrize(
    ("line", "contradicts"),
    [
        ("%l = fly.size(%a) : (i64) -> i32", True),
        ("%x = arith.addi %a, %a : i64", True),
        ("cf.br ^two\n^one:\n  %x = arith.addi %y, %y : i64\n  cf.br ^two\n^two:\n  %y = arith.constant 3 : i32", True),
        ("%l = fly.mak_layout(%a) : (i32) -> i32", False),
        ("%l = fly.size(%a)", False),
        ("%a = arith.addi %a, %a : i32", False),
        ("%x = arith.addi %a, %b : i32", False),
        ("other.op %a", False),
    ],
)
def test_a_value_with_two_types_is_told_from_text_that_is_not_understood(line: str, contradicts: bool) -> None:
    with pytest.raises(DiagnosticError) as refused:
        read(Source("a.mlir", function(line)))
    assert refused.value.diagnostic.contradicts == contradicts


def test_text_that_ends_too_early_is_told_where_it_ends() -> None:
    found = told("func.func @f() {\n  return\n")
    assert (found.line, found.column, found.message) == (2, 9, "expected operation name in quotes")


def test_a_block_without_an_end_is_told_in_mlirs_words() -> None:
    found = told("func.func @f() {\n  %s = fly.static : !fly.layout<4:1>\n}")
    assert "block with no terminator" in found.message
    assert found.line == 2


def test_what_one_function_uses_no_other_defines() -> None:
    found = told(function("%x = arith.addi %a, %b : i32") + "\nfunc.func @g(%b: i32) {\n  return\n}")
    assert (found.line, found.column, found.message) == (2, 23, "use of undeclared SSA value name")


def test_a_symbol_that_is_there_again_is_told_at_both_places() -> None:
    found = told("func.func @f() {\n  return\n}\nfunc.func @g() {\n  return\n}\nfunc.func @f() {\n  return\n}")
    (first,) = found.others
    assert (found.line, found.message, first.line) == (7, "redefinition of symbol named 'f'", 1)
    assert str(found).endswith("a.mlir:1:1: note: see existing symbol definition here\nfunc.func @f() {\n^")


def test_no_sentence_is_reached_by_what_another_gives() -> None:
    given = [sentence.replace("{0}", "%a") for _, sentence in SENTENCES]
    assert not any(pattern.fullmatch(words) for pattern, _ in SENTENCES for words in given)


@pytest.mark.parametrize("depth", [14, 40])
@pytest.mark.parametrize(
    ("first", "next"),
    [
        ("!a0 = i32", "!a{i} = tuple<!a{j}, !a{j}>"),
        ("#a0 = 1", "#a{i} = [#a{j}, #a{j}]"),
        ("!a0 = i8", "!a{i} = (!a{j}, !a{j}) -> ()"),
    ],
)
def test_aliases_that_double_are_refused_soon(first: str, next: str, depth: int) -> None:
    lines = [first, *(next.format(i=i, j=i - 1) for i in range(1, depth + 1))]
    with within(1):
        found = told("\n".join(lines))
        assert "the aliases, written out, are more than 32768" in found.message
        assert lines[found.line - 1].startswith(f"{first[0]}a")


def test_aliases_that_do_not_grow_come_in_any_number() -> None:
    lines = ["!a0 = i32", *(f"!a{i} = !a{i - 1}" for i in range(1, 100))]
    functions = [f"func.func private @f{i}(!a99)" for i in range(1000)]
    assert len(list(read(Source("a.mlir", "\n".join([*lines, *functions]))).module.ops)) == 1000
