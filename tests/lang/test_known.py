"""What is known while a kernel is read is as in Python: texts, tuples, dicts, and the functions on them."""

from __future__ import annotations

import numpy as np
import pytest

import tilewright as tw
from tilewright.errors import KernelError
from tilewright.lang.primfunc import PrimFunc
from tilewright.script import tirx as T

KNOWN = (
    "'fault'[:3], 'fault'[-1], 'fault'[::2], (1, 2, 3)[1:], len('abc'), len({'a': 1}), (1, (2, 3))[1][0]",
    "'a' in 'abc', 'x' not in 'abc', 2 in (1, 2), 5 in (1, 2), 'b' in {'a': 1}, 3 in range(4), not 'a', not ()",
    "(1, 2) * 2, 'ab' * 2, (1,) + (2,), 'a' + str(3), 'a' < 'b', 1 if 'x' else 2",
    "sum((1, 2, 3)), abs(-3), sorted((3, 1, 2)), int('3'), float(3), bool(1), any((True, False)), all((1, 0))",
    "divmod(7, 2), round(2.5), tuple(range(3)), tuple(reversed((1, 2))), min(3, 4), max((3, 4))",
    "tuple(enumerate('ab')), tuple(zip((1, 2), (3, 4))), (1, 2).index(2), (1, 1).count(1)",
    "'abc'.upper(), 'abc'.startswith('a'), 'a,b'.split(',')[1], 'x'.join(('a', 'b')), 'abc'.find('c')",
    "{'a': 1}['a'], {'a': 1}.get('b', 2), tuple({'a': 1, 'b': 2}), tuple({'a': 1}.items())",
)


def script(*lines: str) -> PrimFunc:
    body = "".join(f"    {line}\n" for line in lines)
    head = '@T.prim_func\ndef k(B: T.Buffer((32,), "int32")):\n    T.device_entry()\n    T.cta_id([1])\n'
    return T.from_source(f"{head}    t = T.thread_id([32])\n{body}", "tile")


def plain(value: object) -> object:
    """Lists are tuples in a kernel."""
    return tuple(map(plain, value)) if isinstance(value, list | tuple) else value


@pytest.mark.parametrize("expressions", KNOWN)
def test_it_is_what_python_says(expressions: str) -> None:
    wanted = plain(eval(expressions))  # of the texts above
    script(f"x = ({expressions})", f"T.static_assert(x == {wanted!r})", "B[t] = 1")
    with pytest.raises(KernelError, match="no, another"):
        script(f"x = ({expressions})", f"T.static_assert(x == {(wanted, 0)!r}, 'no, another')")


def test_items_may_be_of_run_time() -> None:
    b = np.zeros(32, np.int32)
    tw.compile(script("B[t] = T.if_then_else(t in (1, 5, 31), 1, 0) + T.if_then_else(t not in (1, t), 10, 0)"))(b)
    assert (b == np.isin(np.arange(32), (1, 5, 31))).all()


def test_values_of_run_time_are_put_in_order() -> None:
    b = np.zeros(32, np.int32)
    tw.compile(script("x = tuple(reversed(tuple(zip((t, 1), (2, t)))))", "B[t] = x[0][1] * 100 + x[1][0] * len(x)"))(b)
    assert (b == np.arange(32) * 102).all()


NO = {
    "'ab'[2]": r"'ab' of 2 cannot be indexed with 2",
    "'a' * 5000": "cannot compute",
    "tuple(range(5000))": "more than the 4096 items",
    "sum((t, 1))": "sum takes constants",
    "int('x')": "int: invalid literal",
    "divmod(1, 0)": "divmod: integer division or modulo by zero",
    "sorted((1, 2), key=abs)": "sorted takes no function in a kernel",
    "'{0.__class__}'.format(1)": "no attribute 'format' in a kernel",
    "'a'.__class__": "no attribute '__class__'",
    "t in 'abc'": "nobody can say while the kernel is read",
    "1 in 3": "`in` asks of texts, tuples and dicts, got 3",
    "{'a': t}": "values of run time go into tuples",
    "{'a': 1}['b']": "cannot be read: KeyError",
    "{(): 1, [1]: 2}[{}]": "cannot be read: TypeError",
    "int('9' * 30)": "outside",
}


@pytest.mark.parametrize("expression", NO)
def test_what_is_wrong_is_said(expression: str) -> None:
    with pytest.raises(KernelError, match=NO[expression]):
        script(f"x = {expression}", "B[t] = x")
