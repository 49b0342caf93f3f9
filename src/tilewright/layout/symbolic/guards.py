"""Guards: what the algebra had to assume about run-time values, kept beside the layout that it then gave.

Where an operation asks for the truth of an undecided condition, `under_guards` tries the truth that it has for typical
values, and the other one where that leads to a refusal. The assumptions of the way that succeeds are the guards of the
result: under them the result is what the same operation gives for the values themselves. So no rule of the algebra is
written twice.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, NoReturn, TypeVar, overload

from tilewright.errors import LayoutError, shown, typed_fields
from tilewright.layout.axes import AxisSum
from tilewright.layout.base import LayoutBase
from tilewright.layout.composed import ComposedLayout
from tilewright.layout.inttuple import MAX_DEPTH, IntTuple
from tilewright.layout.layout import Layout, sources_of
from tilewright.layout.symbolic.conditions import Condition, OpenQuestion, UndecidedError, assuming
from tilewright.layout.symbolic.evaluation import is_typical
from tilewright.layout.symbolic.symint import SymInt
from tilewright.layout.symbolic.work import TooMuchWorkError

if TYPE_CHECKING:
    from numpy import int64
    from numpy.typing import NDArray

    from tilewright.layout.axes import Presented, Value
    from tilewright.layout.extent import Extent
    from tilewright.layout.indexing import Coord, Coordinate, Position, Positions

R = TypeVar("R")

MAX_ATTEMPTS = 64

Assumptions = dict[Condition, bool]


@dataclass(frozen=True, slots=True, repr=False)
@typed_fields
class GuardedLayout(LayoutBase):
    """A layout that is the right answer where its guards hold. `substitute` checks them.

    It prints as the layout, evaluates as the layout, and every operation takes it: the guards go along. What reads
    its strides needs to say that it knows the guards, by `.layout`.

    Raises:
        UsageError: a field of another type.

    >>> from tilewright.layout.operations import select
    >>> from tilewright.layout.symbolic.comparison import divides
    >>> n = SymInt("n")
    >>> even = GuardedLayout(Layout((n // 2, 2), (2, 1)), (divides(2, n),))
    >>> print(select(even, 1, 0), *select(even, 1, 0).guards)
    (2,?):(1,2) n % 2 == 0
    """

    layout: Layout | ComposedLayout
    guards: tuple[Condition, ...]

    def __post_init__(self) -> None:
        if not self.guards:
            raise LayoutError(f"{self.layout} has no guards: it is the layout itself")

    @property
    def shape(self) -> IntTuple:
        """The shape where the guards hold."""
        return self.layout.shape

    if TYPE_CHECKING:
        size: ClassVar[Extent]
        cosize: ClassVar[Extent]
    else:

        @property
        def size(self) -> int:
            """The number of coordinates where the guards hold."""
            return self.layout.size

        @property
        def cosize(self) -> int:
            """The largest value + 1 where the guards hold."""
            return self.layout.cosize

    @property
    def rank(self) -> int:
        """The number of top-level modes."""
        return int(self.layout.rank)

    @property
    def depth(self) -> int:
        """The nesting depth of the shape."""
        return int(self.layout.depth)

    @overload
    def __call__(self, *coord: Position) -> Value: ...  # type: ignore[overload-overlap]  # as of a plain layout
    @overload
    def __call__(self, *coord: Positions) -> NDArray[int64]: ...  # type: ignore[overload-overlap]  # an array of one counts as a number
    @overload
    def __call__(self, *coord: Coord) -> LayoutBase: ...
    @overload
    def __call__(self, *coord: Coordinate) -> Presented | NDArray[int64] | LayoutBase: ...
    def __call__(self, *coord: Coordinate) -> Value | Presented | NDArray[int64] | LayoutBase:
        """The value at a coordinate where the guards hold."""
        found = self.layout(*coord)
        return guarded(found, self.guards) if isinstance(found, LayoutBase) else found

    def __getitem__(self, mode: int | slice) -> LayoutBase:
        """One mode, under the same guards."""
        return guarded(self.layout[mode], self.guards)

    def __iter__(self) -> Iterator[LayoutBase]:
        return (self[i] for i in range(self.rank))

    def __len__(self) -> int:
        return self.rank

    def __getattr__(self, name: str) -> NoReturn:
        if name in {"stride", "flat", "inner", "outer", "offset", "over_inner", "recast"}:
            raise UndecidedError(self.guards[0])
        raise AttributeError(f"{type(self).__name__} has no attribute {shown(name)}")

    def __str__(self) -> str:
        return str(self.layout)

    def __repr__(self) -> str:
        return f"<GuardedLayout {self.layout} where {' and '.join(map(str, self.guards))}>"


def guarded(layout: LayoutBase, guards: tuple[Condition, ...]) -> LayoutBase:
    """The layout with the guards beside it."""
    if not guards:
        return layout
    if isinstance(layout, GuardedLayout):
        return GuardedLayout(layout.layout, tuple(dict.fromkeys((*layout.guards, *guards))))
    return GuardedLayout(layout, guards) if isinstance(layout, Layout | ComposedLayout) else layout


def _all_guarded(value: object, guards: tuple[Condition, ...]) -> object:
    """The layouts in `value` with the guards beside them; anything else as it is."""
    if isinstance(value, tuple):
        return tuple(_all_guarded(item, guards) for item in value)
    return guarded(value, guards) if isinstance(value, LayoutBase) else value


def under_guards(function: Callable[..., object], args: tuple[object, ...], options: Mapping[str, object]) -> object:
    """`function(*args)` under the weakest assumptions found, which become guards of the result.

    Raises:
        LayoutError: every way leads to a refusal (it is that of the first way), or the result is no layout, beside
            which guards could travel.
    """
    known: list[Condition] = []
    plain = [_unguarded(arg, known) for arg in args]
    named = {name: _unguarded(value, known) for name, value in options.items()}
    result, assumed = search(lambda: function(*plain, **named), dict.fromkeys(known, True))
    guards = tuple(c if truth else c.negated() for c, truth in assumed.items())
    if guards and not _has_layout(result):
        raise UndecidedError(guards[0])
    return _all_guarded(result, guards) if guards else result


def depends_on_run_time(value: object, levels: int = MAX_DEPTH) -> bool:
    """Is there a run-time integer, or a guard, in the tuple, layout or integer? (Deeper tuples are no operands.)"""
    if isinstance(value, tuple | list):
        return levels > 0 and any(depends_on_run_time(item, levels - 1) for item in value)
    if isinstance(value, Layout):
        return bool(sources_of(value)) or depends_on_run_time((value.shape, value.stride))
    if isinstance(value, ComposedLayout):
        return depends_on_run_time((value.outer, value.offset, value.inner))
    if isinstance(value, AxisSum):
        return any(isinstance(v, SymInt) for _, v in value.terms)
    return isinstance(value, SymInt | GuardedLayout)


def search(attempt: Callable[[], R], known: Assumptions) -> tuple[R, Assumptions]:
    """What `attempt()` gives under the first assumptions, beside the known ones, that lead to no refusal; and they.

    Depth first over the truths of the conditions asked for; a condition in the way of a refusal is turned round.
    """
    ways = [known]
    refusals: list[LayoutError] = []
    for _ in range(MAX_ATTEMPTS):
        assumed = ways.pop()
        try:
            with assuming(assumed):
                return attempt(), assumed
        except OpenQuestion as question:
            first = is_typical(question.condition)
            ways += [assumed | {question.condition: not first}, assumed | {question.condition: first}]
        except TooMuchWorkError:
            raise
        except LayoutError as error:
            refusals.append(error)
            if not ways:
                raise refusals[0] from None
    raise LayoutError(f"undecided: more than {MAX_ATTEMPTS} cases of the run-time values")


def _has_layout(value: object) -> bool:
    return isinstance(value, LayoutBase) or (isinstance(value, tuple) and any(map(_has_layout, value)))


def _unguarded(value: object, known: list[Condition], levels: int = MAX_DEPTH) -> object:
    """The layouts in `value` without their guards, which become known."""
    if isinstance(value, LayoutBase):
        return _plain(value, known)
    if isinstance(value, tuple | list) and levels:
        return tuple(_unguarded(item, known, levels - 1) for item in value)
    return value


@overload
def _plain(layout: Layout | ComposedLayout | GuardedLayout, known: list[Condition]) -> Layout | ComposedLayout: ...
@overload
def _plain(layout: LayoutBase, known: list[Condition]) -> LayoutBase: ...
def _plain(layout: LayoutBase, known: list[Condition]) -> LayoutBase:
    if isinstance(layout, GuardedLayout):
        known.extend(layout.guards)
        return layout.layout
    if isinstance(layout, ComposedLayout):
        outer = _plain(layout.outer, known) if isinstance(layout.outer, LayoutBase) else layout.outer
        return ComposedLayout(outer, layout.offset, _plain(layout.inner, known))
    return layout
