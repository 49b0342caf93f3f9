"""A C header that loads a kernel's cubin and launches it by the CUDA driver: for C and C++, without this package."""

from __future__ import annotations

from tilewright.dtypes import DType
from tilewright.targets.c_emitter.names import Names
from tilewright.targets.c_emitter.writer import CText
from tilewright.targets.launch import ANY_SIZE, Parameter

# Numbers that C has; others are their bits.
_NUMBERS = {"float32": "float", "float64": "double"}
_OWN = ("function", "stream", "arguments", "done", "module", "cubin")

HEADER = """\
/* {kernel} for {arch}, written by tilewright {version}. For C and C++; link with -lcuda.
 *
 *   CUmodule module; CUfunction function;
 *   {kernel}_load(cubin, &module, &function);    the bytes of {file}.cubin
 *   {kernel}_launch({call});
 *
 * Memory lies on the device; that of two parameters does not overlap.
{parameters} */
#ifndef {guard}
#define {guard}

#include <cuda.h>
#include <stddef.h>
#include <stdint.h>

/* Blocks of the grid, threads of a block, and the bytes of shared memory that the launch gives a block. */
enum {{
  {kernel}_grid_x = {grid[0]},
  {kernel}_grid_y = {grid[1]},
  {kernel}_grid_z = {grid[2]},
  {kernel}_block_x = {block[0]},
  {kernel}_block_y = {block[1]},
  {kernel}_block_z = {block[2]},
  {kernel}_shared_bytes = {pool}
}};

/* The kernel of the cubin, which lies in memory; module is to be unloaded by cuModuleUnload. */
static inline CUresult {kernel}_load(const void *cubin, CUmodule *module, CUfunction *function) {{
  CUresult done = cuModuleLoadData(module, cubin);
  if (done == CUDA_SUCCESS) done = cuModuleGetFunction(function, *module, "{kernel}");{limit}
  return done;
}}

/* Starts the kernel on a stream, or on the default one if it is NULL, and does not wait for its end. */
static inline CUresult {kernel}_launch({signature}) {{
  void *arguments[] = {{{addresses}}};
  return cuLaunchKernel(function, {kernel}_grid_x, {kernel}_grid_y, {kernel}_grid_z, {kernel}_block_x,
                        {kernel}_block_y, {kernel}_block_z, {kernel}_shared_bytes, stream, arguments, NULL);
}}

#endif
"""
_LIMIT = """
  if (done == CUDA_SUCCESS)
    done = cuFuncSetAttribute(*function, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, {kernel}_shared_bytes);"""


def c_header(text: CText, arch: str, file: str, version: str) -> str:
    """The header of a kernel's text, which was compiled for the architecture.

    Args:
        text: the kernel's. arch: such as `sm_90a`. file: the name of the cubin's file, without its ending.
        version: of this package, for the reader.
    """
    names = Names(*_OWN)
    told = [(names.fresh(parameter.name, "p"), parameter) for parameter in text.parameters]
    return HEADER.format(
        kernel=text.name,
        file=file,
        arch=arch,
        version=version,
        guard=f"TILEWRIGHT_{text.name.upper()}_H",
        grid=text.launch.grid,
        block=text.launch.block,
        pool=text.pool_bytes,
        limit=_LIMIT.format(kernel=text.name) if text.pool_bytes else "",
        call=", ".join(["function", "stream", *(name for name, _ in told)]),
        parameters="".join(f" *   {name}: {words(parameter)}\n" for name, parameter in told),
        signature=", ".join(["CUfunction function", "CUstream stream", *(declared(*one) for one in told)]),
        addresses=", ".join(_address(*one) for one in told) or "NULL",
    )


def words(parameter: Parameter) -> str:
    """What a parameter is given, for a person."""
    if parameter.map:
        return "a tensor map, as cuTensorMapEncodeTiled makes it"
    if parameter.size is None:
        said = "" if parameter.element.is_integer or parameter.element.name in _NUMBERS else ", its bits"
        return f"a number of type {parameter.element}{said}"
    if parameter.size == ANY_SIZE:
        return f"elements of type {parameter.element}"
    return f"{parameter.size} elements of type {parameter.element}, {parameter.size * parameter.element.bytes} bytes"


def declared(name: str, parameter: Parameter) -> str:
    """A parameter of C that takes it."""
    if parameter.map:
        return f"const CUtensorMap *{name}"
    return f"{_scalar(parameter.element) if parameter.size is None else 'CUdeviceptr'} {name}"


def _address(name: str, parameter: Parameter) -> str:
    return f"(void *){name}" if parameter.map else f"&{name}"


def _scalar(element: DType) -> str:
    sign = "" if element.kind == "int" else "u"
    return _NUMBERS.get(element.name, f"{sign}int{element.bytes * 8}_t")
