"""One CUDA kernel for each memory instruction: a warp executes it once, at addresses that a table gives lane by lane.

Its table is a parameter, which no counter of loads sees. What it loads is stored to global memory, which no counter of
loads or of shared memory sees; without that the assembler would drop the load.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

LANES = 32
POOL_BYTES, GLOBAL_BYTES = 1 << 16, 1 << 20
RESULT_BYTES = 8 * LANES  # behind the global memory that the probes read
WIDTHS: Mapping[int, tuple[str, str, str, int]] = {  # type in PTX, a register's letter and C type, registers
    1: ("u8", "r", "unsigned", 1),
    2: ("u16", "h", "unsigned short", 1),
    4: ("b32", "r", "unsigned", 1),
    8: ("b64", "l", "unsigned long long", 1),
    16: ("v4.b32", "r", "unsigned", 4),
}


@dataclass(frozen=True)
class Probe:
    """An instruction: `space` is where, `kind` is `load` or `store`, `width` the bytes at each lane's address.

    `model` is its name in the bank model, empty for global memory. A matrix instruction takes the addresses of its
    first `rows` lanes, 0 means that it is none; all lanes execute it.
    """

    name: str
    space: str
    kind: str
    width: int
    model: str = ""
    rows: int = 0

    @property
    def kernel(self) -> str:
        return self.name.replace(".", "_")

    @property
    def memory_bytes(self) -> int:
        return POOL_BYTES if self.space == "shared" else GLOBAL_BYTES

    def text(self) -> str:
        """The kernel in CUDA."""
        instruction = _matrix(self) if self.rows else _plain(self)
        shared = self.space == "shared"
        start = "static_cast<unsigned>(__cvta_generic_to_shared(pool))" if shared else "memory"
        active = "true" if self.rows else "at >= 0"
        return f"""
extern "C" __global__ void {self.kernel}(const __grid_constant__ Row row, char* memory) {{
  const int at = row.at[threadIdx.x];
  const auto here = {start} + {"max(at, 0)" if self.rows else "at"};
  if ({active}) {{
    {instruction}
  }}
}}
"""


def _plain(probe: Probe) -> str:
    kind, letter, ctype, count = WIDTHS[probe.width]
    names = [f"v{i}" for i in range(count)]
    return _asm(probe, f"{'ld' if probe.kind == 'load' else 'st'}.{probe.space}.{kind}", ctype, letter, names)


def _matrix(probe: Probe) -> str:
    _, count, *trans = probe.name.split(".")
    words = ".".join(["sync.aligned.m8n8", count, *trans, "shared.b16"])
    name = "ldmatrix" if probe.kind == "load" else "stmatrix"
    return _asm(probe, f"{name}.{words}", "unsigned", "r", [f"v{i}" for i in range(probe.rows // 8)])


def _asm(probe: Probe, instruction: str, ctype: str, letter: str, names: list[str]) -> str:
    """The declaration of the registers and the statement; a store writes the lane's number."""
    load, many = probe.kind == "load", len(names) > 1 or bool(probe.rows)
    places = [f"%{i + (not load)}" for i in range(len(names))]
    registers = f"{{{', '.join(places)}}}" if many else places[0]
    address = f"[%{len(names) if load else 0}]"
    operands = f"{registers}, {address}" if load else f"{address}, {registers}"
    values = ", ".join(f'"{"=" * load}{letter}"({name})' for name in names)
    where = f'"{"r" if probe.space == "shared" else "l"}"(here)'
    tail = f"{values} : {where}" if load else f": {where}, {values}"
    declared = ", ".join(name if load else f"{name} = threadIdx.x" for name in names)
    kept = f"\n    reinterpret_cast<unsigned long long*>(memory + {GLOBAL_BYTES})[threadIdx.x] = {' ^ '.join(names)};"
    return f'{ctype} {declared};\n    asm volatile("{instruction} {operands};" : {tail} : "memory");{kept * load}'


def _probes() -> tuple[Probe, ...]:
    plain = [
        Probe(f"{short}.{space}.{width}", space, kind, width, kind if space == "shared" else "")
        for space in ("shared", "global")
        for short, kind in (("ld", "load"), ("st", "store"))
        for width in WIDTHS
    ]
    matrix = [
        Probe(f"{name}.x{count}{trans}", "shared", kind, 16, f"{name}.x{count}", 8 * count)
        for name, kind in (("ldmatrix", "load"), ("stmatrix", "store"))
        for count in (1, 2, 4)
        for trans in ("", ".trans")
    ]
    return (*plain, *matrix)


PROBES = _probes()


def source() -> str:
    """All kernels, as CUDA text for sm_90 and later."""
    head = f"struct Row {{ int at[{LANES}]; }};\nalignas(1024) extern __shared__ unsigned char pool[];\n"
    return head + "".join(probe.text() for probe in PROBES)
