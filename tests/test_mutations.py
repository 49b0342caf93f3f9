"""Every mutant of the lists quotes a line of today's source, once; `make mutants` judges them."""

from __future__ import annotations

import pytest
from mutations.__main__ import sampled
from mutations.lists import LISTS
from mutations.mutant import SOURCE, Mutant

MUTANTS = [mutant for part in LISTS for mutant in part.MUTANTS]


@pytest.mark.parametrize("file", sorted({mutant.file for mutant in MUTANTS}))
def test_mutants_are_edits_of_the_source(file: str) -> None:
    text = (SOURCE / file).read_text()
    stale = [str(mutant) for mutant in MUTANTS if mutant.file == file and not _is_edit(mutant, text)]
    assert stale == []


def _is_edit(mutant: Mutant, text: str) -> bool:
    return text.count(mutant.old) == 1 and mutant.old != mutant.new


@pytest.mark.parametrize("tests", sorted({path for mutant in MUTANTS for path in mutant.tests.split()}))
def test_tests_of_mutants_exist(tests: str) -> None:
    assert (SOURCE.parents[1] / "tests" / tests.partition("::")[0]).exists()


def test_a_sample_is_of_every_list_and_the_same_every_time() -> None:
    named = [(mutant, part.__name__) for part in LISTS for mutant in part.MUTANTS]
    found = sampled(named, 300)
    assert found == sampled(named, 300)
    assert abs(len(found) - 300) <= len(LISTS)
    assert len(set(map(str, found))) == len(found)
    for part in LISTS:
        drawn, whole = (sum(name == part.__name__ for _, name in of) for of in (found, named))
        assert 0 < drawn <= whole
        assert abs(drawn - 300 * whole / len(named)) < 1
