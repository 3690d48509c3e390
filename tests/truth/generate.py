#!/usr/bin/env python3
"""Writes the project's own truth cases into tests/truth/generated/; `--check` only compares."""

import argparse
import shutil
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
OUT = HERE / "generated"
sys.path.insert(0, str(HERE))
from generator import counters, edges, hostile, proofs, ratios, values  # noqa: E402,F401 # they fill CASES
from generator.lib import CASES  # noqa: E402


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true", help="fail if a file differs; write nothing")
    options = parser.parse_args()
    if not options.check:
        shutil.rmtree(OUT, ignore_errors=True)
    wrong = []
    wanted = set()
    for name, case in CASES.items():
        for file, text in case.files().items():
            path = OUT / name / file
            wanted.add(path)
            if not options.check:
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(text, encoding="utf-8")
            elif not path.is_file() or path.read_text(encoding="utf-8") != text:
                wrong.append(f"{path.relative_to(HERE)} differs")
    if options.check:
        wrong += [f"{path.relative_to(HERE)} belongs to no case"
                  for path in OUT.rglob("*") if path.is_file() and path not in wanted]
    for line in wrong:
        print(f"tests/truth/generate.py: {line}: run tests/truth/generate.py", file=sys.stderr)
    if not wrong:
        print(f"{len(CASES)} generated cases {'are as committed' if options.check else 'written'}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
