#!/usr/bin/env python3
"""Facts that the docs repeat from elsewhere: reason codes, exit codes, limits, rule numbers, packages,
folders, links."""

import re
import sys

import pages

ROOT = pages.ROOT
EXITS = {"0", "1", "2", "3", "4", "5", "6", "70"}
# words of the docs that look like codes in backticks, beside those of reason.h
OTHER_WORDS = {"demonstrated", "met-not-demonstrated", "missed-not-clearly", "clearly-missed",
               "upload-artifact", "clang-tidy", "clang-format", "victoria-metrics", "cmark-gfm"}


def read(path):
    return (ROOT / path).read_text(encoding="utf-8")


def reason_codes():
    return set(re.findall(r'X\(\w+, "([a-z-]+)"', read("src/judge/reason.h")))


def unknown_codes(name, text, known):
    """Words such as `no-traffic` in backticks must be reason codes."""
    if name == "docs/spec.md":
        return []  # its ids and packs look the same, and its own tests read it
    words = set(re.findall(r"`([a-z]+(?:-[a-z]+)+)`", pages.prose(text)))
    return [f"{name}: `{w}` is no reason code" for w in sorted(words - known - OTHER_WORDS)]


def exit_problems(name, numbers):
    return [] if set(numbers) == EXITS and len(numbers) == len(EXITS) else \
        [f"{name}: exit codes {' '.join(numbers)}, not {' '.join(sorted(EXITS, key=int))}"]


def exit_codes():
    """README, man page and the kinds of base/error.h say the same."""
    man = re.search(r"# EXIT STATUS\n(.*?)\n# ", pages.man("loadverdict.1.scd"), re.S).group(1)
    of_man = re.findall(r"^\*(\d+)\*\n\t(.*)", man, re.M)
    of_readme = [(r[0], r[1]) for r in pages.table(read("README.md"), "exit")]
    problems = exit_problems("README.md", [n for n, _ in of_readme])
    problems += exit_problems("loadverdict.1", [n for n, _ in of_man])
    if of_readme != of_man:
        problems.append("README.md and loadverdict.1 do not say the same of exit codes")
    kinds = set(re.findall(r"ERROR_\w+ = (\d+)", read("src/base/error.h")))
    if not kinds <= EXITS:
        problems.append(f"src/base/error.h has exit codes that the docs lack: {kinds - EXITS}")
    return problems


def number(text):
    """1,048,576 bytes; 4 GiB; 10 minutes (in ms); 30 s"""
    match = re.match(r"([\d,]+) ?(GiB|MiB|minutes|s\b)?", text)
    scale = {"GiB": 1 << 30, "MiB": 1 << 20, "minutes": 60000, "s": 1000, None: 1}
    return int(match.group(1).replace(",", "")) * scale[match.group(2)]


def initialiser(path, name):
    """{field: value} of a constant struct; values are simple C expressions."""
    body = re.search(name + r" = \{(.*?)\};", read(path), re.S).group(1)
    return {field: eval(re.sub(r"\(int64_t\)", "", value))  # pylint: disable=eval-used # our own source
            for field, value in re.findall(r"\.(\w+) = ([\d<() _a-z]*\d)", body)}


# (row of limits.md, file, struct, field, what to add)
LIMITS = [("a spec or pack file", "src/spec/node.c", "spec_limits_default", "file_bytes", 0),
          ("nodes, aliases written out", "src/spec/node.c", "spec_limits_default", "nodes", 0),
          ("nesting of maps and lists", "src/spec/node.c", "spec_limits_default", "depth", 0),
          ("keys of one map", "src/spec/node.c", "spec_limits_default", "keys", 0),
          ("aliases", "src/spec/node.c", "spec_limits_default", "aliases", 0),
          ("one text, variables filled in", "src/spec/node.c", "spec_limits_default", "scalar_bytes", 0),
          ("problems shown", "src/spec/node.c", "spec_limits_default", "problems", 0),
          ("one answer", "src/source/source.c", "source_limits_default", "body_bytes", 0),
          ("series of one answer", "src/source/source.c", "source_limits_default", "series", 0),
          ("samples of one series", "src/source/source.c", "source_limits_default", "samples", 0),
          ("labels of one series", "src/source/source.c", "source_limits_default", "labels", 0),
          ("one label value", "src/source/source.c", "source_limits_default", "label_bytes", 0),
          ("JSON nesting", "src/source/source.c", "source_limits_default", "depth", 0),
          ("tries of one request", "src/source/source.c", "source_limits_default", "retries", 1),
          ("all requests of one evaluation together", "src/source/source.c",
           "source_limits_default", "deadline_ms", 0)]
CONSTANTS = [("a regular expression", "src/spec/regex.c", r"PATTERN_BYTES = (\d+)"),
             ("requests at once (`parallel`)", "src/source/source.c", r"MAX_PARALLEL = (\d+)"),
             ("a selector", "src/judge/selector_parse.c", r"MAX_TEXT = (\d+ \* \d+)"),
             ("wait for a locked database", "src/store/db.h", r"STORE_BUSY_MS = (\d+)"),
             ("name of a run", "src/store/names.c", r"NAME_MAX_BYTES = (\d+)"),
             ("stored report document", "src/store/document.h", r"DOCUMENT_MAX_BYTES = (\d+ << \d+)"),
             ("Markdown report", "src/report/markdown.c", r"CHARACTERS_MAX (\d+)")]


def limits(text):
    said = {}
    for line in text.splitlines():
        cells = [c.strip() for c in line.strip("|").split("|")]
        if line.startswith("|") and len(cells) == 2 and re.match(r"[\d,]+", cells[1]):
            said[cells[0]] = number(cells[1])
    real = {}
    for row, path, struct, field, more in LIMITS:
        real[row] = initialiser(path, struct)[field] + more
    for row, path, pattern in CONSTANTS:
        real[row] = eval(re.search(pattern, read(path)).group(1))  # pylint: disable=eval-used # as above
    return [f"docs/limits.md: {row}: {said.get(row)}, but the code says {value}"
            for row, value in real.items() if said.get(row) != value]


def rules(text):
    """Rules 1 to 25 in order, and no reference to another number."""
    found = [int(n) for n in re.findall(r"^\*\*Rule (\d+)\.", text, re.M)]
    problems = [] if found == list(range(1, 26)) else [f"docs/counting.md: rules are {found}"]
    problems += [f"docs/counting.md: rule {n} is referred to" for n in
                 re.findall(r"rules? (\d+)", text) if not 1 <= int(n) <= 25]
    for path in sorted([*ROOT.glob("src/**/*.[ch]"), *ROOT.glob("tests/unit/**/*.[ch]")]):
        for n in re.findall(r"counting\.md rules? (\d+)", path.read_text(encoding="utf-8")):
            if not 1 <= int(n) <= 25:
                problems.append(f"{path.relative_to(ROOT)}: counting.md has no rule {n}")
    return problems


def packages():
    installed = read("tools/deps")
    rows = pages.table(read("docs/libraries.md"), "library")
    named = [w for r in rows for w in re.findall(r"[\w-]+-dev", r[1])]
    return [f"docs/libraries.md: tools/deps does not install {p}" for p in named if p not in installed] + \
        [f"docs/libraries.md does not give a reason for {p}"
         for p in re.findall(r"\b[\w-]+-dev\b", installed) if p not in named]


def missing_paths(name, text):
    """`src/...`, `docs/...` and the like in backticks must exist (NAME stands for anything)."""
    problems = []
    for path in re.findall(r"`((?:src|docs|tests|tools|queries|templates|examples|bench)/[\w./-]*)`", text):
        if "NAME" not in path and "/out/" not in path and not (ROOT / path).exists():
            problems.append(f"{name}: {path} does not exist")
    return problems


def broken_links(name, text, known):
    problems = []
    for target in re.findall(r"\]\(([^)\s]+)\)", pages.prose(text)):
        if re.match(r"[a-z]+:", target):
            continue
        path, _, anchor = target.partition("#")
        page = (ROOT / name).parent / path if path else ROOT / name
        if not page.exists():
            problems.append(f"{name}: the link to {target} leads nowhere")
        elif anchor and anchor not in known.get(str(page.resolve().relative_to(ROOT)), set()):
            problems.append(f"{name}: {target} has no such heading")
    return problems


def self_test():
    assert unknown_codes("x", "a `no-such-code` here", {"no-traffic"})
    assert not unknown_codes("x", "a `no-traffic` here\n```\n`no-such-code`\n```\n", {"no-traffic"})
    assert exit_problems("x", ["0", "1"]) and exit_problems("x", sorted(EXITS) + ["0"])
    assert number("1,048,576 bytes") == 1048576 and number("4 GiB") == 4 << 30
    assert number("10 minutes") == 600000 and number("10 s, then exit 6") == 10000
    assert limits("| a spec or pack file | 7 bytes |")
    assert rules("**Rule 1.** x") and missing_paths("x", "`src/nothing.c`")
    assert broken_links("README.md", "[a](no.md)", {}) and broken_links("README.md", "[a](#b)", {})
    assert not broken_links("README.md", "[a](https://b.example/) [c](LICENSE)", {})


def main():
    self_test()
    codes, problems = reason_codes(), []
    all_pages = pages.markdown()
    known = {name: pages.anchors(text) for name, text in all_pages}
    for name, text in all_pages:
        problems += unknown_codes(name, text, codes) + broken_links(name, text, known)
        problems += missing_paths(name, text)
    for path in sorted((ROOT / "docs/man").glob("*.scd")):
        for code in re.findall(r"\*([a-z]+-[a-z-]+)\*(?!\()", path.read_text(encoding="utf-8")):
            if code not in codes:
                problems.append(f"{path.name}: {code} is no reason code")
    problems += exit_codes() + limits(read("docs/limits.md")) + rules(read("docs/counting.md")) + packages()
    return pages.finish(problems, len(all_pages))


if __name__ == "__main__":
    sys.exit(main())
