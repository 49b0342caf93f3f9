"""Tensor-memory copies of Blackwell: tcgen05.ld, tcgen05.st and tcgen05.cp. Layouts in bits.

tcgen05.ld moves `lanes` rows of tensor memory, `repeat` times a column group of `width` bits, to a warp's registers;
tcgen05.st is the way back. tcgen05.cp carries shared memory to tensor memory for the whole CTA, or a pair.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from tilewright.atoms.copy_atom import CopyAtom
from tilewright.atoms.registry import Row
from tilewright.layout.layout import Layout

WARP = Layout(32)


def _shape_16x256(r: int) -> Layout[int]:
    return _with_repeat(((4, 8), (64, 2)), ((64, 256 * r), (1, 2048 * r)), r, 256)


def _shape_16x128(r: int) -> Layout[int]:
    return _with_repeat(((4, 8), (32, 2)), ((32, 128 * r), (1, 1024 * r)), r, 128)


def _shape_16x64(r: int) -> Layout[int]:
    if r == 1:
        return Layout(((2, 2, 8), 32), ((512, 32, 64), 1))
    return Layout(((2, 2, 8), (32, r)), ((512 * r, 32, 64 * r), (1, 64)))


def _shape_16x32(r: int) -> Layout[int]:
    return Layout(((16, 2), 32 * r), ((64 * r, 32 * r), 1))


def _shape_32x32(r: int) -> Layout[int]:
    return Layout((32, 32 * r), (32 * r, 1))


def _with_repeat(
    shape: tuple[tuple[int, ...], ...], stride: tuple[tuple[int, ...], ...], r: int, step: int
) -> Layout[int]:
    if r == 1:
        return Layout(shape, stride)
    return Layout((shape[0], (*shape[1], r)), (stride[0], (*stride[1], step)))


# name of the shape -> (register layout by repeat, bits of one repeat, largest repeat, PTX shape)
SHAPES: dict[str, tuple[Callable[[int], Layout], int, int, str]] = {
    "16dp256b": (_shape_16x256, 4096, 32, "16x256b"),
    "16dp128b": (_shape_16x128, 2048, 64, "16x128b"),
    "16dp64b": (_shape_16x64, 1024, 128, "16x64b"),
    "16dp32b": (_shape_16x32, 1024, 128, "16x32bx2"),
    "32dp32b": (_shape_32x32, 1024, 128, "32x32b"),
}


def tmem(direction: str, shape: str, repeat: int, packed: bool = False, statistics: bool = False) -> CopyAtom:
    """tcgen05.ld (`LOAD`) or tcgen05.st (`STORE`) of a shape; `packed` moves 16-bit halves of the columns.

    >>> print(tmem("LOAD", "32dp32b", 2).dst_bits)
    (32,64):(64,1)
    """
    registers, bits, _, ptx = SHAPES[shape]
    memory, held = Layout((32, bits * repeat), (0, 1)), registers(repeat)
    load = direction == "LOAD"
    pack = "" if not packed else ".pack::16b" if load else ".unpack::16b"
    return CopyAtom(
        _tmem_name(direction, shape, repeat, packed, statistics),
        WARP,
        memory if load else held,
        held if load else memory,
        memory,
        "sm_103a" if statistics else "sm_100a",
        f"tcgen05.{'ld' if load else 'st'}{'.red' if statistics else ''}.sync.aligned.{ptx}.x{repeat}{pack}.b32",
        "CuTe copy_traits_sm100; PTX ISA, tcgen05",
        ("tmem", "register") if load else ("register", "tmem"),
        asynchronous=True,
    )


def _tmem_name(direction: str, shape: str, repeat: int, packed: bool, statistics: bool) -> str:
    return f"SM100_TMEM_{direction}{'_STAT' if statistics else ''}_{shape}{repeat}x{'_16b' if packed else ''}"


def _stretch(bits: int) -> tuple[tuple[int, ...], tuple[int, ...]]:
    return (bits,), (1,)


# name -> (source modes, destination modes, copies of the source, PTX qualifiers)
_CP = {
    "128dp256bit": (_stretch(32768), _stretch(32768), 1, "128x256b"),
    "128dp128bit": (_stretch(16384), _stretch(16384), 1, "128x128b"),
    "4dp256bit": (((4, 256), (32, 128)), ((4, 256), (32, 128)), 1, "4x256b"),
    "4x32dp128bit": (((32, 128, 4), (1, 32, 0)), _stretch(16384), 4, "32x128b.warpx4"),
    "2x64dp128bitlw0213": (((64, 128, 2), (1, 64, 0)), _stretch(16384), 2, "64x128b.warpx2::02_13"),
    "2x64dp128bitlw0123": (((32, 128, 2, 2), (1, 32, 4096, 0)), _stretch(16384), 2, "64x128b.warpx2::01_23"),
}


def _cp(shape: str, ctas: int) -> CopyAtom:
    source, destination, copies, ptx = _CP[shape]
    src, dst = (_cp_layout(ctas, *modes) for modes in (source, destination))
    return CopyAtom(
        f"SM100_UTCCP_{shape}_{ctas}cta", Layout(ctas, 1 if ctas > 1 else 0), src, dst, dst, "sm_100a",
        f"tcgen05.cp.cta_group::{ctas}.{ptx}", "CuTe copy_traits_sm100", ("shared", "tmem"),
        alignment=16, asynchronous=True, broadcast=copies,
    )  # fmt: skip


def _cp_layout(ctas: int, shape: tuple[int, ...], stride: tuple[int, ...]) -> Layout[int]:
    if len(shape) == 1:
        return Layout((ctas, shape[0]), (0, stride[0]))
    return Layout((ctas, shape), (0, stride))


def copy_rows() -> Iterator[Row[CopyAtom]]:
    """The rows of this file for the catalog."""
    for shape, (_, _, largest, _) in SHAPES.items():
        repeats = [1 << i for i in range(largest.bit_length())]
        for direction in ("LOAD", "STORE"):
            for repeat in repeats:
                for packed in (False, True):
                    name = _tmem_name(direction, shape, repeat, packed, False)
                    yield name, tmem, (direction, shape, repeat, packed)
    for repeat in (2, 4, 8, 16, 32, 64, 128):
        for shape in ("32dp32b", "16dp32b"):
            yield _tmem_name("LOAD", shape, repeat, False, True), tmem, ("LOAD", shape, repeat, False, True)
    for shape in _CP:
        for ctas in (1, 2):
            yield f"SM100_UTCCP_{shape}_{ctas}cta", _cp, (shape, ctas)
