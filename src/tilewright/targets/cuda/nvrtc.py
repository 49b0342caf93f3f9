"""NVRTC through ctypes: CUDA text to cubin. The library and the headers come with the extra `cuda`, or a toolkit."""

from __future__ import annotations

import ctypes
import re
from collections.abc import Iterable
from functools import lru_cache
from pathlib import Path

from tilewright.errors import CompileError, UsageError
from tilewright.targets.cache import kept
from tilewright.targets.cuda.installed import cuda_files, open_nvrtc

ARCHITECTURE = re.compile(r"sm_[1-9][0-9]{1,2}[af]?")
# What a caller may pass beside the architecture; nothing that names a file.
OPTIONS = re.compile(
    r"--fmad=(true|false)|--use_fast_math|--extra-device-vectorization|--generate-line-info|--device-debug"
    r"|--maxrregcount=[1-9][0-9]{0,2}|--ptxas-options=(-v|--verbose)"
)
# Contraction of a * b + c changes the rounding: only an explicit fma is one, so that results are the simulator's.
_ALWAYS = ("--std=c++17", "--fmad=false", "--no-source-include")
MAX_SOURCE = 1 << 24
_MISSING = "NVRTC is missing; install it with: pip install 'tilewright[cuda]' (a GPU is not needed)"


def compile_cubin(source: str, arch: str = "sm_90a", options: Iterable[str] = ()) -> bytes:
    """The cubin of CUDA text for one architecture; kept on disk.

    Args:
        source: CUDA C++. arch: such as `sm_90a`. options: of NVRTC, from a whitelist (`OPTIONS`).

    Raises:
        CompileError: NVRTC is not installed, or refuses the text; carries its log.
        UsageError: an architecture or option that is not allowed.
    """
    if not ARCHITECTURE.fullmatch(arch):
        raise UsageError(f"{arch!r} is no CUDA architecture such as 'sm_90a'")
    if len(source) > MAX_SOURCE:
        raise UsageError(f"a source of {len(source)} characters; the limit is {MAX_SOURCE}")
    wanted = tuple(options)
    for option in wanted:
        if not OPTIONS.fullmatch(option):
            raise UsageError(f"the NVRTC option {option!r} is not allowed; allowed are {OPTIONS.pattern}")
    nvrtc, words = _Nvrtc.load(), (f"--gpu-architecture={arch}", *_ALWAYS, *_includes(), *wanted)
    made_by = ("cubin", *map(str, nvrtc.version()), *words, source)
    return kept(made_by, lambda: nvrtc.cubin(source, words))


def nvrtc_version() -> tuple[int, int]:
    """NVRTC's version.

    Raises:
        CompileError: NVRTC is not installed.
    """
    return _Nvrtc.load().version()


class _Nvrtc:
    """The library's functions, with checked results."""

    def __init__(self, library: ctypes.CDLL) -> None:
        self.library = library
        self.library.nvrtcGetErrorString.restype = ctypes.c_char_p

    @staticmethod
    def load() -> _Nvrtc:
        return _load()

    def cubin(self, source: str, options: tuple[str, ...]) -> bytes:
        program = ctypes.c_void_p()
        self.check("nvrtcCreateProgram", ctypes.byref(program), source.encode(), b"kernel.cu", 0, None, None)
        try:
            words = (ctypes.c_char_p * len(options))(*(option.encode() for option in options))
            code = self.library.nvrtcCompileProgram(program, ctypes.c_int(len(options)), words)
            if code:
                log = self.text(program, "ProgramLog").decode(errors="replace").strip("\0\n ")
                raise CompileError(f"NVRTC refuses the kernel ({self.message(code)})\n{log}\n--- source\n{source}")
            return self.text(program, "CUBIN")
        finally:
            self.library.nvrtcDestroyProgram(ctypes.byref(program))

    def text(self, program: ctypes.c_void_p, what: str) -> bytes:
        size = ctypes.c_size_t()
        self.check(f"nvrtcGet{what}Size", program, ctypes.byref(size))
        buffer = ctypes.create_string_buffer(size.value)
        self.check(f"nvrtcGet{what}", program, buffer)
        return buffer.raw

    def version(self) -> tuple[int, int]:
        major, minor = ctypes.c_int(), ctypes.c_int()
        self.check("nvrtcVersion", ctypes.byref(major), ctypes.byref(minor))
        return major.value, minor.value

    def check(self, function: str, *arguments: object) -> None:
        code = getattr(self.library, function)(*arguments)
        if code:
            raise CompileError(f"{function} failed: {self.message(code)}")

    def message(self, code: int) -> str:
        found: bytes = self.library.nvrtcGetErrorString(code)
        return found.decode()


@lru_cache(maxsize=1)
def _load() -> _Nvrtc:
    names = (Path(f"libnvrtc.so{version}") for version in (".13", ".12", ""))  # where the loader looks
    for path in (*cuda_files("lib*/libnvrtc.so.*"), *names):
        try:
            return _Nvrtc(open_nvrtc(path))
        except OSError:
            continue
    raise CompileError(_MISSING)


@lru_cache(maxsize=1)
def _includes() -> tuple[str, ...]:
    return tuple(f"--include-path={path.parent}" for path in cuda_files("include/cuda_fp16.h"))
