"""Random command lines: the exit status is 0, 1 or 2, bad input is told, nothing raises, and no answer takes over 1 s.

python tests/fuzz/fuzz_cli.py [N] [seed]     N command lines; exit status 1 if one of them does anything else
"""

from __future__ import annotations

import random
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

sys.path.insert(0, str(Path(__file__).parents[1] / "support"))

from cli_fuzz import command_lines, folder, trouble


def main(arguments: list[str]) -> int:
    count = int(arguments[0]) if arguments else 2000
    seed = int(arguments[1]) if len(arguments) > 1 else 0
    wrong = 0
    with TemporaryDirectory() as path, folder(Path(path)):
        for words in command_lines(random.Random(seed), count):
            complaint = trouble(words)
            if complaint:
                wrong += 1
                print(f"{[word[:120] for word in words]}: {complaint}", file=sys.stderr)
    print(f"{count} command lines, seed {seed}: {wrong} other than a status of 0, 1 or 2 within 1 s")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
