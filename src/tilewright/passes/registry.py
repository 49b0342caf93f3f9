"""The passes by name, and the pipelines that text makes of them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import fields
from importlib import import_module
from textwrap import wrap
from types import MappingProxyType

from xdsl.passes import ModulePass
from xdsl.utils.arg_spec import parse_spec
from xdsl.utils.exceptions import ArgSpecParseError

from tilewright.errors import UsageError, close_names, shown

# Each pass is loaded when it is first asked for: reading and printing a file needs none.
_WHERE: Mapping[str, str] = MappingProxyType(
    {
        "contract": "contract.Contract",
        "cse": "cse.Cse",
        "dce": "dce.Dce",
        "dispatch": "dispatch.Dispatch",
        "fission": "fission.fission.Fission",
        "fly-canonicalize": "fly.canonical.Canonicalize",
        "fly-convert-atom-call-to-ssa-form": "fly.atom_calls.ConvertAtomCallToSsaForm",
        "fly-expand-work": "fly.expand.Expand",
        "fly-flatten": "fly_flat.flatten.FlattenFly",
        "fly-gather-registers": "fly.gathered.GatherRegisters",
        "fly-int-swizzle-simplify": "fly.swizzles.IntSwizzleSimplify",
        "fly-layout-lowering": "fly.lowering.LayoutLowering",
        "fly-promote-regmem-to-vectorssa": "fly.register_values.PromoteRegmemToVectorSsa",
        "fly-rewrite-func-signature": "fly.signature.RewriteFuncSignature",
        "resolve-lanes": "resolve_lanes.ResolveLanes",
        "lower-buffers": "lower_buffers.LowerBuffers",
        "simplify": "simplify.Simplify",
        "symbol-dce": "symbol_dce.SymbolDce",
        "unroll": "unroll.Unroll",
    }
)
PASSES = tuple(_WHERE)
# MLIR's names of passes that are here under another.
ALIASES: Mapping[str, str] = MappingProxyType({"canonicalize": "simplify"})
# MLIR's own options of them, of what stops its driver of patterns early; here nothing stops early.
_OPTIONS_OF_MLIR = re.compile(
    r"\b(?:max-iterations|max-num-rewrites|region-simplify|test-convergence|top-down|cse-between-iterations)=\S*\s*"
)
_LLVM = "code is made of the `final` stage here, and not by way of LLVM's dialects"
# Passes of FlyDSL's pipeline that have nothing to do here, and why.
FOREIGN: Mapping[str, str] = MappingProxyType(
    {
        **dict.fromkeys(
            (
                "convert-arith-to-llvm",
                "convert-cf-to-llvm",
                "convert-fastmath-ops",
                "convert-fly-ktrace-to-rocdl",
                "convert-fly-to-nvvm",
                "convert-fly-to-rocdl",
                "convert-func-to-llvm",
                "convert-gpu-to-nvvm",
                "convert-gpu-to-rocdl",
                "convert-rocdl-fastmath-ops",
                "convert-scf-to-cf",
                "convert-vector-to-llvm",
                "fly-attach-lds-alias-scope",
                "fly-emit-gpu-binary",
                "fly-fix-bitcast-width",
                "fly-rocdl-cluster-attr",
                "fly-rocdl-expand-ops",
                "gpu-module-to-binary",
                "gpu-to-llvm",
                "nvvm-attach-target",
                "reconcile-unrealized-casts",
                "rocdl-attach-target",
            ),
            _LLVM,
        ),
        "ensure-debug-info-scope-on-llvm-func": _LLVM,
        "inline": "what a kernel calls is part of it when it is traced, and calls that a text has stay",
    }
)
# Ops under which MLIR nests passes. Ours look at the whole module, so that nesting changes nothing.
ANCHORS = ("any", "builtin.module", "func.func", "gpu.module", "gpu.func")
_TOKEN = re.compile(r"\s*(?:(?P<name>[\w.-]+)\s*(?P<options>\{[^{}]*\})?|(?P<sign>[(),]))\s*")


def pass_of(name: str, options: str = "") -> ModulePass:
    """The pass of that name with options, such as `lanes=64`.

    Raises:
        UsageError: no such pass, or it does not take these options.

    >>> print(pass_of("dispatch", "lanes=64"))
    dispatch{lanes=64}
    """
    written, name = name, ALIASES.get(name, name)
    if name in FOREIGN:
        raise UsageError(f"the pass {name} has no meaning here: {FOREIGN[name]}")
    if name not in _WHERE:
        raise UsageError(among(f"unknown pass {shown(name)}", close_names(name, (*PASSES, *ALIASES)), "passes", PASSES))
    module, _, kind = _WHERE[name].rpartition(".")
    found = getattr(import_module(f"tilewright.passes.{module}"), kind)
    options = _OPTIONS_OF_MLIR.sub("", options) if written in ALIASES else options
    try:
        made = found.from_spec(parse_spec(f"{name}{{{options}}}" if options.strip() else name))
    except (ArgSpecParseError, ValueError, TypeError):
        raise UsageError(
            f"the pass {written} does not take the options {shown(options.strip())}; {_options(found)}"
        ) from None
    assert isinstance(made, ModulePass)
    return made


def among(problem: str, close: Sequence[str], what: str, known: Sequence[str]) -> str:
    """A message: what is wrong, what was perhaps meant, and below it all that there are, in lines of usual width.

    >>> print(among("no pass 'cs'", ["cse"], "passes", ["cse", "dce"]))
    no pass 'cs'; did you mean cse?
      passes: cse, dce
    """
    perhaps = f"; did you mean {close[0]}?" if close else ""
    lines = wrap(f"{what}: {', '.join(known)}", 100, break_long_words=False, break_on_hyphens=False)
    return "\n".join([f"{problem}{perhaps}", *(f"  {line}" for line in lines)])


_KINDS = {"int": "an integer", "bool": "true or false", "str": "a text"}


def _options(kind: type[ModulePass]) -> str:
    """Which options a pass takes."""
    taken = [f"{field.name.replace('_', '-')} ({_KINDS.get(str(field.type), 'a value')})" for field in fields(kind)]
    return f"it takes {', '.join(taken)}" if taken else "it takes none"


def pipeline_of(text: str) -> tuple[ModulePass, ...]:
    """The passes of MLIR's text of a pipeline, in order; `anchor(...)` nests them.

    Raises:
        UsageError: it is not such a text, or names what is no pass.

    >>> [p.name for p in pipeline_of("builtin.module(func.func(simplify, cse), dce)")]
    ['simplify', 'cse', 'dce']
    """
    return tuple(_passes(text))


# What may stand after what: `start` of a list, `,`, an `anchor`, a `pass`, the `end` of a list.
_AFTER = {
    "name": ("start", ","),
    "(": ("anchor",),
    ",": ("pass", "end"),
    ")": ("start", "pass", "end"),
}


def _passes(text: str) -> Iterator[ModulePass]:
    depth, position, before = 0, 0, "start"
    while position < len(text):
        token = _TOKEN.match(text, position)
        kind = "" if token is None else token["sign"] or "name"
        if token is None or before not in _AFTER[kind] or (kind == ")" and depth == 0):
            raise UsageError(f"cannot read the pipeline {shown(text)} at {shown(text[position : position + 20])}")
        position, name = token.end(), token["name"]
        depth += (kind == "(") - (kind == ")")
        before = {"(": "start", ")": "end", ",": ","}.get(kind, "pass")
        if name and text[position : position + 1] == "(":
            before = _anchored(name)
        elif name:
            yield pass_of(name, (token["options"] or "{}")[1:-1])
    if depth or before in (",", "anchor"):
        raise UsageError(f"the pipeline {shown(text)} ends too early")


def _anchored(name: str) -> str:
    if name not in ANCHORS:
        raise UsageError(f"passes nest under {', '.join(ANCHORS)}, not under {shown(name)}")
    return "anchor"
