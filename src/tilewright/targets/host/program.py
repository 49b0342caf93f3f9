"""From a kernel's text to a program: the shim, the kernel, and a `main` that reads and writes its arrays as files."""

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
    return f"""{shim()}
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


@lru_cache(maxsize=1)
def shim() -> str:
    """The shim header's text."""
    return files(__package__).joinpath("shim.h").read_text(encoding="utf-8")
