"""A kernel of FlyDSL's text for `tilewright run`: how it is launched, and what its parameters are given."""

from __future__ import annotations

import argparse
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from tilewright.cli.kernel_arguments import NPY, Given, loaded_shape
from tilewright.cli.options import extents
from tilewright.errors import CompileError, UsageError, close_names, shown
from tilewright.numerals import integer

if TYPE_CHECKING:
    from xdsl.dialects.builtin import ModuleOp
    from xdsl.dialects.gpu import LaunchFuncOp
    from xdsl.ir import Attribute, Operation

    from tilewright.arch import Target
    from tilewright.ir.fly.types import AnyLayout
    from tilewright.targets.simulator.fly.kernel import Function
    from tilewright.targets.simulator.fly.kernel import Given as Parameter

_CHIP = re.compile(r'(?:chip = )?"(?P<chip>(?:gfx|sm_)[0-9a-z]+)')
_FORM = re.compile(r"(?P<kind>[a-z]+)\((?P<shape>[0-9x]*)(?P<stride>:[0-9x]+)?(?P<rest>,[A-Za-z0-9_]+)?\)")
_LIMIT = 1 << 40
_KNOWN_BLOCK = ("known_block_size", "gpu.known_block_size", "rocdl.reqd_work_group_size")
Extents = tuple[int, int, int]


class Ready(NamedTuple):
    """A module that the simulator runs, its target, and what `--arg` is still to say of its memory and numbers."""

    module: ModuleOp
    target: Target
    rest: list[str]


def ready(func: Function, whole: ModuleOp, args: argparse.Namespace) -> Ready:
    """The kernel for the launch that the options, or the text, say.

    Raises:
        UsageError: an option is missing, or says what the parameters are not. CompileError: an op without a meaning.
    """
    from tilewright.targets.launch import kernel_of
    from tilewright.targets.simulator.fly.kernel import launched, unknown

    launch = _launch_of(func, whole)
    grid, block = (_extents(func, name, getattr(args, name), launch) for name in ("grid", "block"))
    given, rest = _arguments(func, args.arg)
    module = launched(func, given, grid, block, _shared(launch))
    refused = unknown(kernel_of(module).body.walk())
    if refused:
        _refuse(refused[0])
    return Ready(module, _target(func, args.target), rest)


def _refuse(op: Operation) -> None:
    from tilewright.ir.core.location import place
    from tilewright.ir.fly.foreign import name_of

    name = name_of(op)
    message = f"the simulator has no meaning for {name}"
    if name.startswith(("llvm.", "rocdl.", "fly_rocdl.")):
        message += "; run an earlier stage of the dump, before its conversion to llvm, or take it out"
    elif name.startswith("fly."):
        message += "; tilewright banks counts what its accesses cost"
    raise CompileError(f"{message}\n{place(op)}")


# ---- how it is launched


def _target(func: Function, option: str | None) -> Target:
    """The target of the options, else the simulator of the chip that the kernel's module names, or of one like it.

    Raises:
        UsageError: of that chip nothing is known here.
    """
    from tilewright.arch import Target, names
    from tilewright.atoms.available import family

    if option is not None:
        return Target(option)
    above = func.parent_op()
    text = "" if above is None else " ".join(map(str, above.attributes.values()))
    found = _CHIP.search(text)
    chip = found["chip"] if found else "gfx942"
    like = next((name for name in (chip, family(chip)) if name in names()), None)
    if like is None:
        unknown = "its lanes and the banks of its shared memory are not known here"
        raise UsageError(f"the module is for {chip}: {unknown}; --target simulator:ARCH runs it as another one")
    return Target(f"simulator:{like}")


def _launch_of(func: Function, whole: ModuleOp) -> LaunchFuncOp | None:
    from xdsl.dialects.gpu import LaunchFuncOp

    for op in whole.walk():
        if isinstance(op, LaunchFuncOp) and _called(op) == func.sym_name.data:
            return op
    return None


def _called(launch: LaunchFuncOp) -> str:
    names = (launch.kernel.root_reference, *launch.kernel.nested_references.data)
    return str(names[-1].data)


def _shared(launch: LaunchFuncOp | None) -> int | None:
    size = None if launch is None else launch.dynamicSharedMemorySize
    return None if size is None else _constant(size)


def _constant(value: object) -> int | None:
    from xdsl.ir import SSAValue

    from tilewright.ir.core.ranges import constant_of

    assert isinstance(value, SSAValue)
    return constant_of(value)


def _extents(func: Function, name: str, option: str | None, launch: LaunchFuncOp | None) -> Extents:
    """Those of the option; else of the function's attributes, or of a launch beside it whose numbers are known."""
    if option is not None:
        return extents(name, option)
    found = [_said(func.attributes.get(f"tile.{name}"))]
    if name == "block":
        found += [_said(func.attributes.get(key)) for key in _KNOWN_BLOCK]
    if launch is not None:
        at = (launch.gridSizeX, launch.gridSizeY, launch.gridSizeZ)
        if name == "block":
            at = (launch.blockSizeX, launch.blockSizeY, launch.blockSizeZ)
        found.append([number for x in at if (number := _constant(x)) is not None])
    known = next((x for x in found if len(x) == 3 and min(x) > 0), None)
    if known is None:
        raise UsageError(f"nothing says how many the {name} of {func.sym_name.data} has; give --{name} X,Y,Z")
    return known[0], known[1], known[2]


def _said(attribute: Attribute | None) -> list[int]:
    from xdsl.dialects.builtin import DenseArrayBase

    return [int(n) for n in attribute.get_values()] if isinstance(attribute, DenseArrayBase) else []


# ---- what its parameters are given


def _arguments(func: Function, options: Sequence[str]) -> tuple[list[Parameter], list[str]]:
    """What each parameter is given, and the options for the arrays and numbers that are left."""
    from tilewright.ir.fly.memories import pointer_of
    from tilewright.targets.simulator.fly.kernel import Given as Parameter
    from tilewright.targets.simulator.fly.kernel import inputs, parameter_leaves, require_global

    parameters = func.body.block.args[: inputs(func)]
    names = [argument.name_hint or f"arg{i}" for i, argument in enumerate(parameters)]
    chosen = _by_name(names, options)
    given: list[Parameter] = []
    rest: list[str] = []
    for name, argument in zip(names, parameters, strict=True):
        what = chosen.get(name)
        if (pointer := pointer_of(argument.type)) is not None:
            require_global(name, pointer, func)
            found, left = _memory(name, argument.type, what)
            given.append(found)
            rest.append(f"{name}={left}")
        elif count := parameter_leaves(argument.type):
            given.append(Parameter(None, _integers(name, what, count)))
        else:
            given.append(Parameter())
            rest += [f"{name}={what}"] * (what is not None)
    return given, rest


def _by_name(names: Sequence[str], options: Sequence[str]) -> Mapping[str, str]:
    found: dict[str, str] = {}
    for one in (Given.parse("--arg", text) for text in options):
        if one.name not in names:
            close = close_names(one.name, names)
            hint = f"did you mean {close[0]!r}?" if close else f"it has {', '.join(names) or 'none'}"
            raise UsageError(f"--arg: the kernel has no parameter {shown(one.name)}; {hint}")
        if one.name in found:
            raise UsageError(f"--arg names {one.name!r} twice")
        found[one.name] = one.what
    return found


def _integers(name: str, what: str | None, count: int) -> tuple[int, ...]:
    """The integers of a parameter that has no memory."""
    numbers = [integer(part.strip(), 1 << 63) for part in (what or "").split(",")] if what else []
    known = tuple(number for number in numbers if number is not None)
    if len(known) != count or len(numbers) != count:
        raise UsageError(
            f"--arg {name}: it is {count} integers, such as {name}={','.join(['8'] * count)}; got {shown(what)}"
        )
    return known


def _memory(name: str, kind: Attribute, what: str | None) -> tuple[Parameter, str]:
    """The elements and the leaves of a parameter's memory, and what is left of the option for its array."""
    from tilewright.ir.fly.dialect_types import FlyType
    from tilewright.ir.fly.types import MemRef
    from tilewright.targets.simulator.fly.kernel import Given as Parameter

    assert isinstance(kind, FlyType)
    layout = kind.value.layout if isinstance(kind.value, MemRef) else None
    form, shape, stride = _form(name, what)
    if layout is None:
        if shape is None:
            raise UsageError(f"--arg {name}: how many elements does it point at? such as {name}=zeros(1024)")
        count = _reach(shape, stride or _compact(shape))
        return Parameter(count), form.format(count)
    numbers, reached = _leaves(name, str(kind), layout, shape, stride)
    count = reached if shape is None or stride is not None else _count(shape)
    if count < reached:
        raise UsageError(f"--arg {name}: {kind} reaches {reached} elements, {shown(what)} has {count}")
    return Parameter(count, numbers), form.format(count)


def _form(name: str, what: str | None) -> tuple[str, list[int] | None, list[int] | None]:
    """The option with a hole for the number of elements, and the shape and strides that it says."""
    if what is None:
        return "zeros", None, None
    if what.endswith(NPY):
        return what.replace("{", "{{").replace("}", "}}"), list(loaded_shape(name, what)) or [1], None
    found = _FORM.fullmatch(what)
    if found is None:
        return what.replace("{", "{{").replace("}", "}}"), None, None
    shape = _numbers(name, found["shape"]) if found["shape"] else None
    stride = _numbers(name, found["stride"][1:]) if found["stride"] else None
    if stride is not None and (shape is None or len(shape) != len(stride)):
        raise UsageError(f"--arg {name}: as many strides as extents, such as zeros(8x16:16x1); got {shown(what)}")
    return f"{found['kind']}({{}}{found['rest'] or ''})" if shape else what, shape, stride


def _numbers(name: str, text: str) -> list[int]:
    found = [integer(part, _LIMIT) for part in text.split("x")]
    known = [number for number in found if number is not None]
    if len(known) != len(found) or not known:
        raise UsageError(f"--arg {name}: extents and strides are numbers, such as 8x16:16x1; got {shown(text)}")
    return known


def _leaves(
    name: str, kind: str, layout: AnyLayout, shape: list[int] | None, stride: list[int] | None
) -> tuple[tuple[int, ...], int]:
    """The integers of a layout's run-time leaves, and how many elements it reaches."""
    from tilewright.ir.fly.leaves import run_time_leaves
    from tilewright.ir.fly.normal_form import innermost
    from tilewright.targets.simulator.fly.values import filled
    from tilewright.targets.simulator.fly.views import reach

    flat = innermost(layout).flat
    if not run_time_leaves(layout):
        return (), reach(layout)
    if shape is None or len(shape) != len(flat):
        example = "x".join(str(s) if isinstance(s, int) else "8" for s, _ in flat)
        raise UsageError(
            f"--arg {name}: {kind} has extents that only you know: give them, as in {name}=zeros({example})"
        )
    strides = stride or next(_fitting(shape, [d for _, d in flat]), None)
    said = [*shape, *(strides or [])]
    wanted = [*(s for s, _ in flat), *(d for _, d in flat)]
    if strides is None or any(isinstance(w, int) and w != n for w, n in zip(wanted, said, strict=True)):
        raise UsageError(f"--arg {name}: {shape} does not fit {kind}; say strides too, as in 8x16:16x1")
    numbers = tuple(n for w, n in zip(wanted, said, strict=True) if not isinstance(w, int))
    if len(numbers) != len(run_time_leaves(layout)):
        raise UsageError(f"--arg {name}: a layout with run-time offsets is no parameter that can be given: {kind}")
    found = filled(layout, numbers)
    return numbers, reach(found)  # type: ignore[arg-type]  # a layout again


def _fitting(shape: Sequence[int], wanted: Sequence[object]) -> Iterator[list[int]]:
    """Strides of a compact array, rows first or columns first, that are those that are known."""
    rows, columns = _compact(shape), _compact(shape[::-1])[::-1]
    for strides in (rows, columns):
        pairs = zip(shape, strides, wanted, strict=True)
        if all(s == 1 or not isinstance(w, int) or w == n for s, n, w in pairs):
            yield [n if s != 1 or not isinstance(w, int) else w for s, n, w in zip(shape, strides, wanted, strict=True)]


def _compact(shape: Sequence[int]) -> list[int]:
    strides, step = [], 1
    for extent in reversed(shape):
        strides.append(step)
        step *= extent
    return strides[::-1]


def _reach(shape: Sequence[int], strides: Sequence[int]) -> int:
    return 1 + sum((s - 1) * d for s, d in zip(shape, strides, strict=True)) if _count(shape) else 0


def _count(shape: Sequence[int]) -> int:
    total = 1
    for extent in shape:
        total *= extent
    return total
