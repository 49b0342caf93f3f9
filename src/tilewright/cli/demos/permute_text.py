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
    return "\n".join([*_head(run), *_stages(run), *_costs(run), _check(run)])


def _head(run: Run) -> list[str]:
    setup = run.setup
    return [
        f"permute   {setup.pipe} stages of {setup.blk} scale factors ({setup.kind}) from {setup.origin}",
        f"source    A  {setup.pre.notation()}",
        f"result    B  {setup.post.notation()}",
        "",
    ]


def _stages(run: Run) -> list[str]:
    lines = []
    for stage in run.compiled.stages:
        lines += [f"stage     {stage}", indent(run.compiled.script(stage).strip(), "    "), ""]
    return [*lines, f"plan      {run.plan.report}", ""]


def _costs(run: Run) -> list[str]:
    where = WHERE[run.setup.staging]
    return [
        f"{name:9} {wavefronts} wavefronts a stage, ideal {ideal} ({where})"
        for name, (wavefronts, ideal) in run.phases().items()
    ]


def _check(run: Run) -> str:
    count = run.setup.stages.size
    right = f"check     {count - len(run.wrong)} of {count} elements: B at L_dst(i) holds A at L_src(i)"
    shown = ", ".join(map(str, run.wrong[:8])) + (", .." if len(run.wrong) > 8 else "")
    return f"{right}\n          WRONG at the coordinates {shown}" if run.wrong else right
