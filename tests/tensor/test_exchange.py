"""Arrays of other libraries: their memory is shared, and what is not in this machine's memory is refused."""

from __future__ import annotations

from typing import Any

import numpy
import pytest

from tilewright import Layout, Tensor, UsageError


class Exchanged:
    """An array as DLPack shows it, on a device."""

    def __init__(self, array: Any, device: int = 1) -> None:
        self.array, self.device = array, device

    def __dlpack__(self, **options: Any) -> Any:
        return self.array.__dlpack__(**options)

    def __dlpack_device__(self) -> tuple[int, int]:
        return self.device, 0


class Shown:
    """An array as numpy's protocol shows it, or what a wrong library would say."""

    def __init__(self, interface: Any, array: Any = None) -> None:
        self.__array_interface__, self.array = interface, array


@pytest.mark.parametrize("share", [Exchanged, lambda array: Shown(array.__array_interface__, array)])
def test_memory_is_shared_in_both_directions(share: Any) -> None:
    array = numpy.arange(12, dtype="int32").reshape(3, 4)
    tensor = Tensor(share(array), Layout((4, 3)))
    tensor[1, 2] = 100
    array[0, 3] = 7
    assert array[2, 1] == 100
    assert tensor[3, 0] == 7


@pytest.mark.parametrize(
    ("value", "says"),
    [
        (Exchanged(numpy.zeros(4), 2), "DLPack device 2"),
        (Exchanged(object()), "cannot be shared by DLPack"),
        (Shown({"version": 3}), "__array_interface__"),
        (Shown(None), "__array_interface__"),
        (numpy.float32(1), "made of an array"),
        (numpy.ndarray, "made of an array"),
    ],
)
def test_what_cannot_be_shared_is_refused(value: Any, says: str) -> None:
    with pytest.raises(UsageError, match=says):
        Tensor(value)
