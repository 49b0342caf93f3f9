"""From the text of kernels to what the compiler takes.

The literal text becomes a program: the shim, kernels, and a `main` that reads and writes the arrays of one as files.
The text whose threads are loops becomes a library, with one function that runs some of the blocks.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files

from tilewright.errors import CompileError
from tilewright.ir.core.narrow import NARROW, NarrowFloat
from tilewright.targets.c_emitter.writer import TENSOR_MAP, CText
from tilewright.targets.host.ptx.rows import without_assembly
from tilewright.targets.launch import Parameter

PARTED = 3  # exit status: the threads part at a barrier
FAILED = 4  # exit status: an assertion does not hold; its number, the value and the thread are printed
SPINNING = 5  # exit status: threads go round in a loop for what nobody does
ENDLESS = 7  # exit status: the time is over
# Headers of the program, of its kernels and of what runs them, in this order: each needs those before it.
SHARED = ("elements", "shim/fibers", "shim/parts")
SHIM = (*SHARED, *(f"shim/{name}" for name in ("warps", "clusters", "mbarriers", "changes", "copies")))
RUNNER = (*SHARED, *(f"shim/{name}" for name in ("livelocks", "schedule", "run")))
# Those that only some texts need, by words of these.
_MEMORY = ("tw::tensor_allocate(",)
_MATRICES = ("_product(", "_rows(", "tw::dot(", *_MEMORY)
PARTS = {
    "shim/tensors": ("tw::tensor_load(", "tw::tensor_store("),
    "shim/numbers": _MATRICES,
    "shim/matrices": _MATRICES,
    "shim/tensor_memory": _MEMORY,
}
SOON, LATE = "soon", "late"  # when copies that go on by themselves are done: at once, or as late as they may be
MAP_BYTES = 128
STACK_BYTES = 1 << 16  # of a thread, beside its arrays
MOST_STACKS = 1 << 28  # bytes of a block's threads


@dataclass(frozen=True)
class Part:
    """A kernel of a program."""

    text: CText


def host_program(parts: Sequence[Part]) -> str:
    """The C++ source of a program that runs one of the kernels once.

    Its arguments are the number of the kernel, `SOON` or `LATE`, seconds of the processor, the blocks of the grid, of
    each parameter the number of its memory and the byte there where it begins, and names of files: of the memories,
    read before and written after, then of the maps of each parameter that is one, in order, of 128 bytes.

    Raises:
        CompileError: a kernel does what the CPU cannot.
    """
    made = [_kernel(number, part) for number, part in enumerate(parts)]
    listed = ",\n".join(f"  {_row(number, part)}" for number, part in enumerate(parts))
    text = "\n".join(made)
    return f"""{headers(text)}
{text}
static const tw::Part parts[] = {{
{listed}
}};

int main(int count, char** told) {{ return tw::run_part(parts[std::atoi(told[1])], count - 2, told + 2); }}
"""


def runner() -> str:
    """The C++ source of what runs the kernels of any program."""
    return "\n".join(map(_text, RUNNER))


def headers(text: str) -> str:
    """The headers of the shim that a text needs."""
    names = [*SHIM, *(name for name, words in PARTS.items() if any(word in text for word in words))]
    return "\n".join(map(_text, [*names, "functions"]))


def _text(name: str) -> str:
    return elements() if name == "elements" else header(f"{name}.h")


@lru_cache(maxsize=1)
def elements() -> str:
    """The header of elements, with a type for each narrow float."""
    types = [f"using {row.element.c_name} = tw_code<{_format(row)}>;" for row in NARROW.values()]
    return "\n".join([header("elements.h"), header("narrow.h"), *types])


def _format(row: NarrowFloat) -> str:
    if not row.signed:
        return "tw_power"
    numbers = (row.element.bits, row.fraction, row.bias, row.largest, row.beyond, row.nan, str(row.zeros).lower())
    return f"tw_format<{', '.join(map(str, numbers))}>"


def _kernel(number: int, part: Part) -> str:
    """The text of a kernel in a namespace of its own, with shared memory in a section of its own."""
    source, tables = without_assembly(part.text.source)
    arguments = ", ".join(_argument(parameter, i) for i, parameter in enumerate(part.text.parameters))
    maps = [str(i) for i, parameter in enumerate(part.text.parameters) if parameter.map]
    return f"""
#undef __shared__
#define __shared__ static __attribute__((section("{_section(number)}")))
extern "C" char __start_{_section(number)}[] __attribute__((weak, visibility("hidden")));
extern "C" char __stop_{_section(number)}[] __attribute__((weak, visibility("hidden")));
namespace tw_{number} {{
{tables}{source}
static void body() {{ {part.text.name}({arguments}); }}
static const int maps[] = {{{", ".join([*maps, "-1"])}}};
}}"""


def stack_bytes(text: CText) -> int:
    """Of a thread of the kernel.

    Raises:
        CompileError: those of a block would take more than the machine should give.
    """
    own = STACK_BYTES + -(-text.local_bytes // STACK_BYTES) * STACK_BYTES
    if own * text.launch.threads > MOST_STACKS:
        taken = f"{text.local_bytes} bytes of each of {text.launch.threads} threads"
        raise CompileError(f"the registers of {text.name} take {taken}; at most {MOST_STACKS} of a block")
    return own


def _section(number: int) -> str:
    return f"tw_shared_{number}"


def _argument(parameter: Parameter, number: int) -> str:
    if parameter.map:
        return f"*reinterpret_cast<const {TENSOR_MAP}*>(tw::maps[{number}].bytes)"
    kind = parameter.element.c_name
    return f"{'' if parameter.shape else '*'}reinterpret_cast<{kind}*>(tw::given[{number}])"


def _row(number: int, part: Part) -> str:
    launch, section = part.text.launch, _section(number)
    extents = ", ".join(f"{{{', '.join(map(str, own))}}}" for own in (launch.grid, launch.block))
    shared = f"__start_{section}, __stop_{section}"
    kernel = f"{{tw_{number}::body, {extents}, {launch.cluster}, {shared}, {stack_bytes(part.text)}}}"
    return f"{{{kernel}, {len(part.text.parameters)}, tw_{number}::maps}}"


def loops_library(texts: Sequence[CText]) -> str:
    """The C++ source of a library that runs the kernels.

    Of kernel n `tw_launch_n(memory, first, last, report)` runs the blocks from `first` to `last`, x counting fastest,
    on what the parameters point to; it gives 1 where an assertion does not hold, and then says in the report which, and
    where; 2 where Ctrl-C ended it, if the report asks for that.
    """
    kernels = "".join(_launcher(number, text) for number, text in enumerate(texts))
    return f"""{elements()}
{header("loops.h")}
{header("functions.h")}
{kernels}
extern "C" void tw_free(char* text) {{ std::free(text); }}
"""


def _launcher(number: int, text: CText) -> str:
    arguments = "".join(
        f", {'' if parameter.shape else '*'}static_cast<{parameter.element.c_name}*>(memory[{number}])"
        for number, parameter in enumerate(text.parameters)
    )
    prints = "printf(" in text.source
    return f"""
namespace tw_{number} {{
{text.source}
static int blocks(void* const* memory, long long first, long long last, tw_report* report) {{
  (void)memory;
  const tw_extents grid = report->grid;
  for (long long block = first; block < last; ++block) {{
    const tw_block at = {{block % grid.x, block / grid.x % grid.y, block / (grid.x * grid.y), grid}};
    try {{
      {text.name}(at{arguments});
    }} catch (const tw_failure& failure) {{
      report->number = failure.number, report->value = failure.value;
      report->block = block, report->thread = failure.thread;
      return 1;
    }}
  }}
  return 0;
}}
}}

extern "C" int tw_launch_{number}(void* const* memory, long long first, long long last, tw_report* report) {{
  tw_out = {"open_memstream(&report->text, &report->size)" if prints else "nullptr"};
  const int status = tw_interruptible({"false" if prints else "report->stops"}, [=] {{
    return tw_{number}::blocks(memory, first, last, report);
  }});
  if (tw_out) std::fclose(tw_out);
  return status;
}}
"""


@lru_cache(maxsize=16)
def header(name: str) -> str:
    """The text of a header in this folder."""
    return files(__package__).joinpath(name).read_text(encoding="utf-8")
