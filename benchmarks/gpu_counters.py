"""Counters of a GPU against the models of banks and of coalescing: every memory instruction at hundreds of addresses.

    python benchmarks/gpu_counters.py [--each N] [--seed N] [--json] [--save FILE | --log FILE]

Needs a GPU whose counters may be read, and Nsight Compute (`ncu`). Each pattern is one launch of one warp. `--save`
keeps what ncu writes, and `--log` reads it, without a GPU, given the same `--each` and `--seed`. Exit status 1 where a
pattern takes another number of wavefronts or sectors than the model says. Without a GPU, or without ncu, it says so.
"""

from __future__ import annotations

import argparse
import csv
import ctypes
import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path

import numpy as np
from gpu_patterns import Pattern, patterns
from gpu_probes import GLOBAL_BYTES, LANES, POOL_BYTES, RESULT_BYTES, source

import tilewright as tw
from tilewright.targets.cuda.driver import Driver, driver, why_no_gpu
from tilewright.targets.cuda.nvrtc import compile_cubin
from tilewright.targets.launch import Launch

_BANKS, _SECTORS = "l1tex__data_pipe_lsu_wavefronts_mem_shared", "l1tex__t_sectors_pipe_lsu_mem_global_op"
_CONFLICTS = "l1tex__data_bank_conflicts_pipe_lsu_mem_shared"
_REQUESTS = "l1tex__t_requests_pipe_lsu_mem_global_op"
# What is compared. Of shared memory it is the sum over all kinds: matrix instructions may count as a kind of their own.
COMPARED: Mapping[tuple[str, str], str] = {
    ("shared", "load"): f"{_BANKS}.sum",
    ("shared", "store"): f"{_BANKS}.sum",
    ("global", "load"): f"{_SECTORS}_ld.sum",
    ("global", "store"): f"{_SECTORS}_st.sum",
}
METRICS = (
    *dict.fromkeys(COMPARED.values()),
    *(f"{name}_op_{op}.sum" for name in (_BANKS, _CONFLICTS) for op in ("ld", "st")),
    *(f"{_REQUESTS}_{op}.sum" for op in ("ld", "st")),
)
Counters = dict[str, float]


@dataclass(frozen=True)
class Finding:
    """A pattern, what the models say of it under each assumption, and what was counted.

    `said` is the model's default. For shared memory `apart` and `merged` are without and with merging of lane pairs.
    """

    pattern: Pattern
    said: int
    apart: int
    merged: int
    counters: Counters

    @property
    def counted(self) -> int:
        return int(self.counters[COMPARED[self.pattern.probe.space, self.pattern.probe.kind]])

    def to_json(self) -> dict[str, object]:
        names = {"instruction": self.pattern.probe.name, "family": self.pattern.family}
        figures = {"said": self.said, "apart": self.apart, "merged": self.merged, "counted": self.counted}
        return {**names, **figures, "addresses": self.pattern.addresses, "counters": self.counters}


def finding(pattern: Pattern, counters: Counters, arch: str) -> Finding:
    """A pattern's counters beside what the models say of it on that architecture."""
    probe = pattern.probe
    row = [None if address < 0 else address for address in pattern.addresses]
    if not probe.model:
        said = tw.coalescing_at(row, probe.width, kind=probe.kind, arch=arch).sectors
        return Finding(pattern, said, said, said, counters)
    instruction = probe.model if probe.rows else "auto"
    report = tw.bank_conflicts_at(row, probe.width, kind=probe.kind, instruction=instruction, arch=arch)
    return Finding(pattern, report.wavefronts, report.unmerged, report.merged, counters)


def launch(gpu: Driver, wanted: Iterable[Pattern], cubin: bytes) -> None:
    """One launch of one warp for each pattern, in order."""
    once = Launch((1, 1, 1), (LANES, 1, 1))
    with gpu.copies([np.zeros(GLOBAL_BYTES + RESULT_BYTES, np.uint8)]) as (memory,):
        for pattern in wanted:
            row = (ctypes.c_int * LANES)(*pattern.addresses)
            gpu.start(cubin, pattern.probe.kernel, once, [row, memory], POOL_BYTES)
        gpu.call("cuCtxSynchronize")


def counted(log: Path, kernels: Sequence[str]) -> list[Counters]:
    """What ncu wrote of the launches of these kernels, in order.

    Raises:
        SystemExit: it wrote of others, or of none.
    """
    text = log.read_text(encoding="utf-8", errors="replace")
    lines = text.splitlines()
    start = next((i for i, line in enumerate(lines) if line.startswith('"ID"')), None)
    if start is None:
        raise SystemExit(f"ncu counted nothing:\n{text[-2000:]}")
    rows = [row for row in csv.DictReader(lines[start:]) if row["ID"]]  # the row without a number holds the units
    found = [row["Kernel Name"].partition("(")[0] for row in rows]
    if found != list(kernels):
        raise SystemExit(f"{len(kernels)} launches were asked for, and ncu tells of {len(found)}: {found[:3]} ..")
    return [{name: _number(row[name]) for name in METRICS} for row in rows]


def _number(text: str) -> float:
    return float(text.replace(",", ""))


def profiled(options: argparse.Namespace, ncu: str, log: Path) -> None:
    """Runs this file's launches under ncu, which writes to the log.

    Raises:
        SystemExit: it fails.
    """
    how = ["--csv", "--page", "raw", "--print-units", "base", "--clock-control", "none", "--cache-control", "none"]
    own = [sys.executable, __file__, "--launch", "--each", str(options.each), "--seed", str(options.seed)]
    command = [ncu, *how, "--metrics", ",".join(METRICS), "--log-file", str(log), *own]
    plain = {**os.environ, "LC_ALL": "C"}  # else numbers are written as the user's language has them
    done = subprocess.run(command, env=plain, capture_output=True, text=True, check=False)
    if done.returncode:
        told = log.read_text(encoding="utf-8", errors="replace") if log.exists() else ""
        raise SystemExit(f"ncu failed ({done.returncode}):\n{done.stdout}{done.stderr}{told[-2000:]}")


def table(findings: Sequence[Finding]) -> Iterator[str]:
    """A Markdown row for each instruction, and after them every kind of difference once."""
    yield "| instruction | patterns | as the model says | without merging | with merging |"
    yield "|---|---|---|---|---|"
    for name, group in groupby(findings, key=lambda found: found.pattern.probe.name):
        rows = list(group)
        agree = [sum(row.counted == getattr(row, what) for row in rows) for what in ("said", "apart", "merged")]
        yield f"| {name} | {len(rows)} | {' | '.join(map(str, agree))} |"
    for name, row in _differences(findings).items():
        figures = f"counted {row.counted}, said {row.said} (apart {row.apart}, merged {row.merged})"
        yield f"\n{' '.join(name)}: {figures} at {list(row.pattern.addresses)}"


def _differences(findings: Iterable[Finding]) -> dict[tuple[str, str], Finding]:
    """The first difference of every instruction and family."""
    found: dict[tuple[str, str], Finding] = {}
    for row in findings:
        if row.counted != row.said:
            found.setdefault((row.pattern.probe.name, row.pattern.family), row)
    return found


def parsed() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="compares a GPU's counters with the models")
    parser.add_argument("--each", type=int, default=4, help="patterns of each family and instruction (default: 4)")
    parser.add_argument("--seed", type=int, default=0, help="of the random patterns (default: 0)")
    parser.add_argument("--json", action="store_true", help="every pattern with all its counters")
    parser.add_argument("--arch", default="sm_90", help="the model's architecture with --log (default: sm_90)")
    parser.add_argument("--save", type=Path, help="keep what ncu writes in this file")
    parser.add_argument("--log", type=Path, help="read this file instead of running ncu")
    parser.add_argument("--launch", action="store_true", help="launch the patterns and count nothing, as ncu's child")
    return parser.parse_known_args()[0]


def measured(options: argparse.Namespace) -> tuple[str, list[Finding]]:
    """The architecture's name, and a finding for every pattern.

    Raises:
        SystemExit: ncu is missing, or fails.
    """
    wanted = list(patterns(options.each, options.seed))
    kernels = [pattern.probe.kernel for pattern in wanted]
    arch = options.arch
    if options.log:
        rows = counted(options.log, kernels)
    else:
        arch, ncu = architecture(driver()), shutil.which("ncu")
        if ncu is None:
            raise SystemExit("nothing is counted: Nsight Compute (ncu) is not on the PATH")
        with tempfile.TemporaryDirectory() as folder:
            log = (options.save or Path(folder) / "log.csv").absolute()
            profiled(options, ncu, log)
            rows = counted(log, kernels)
    return arch, [finding(pattern, row, arch) for pattern, row in zip(wanted, rows, strict=True)]


def architecture(gpu: Driver) -> str:
    return "sm_{}{}".format(*gpu.capability)


def main() -> int:
    """Prints a table, or JSON; 1 where the model is wrong of a pattern."""
    options = parsed()
    reason = None if options.log else why_no_gpu()
    if reason:
        print(f"nothing is counted: {reason}")
        return 0
    if options.launch:
        gpu = driver()
        launch(gpu, patterns(options.each, options.seed), compile_cubin(source(), architecture(gpu)))
        return 0
    arch, findings = measured(options)
    if options.json:
        print(json.dumps({"arch": arch, "patterns": [found.to_json() for found in findings]}, indent=1))
    else:
        print(*table(findings), sep="\n")
    return int(any(found.counted != found.said for found in findings))


if __name__ == "__main__" and main():
    raise SystemExit(1)
