"""A stand-in for the CUDA driver, for machines without a GPU: device memory is host memory, a launch runs on fibers.

It is compiled against NVIDIA's own cuda.h, so that a call with the wrong shape does not link or does not compile.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from pathlib import Path

from headers import ready

from tilewright.targets.c_emitter.writer import CText, together
from tilewright.targets.cuda.installed import wheel_files
from tilewright.targets.host.compiler import compile_cpp
from tilewright.targets.host.program import header, headers

DRIVER = """
#include <cuda.h>
#undef cuEventElapsedTime  // drivers before 12.8 have the first one only
#include <chrono>
#include <iterator>
#include <map>
#include <string>

static std::map<CUdeviceptr, size_t> live;
static bool current = false;
static std::string loaded;
static void** arguments;
struct Part {{ const char* name; void (*body)(); unsigned pool; }};
static int fail_at_sync = 0, fail_at_load = 0;
static unsigned pool_limit = 0;
static int events = 0;
static std::chrono::steady_clock::time_point& time_of(CUevent event) {{
  return *reinterpret_cast<std::chrono::steady_clock::time_point*>(event);
}}

{bodies}
static Part parts[] = {{ {parts} }};
static Part* part_of(CUfunction function) {{
  Part* part = reinterpret_cast<Part*>(function);
  return parts <= part && part < std::end(parts) ? part : nullptr;
}}

static int told(const char* name, int otherwise) {{
  const char* text = std::getenv(name);
  return text ? std::atoi(text) : otherwise;
}}

extern "C" {{
int tw_live() {{ return static_cast<int>(live.size()) + events; }}
void tw_fail(int code) {{ fail_at_sync = code; }}
void tw_fail_at_load(int code) {{ fail_at_load = code; }}
CUresult cuInit(unsigned int flags) {{
  return static_cast<CUresult>(flags ? CUDA_ERROR_INVALID_VALUE : told("TW_INIT", 0));
}}
CUresult cuDeviceGetCount(int* count) {{ *count = told("TW_DEVICES", 1); return CUDA_SUCCESS; }}
CUresult cuDeviceGet(CUdevice* device, int ordinal) {{ *device = 7 + ordinal; return CUDA_SUCCESS; }}
CUresult cuDeviceGetAttribute(int* value, CUdevice_attribute attribute, CUdevice device) {{
  if (device != 7) return CUDA_ERROR_INVALID_DEVICE;
  *value = attribute == CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR ? 9 : 0;
  return CUDA_SUCCESS;
}}
CUresult cuDevicePrimaryCtxRetain(CUcontext* context, CUdevice device) {{
  *context = reinterpret_cast<CUcontext>(&current);
  return device == 7 ? CUDA_SUCCESS : CUDA_ERROR_INVALID_DEVICE;
}}
CUresult cuCtxSetCurrent(CUcontext context) {{
  current = context == reinterpret_cast<CUcontext>(&current);
  return current ? CUDA_SUCCESS : CUDA_ERROR_INVALID_CONTEXT;
}}
CUresult cuCtxSynchronize(void) {{ return static_cast<CUresult>(fail_at_sync); }}
CUresult cuMemAlloc(CUdeviceptr* pointer, size_t bytes) {{
  if (!current) return CUDA_ERROR_INVALID_CONTEXT;
  *pointer = reinterpret_cast<CUdeviceptr>(std::malloc(bytes));
  live[*pointer] = bytes;
  return CUDA_SUCCESS;
}}
CUresult cuMemFree(CUdeviceptr pointer) {{
  if (!live.erase(pointer)) return CUDA_ERROR_INVALID_VALUE;
  std::free(reinterpret_cast<void*>(pointer));
  return CUDA_SUCCESS;
}}
CUresult cuMemcpyHtoD(CUdeviceptr to, const void* from, size_t bytes) {{
  if (live[to] != bytes) return CUDA_ERROR_INVALID_VALUE;
  std::memcpy(reinterpret_cast<void*>(to), from, bytes);
  return CUDA_SUCCESS;
}}
CUresult cuMemcpyDtoH(void* to, CUdeviceptr from, size_t bytes) {{
  if (live[from] != bytes) return CUDA_ERROR_INVALID_VALUE;
  std::memcpy(to, reinterpret_cast<void*>(from), bytes);
  return CUDA_SUCCESS;
}}
CUresult cuMemcpyDtoDAsync(CUdeviceptr to, CUdeviceptr from, size_t bytes, CUstream stream) {{
  if (live[to] != bytes || live[from] != bytes || stream) return CUDA_ERROR_INVALID_VALUE;
  std::memcpy(reinterpret_cast<void*>(to), reinterpret_cast<void*>(from), bytes);
  return CUDA_SUCCESS;
}}
CUresult cuDeviceGetName(char* name, int size, CUdevice device) {{
  std::strncpy(name, "stand-in", static_cast<size_t>(size));
  return device == 7 ? CUDA_SUCCESS : CUDA_ERROR_INVALID_DEVICE;
}}
CUresult cuDriverGetVersion(int* version) {{ *version = 13020; return CUDA_SUCCESS; }}
CUresult cuEventCreate(CUevent* event, unsigned flags) {{
  ++events;
  *event = reinterpret_cast<CUevent>(new std::chrono::steady_clock::time_point);
  return flags ? CUDA_ERROR_INVALID_VALUE : CUDA_SUCCESS;
}}
CUresult cuEventRecord(CUevent event, CUstream stream) {{
  time_of(event) = std::chrono::steady_clock::now();
  return stream ? CUDA_ERROR_INVALID_VALUE : CUDA_SUCCESS;
}}
CUresult cuEventSynchronize(CUevent) {{ return CUDA_SUCCESS; }}
CUresult cuEventElapsedTime(float* milliseconds, CUevent begin, CUevent end) {{
  *milliseconds = std::chrono::duration<float, std::milli>(time_of(end) - time_of(begin)).count();
  return CUDA_SUCCESS;
}}
CUresult cuEventDestroy(CUevent event) {{ --events; delete &time_of(event); return CUDA_SUCCESS; }}
CUresult cuModuleLoadData(CUmodule* module, const void* image) {{
  if (fail_at_load) return static_cast<CUresult>(fail_at_load);
  if (std::memcmp(image, "\\x7f" "ELF", 4)) return CUDA_ERROR_INVALID_IMAGE;
  *module = reinterpret_cast<CUmodule>(&loaded);
  return CUDA_SUCCESS;
}}
CUresult cuModuleGetFunction(CUfunction* function, CUmodule module, const char* name) {{
  if (module != reinterpret_cast<CUmodule>(&loaded)) return CUDA_ERROR_INVALID_HANDLE;
  for (Part& part : parts)
    if (std::string(name) == part.name) return *function = reinterpret_cast<CUfunction>(&part), CUDA_SUCCESS;
  return CUDA_ERROR_NOT_FOUND;
}}
CUresult cuFuncSetAttribute(CUfunction function, CUfunction_attribute attribute, int value) {{
  if (!part_of(function)) return CUDA_ERROR_INVALID_HANDLE;
  if (attribute != CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES) return CUDA_ERROR_INVALID_VALUE;
  pool_limit = static_cast<unsigned>(value);
  return CUDA_SUCCESS;
}}
CUresult cuLaunchKernel(CUfunction function, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by,
                        unsigned bz, unsigned shared, CUstream stream, void** parameters, void** extra) {{
  const Part* part = part_of(function);
  if (!part) return CUDA_ERROR_INVALID_HANDLE;
  if (shared != part->pool || shared > pool_limit || stream || extra || !gx || !bx) return CUDA_ERROR_INVALID_VALUE;
  arguments = parameters;
  const std::size_t stack = 1 << 16;  // of a thread
  const tw::Kernel kernel = {{
      part->body, {{gx, gy, gz}}, {{bx, by, bz}}, 1, __start_tw_shared, __stop_tw_shared, stack}};
  return tw::launch(kernel) ? CUDA_ERROR_LAUNCH_FAILED : CUDA_SUCCESS;
}}
CUresult cuGetErrorName(CUresult, const char** text) {{ *text = "CUDA_ERROR_PLANTED"; return CUDA_SUCCESS; }}
CUresult cuGetErrorString(CUresult, const char** text) {{ *text = "planted"; return CUDA_SUCCESS; }}
}}
"""

SHARED = """
#define __shared__ static __attribute__((section("tw_shared")))
extern "C" char __start_tw_shared[] __attribute__((weak, visibility("hidden")));
extern "C" char __stop_tw_shared[] __attribute__((weak, visibility("hidden")));
"""


def fake_driver(folder: Path, *texts: CText) -> str:
    """The path of a driver that knows these kernels; those with a pool come as the host's text.

    The environment may say what `cuInit` returns, `TW_INIT`, and how many devices there are, `TW_DEVICES`.
    """
    shim = [headers(""), header("shim/livelocks.h"), header("shim/schedule.h"), SHARED]
    source = "\n".join([*shim, together(texts), _driver(texts)])
    path = folder / "libcuda-stand-in.so"
    path.write_bytes(_library(source))
    return str(path)


@cache
def _library(source: str) -> bytes:
    (cuda,) = wheel_files("include/cuda.h")
    return compile_cpp(source, ready(("-shared", "-fPIC", "-O0", f"-I{cuda.parent}")))


def _driver(texts: Sequence[CText]) -> str:
    bodies = "\n".join(f"static void body{i}() {{ {text.name}({_pointers(text)}); }}" for i, text in enumerate(texts))
    parts = ", ".join(f'{{"{text.name}", body{i}, {text.pool_bytes}}}' for i, text in enumerate(texts))
    return DRIVER.format(bodies=bodies, parts=parts)


def _pointers(text: CText) -> str:
    given = enumerate(text.parameters)
    return ", ".join(f"*static_cast<{parameter.c_type}*>(arguments[{i}])" for i, parameter in given)
