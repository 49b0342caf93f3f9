"""FlyDSL's names that are not here: whoever asks for one is told what to use instead."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fnmatch import fnmatchcase
from types import MappingProxyType
from typing import NoReturn

_RAW = "it is an op of MLIR's bindings; numbers and vectors have operators, .to(..), .bitcast(..) and .select(..)"
_BACKENDS = "kernels run on this package's targets: with tilewright.target.Target('simulator:gfx950'):, or ARCH"
_ARGUMENTS = "arguments are numpy arrays, what has __dlpack__, numbers, and classes with the methods of flyc.protocol"
_MOVERS = "gfx1250 and its tensor movers are no target here; tiles move by fx.copy, into LDS by rocdl.BufferCopyLDS128b"
_PRODUCTS = (
    "of the products by an instruction's name those are here that dir(fx.rocdl) lists; "
    "fx.gemm with fx.make_mma_atom(fx.rocdl.MFMA(m, n, k, type)) has every shape"
)
_BUILDERS = "of the raw builders those are here that dir(fx.rocdl) lists; docs/fx.md names what does the same"
_TRACES = "SimOptions and Session(profile=True) tell who accesses what and what it costs; see docs/simulator.md"
_OUTSIDE = "kernels call no libraries; write the function in Python: what a kernel calls is inlined"

ABSENT: Mapping[str, Mapping[str, str]] = MappingProxyType(
    {
        "expr.ktrace": {"*": _TRACES},
        "expr.extern": {"*": _OUTSIDE},
        "expr.tdm_ops": {"*": _MOVERS},
        "expr.arith": {"*Op": _RAW},
        "expr.llvm": {"*Op": "it is an op of MLIR's bindings; fx.atomic_add and its kin change memory at once"},
        "expr.utils": {"print_typst": "tilewright.figures.draw(layout) draws it"},
        "expr.utils.arith": {
            "*Op": _RAW,
            "arith_const": "fx.arith.constant(value, type=..)",
            "element_type": "ask a value's .dtype",
            "is_*_type": "ask a type's .is_integer, .is_float and .width",
            "*_to_*": "numbers convert with .to(fx.Float32)",
            "recast_type": "numbers convert with .to(fx.Float32)",
        },
        "expr.rocdl": {
            "mfma_*": _PRODUCTS,
            "smfmac_*": _PRODUCTS,
            "wmma_*": _PRODUCTS,
            "raw_buffer_atomic": "fx.rocdl.raw_ptr_buffer_atomic_fadd, or fx.rocdl.BufferAtomicAdd with fx.copy",
            "tensor_*": _MOVERS,
            "[a-z]*_*": _BUILDERS,
        },
        "expr.rocdl.cdna5": {"*": _MOVERS},
        "expr.rocdl.tdm_ops": {"*": _MOVERS},
        "compiler": {
            "BaseBackend": _BACKENDS,
            "GPUTarget": _BACKENDS,
            "*_backend*": _BACKENDS,
            "JitArgumentRegistry": _ARGUMENTS,
            "CompiledFunction": "flyc.compile(fn, ..) gives it",
        },
        "compiler.ast_rewriter": {"*": "control flow is rewritten where a function is traced, without being asked"},
        "compiler.extern_link": {"*": _OUTSIDE},
    }
)

ASKED = ("_", "pytest")  # by Python and its tools, of every module


def refusing(module: str) -> Callable[[str], NoReturn]:
    """What a module answers to names that it has not (`__getattr__`, PEP 562).

    >>> refusing("tilewright.expr.ktrace")("mark")
    Traceback (most recent call last):
        ...
    ImportError: tilewright.expr.ktrace.mark is not here: SimOptions and Session(profile=True) tell ...
    """
    rows = ABSENT[module.removeprefix("tilewright.")]

    def refuse(name: str) -> NoReturn:
        found = (instead for pattern, instead in rows.items() if fnmatchcase(name, pattern))
        for instead in found if not name.startswith(ASKED) else ():
            raise ImportError(f"{module}.{name} is not here: {instead}")
        raise AttributeError(f"module {module} has no name {name}", name=name)

    return refuse
