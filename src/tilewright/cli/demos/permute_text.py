"""What the permute demo prints."""

from __future__ import annotations

from textwrap import indent

from tilewright.cli.demos.permute_run import Run

WHERE = {
    "global": "if A and B lay in shared memory, by the bank model",
    "shared": "in shared memory, counted by the simulator",
}


def text(run: Run) -> str:
    """Head, stages, plan, costs and the check."""
    return "\n".join([*_head(run), *_stages(run), *_costs(run), *_checks(run)])


def _head(run: Run) -> list[str]:
    setup = run.setup
    stages = f"{setup.pipe} stage{'s' * (setup.pipe > 1)} of {setup.blk}"
    return [
        f"permute   {stages} scale factors ({setup.kind}) from {setup.origin}",
        f"source    A  {setup.pre.notation()}",
        f"result    B  {setup.post.notation()}",
        "",
    ]


def _stages(run: Run) -> list[str]:
    lines = []
    for stage in run.compiled.stages:
        lines += [f"stage     {stage}", indent(run.compiled.script(stage).strip(), "    "), ""]
    return [*lines, indent(run.plan.report, " " * 10).replace(" " * 10, "plan      ", 1), ""]


def _costs(run: Run) -> list[str]:
    where = WHERE[run.setup.staging]
    return [
        f"{name:9} {wavefronts} wavefronts a stage, ideal {ideal} ({where})"
        for name, (wavefronts, ideal) in run.phases().items()
    ]


def _checks(run: Run) -> list[str]:
    lines = [f"check     {_right(run, run.wrong)}: B at L_dst(i) holds A at L_src(i)"]
    if run.on_host is None:
        return [*lines, "host      no g++ here: the CUDA text was not run on the CPU"]
    return [*lines, f"host      {_right(run, run.on_host)}: the CUDA text, compiled by g++ and run on the CPU"]


def _right(run: Run, wrong: tuple[int, ...]) -> str:
    count = run.setup.stages.size
    shown = ", ".join(map(str, wrong[:8])) + (", .." if len(wrong) > 8 else "")
    return f"{count - len(wrong)} of {count} elements" + (f" (WRONG at coordinates {shown})" if wrong else "")
