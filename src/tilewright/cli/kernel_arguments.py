"""`--arg name=zeros(8x8,float32)`, `--out name=FILE.npy`: arrays and numbers of a kernel's parameters, as data."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from io import BytesIO
from math import prod
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

from tilewright.cli.sources import existing
from tilewright.dtypes import DType, dtype
from tilewright.errors import TilewrightError, UsageError, close_names, shown
from tilewright.figures.files import refuse_existing, write
from tilewright.numerals import integer

if TYPE_CHECKING:
    import numpy as np

    from tilewright.targets.launch import Parameter

    Array: TypeAlias = np.ndarray[Any, np.dtype[Any]]  # of whatever type the kernel says

FORMS = "zeros, ones, arange, random, each also with (SHAPE,DTYPE) as in zeros(8x8,float32), or FILE.npy, or a number"
MOST_BYTES = 1 << 30
AT_ONCE = 1 << 20  # elements
NPY = ".npy"
ZEROS = "zeros"
_FORM = re.compile(r"(?P<kind>[a-z]+)(?:\((?P<shape>[0-9x]*)(?:,(?P<dtype>[A-Za-z0-9_]+))?\))?")
_LIMIT = 1 << 40


@dataclass(frozen=True)
class Given:
    """`name=what`: for which parameter, and what."""

    name: str
    what: str

    @staticmethod
    def parse(option: str, text: str) -> Given:
        """The two sides of `=`.

        Raises:
            UsageError: one of them is missing.
        """
        name, _, what = text.partition("=")
        if not name.strip() or not what.strip():
            raise UsageError(f"{option} takes name=.., got {shown(text)}")
        return Given(name.strip(), what.strip())


def arguments(parameters: Sequence[Parameter], given: Sequence[str], seed: int) -> list[Array | float]:
    """An array for each parameter, a number for one; zeros where nothing is given.

    Raises:
        UsageError: no such parameter or form, another shape or type, or a file that is none.
    """
    chosen = _by_name(parameters, "--arg", given)
    size = sum((p.size or 1) * p.element.bytes for p in parameters)
    if size > MOST_BYTES:
        raise UsageError(f"the arrays of this kernel take {size} bytes; at most {MOST_BYTES} are made here")
    return [_argument(parameter, chosen.get(parameter.name, ZEROS), seed) for parameter in parameters]


def outputs(parameters: Sequence[Parameter], given: Sequence[str], force: bool) -> dict[str, Path]:
    """The file that each named parameter is to be written to.

    Raises:
        UsageError: no such parameter, another ending than .npy, or a file that is there already.
    """
    found = {name: Path(what) for name, what in _by_name(parameters, "--out", given).items()}
    for path in found.values():
        if path.suffix != NPY:
            raise UsageError(f"--out writes {NPY} files, got {str(path)!r:.300}")
        refuse_existing(path, force=force)
    if len(set(found.values())) < len(found):
        raise UsageError("--out names one file for several arrays; give each its own")
    return found


def save(path: Path, given: Array | float, force: bool) -> None:
    """Writes an array as .npy; over another file only with force. Narrow floats, which the format has not, as bytes.

    Raises:
        UsageError: the file is there already, or cannot be written.
    """
    import numpy as np

    data, array = BytesIO(), np.asarray(given)
    np.save(data, array if array.dtype.isbuiltin == 1 else array.view(f"u{array.itemsize}"), allow_pickle=False)
    write(path, data.getvalue(), force=force)


def _by_name(parameters: Sequence[Parameter], option: str, given: Sequence[str]) -> dict[str, str]:
    names = [parameter.name for parameter in parameters]
    found: dict[str, str] = {}
    for one in (Given.parse(option, text) for text in given):
        if one.name not in names:
            close = close_names(one.name, names)
            hint = f"did you mean {close[0]!r}?" if close else f"it has {', '.join(names) or 'none'}"
            raise UsageError(f"{option}: the kernel has no parameter {shown(one.name)}; {hint}")
        if one.name in found:
            raise UsageError(f"{option} names {one.name!r} twice")
        found[one.name] = one.what
    return found


def _argument(parameter: Parameter, what: str, seed: int) -> Array | float:
    import numpy as np

    if what.endswith(NPY):
        return _loaded(parameter, what)
    if parameter.size is None and what != ZEROS:
        return _number(parameter, what)
    form = _FORM.fullmatch(what)
    if form is None or form["kind"] not in (ZEROS, *_MADE):
        raise UsageError(f"--arg {parameter.name}: no value {shown(what)}; there are {FORMS}")
    _check(parameter, form["shape"], form["dtype"])
    scalar, count = parameter.element.scalar, (parameter.size or 1) * parameter.element.lanes
    flat = np.zeros(count, scalar.numpy())
    if form["kind"] != ZEROS:
        make, rng = _MADE[form["kind"]], np.random.default_rng([seed, *parameter.name.encode()])
        with np.errstate(all="ignore"):
            for start in range(0, count, AT_ONCE):
                stop = min(start + AT_ONCE, count)
                flat[start:stop] = make(start, stop, scalar.is_float, rng).astype(flat.dtype)
    return flat.reshape(() if parameter.size is None else (-1,))


def _check(parameter: Parameter, shape: str | None, kind: str | None) -> None:
    """Raises `UsageError` where a shape or a type is said that the parameter has not."""
    if shape:
        extents = [integer(extent, _LIMIT) for extent in shape.split("x")]
        if None in extents or prod(extent or 0 for extent in extents) != (parameter.size or 1):
            raise UsageError(f"--arg {parameter.name}: {shape} is no shape of its {parameter.size or 1} elements")
    if kind:
        try:
            found: DType = dtype(kind)
        except TilewrightError as error:
            raise UsageError(f"--arg {parameter.name}: {error}") from None
        if found != parameter.element:
            raise UsageError(f"--arg {parameter.name}: it holds {parameter.element}, not {found}")


def _number(parameter: Parameter, what: str) -> float:
    found = integer(what, 1 << 64)
    if found is not None:
        return found
    try:
        if parameter.element.is_float:
            return float(what)
    except ValueError:
        pass
    raise UsageError(f"--arg {parameter.name}: a number of type {parameter.element}, got {shown(what)}")


def loaded_shape(parameter: str, name: str) -> tuple[int, ...]:
    """The shape of an array in a .npy file.

    Raises:
        UsageError: it is none.
    """
    return tuple(int(extent) for extent in _read(parameter, name).shape)


def _read(parameter: str, name: str) -> Array:
    import numpy as np

    try:
        found: Array = np.load(existing(name), allow_pickle=False)
    except (OSError, ValueError, EOFError) as error:
        raise UsageError(f"--arg {parameter}: {name!r:.300} is no .npy file: {error}") from None
    if not isinstance(found, np.ndarray):
        raise UsageError(f"--arg {parameter}: {name!r:.300} holds several arrays; one is needed")
    return found


def _loaded(parameter: Parameter, name: str) -> Array:
    import numpy as np

    found = _read(parameter.name, name)
    wanted = parameter.element.numpy()
    if found.dtype != wanted and found.dtype == f"u{wanted.itemsize}" and wanted.isbuiltin != 1:
        found = found.view(wanted)
    return np.ascontiguousarray(found).reshape(-1) if parameter.size is not None else found.reshape(())


def _ones(start: int, stop: int, is_float: bool, rng: np.random.Generator) -> Array:
    import numpy as np

    return np.ones(stop - start)


def _counted(start: int, stop: int, is_float: bool, rng: np.random.Generator) -> Array:
    import numpy as np

    return np.arange(start, stop)


def _random(start: int, stop: int, is_float: bool, rng: np.random.Generator) -> Array:
    return rng.random(stop - start) if is_float else rng.integers(0, 100, stop - start)


_MADE: Mapping[str, Callable[[int, int, bool, np.random.Generator], Array]] = {
    "ones": _ones,
    "arange": _counted,
    "random": _random,
}
