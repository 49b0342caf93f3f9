"""Reads MLIR with FlyDSL's own dialect: a JSON list of texts on standard input, a JSON list of answers on the output.

An answer is `{"text": ..}` as FlyDSL prints it, `{"error": ..}`, or `{"died": status}` where the process ended. Run by
a Python that has `flydsl`; each batch in a process of its own, because bad input aborts it.
"""

from __future__ import annotations

import json
import os
import sys

BATCH = 200


def main() -> None:
    """Answer."""
    texts, answers = json.load(sys.stdin), []
    while len(answers) < len(texts):
        batch = texts[len(answers) : len(answers) + BATCH]
        found, status = _in_a_child(batch)
        answers += found
        if len(found) < len(batch):
            answers.append({"died": status})
    json.dump(answers, sys.stdout)


def _in_a_child(batch: list[str]) -> tuple[list[dict[str, str]], int]:
    ours, theirs = os.pipe()
    child = os.fork()
    if child == 0:
        with os.fdopen(theirs, "w") as out:
            for text in batch:
                out.write(json.dumps(_read(text)) + "\n")
                out.flush()
        os._exit(0)
    os.close(theirs)
    with os.fdopen(ours) as lines:
        found = [json.loads(line) for line in lines]
    return found, os.waitpid(child, 0)[1]


def _read(text: str) -> dict[str, str]:
    from flydsl._mlir import ir
    from flydsl._mlir.dialects import fly, fly_rocdl  # noqa: F401  # which registers them

    with ir.Context():
        try:
            return {"text": str(ir.Module.parse(text))}
        except ir.MLIRError as error:
            return {"error": str(error)}


if __name__ == "__main__":
    main()
