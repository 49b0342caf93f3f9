"""From a kernel's text to what the compiler takes.

The literal text becomes a program: the shim, the kernel, and a `main` that reads and writes its arrays as files. The
text whose threads are loops becomes a library, with one function that runs some of the blocks.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from importlib.resources import files

from tilewright.targets.c_emitter.writer import CText

PARTED = 3  # exit status: the threads part at a barrier
SPINNING = 5  # exit status: threads go round in a loop for what nobody does
FAILED = 4  # exit status: an assertion does not hold; its number, the value and the thread are printed


def host_program(text: CText, roles: Sequence[int]) -> str:
    """The C++ source of a program that runs the kernel once.

    Its arguments are file names; file `roles[i]` holds parameter i, read before and written after.
    """
    memories = max(roles) + 1 if roles else 0
    arguments = ", ".join(
        f"{'' if parameter.shape else '*'}reinterpret_cast<{parameter.element.c_name}*>(memory[{role}].data())"
        for parameter, role in zip(text.parameters, roles, strict=True)
    )
    grid, block = (", ".join(map(str, extents)) for extents in (text.launch.grid, text.launch.block))
    return f"""{header("elements.h")}
{header("shim.h")}
{text.source}
static std::vector<char> memory[{max(memories, 1)}];
static void tw::body() {{ {text.name}({arguments}); }}

int main(int, char** names) {{
  const unsigned grid[] = {{{grid}}}, block[] = {{{block}}};
  for (int i = 0; i < {memories}; ++i) memory[i] = tw::read(names[1 + i]);
  tw::start(block[0] * block[1] * block[2]);
  for (blockIdx.z = 0; blockIdx.z < grid[2]; ++blockIdx.z)
    for (blockIdx.y = 0; blockIdx.y < grid[1]; ++blockIdx.y)
      for (blockIdx.x = 0; blockIdx.x < grid[0]; ++blockIdx.x)
        if (!tw::run(block)) return {PARTED};
  for (int i = 0; i < {memories}; ++i) tw::write(names[1 + i], memory[i]);
}}
"""


def loops_library(text: CText) -> str:
    """The C++ source of a library that runs the kernel.

    `tw_launch(memory, first, last, report)` runs the blocks from `first` to `last`, x counting fastest, on what the
    parameters point to; it gives 1 where an assertion does not hold, and then says in the report which, and where.
    """
    arguments = "".join(
        f", {'' if parameter.shape else '*'}static_cast<{parameter.element.c_name}*>(memory[{number}])"
        for number, parameter in enumerate(text.parameters)
    )
    columns, rows, _ = text.launch.grid
    at = f"block % {columns}, block / {columns} % {rows}, block / {columns * rows}"
    return f"""{header("elements.h")}
{header("loops.h")}
{text.source}
static int tw_blocks(void* const* memory, long long first, long long last, tw_report* report) {{
  (void)memory;
  for (long long block = first; block < last; ++block) {{
    const tw_block at = {{{at}}};
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

extern "C" int tw_launch(void* const* memory, long long first, long long last, tw_report* report) {{
  tw_out = {"open_memstream(&report->text, &report->size)" if "printf(" in text.source else "nullptr"};
  const int status = tw_blocks(memory, first, last, report);
  if (tw_out) std::fclose(tw_out);
  return status;
}}

extern "C" void tw_free(char* text) {{ std::free(text); }}
"""


@lru_cache(maxsize=8)
def header(name: str) -> str:
    """The text of a header in this folder."""
    return files(__package__).joinpath(name).read_text(encoding="utf-8")
