"""`explore`: the explorer, or one picture, live in a notebook."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from tilewright.errors import UsageError
from tilewright.figures.draw import draw
from tilewright.figures.figure import Figure

if TYPE_CHECKING:
    from tilewright.notebook.widget import Explorer

INSTALL = "the widget needs the package anywidget: pip install 'tilewright[notebook]', or pip install anywidget"


def explore(
    obj: object = None,
    *,
    tab: str = "",
    inputs: Mapping[str, str] | None = None,
    kind: str | None = None,
    highlight: Sequence[object] = (),
    **options: object,
) -> Explorer:
    """A widget for Jupyter and marimo: the explorer's tabs, or one picture of `draw`, with its cells linked.

    A click holds a cell, which is then the widget's `held`; `tab` and `inputs` are the widget's, too.

    Args:
        obj: what `draw` takes, or a `Figure`; None: the tabs.
        tab: the tab that is shown first; empty: the first one.
        inputs: texts of its fields by their names, as `docs/explorer.md` lists them; others have their defaults.
        kind, highlight, options: those of `draw`, for an object.

    Raises:
        UsageError: anywidget is not installed, a tab that there is not, options of the tabs for a picture, or of a
            picture for the tabs, and what `draw` refuses.

    >>> import tilewright as tw
    >>> widget = tw.explore(tw.Layout((4, 8), (8, 1)))
    >>> widget.hold(offset=13)
    Held(coordinate=(1, 5), index=21, offset=13)
    >>> tw.explore(tab="banks", inputs={"tile": "(32,32):(33,1)"}).tab
    'banks'
    """
    made = explorer_class()
    if obj is None:
        if kind is not None or _are_given(highlight, options):
            raise UsageError("kind, highlight and other options are of pictures: give an object, as to tw.draw")
        return made(tab=tab, inputs=inputs)
    if _are_given(tab, inputs):
        raise UsageError("tab and inputs are of the explorer's tabs: give them, or an object, not both")
    return made(_figure(obj, kind, highlight, options))


def _are_given(*values: object) -> bool:
    """Is any more than None or empty? An array, which has no truth value, is."""
    return not all(x is None or (isinstance(x, Sequence | Mapping) and len(x) == 0) for x in values)


def _figure(obj: object, kind: str | None, highlight: Sequence[object], options: Mapping[str, object]) -> Figure:
    if not isinstance(obj, Figure):
        return draw(obj, kind=kind, highlight=highlight, **options)
    if kind is not None or _are_given(highlight, options):
        raise UsageError("a Figure is drawn already: give the options to tw.draw")
    return obj


def explorer_class() -> type[Explorer]:
    """The widget's class.

    Raises:
        UsageError: anywidget is not installed.
    """
    try:
        from tilewright.notebook.widget import Explorer
    except ModuleNotFoundError as error:
        if (error.name or "").startswith("tilewright"):
            raise
        raise UsageError(INSTALL) from None
    return Explorer
