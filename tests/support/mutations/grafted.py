"""A mutant in the running interpreter: the code of functions is exchanged, where an edit changes nothing else."""

from __future__ import annotations

import gc
from collections import defaultdict
from collections.abc import Iterator
from types import CodeType, FunctionType

from mutations.mutant import SOURCE, Mutant

Place = tuple[str, str, int]  # file, qualified name, line
Living = dict[Place, list[FunctionType]]


def living() -> Living:
    """The functions of the package that anybody holds."""
    gc.unfreeze()
    found: Living = defaultdict(list)
    for value in gc.get_objects():
        if type(value) is FunctionType and value.__code__.co_filename.startswith(str(SOURCE)):
            found[_place(value.__code__)].append(value)
    gc.freeze()
    return found


def graft(mutant: Mutant, functions: Living) -> bool:
    """Makes the package the mutant. False, and nothing is done, where what runs when it is imported differs."""
    path = str(SOURCE / mutant.file)
    before = compile((SOURCE / mutant.file).read_text(), path, "exec", dont_inherit=True)
    after = compile(mutant.text(), path, "exec", dont_inherit=True)
    if not _same_outside(before, after):
        return False
    pairs = [(old, new) for old, new in _pairs(before, after) if old != new]
    if not any(_place(old) in functions for old, _ in pairs):
        return False
    for old, new in pairs:
        for function in functions.get(_place(old), ()):
            if function.__code__ == old:
                function.__code__ = new
    return True


def _place(code: CodeType) -> Place:
    return (code.co_filename, code.co_qualname, code.co_firstlineno)


def _inner(code: CodeType) -> list[CodeType]:
    return [value for value in code.co_consts if isinstance(value, CodeType)]


def _same_outside(old: CodeType, new: CodeType) -> bool:
    """Do two bodies of a module or class, and of the classes in it, differ in the bodies of functions only?"""
    inner = (_inner(old), _inner(new))
    return (
        (old.co_code, old.co_names, _plain(old)) == (new.co_code, new.co_names, _plain(new))
        and [_shape(code) for code in inner[0]] == [_shape(code) for code in inner[1]]
        and all(_same_outside(a, b) for a, b in zip(*inner, strict=True) if _is_body(a))
    )


def _plain(code: CodeType) -> list[str]:
    return [repr(value) for value in code.co_consts if not isinstance(value, CodeType)]


def _shape(code: CodeType) -> tuple[object, ...]:
    return (code.co_qualname, code.co_freevars, code.co_varnames[: code.co_argcount + code.co_kwonlyargcount])


def _is_body(code: CodeType) -> bool:
    return not code.co_flags & 0x1  # CO_OPTIMIZED


def _pairs(old: CodeType, new: CodeType) -> Iterator[tuple[CodeType, CodeType]]:
    """Functions, and what they hold as far as it corresponds."""
    if not _is_body(old):
        yield old, new
    inner = (_inner(old), _inner(new))
    if [_shape(code) for code in inner[0]] == [_shape(code) for code in inner[1]]:
        for a, b in zip(*inner, strict=True):
            yield from _pairs(a, b)
