#!/usr/bin/env python3
"""catalogue-check.py: every key that the sources name is in both catalogues, and no key is unused.

A key counts as used if it stands in a string literal under src/, or begins with the literal part of
one that is completed at run time ("verdict.%s").
"""
import pathlib
import re
import sys

TOP = pathlib.Path(__file__).resolve().parent.parent


def keys(lang):
    lines = (TOP / "templates" / f"{lang}.catalogue").read_text("utf-8").splitlines()
    return [line.split(" = ", 1)[0] for line in lines if line and not line.startswith("#")]


def main():
    en, ko = keys("en"), keys("ko")
    problems = [f"{k} is there twice" for own in (en, ko) for k in set(own) if own.count(k) > 1]
    problems += [f"{k} is in one catalogue only" for k in sorted(set(en) ^ set(ko))]
    literals = set()
    for path in sorted((TOP / "src").rglob("*.[ch]")):
        literals |= set(re.findall(r'"([a-z_]+\.[A-Za-z0-9_./%-]+)"', path.read_text("utf-8")))
    prefixes = {k.split(".")[0] for k in en}
    ours = {text for text in literals if text.split(".")[0] in prefixes}
    begun = {re.split("%", text)[0] for text in ours if "%" in text}
    for text in sorted(ours):
        if "%" not in text and text not in en and not re.search(r"\.(c|h|json|md|txt|db)$", text):
            problems.append(f"{text} is named in the sources, but in no catalogue")
    for key in en:
        if key not in ours and not any(key.startswith(b) for b in begun):
            problems.append(f"{key} is never used")
    if not any(k.startswith("reason.") for k in en):
        problems.append("no reasons at all: is this the right folder?")
    if problems:
        sys.exit("\n".join(problems))


main()
