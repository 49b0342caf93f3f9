"""For users' own tests: a kernel against a reference, over sizes, types and seeds; what each thread computes."""

from __future__ import annotations

import inspect
import linecache
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import product
from types import FunctionType
from typing import TypeAlias, cast

import numpy as np
from numpy.typing import NDArray

from tilewright.arch.target import Target
from tilewright.dtypes import dtype as dtype_of
from tilewright.errors import SimulationError, TilewrightError, UsageError, shown
from tilewright.lang.core.numerics.numeric import Numeric
from tilewright.lang.fly.jit import Jit
from tilewright.lang.fly.results import MOST_RESULTS, results
from tilewright.lang.primfunc import PrimFunc
from tilewright.runtime.kernel import CompiledKernel
from tilewright.runtime.session import Session
from tilewright.targets.launch import MAX_THREADS
from tilewright.targets.simulator.observers.selection import Selection
from tilewright.targets.simulator.observers.trace_report import Event

Array: TypeAlias = NDArray[np.generic]
Size: TypeAlias = tuple[int, ...]
Runs: TypeAlias = Callable[..., object]
Kernel: TypeAlias = "Jit | CompiledKernel | PrimFunc | FunctionType"
MOST_TRIES = 100  # smaller sizes that are tried


def check_kernel(
    kernel: Kernel,
    reference: Callable[..., object],
    sizes: Sequence[int | Size],
    dtypes: Sequence[str] = ("float32",),
    seeds: Sequence[int] = (0,),
    *,
    arguments: Callable[[Size, str, np.random.Generator], Sequence[Array]] | None = None,
    rtol: float = 1e-5,
    atol: float = 1e-6,
) -> None:
    """Raises `AssertionError` unless the kernel gives what the reference does, in every case.

    The kernel is called as `kernel(*inputs, *outputs)` with outputs of zeros, of the shapes and types that
    `reference(*inputs)` gives. A case that fails is tried at smaller sizes; the message tells the smallest, the first
    element that differs, and who wrote it, with the line of the source.

    Args:
        kernel: a `flyc.jit` function, a compiled kernel, a `T.prim_func`, or a function of a size and the name of a
            type that gives one of these, as kernels of known shapes need.
        reference: from the inputs to the output, or a tuple of outputs, by numpy.
        sizes: an extent, or several: the shape of the inputs.
        dtypes: the types of the inputs. seeds: of their numbers, which are small integers.
        arguments: makes the inputs of a size, a type and a generator, where they are not one array for each parameter
            of the reference.
        rtol, atol: how far numbers may differ, as `numpy.allclose` has it; integers may not.

    Raises:
        AssertionError: a case fails. UsageError: there is no case, or no kernel.

    >>> from tilewright.script import tirx as T
    >>> def doubling(size, dtype):
    ...     (n,) = size
    ...     @T.prim_func
    ...     def double(A: T.Buffer((n,), dtype), B: T.Buffer((n,), dtype)):
    ...         bx = T.cta_id([n])
    ...         tx = T.thread_id([1])
    ...         B[bx] = A[bx] + A[bx]
    ...     return double
    >>> check_kernel(doubling, lambda a: 2 * a, sizes=[1, 7], dtypes=["float32", "int32"])
    >>> check_kernel(doubling, lambda a: 3 * a, sizes=[7])
    Traceback (most recent call last):
        ...
    AssertionError: size (1,), dtype float32, seed 0 (first at size (7,)): output 0 differs at (0,): ...
    """
    cases = [(_size(size), name, seed) for size, name, seed in product(sizes, dtypes, seeds)]
    if not cases:
        raise UsageError("check_kernel needs a size, a dtype and a seed at least")
    check = _Check(kernel, reference, arguments or _plain_arguments(reference), rtol, atol)
    for size, name, seed in cases:
        if check.fault(size, name, seed) is not None:
            raise AssertionError(check.told(check.smallest(size, name, seed), size, name, seed))


def _size(size: int | Size) -> Size:
    found = (size,) if isinstance(size, int) else tuple(size)
    if not found or not all(isinstance(n, int) and not isinstance(n, bool) and n > 0 for n in found):
        raise UsageError(f"a size is a positive extent, or several, got {shown(size)}")
    return found


def _plain_arguments(reference: Callable[..., object]) -> Callable[[Size, str, np.random.Generator], Sequence[Array]]:
    count = len(inspect.signature(reference).parameters)

    def made(size: Size, name: str, rng: np.random.Generator) -> list[Array]:
        kind = dtype_of(name)
        low = 0 if kind.kind == "uint" else -4
        return [cast("Array", rng.integers(low, 5, size).astype(kind.numpy())) for _ in range(count)]

    return made


@dataclass(frozen=True)
class Fault:
    """What went wrong in a case: what kind of thing, words, and of a wrong number its place in its output."""

    kind: type[SimulationError] | None
    words: str
    element: int | None = None


@dataclass(frozen=True)
class _Check:
    kernel: Kernel
    reference: Callable[..., object]
    arguments: Callable[[Size, str, np.random.Generator], Sequence[Array]]
    rtol: float
    atol: float

    def fault(self, size: Size, name: str, seed: int) -> Fault | None:
        """What is wrong in a case, if anything is."""
        inputs = list(self.arguments(size, name, np.random.default_rng(seed)))
        given = self.reference(*(x.copy() if isinstance(x, np.ndarray) else x for x in inputs))
        wanted = [np.asarray(x) for x in (given if isinstance(given, tuple) else (given,))]
        outputs = [np.zeros(x.shape, x.dtype) for x in wanted]
        try:
            _runs(self.kernel, size, name)(*inputs, *outputs)
        except SimulationError as error:
            return Fault(type(error), f"{type(error).__name__}: {error}")
        faults = (self._differs(i, got, true) for i, (got, true) in enumerate(zip(outputs, wanted, strict=True)))
        return next((found for found in faults if found is not None), None)

    def _differs(self, output: int, got: Array, wanted: Array) -> Fault | None:
        exact = got.dtype.kind in "iub"
        wide, true = (x if exact else x.astype(np.float64) for x in (got, wanted))
        same = wide == true if exact else np.isclose(wide, true, self.rtol, self.atol, equal_nan=True)
        if same.all():
            return None
        at = int(np.flatnonzero(~same.reshape(-1))[0])
        place = tuple(int(i) for i in np.unravel_index(at, got.shape))
        count = int(np.count_nonzero(~same))
        words = f"output {output} differs at {place}: {got[place]} instead of {wanted[place]}"
        return Fault(None, f"{words}; {count} of {got.size} elements differ", at)

    def smallest(self, size: Size, name: str, seed: int) -> Size:
        """The smallest size, of those that are tried, at which the case fails alike."""
        found, tries = self.fault(size, name, seed), MOST_TRIES
        assert found is not None, "it failed before"
        while True:
            for smaller in _smaller(size):
                tries -= 1
                if tries < 0:
                    return size
                if self._fails_alike(smaller, name, seed, found):
                    size = smaller
                    break
            else:
                return size

    def _fails_alike(self, size: Size, name: str, seed: int, wanted: Fault) -> bool:
        try:
            found = self.fault(size, name, seed)
            return found is not None and found.kind is wanted.kind
        except (TilewrightError, ValueError, IndexError):  # no size for this kernel, or for its reference
            return False

    def told(self, size: Size, first: Size, name: str, seed: int) -> str:
        """The message of a failure at a size, which was found at `first`."""
        with Session(selection=Selection.of()) as session:
            fault = self.fault(size, name, seed)
        assert fault is not None, "it failed before"
        events = [event for one in session.launches if one.trace is not None for event in one.trace.events]
        also = "" if size == first else f" (first at size {first})"
        lines = [f"size {size}, dtype {name}, seed {seed}{also}: {fault.words}"]
        return "\n".join([*lines, *_writers(events, fault.element)])


def _smaller(size: Size) -> Iterator[Size]:
    """Sizes with one extent less: 1, half, one less."""
    for i, n in enumerate(size):
        for less in dict.fromkeys((1, n // 2, n - 1)):
            if 0 < less < n:
                yield (*size[:i], less, *size[i + 1 :])


def _writers(events: Sequence[Event], element: int | None) -> Iterator[str]:
    """Who wrote an element last, of each array that was written there."""
    if element is None:
        return
    last = {
        event.op.buffer: event
        for event in events
        if event.op.kind == "store" and event.op.space in ("", "global") and event.element == element
    }
    if not last:
        yield f"nothing wrote element {element}"
    for name, event in last.items():
        where = f"{event.op.file}:{event.op.line}"
        yield f"{name}[{element}] was written last by thread {event.thread} of block {event.block}, {where}"
        yield f"    {linecache.getline(event.op.file, event.op.line).strip()}"


def _runs(kernel: object, size: Size, name: str) -> Runs:
    """What runs the kernel of a size and a type."""
    if isinstance(kernel, FunctionType):
        kernel = kernel(size, name)
    if isinstance(kernel, PrimFunc):
        return kernel.compile(target="simulator")
    if not isinstance(kernel, Jit | CompiledKernel):
        raise UsageError(
            f"check_kernel takes a flyc.jit function, a T.prim_func or what gives one, got {shown(kernel)}"
        )
    return kernel


def per_thread(function: Callable[[Numeric], object], threads: int, dtype: str = "int32") -> list[object]:
    """What each thread of one block computes of its number: the function's result, or a tuple of its results.

    For trying out what threads do together: traced as a kernel is, it runs on the simulator, in warps of 32 lanes.

    Args:
        function: from the thread's number, an `fx.Int32`, to a number, a vector, or a list or tuple of numbers.
        threads: of the block, which is one dimension.
        dtype: what results are converted to.

    Raises:
        KernelError: the function does what kernels cannot. SimulationError: it does something undefined.
        UsageError: a block cannot have so many threads, or results are more than 64.

    >>> import tilewright.expr as fx
    >>> per_thread(lambda i: i * i, 4)
    [0, 1, 4, 9]
    >>> per_thread(lambda i: (i, fx.shuffle_xor(i, 1, 2)), 4)
    [(0, 1), (1, 0), (2, 3), (3, 2)]
    """
    if type(threads) is not int or not 1 <= threads <= MAX_THREADS:
        raise UsageError(f"a block has 1 to {MAX_THREADS} threads, got {shown(threads)}")
    given, counts = np.zeros((threads, MOST_RESULTS), dtype_of(dtype).numpy()), list[int | None]()
    with Target():
        Jit(results.function)(given, function, counts, threads)
    rows = given[:, : counts[0] or 1].tolist()
    return [row[0] for row in rows] if counts[0] is None else [tuple(row) for row in rows]
