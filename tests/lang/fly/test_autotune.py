"""Of several configurations the one runs that costs least; searching changes no array."""

from __future__ import annotations

import contextlib
import inspect
from collections.abc import Iterator, Mapping

import numpy as np
import pytest

import tilewright
import tilewright.compiler as flyc
import tilewright.expr as fx
from tilewright.arch import Target
from tilewright.autotune import Autotuner, Config, autotune, do_bench
from tilewright.errors import CompileError, UsageError

WIDTHS = (1, 4)


@flyc.kernel
def add_one_kernel(A: fx.Tensor, width: fx.Constexpr[int]):
    """Every thread adds 1 to `width` elements that lie `width` apart from those of its neighbour."""
    i = fx.block_idx.x * 32 + fx.thread_idx.x
    for j in fx.range_constexpr(width):
        A[i * width + j] = A[i * width + j] + 1.0


@flyc.jit
def add_one(A: fx.Tensor, width: fx.Constexpr[int]):
    n = A.shape[0]
    add_one_kernel(A, width).launch(grid=n // (32 * width), block=32)


def tuned(**options: object) -> Autotuner:
    made: Autotuner = autotune([Config(width=width) for width in WIDTHS], **options)(add_one)  # type: ignore[arg-type]
    return made


def test_the_cheapest_runs_and_once() -> None:
    a = np.zeros(256, np.float32)
    costs = {}
    with Target("simulator:sm_90"):
        for width in WIDTHS:
            costs[width] = do_bench(lambda width=width: add_one(np.zeros(256, np.float32), width))
            assert costs[width] == do_bench(lambda width=width: add_one(np.zeros(256, np.float32), width), rep=1)
        add = tuned()
        add(a)
        assert (a == 1).all()
        assert add.best_config is not None
        assert add.best_config.kwargs["width"] == min(WIDTHS, key=lambda width: costs[width])
        assert {config.kwargs["width"]: cost for config, cost in add.costs.items()} == costs
        add.costs.clear()
        add(a)
        assert (a == 2).all()
        assert not add.costs  # nothing was searched


def test_a_bench_of_ones_own_hooks_and_the_default(monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[object] = []

    def cost(fn: object, warmup: int = 5, rep: int = 25) -> float:
        assert callable(fn)
        fn()
        return -len(seen)

    a = np.full(128, 5, np.float32)
    add = tuned(do_bench=cost, pre_hook=lambda named: seen.append(named["width"]), reset_to_zero=["A"])
    add(a)
    assert seen == [*WIDTHS, WIDTHS[-1]]
    assert (a == 6).all()
    monkeypatch.setenv("FLYDSL_AUTOTUNE", "0")
    fixed = tuned(default=Config(width=2))
    fixed(a)
    assert (a == 7).all()
    assert fixed.best_config is not None
    assert repr(fixed.best_config) == "Config(width=2)"


def test_what_does_not_run_is_not_chosen() -> None:
    a = np.zeros(128, np.float32)
    wrong = Config(width="wide")
    add = autotune([wrong, Config(width=4)])(add_one)
    add(a)
    assert (a == 1).all()
    with pytest.raises(UsageError, match=r"(?s)no configuration of add_one runs.*Config\(width='wide'\).*got 'wide'"):
        autotune([wrong])(add_one)(a)
    assert (a == 1).all()


def test_refusals() -> None:
    with pytest.raises(UsageError, match=r"no parameter 'widht'; did you mean 'width'"):
        autotune([Config(widht=3)])(add_one)
    with pytest.raises(UsageError, match="configs are one Config or more"):
        tilewright.autotune([])(add_one)
    assert tilewright.Config is Config


def test_a_configuration_that_its_check_refuses_is_out_and_who_selects_decides() -> None:
    seen: list[object] = []

    @contextlib.contextmanager
    def ones(given: Mapping[str, object]) -> Iterator[None]:
        a = given["A"]
        assert isinstance(a, np.ndarray)
        a[...] = 0
        yield
        seen.append(a.sum())
        assert len(seen) != 1, "the first one"

    a = np.full(256, 5, np.float32)
    add = tuned(validate_hook=ones)
    add(a)
    assert (a == 6).all()
    assert seen == [256, 256]
    assert [cost < np.inf for cost in add.costs.values()] == [False, True]
    assert add.best_config == Config(width=WIDTHS[1])
    dearest = tuned(select_config=lambda results: max(results, key=lambda pair: pair[1]))
    dearest(a)
    assert dearest.best_config == max(dearest.costs, key=lambda one: dearest.costs[one])
    with pytest.raises(UsageError, match="one of the measured"):
        tuned(select_config=lambda results: (results[0][0], -1.0))(a)


def test_parameters_are_the_releases() -> None:
    wanted = (
        "configs key warmup rep prune_configs_by reset_to_zero restore_value pre_hook post_hook do_bench default "
        "artifact_name validate_hook select_config"
    )
    assert sorted(inspect.signature(autotune).parameters) == sorted(wanted.split())


def test_what_is_kept_is_counted() -> None:
    function = flyc.jit(add_one.function)
    for width in (1, 4, 1, 1):
        function(np.zeros(256, np.float32), width)
    assert function.cache_info()[:3] == (2, 2, 2)
    made = tilewright.compile(add_one, ((256,), "float32"), 1, target="simulator:sm_90")
    assert made.max_blocks_per_cu() == 32
    with pytest.raises(CompileError, match="tilewright compile"):
        made.export_to_c(".", "x")
