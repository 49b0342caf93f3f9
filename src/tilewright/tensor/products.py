"""`gemm`: products of tensors by an MMA atom, or by a tiled MMA, as a kernel's threads compute them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tilewright.atoms.mma import MmaAtom
from tilewright.atoms.tiled_mma import TiledMma
from tilewright.errors import LayoutError, UsageError, shown
from tilewright.layout.inttuple import modes, product, to_text
from tilewright.tensor.tensor import Tensor

if TYPE_CHECKING:
    from tilewright.dtypes import DType
    from tilewright.tensor.memory import Elements


def gemm(mma_atom: MmaAtom | TiledMma, d: Tensor, a: Tensor, b: Tensor, c: Tensor) -> None:
    """d = a b + c: d[m, n] becomes the sum over k of a[m, k] b[n, k], and c[m, n].

    By an atom of one thread, such as `UniversalFMA`, it is what `fx.gemm` does with a thread's fragments: the modes are
    (V,M,N), (V,M[,K]) and (V,N[,K]), and each (m, n, k) is a call. Of an atom whose threads multiply together no
    thread's fragments can be multiplied alone: a tiled MMA of it takes whole tiles (M,N), (M,K) and (N,K). Ragged ones
    are refused: a kernel's fragments are rounded up and gemm leaves nothing out, so there as here whole tiles of zeros
    are filled by a copy with a predicate, multiplied, and stored by a copy with one.

    Each K of an atom is summed in binary64 and rounded to the type of D; integers wrap.

    Raises:
        UsageError: no atom, no tensors, other element types than the atom's, one thread's fragments of what threads do
            together, atoms spread along K, whose partial sums nobody adds, and sparse or scaled ones.
        LayoutError: extents that are not each other's, or no whole tiles; two elements of d in one place.

    >>> import numpy
    >>> from tilewright.atoms.universal import universal_fma
    >>> a, b, d = (Tensor(numpy.full(shape, 2.0, "float32")) for shape in ((1, 3), (1, 2), (1, 3, 2)))
    >>> gemm(universal_fma(), d, a, b, d)
    >>> d.load().tolist()
    [6.0, 6.0, 6.0, 6.0, 6.0, 6.0]
    """
    atom = _atom(mma_atom)
    for tensor, wanted in zip((d, a, b, c), atom.dtypes, strict=True):
        _require(tensor, wanted, atom)
    alone = atom.threads == 1
    at, bt, ct, dt = (_as_calls(x, atom) if alone else _as_tile(x, mma_atom) for x in (a, b, c, d))
    if at.shape[-1] != bt.shape[-1] or dt.shape != ct.shape or dt.shape != (at.shape[0], bt.shape[0]):
        raise LayoutError(
            f"gemm: D of {_text(d)} is no product of A of {_text(a)} and B of {_text(b)}, added to {_text(c)}"
        )
    if not alone:
        _require_tiles(mma_atom, atom, (*dt.shape, at.shape[-1]))
    d.store(_product(at, bt, ct, atom).ravel(order="F"))


def mma_atom_call(mma_atom: MmaAtom | TiledMma, d: Tensor, a: Tensor, b: Tensor, c: Tensor) -> None:
    """One call of `gemm` by an atom: tensors that hold what it takes, and no more.

    Raises:
        UsageError: no MMA atom, or no tensors.
        LayoutError: a tensor whose size is not the operand's number of values.

    >>> import numpy
    >>> from tilewright.atoms.universal import universal_fma
    >>> two, sum = Tensor(numpy.full(1, 2.0, "float32")), Tensor(numpy.ones(1, "float32"))
    >>> mma_atom_call(universal_fma(), sum, two, two, sum)
    >>> sum.load().tolist()
    [5.0]
    """
    atom = _atom(mma_atom)
    for letter, tensor in zip("CABC", (d, a, b, c), strict=True):
        values = atom.tv_layout(letter).size if atom.threads > 1 else atom.tv_layout(letter)[1].size
        if isinstance(tensor, Tensor) and tensor.size != values:
            raise LayoutError(f"a call of {atom.name} takes {values} elements of {letter}, got {tensor!r}")
    gemm(mma_atom, d, a, b, c)


def _atom(value: object) -> MmaAtom:
    found = value.atom if isinstance(value, TiledMma) else value
    if not isinstance(found, MmaAtom):
        raise UsageError(f"gemm takes an MMA atom or a tiled MMA, got {shown(value)}; tw.make_mma_atom")
    if found.sparsity != 1 or found.scale is not None:
        raise UsageError(f"{found.name} takes metadata or scale factors; gemm of tensors has none")
    return found


def _require(tensor: object, wanted: DType, atom: MmaAtom) -> None:
    if not isinstance(tensor, Tensor):
        raise UsageError(f"gemm multiplies tensors, got {shown(tensor)}; write tw.Tensor(array, layout)")
    if tensor.dtype != wanted:
        raise UsageError(f"{atom.name} takes {wanted}, got {tensor!r}")


def _as_calls(tensor: Tensor, atom: MmaAtom) -> Elements:
    """A thread's fragment without the mode of its values, of which an atom of one thread has one."""
    extents = [product(mode) for mode in modes(tensor.shape)]
    if extents[0] != 1 or len(extents) > 3:
        raise LayoutError(
            f"a call of {atom.name} takes one element, the modes are (V,M,N), (V,M[,K]), (V,N[,K]): {tensor!r}"
        )
    rest = (*extents[1:], 1, 1)[:2]
    return tensor.load().reshape(rest, order="F")


def _as_tile(tensor: Tensor, tiled: MmaAtom | TiledMma) -> Elements:
    if not isinstance(tiled, TiledMma) or tensor.rank != 2:
        atom = _atom(tiled)
        raise UsageError(
            f"{atom.threads} threads multiply together by {atom.name}: no thread's fragments tell what it gets; "
            f"give gemm a tiled MMA and whole tiles (M,N), (M,K), (N,K), got {tensor!r}"
        )
    return tensor.load().reshape([product(mode) for mode in modes(tensor.shape)], order="F")


def _require_tiles(tiled: MmaAtom | TiledMma, atom: MmaAtom, shape: tuple[int, ...]) -> None:
    assert isinstance(tiled, TiledMma)
    if tiled.thr_layout_vmnk[3].size > 1:
        raise UsageError(f"{tiled} spreads atoms along K: each thread has a part of the sum, which nobody adds here")
    if any(n % m for n, m in zip(shape, tiled.tile_size_mnk, strict=True)):
        raise LayoutError(
            f"gemm: {to_text(shape)} is no whole number of tiles {to_text(tiled.tile_size_mnk)} of {tiled}"
        )


def _product(a: Elements, b: Elements, c: Elements, atom: MmaAtom) -> Elements:
    """The sums of one atom after the other, each rounded to the type of D."""
    import numpy

    kind, step = atom.dtypes[0], atom.shape_mnk[2] if atom.threads > 1 else 1
    wide = numpy.int64 if kind.is_integer else numpy.complex128 if kind.kind == "complex" else numpy.float64
    found = c
    for k in range(0, a.shape[1], step):
        part = a[:, k : k + step].astype(wide) @ b[:, k : k + step].astype(wide).T
        with numpy.errstate(over="ignore", invalid="ignore"):
            found = (part + found.astype(wide)).astype(kind.numpy())
    return found


def _text(tensor: Tensor) -> str:
    return to_text(tensor.shape)
