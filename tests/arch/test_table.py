"""The architectures as data: every table serves every lane, and what is unverified says so."""

from __future__ import annotations

import pytest

from tilewright import arch
from tilewright.arch.products import SOLD, sold_as
from tilewright.arch.spec import ArchSpec
from tilewright.errors import UsageError

SPECS = [arch.get(name) for name in arch.names()]


@pytest.mark.parametrize("spec", SPECS, ids=repr)
def test_sizes_are_those_of_a_gpu(spec: ArchSpec) -> None:
    assert spec.lanes in (32, 64)
    assert spec.shared_per_block <= spec.shared_per_unit
    assert spec.line_bytes % spec.sector_bytes == 0
    assert spec.vector_bytes in (16, 32)


@pytest.mark.parametrize("spec", SPECS, ids=repr)
def test_each_lane_is_served_once(spec: ArchSpec) -> None:
    for (_, width), rule in spec.rules.items():
        for groups in filter(None, (rule.groups, rule.merged)):
            assert sorted(lane for group in groups for lane in group) == list(range(spec.lanes))
            assert len({len(group) for group in groups}) == 1
        assert rule.source
        assert width * len(rule.groups[0]) <= 4 * rule.banks, "a group's bytes fit one pass over the banks"


@pytest.mark.parametrize("spec", SPECS, ids=repr)
def test_merged_groups_join_whole_groups(spec: ArchSpec) -> None:
    for rule in spec.rules.values():
        for merged in rule.merged:
            parts = [group for group in rule.groups if set(group) <= set(merged)]
            assert sorted(lane for group in parts for lane in group) == sorted(merged)


def test_the_two_b128_tables_of_amd_are_spans_over_f2() -> None:
    """MI300: l0, l1, l2^l4; MI350: l0, l1, l2^l3, l2^l4, with the rest of the lane's bits as the group's number."""
    for name, generators in (("gfx942", (1, 2, 4 | 16)), ("gfx950", (1, 2, 4 | 8, 4 | 16))):
        span = {0}
        for generator in generators:
            span |= {lane ^ generator for lane in span}
        for group in arch.get(name).rules["load", 16].groups:
            assert {lane ^ group[0] for lane in group} == span


def test_what_nothing_confirms_is_marked() -> None:
    assert not arch.get("sm_90").rules["stmatrix", 16].verified
    assert not arch.get("sm_90").rules["load", 16].merging_verified
    assert arch.get("sm_80").rules["load", 16].merging_verified
    assert not arch.get("sm_80").rules["store", 16].merging_verified
    assert not arch.get("gfx950").rules["load", 12].verified
    assert not any(rule.verified for rule in arch.get("gfx1100").rules.values())


def test_names_are_found_in_every_spelling() -> None:
    assert arch.get("sm_90a") is arch.get("cuda:sm_90a") is arch.get("SM90a") is arch.get(arch.get("sm_90a"))
    assert arch.get("hip:gfx942") is arch.get("gfx942:xnack-") is arch.get("gfx942")


@pytest.mark.parametrize(
    ("name", "hint"),
    [
        ("sm_91", "sm_90"),
        ("gfx94", "gfx942"),
        ("moon", "known: sm_70"),
        ("H100", "is sm_90$"),
        ("mi300x", "is gfx942$"),
    ],
)
def test_an_unknown_name_suggests_near_ones(name: str, hint: str) -> None:
    with pytest.raises(UsageError, match=hint):
        arch.get(name)


def test_an_instruction_that_is_not_there_says_which_are() -> None:
    with pytest.raises(UsageError, match="sm_75 has no stmatrix; it has ldmatrix, load, store"):
        arch.get("sm_75").rule("stmatrix", 16)
    with pytest.raises(UsageError, match="moves 1, 2, 4, 8 or 16 bytes per lane, not 12"):
        arch.get("sm_90").rule("load", 12)


def test_products_are_told_as_architectures_that_exist() -> None:
    assert {sold_as(name).split(" is ")[1] for name in SOLD} <= {*arch.names()}
    assert not any(map(sold_as, arch.names()))
