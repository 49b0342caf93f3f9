"""Public classes, each with a right value, and what nobody means in place of its fields and arguments."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from typing import Any

import numpy
from hostile import complaint, nested

import tilewright as tw
from tilewright import Layout, Swizzle, SymInt, TilewrightError
from tilewright.layout.symbolic.comparison import divides
from tilewright.tirx.explain import ElementSteps, MemoryPlace, explain_element

MODULES = (tw, tw.atoms, tw.arch)
CLASSES: Mapping[str, type] = {
    name: value
    for module in MODULES
    for name in module.__all__
    if inspect.isclass(value := getattr(module, name)) and not isinstance(value, type(tw.Coord))
} | {cls.__name__: cls for cls in (ElementSteps, MemoryPlace)}
STEPS = explain_element(tw.parse("S[(8,64):(64@m,1@m)]"), (3, 5), (8, 64), 16)
N = SymInt("n", div=4)
DEEP = nested(10_000)
NONSENSE: tuple[Any, ...] = (
    *(None, -1, 0, 1.5, float("nan"), True, "x", "", b"x", (), (1,), (-1, "x"), (0, 0), [], [None], {}, object()),
    *(2**63, 10**30, 10**5000, -(10**5000), DEEP, (DEEP,), (None, None, None), ((1, 2), (3, 4))),
    *(Layout(4), Layout(()), Layout((4, ()), (1, ())), Layout(N), tw.make_identity_layout((4, 1)), Swizzle(3, 3, 3), N),
)
TILE = tw.parse("Sw<3,3,3> o 0 o (8,64):(64,1)")
LDMATRIX = tw.atoms.copy("SM75_U32x4_LDSM_N").with_element(16)
MMA = tw.make_tiled_mma(tw.atoms.mma("SM80_16x8x16_F32F16F16F32_TN"), Layout((2, 2, 1)), (32, 32, 16))
COPY = tw.make_tiled_copy_A(LDMATRIX, MMA)
UNDER_TMA = tw.suggest_swizzle(Layout((8, 64), (64, 1)), tw.Access(instruction="tma"), element_bits=16)[0]
EVEN = tw.GuardedLayout(Layout((N // 2, 2), (2, 1)), (divides(2, SymInt("k")),))
# A right value of each class that has fields, or arguments that make one.
VALUES: Mapping[str, Any] = {
    "ArchSpec": tw.arch.get("sm_90"),
    "PhaseRule": tw.arch.get("gfx942").rules["load", 16],
    "Target": tw.arch.Target("cuda:sm_90a"),
    "ElementSteps": STEPS,
    "MemoryPlace": STEPS.memory[0],
    "Access": tw.Access(Layout((8, 8), (1, 8)), 16),
    "AxisSum": tw.term(4, "laneid"),
    "Axis": tw.Axis.laneid,
    "BankReport": tw.bank_conflicts_at([0, 128] * 16, 4),
    "CanonicalTile": tw.recognise(TILE, "f16"),
    "CoalescingReport": tw.coalescing_at([4 * lane for lane in range(32)], 4),
    "ComposedLayout": TILE,
    "Config": tw.Config(num_warps=4, waves_per_eu=2),
    "CopyAtom": LDMATRIX,
    "Figure": tw.draw(Layout((4, 4))),
    "GuardedLayout": EVEN,
    "Layout": Layout((4, 8), (1, 4)),
    "LinearLayout": tw.to_linear(Layout((4, 8))),
    "MmaAtom": MMA.atom,
    "OperandDescriptor": tw.descriptor(TILE, "f16"),
    "PermuteSchedule": tw.permute_schedule(range(64), range(64), element_bytes=4),
    "SharedAtom": tw.atoms.shared_atoms.shared_atom("K_SW64"),
    "SourceLocation": tw.SourceLocation("kernel.py", 3, 4, "a = b"),
    "Swizzle": Swizzle(3, 3, 3),
    "SwizzleAdvice": UNDER_TMA,
    "SymInt": N,
    "TypedLayout": tw.TypedLayout(TILE, 16),
    "TensorMap": tw.TensorMap(numpy.zeros((64, 128), numpy.float16), (8, 64), "128B"),
    "TensorMapArguments": tw.tensor_map(Layout((64, 256), (256, 1)), TILE, "f16"),
    "TensorMapBox": UNDER_TMA.box,
    "Tensor": tw.Tensor(numpy.zeros((8, 64), numpy.float16), TILE),
    "ThrCopy": COPY.get_slice(3),
    "ThrMma": MMA.get_slice(3),
    "TiledCopy": COPY,
    "TiledMma": MMA,
}


def constructions(name: str) -> Iterator[tuple[str, Callable[..., Any], list[Any], dict[str, Any]]]:
    """The class called with nonsense: all of it, and in each field of a right value."""
    cls = CLASSES[name]
    for count in range(5):
        yield from ((name, cls, [value] * count, {}) for value in NONSENSE)
    right = fields(name)
    for field in right:
        yield from ((f"{name} {field}", cls, [], right | {field: value}) for value in NONSENSE)


def fields(name: str) -> dict[str, Any]:
    """By name, what makes the class's right value again."""
    try:
        parameters = inspect.signature(CLASSES[name]).parameters
    except ValueError:  # of what is made in C
        return {}
    value = VALUES.get(name)
    return {field: getattr(value, field) for field in parameters if hasattr(value, field)}


def made(name: str) -> Iterable[Any]:
    """The right value, and those that nonsense makes, those of one text once."""
    found = {repr(VALUES[name]): VALUES[name]} if name in VALUES else {}
    for _, cls, arguments, named in constructions(name):
        with suppress(TilewrightError, TypeError):  # others are told by the construction itself
            value = cls(*arguments, **named)
            found.setdefault(repr(value), value)
    return found.values()


def uses(value: Any, most: int) -> Iterator[tuple[str, Callable[..., Any], list[Any]]]:
    """Every attribute of a value read, every method called with nonsense; its text, its hash, its equality.

    Methods are called with up to 3 arguments, in as many of these numbers as `most`.
    """
    cls = type(value)
    yield from ((f"{cls.__name__} {ask.__name__}", ask, [value]) for ask in (repr, str, hash))
    yield from ((f"{cls.__name__} ==", cls.__eq__, [value, other]) for other in (value, *NONSENSE))
    for name in dir(cls):
        if not name.startswith("_") and not hasattr(BaseException, name):
            yield from _uses_of(value, name, most)


def _uses_of(value: Any, name: str, most: int) -> Iterator[tuple[str, Callable[..., Any], list[Any]]]:
    where = f"{type(value).__name__}.{name}"
    yield where, getattr, [value, name]
    try:
        method = getattr(value, name)
    except Exception:  # told by the line before
        return
    if callable(method):
        counts = [count for count in range(4) if _takes(method, count)][:most]
        yield from ((where, method, [given] * count) for count in counts for given in NONSENSE)


def _takes(method: Callable[..., Any], count: int) -> bool:
    """Does it take so many arguments?"""
    try:
        inspect.signature(method).bind(*[None] * count)
    except (TypeError, ValueError):
        return False
    return True


def troubles(name: str) -> Iterator[str]:
    """What is wrong with constructions of the class, and with what is done to what they make."""
    for what, function, arguments, named in constructions(name):
        yield complaint(what, function, arguments, named)
    for i, value in enumerate(made(name)):
        for what, function, arguments in uses(value, 1 if i else 4):
            yield complaint(what, function, arguments)
