"""A C header of a function that launches kernels: it computes their grids and launches them as the function does."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType

from xdsl.dialects import gpu
from xdsl.dialects.builtin import MemRefType, ModuleOp
from xdsl.dialects.cf import AssertOp
from xdsl.ir import SSAValue

from tilewright.errors import CompileError
from tilewright.ir.core.element_types import element_dtype
from tilewright.targets.c_emitter.helpers import HELPERS
from tilewright.targets.c_emitter.statements import STATEMENTS
from tilewright.targets.c_emitter.tables import CUDA
from tilewright.targets.c_emitter.values import WIDE, Expr
from tilewright.targets.c_emitter.writer import CText, Wanted, Writer
from tilewright.targets.cuda.header import declared, words
from tilewright.targets.launch import Parameter, kernel_of, parameters_of

HEADER = """\
/* {name} for {arch}, written by tilewright {version}. For C and C++; link with -lcuda.
 *
 *   CUmodule module; {name}_kernels kernels;
 *   {name}_load(cubin, &module, &kernels);    the bytes of {file}.cubin
 *   {name}_launch({call});
 *
 * Memory lies on the device; that of two parameters does not overlap.
{parameters} */
#ifndef {guard}
#define {guard}

#include <cuda.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct {{
{members}
}} {name}_kernels;

/* The kernels of the cubin, which lies in memory; module is to be unloaded by cuModuleUnload. */
static inline CUresult {name}_load(const void *cubin, CUmodule *module, {name}_kernels *kernels) {{
  CUresult done = cuModuleLoadData(module, cubin);
{loads}
  return done;
}}
{helpers}
/* Starts the kernels on a stream, or on the default one if it is NULL, and does not wait for their end. */
static inline CUresult {name}_launch({signature}) {{
  CUresult done = CUDA_SUCCESS;
{body}
  return done;
}}

#endif
"""
_OWN = ("kernels", "stream", "arguments", "done", "module", "cubin", "stdbool")
# C without templates and without the headers of CUDA's narrow floats; nothing here is a device's.
HOST_C = replace(
    CUDA, name="C", restrict="", unroll="", headers=MappingProxyType({}), assembly=False, converts=frozenset(),
    computes=frozenset({"bool", *(f"int{8 << i}" for i in range(4)), "float32", "float64"}),
)  # fmt: skip
_CALL = re.compile(r"\b(tw_\w+)<([a-z ]+)>\(")
_TEMPLATE = "template <class T> "


def function_header(module: ModuleOp, kernels: Mapping[str, CText], arch: str, file: str, version: str) -> str:
    """The header of a function whose kernels' cubin was compiled for the architecture.

    Args:
        module: the host function alone, flat. kernels: the texts of its kernels, by name.
        arch: such as `sm_90a`. file: the name of the cubin's file, without its ending.
        version: of this package, for the reader.

    Raises:
        CompileError: it does what C has no words for.
    """
    func = kernel_of(module)
    name = func.sym_name.data
    out = Writer(module, HOST_C, {**STATEMENTS, AssertOp: _assert, gpu.LaunchFuncOp: _launch}, Wanted(suffix=""))
    for word in (*_OWN, f"{name}_load", f"{name}_launch", f"{name}_kernels"):
        out.names.fresh(word, "w")
    told = [_parameter(out, *pair) for pair in zip(func.body.block.args, parameters_of(func), strict=True)]
    out.block(func.body.block)
    body = "\n".join(out.lines)
    found = dict.fromkeys(_CALL.findall(body))
    text = HEADER.format(
        name=name,
        file=file,
        arch=arch,
        version=version,
        guard=f"TILEWRIGHT_{name.upper()}_H",
        call=", ".join(["&kernels", "stream", *(own for own, _ in told)]),
        parameters="".join(f" *   {own}: {words(parameter)}\n" for own, parameter in told),
        members="\n".join(f"  CUfunction {kernel};" for kernel in kernels) or "  int none;",
        loads="\n".join(map(_load, kernels)),
        helpers="".join(f"\n{_function(name, *one)}\n" for one in found),
        signature=", ".join([f"const {name}_kernels *kernels", "CUstream stream", *(declared(*one) for one in told)]),
        body=_CALL.sub(lambda call: f"{_named(name, *call.groups())}(", body),
    )
    if "tw_" in re.sub(_CALL, "", body):
        raise CompileError(f"{name} computes with floats on the host what C has no word for; do it within the kernel")
    return text


def _parameter(out: Writer, argument: SSAValue, parameter: Parameter) -> tuple[str, Parameter]:
    name = out.names.fresh(argument.name_hint, "p")
    wide = parameter.size is not None
    out.exprs[argument] = Expr(name, "CUdeviceptr" if wide else element_dtype(argument.type).c_name)
    return name, parameter


def _load(kernel: str) -> str:
    return f'  if (done == CUDA_SUCCESS) done = cuModuleGetFunction(&kernels->{kernel}, *module, "{kernel}");'


def _assert(out: Writer, op: AssertOp) -> None:
    out.line(f"if (!({out.exprs[op.arg].text})) return CUDA_ERROR_INVALID_VALUE;")


def _launch(out: Writer, op: gpu.LaunchFuncOp) -> None:
    kernel = [*op.kernel.nested_references.data][-1].data
    sizes = (op.gridSizeX, op.gridSizeY, op.gridSizeZ, op.blockSizeX, op.blockSizeY, op.blockSizeZ)
    extents = ", ".join(f"(unsigned){out.exprs[size].operand}" for size in sizes)
    shared = "0" if op.dynamicSharedMemorySize is None else out.exprs[op.dynamicSharedMemorySize].text
    with out.braces("if (done == CUDA_SUCCESS)"):
        given = [_given(out, value) for value in _grouped(op.kernelOperands)]
        out.line(f"void *arguments[] = {{{', '.join(f'(void *)&{name}' for name in given) or 'NULL'}}};")
        if op.dynamicSharedMemorySize is not None:
            attribute = "CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES"
            out.line(f"done = cuFuncSetAttribute(kernels->{kernel}, {attribute}, (int)({shared}));")
        call = f"kernels->{kernel}, {extents}, (unsigned)({shared}), stream, arguments, NULL"
        out.line(f"if (done == CUDA_SUCCESS) done = cuLaunchKernel({call});")


def _grouped(operands: Sequence[SSAValue]) -> list[tuple[SSAValue, ...]]:
    """Memory with the element at which it begins, and numbers."""
    rest, found = iter(operands), list[tuple[SSAValue, ...]]()
    for value in rest:
        found.append((value, next(rest)) if isinstance(value.type, MemRefType) else (value,))
    return found


def _given(out: Writer, value: tuple[SSAValue, ...]) -> str:
    """The name of a variable that holds what a parameter is given."""
    made = out.exprs[value[0]]
    if len(value) == 2 and (start := out.exprs[value[1]]).text != "0":
        size = element_dtype(value[0].type.element_type).bytes  # type: ignore[attr-defined]  # memory
        made = Expr(f"{made.operand} + {start.cast(WIDE).operand} * {size}", made.ctype, False)
    name = out.names.fresh(None, "given")
    out.line(f"const {made.ctype} {name} = {made.text};")
    return name


def _named(name: str, function: str, kind: str) -> str:
    return f"{name}_{function}_{kind.replace(' ', '_')}"


def _function(name: str, function: str, kind: str) -> str:
    """A helper for one type: C has no templates."""
    text = HELPERS[function]
    if not text.startswith(_TEMPLATE) or "float(" in text:  # a cast of C++
        raise CompileError(f"C has no word for {function}; do it within the kernel")
    made = text.removeprefix(_TEMPLATE).format(function="static inline")
    return re.sub(r"\bT\b", kind, made).replace(f"{function}(", f"{_named(name, function, kind)}(", 1)
