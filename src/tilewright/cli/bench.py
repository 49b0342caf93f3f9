"""`tilewright bench [NAME]`: the benchmarks of a checkout, listed or run."""

from __future__ import annotations

import argparse
import ast
from pathlib import Path

from tilewright.cli.sources import run_file
from tilewright.cli.subparsers import Subparsers
from tilewright.errors import UsageError, shortened

MAIN = "'__main__'"


def add_parser(subparsers: Subparsers, words: str) -> None:
    """Adds the subcommand."""
    parser = subparsers.add_parser(
        "bench", help=words, description=f"{words}. A benchmark is a Python file with a main block, and is executed."
    )
    parser.add_argument("names", metavar="NAME", nargs="*", help="benchmarks to run; none: list them")
    parser.add_argument("--folder", default="benchmarks", help="where they are (default: benchmarks)")


def run(args: argparse.Namespace) -> int:
    """Lists or runs."""
    found = _benchmarks(args.folder)
    if not found:
        raise UsageError(
            f"there are no benchmarks in {shortened(args.folder)!r}; run this in a checkout, or give --folder"
        )
    unknown = [name for name in args.names if name not in found]
    if unknown:
        raise UsageError(f"no benchmark {shortened(unknown[0])!r}; there are {', '.join(found)}")
    for name in args.names:
        run_file(str(Path(args.folder, f"{name}.py")))
    if not args.names:
        width = max(map(len, found))
        print("\n".join(f"{name:{width}}  {words}" for name, words in found.items()))
    return 0


def _benchmarks(folder: str) -> dict[str, str]:
    """The benchmarks by name, with what each says of itself; files without a main block only help them."""
    found = {path.stem: _words(path) for path in _files(folder)}
    return {name: words for name, words in found.items() if words is not None}


def _files(folder: str) -> list[Path]:
    try:
        return sorted(Path(folder).glob("*.py"))
    except (OSError, ValueError):  # a name that is too long, or has a zero byte
        return []


def _words(path: Path) -> str | None:
    """The first line of a benchmark's documentation; None where it is none."""
    try:
        tree = ast.parse(path.read_text(encoding="utf-8"))
    except (OSError, SyntaxError, ValueError, RecursionError):
        return "not Python"
    if not any(isinstance(node, ast.If) and MAIN in ast.unparse(node.test) for node in tree.body):
        return None
    return (ast.get_docstring(tree) or "").partition("\n")[0]
