"""llvmlite at work: LLVM's text becomes functions of this process; it is imported when it is first needed."""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from importlib import import_module
from importlib.util import find_spec
from types import ModuleType

from tilewright.errors import CompileError

_LAUNCH = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_longlong, ctypes.c_longlong, ctypes.c_void_p)
_FREE = ctypes.CFUNCTYPE(None, ctypes.c_void_p)


@dataclass(frozen=True, eq=False)
class Jitted:
    """The functions of a kernel; `engine` holds their memory."""

    engine: object
    tw_launch: Callable[..., int]
    tw_free: Callable[..., None]


def is_installed() -> bool:
    """Is llvmlite there? It is not imported."""
    return find_spec("llvmlite") is not None


@lru_cache(maxsize=256)
def jitted(source: str) -> Jitted:
    """The functions of a text, compiled for this machine's own processor.

    Multiplications and additions are not fused, and nothing is assumed of floating-point numbers.

    Raises:
        CompileError: llvmlite is not installed, or refuses the text.
    """
    llvm = binding()
    machine = llvm.Target.from_default_triple().create_target_machine(
        cpu=llvm.get_host_cpu_name(), features=llvm.get_host_cpu_features().flatten(), opt=3, jit=True
    )
    try:
        module = llvm.parse_assembly(source)
        module.verify()
    except RuntimeError as error:
        raise CompileError(f"llvmlite refuses the kernel\n{error}") from error
    module.triple, module.data_layout = machine.triple, str(machine.target_data)
    options = llvm.create_pipeline_tuning_options(speed_level=3)
    options.loop_vectorization = options.slp_vectorization = True
    builder = llvm.create_pass_builder(machine, options)
    builder.getModulePassManager().run(module, builder)
    engine = llvm.create_mcjit_compiler(module, machine)
    engine.finalize_object()
    launch, free = (engine.get_function_address(name) for name in ("tw_launch", "tw_free"))
    return Jitted(engine, _LAUNCH(launch), _FREE(free))


@lru_cache(maxsize=1)
def binding() -> ModuleType:
    """llvmlite's binding of LLVM, ready for this machine.

    Raises:
        CompileError: it is not installed.
    """
    if not is_installed():
        raise CompileError("llvmlite is not installed; install it with: pip install 'tilewright[jit]'")
    found = import_module("llvmlite.binding")
    found.initialize_native_target()
    found.initialize_native_asmprinter()
    return found
